#include "sluice/file/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::file {
namespace {

using Theirs = nlohmann::ordered_json;

Theirs theirs(const Json& json) {
  if (const bool* truth = json.truth()) return *truth;
  if (const std::int64_t* integer = json.integer()) return *integer;
  if (const std::uint64_t* large = json.large_integer()) return *large;
  if (const std::string* text = json.text()) return *text;
  if (const Json::Array* elements = json.elements()) {
    Theirs array = Theirs::array();
    for (const Json& element : *elements) array.push_back(theirs(element));
    return array;
  }
  if (const Json::Object* members = json.members()) {
    Theirs::object_t object;
    // Names are looked up by ours; here each is known to be new.
    for (const auto& [name, value] : *members)
      object.std::vector<Theirs::object_t::value_type>::emplace_back(name, theirs(value));
    return object;
  }
  if (const auto number = json.number()) return *number;
  return nullptr;
}

/// Arrays and objects in each other: whatever walks through a value calls itself.
constexpr std::size_t kDeepest = 256;

}  // namespace

Json Json::array(std::initializer_list<Json> elements) {
  Json json;
  json.value_ = Array(elements);
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object{};
  return json;
}

/// What their parser tells of, one thing after the other. It fails where containers lie too deep in each other.
class Json::Builder {
 public:
  std::optional<Json> result() && { return std::move(root_); }

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Theirs::binary_t&) { return false; }  // JSON has none
  bool start_array(std::size_t) { return open(Json::array()); }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool key(std::string& name) {
    auto& object = std::get<Object>(open_.back().json->value_);
    // Of two members of one name the last counts. By a table: a name is not looked for among all that came before.
    const auto [at, is_new] = open_.back().members.emplace(name, object.size());
    if (is_new) object.emplace_back(std::move(name), Json());
    named_ = &object[at->second].second;
    return true;
  }
  bool end_array() { return close(); }
  bool end_object() { return close(); }
  static bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    return false;
  }

 private:
  /// A container that is not yet at its end. It is the last one in that around it, which does not grow meanwhile.
  struct Open {
    Json* json;
    std::unordered_map<std::string, std::size_t> members = {};
  };

  Json& place(Json value) {
    if (open_.empty()) return root_.emplace(std::move(value));
    if (auto* array = std::get_if<Array>(&open_.back().json->value_))
      return array->emplace_back(std::move(value));
    return *named_ = std::move(value);
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() == kDeepest) return false;
    open_.push_back({&place(std::move(container))});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::optional<Json> root_;
  std::vector<Open> open_;
  Json* named_ = nullptr;  // where the value of the last key goes
};

std::optional<Json> Json::parse(std::string_view text) {
  Builder builder;
  if (!Theirs::sax_parse(text, &builder)) return std::nullopt;
  return std::move(builder).result();
}

bool Json::is_number() const { return number().has_value(); }

std::optional<double> Json::number() const {
  if (const std::int64_t* whole = integer()) return static_cast<double>(*whole);
  if (const std::uint64_t* large = large_integer()) return static_cast<double>(*large);
  if (const double* real = std::get_if<double>(&value_)) return *real;
  return std::nullopt;
}

const Json* Json::find(std::string_view name) const {
  const Object* object = members();
  if (object == nullptr) return nullptr;
  const auto at = std::ranges::find(*object, name, &Object::value_type::first);
  return at == object->end() ? nullptr : &at->second;
}

std::string Json::text_at(std::string_view name) const {
  const Json* member = find(name);
  return member != nullptr && member->text() != nullptr ? *member->text() : "";
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) value_ = Object{};
  auto& object = std::get<Object>(value_);
  const auto at = std::ranges::find(object, name, &Object::value_type::first);
  return at != object.end() ? at->second : object.emplace_back(std::string(name), Json()).second;
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(element));
}

std::string Json::dump(int indent) const {
  return theirs(*this).dump(indent, ' ', false, Theirs::error_handler_t::replace);
}

std::optional<Json> json_in(const std::filesystem::path& path, std::uint64_t most) {
  const auto text = read_or_nothing([&] { return read_text(path, most); });
  return text ? Json::parse(*text) : std::nullopt;
}

}  // namespace sluice::file
