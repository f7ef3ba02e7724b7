#include "sluice/file/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

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

Json ours(const Theirs& json) {
  switch (json.type()) {
    case Theirs::value_t::boolean:
      return json.get<bool>();
    case Theirs::value_t::number_integer:
      return json.get<std::int64_t>();
    case Theirs::value_t::number_unsigned:
      return json.get<std::uint64_t>();
    case Theirs::value_t::number_float:
      return json.get<double>();
    case Theirs::value_t::string:
      return json.get_ref<const std::string&>();
    case Theirs::value_t::array: {
      Json array = Json::array();
      for (const Theirs& element : json) array.push_back(ours(element));
      return array;
    }
    case Theirs::value_t::object: {
      Json object = Json::object();
      for (const auto& [name, value] : json.items()) object[name] = ours(value);
      return object;
    }
    default:
      return {};
  }
}

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

std::optional<Json> Json::parse(std::string_view text) {
  const Theirs json = Theirs::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return ours(json);
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

}  // namespace sluice::file
