#include "sluice/spec/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::spec {

struct Document::Tree {
  std::string file;
  toml::table root;
};

namespace {

std::string streamed(const toml::node& node) {
  std::ostringstream stream;
  node.visit([&](const auto& value) { stream << value; });
  return stream.str();
}

/// On one line, and short.
std::string value_text(const toml::node& node) {
  std::string text = streamed(node);
  std::replace(text.begin(), text.end(), '\n', ' ');
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not within a letter
  return text.substr(0, end) + "…";
}

/// As a resolved spec writes it: [2.0, 1.0].
std::string list_text(const toml::array& list) {
  std::string text;
  for (const toml::node& element : list) {
    const toml::array* inner = element.as_array();
    text += (text.empty() ? "" : ", ") + (inner != nullptr ? list_text(*inner) : streamed(element));
  }
  return "[" + text + "]";
}

file::Cell cell_of(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* list = node.as_array()) return list_text(*list);
  return streamed(node);
}

/// Keys of a table and of those in it. A table is sorted by name, the file is not.
void collect(const toml::table& table, const std::string& prefix,
             std::vector<std::pair<toml::source_position, std::pair<std::string, file::Cell>>>& found) {
  for (const auto& [key, node] : table) {
    const std::string path = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table())
      collect(*inner, path + ".", found);
    else
      found.push_back({node.source().begin, {path, cell_of(node)}});
  }
}

/// "file.toml:7", or the origin of what was set.
std::string place(const std::string& file, const toml::node& node) {
  const toml::source_region& source = node.source();
  std::string path = source.path ? *source.path : file;
  if (path != file || source.begin.line == 0) return path;
  return fmt::format("{}:{}", path, source.begin.line);
}

std::string joined(const std::string& prefix, std::string_view name) {
  return prefix.empty() ? std::string(name) : fmt::format("{}.{}", prefix, name);
}

std::string one_of(Choices choices) {
  std::vector<std::string> quoted;
  for (const Choice& choice : choices) quoted.push_back(fmt::format("\"{}\"", choice.name));
  return quoted.size() == 1 ? quoted[0] : fmt::format("one of {}", fmt::join(quoted, ", "));
}

std::optional<double> number_in(const toml::node& node) {
  if (node.is_integer()) return static_cast<double>(node.as_integer()->get());
  if (node.is_floating_point()) return node.as_floating_point()->get();
  return std::nullopt;
}

/// A whole number of the range, also when written as 1e6.
std::optional<std::int64_t> integer_in(const toml::node& node, const Range& range) {
  const std::optional<double> number = number_in(node);
  constexpr double kTooLarge = 0x1p63;  // as a double; the conversion below would overflow
  const bool fits = node.is_integer() || (number && std::abs(*number) < kTooLarge);
  if (!number || !fits || std::floor(*number) != *number || !range.holds(*number)) return std::nullopt;
  return node.is_integer() ? node.as_integer()->get() : static_cast<std::int64_t>(*number);
}

/// Numbers, at least one and nothing else.
std::optional<Value::Row> row_in(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (list == nullptr || list->empty()) return std::nullopt;
  Value::Row row;
  for (const toml::node& element : *list) {
    const std::optional<double> number = number_in(element);
    if (!number) return std::nullopt;
    row.push_back(*number);
  }
  return row;
}
std::optional<std::vector<Value::Row>> rows_in(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (list == nullptr || list->empty()) return std::nullopt;
  std::vector<Value::Row> rows;
  for (const toml::node& element : *list) {
    std::optional<Value::Row> row = row_in(element);
    if (!row || (!rows.empty() && row->size() != rows.front().size())) return std::nullopt;
    rows.push_back(std::move(*row));
  }
  return rows;
}

/// Fills values from one table of the document.
class TableReader final : public OpenKeys {
 public:
  TableReader(const std::string& file, const toml::table& table, std::string prefix)
      : file_(file), table_(table), prefix_(std::move(prefix)) {}

  void integer(std::string_view name, std::int64_t& value, const Range& range, std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    const std::optional<std::int64_t> number = integer_in(*node, range);
    if (!number) reject(name, *node, range.expected);
    value = *number;
  }

  void integer_list(std::string_view name, std::vector<std::int64_t>& value, const Range& each,
                    std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    const std::string expected = fmt::format("a list, each {}", each.expected);
    if (list == nullptr) reject(name, *node, expected);
    value.clear();
    for (const toml::node& element : *list) {
      const std::optional<std::int64_t> number = integer_in(element, each);
      if (!number) reject(name, *node, expected);
      value.push_back(*number);
    }
  }

  void number(std::string_view name, double& value, const Range& range, std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    value = checked_number(name, *node, range);
  }

  void pair(std::string_view name, std::array<double, 2>& value, const Range& each,
            std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    const std::string expected = fmt::format("two numbers [a, b], each {}", each.expected);
    if (list == nullptr || list->size() != 2) reject(name, *node, expected);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::optional<double> number = number_in(*list->get(i));
      if (!number || !each.holds(*number)) reject(name, *node, expected);
      value[i] = *number;
    }
  }

  void flag(std::string_view name, bool& value, std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    if (!node->is_boolean()) reject(name, *node, "true or false");
    value = node->as_boolean()->get();
  }

  void text(std::string_view name, std::string& value, std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    if (!node->is_string()) reject(name, *node, "a string");
    value = node->as_string()->get();
  }

  void choice(std::string_view name, std::string& value, Choices choices, std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    value = checked_word(name, *node, choices, one_of(choices));
  }

  void required_choice(std::string_view name, std::string& value, Choices choices,
                       std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) {
      report_misspelling_of(name);
      throw InputError(fmt::format("{}: {}: missing key; expected {}", place(file_, table_),
                                   joined(prefix_, name), one_of(choices)));
    }
    value = checked_word(name, *node, choices, one_of(choices));
  }

  void choice_list(std::string_view name, std::vector<std::string>& value, Choices choices,
                   std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    const std::string expected = fmt::format("a list with elements from {}", one_of(choices));
    if (list == nullptr) reject(name, *node, expected);
    value.clear();
    for (const toml::node& element : *list) value.push_back(checked_word(name, element, choices, expected));
  }

  void word_or_number(std::string_view name, WordOrNumber& value, Choices words, const Range& range,
                      std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    const std::string expected = fmt::format("{} or {}", one_of(words), range.expected);
    if (node->is_string()) {
      value = checked_word(name, *node, words, expected);
    } else {
      const std::optional<double> number = number_in(*node);
      if (!number || !range.holds(*number)) reject(name, *node, expected);
      value = *number;
    }
  }

  void word_or_text(std::string_view name, std::string& value, Choices words, const Complaint& complaint,
                    std::string_view text_is, std::string_view) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    const std::string expected = fmt::format("{} or {}", one_of(words), text_is);
    if (!node->is_string()) reject(name, *node, expected);
    const std::string text = node->as_string()->get();
    const bool known = std::ranges::any_of(words, [&](const Choice& choice) { return choice.name == text; });
    const std::string wrong = known ? "" : complaint(text);
    if (!wrong.empty()) {
      std::vector<std::string> names;
      for (const Choice& choice : words) names.emplace_back(choice.name);
      const std::optional<std::string> near = nearest(text, names);
      reject(name, *node,
             near ? fmt::format("{}; did you mean \"{}\"?", expected, *near)
                  : fmt::format("{}; {}", expected, wrong));
    }
    value = text;
  }

  void section(std::string_view name, std::string_view, const Describe& describe) override {
    const toml::node* node = visit(name);
    const toml::table nothing;
    if (node != nullptr && !node->is_table()) reject(name, *node, "a table");
    if (node == nullptr) report_misspelling_of(name);
    TableReader inner(file_, node == nullptr ? nothing : *node->as_table(), joined(prefix_, name));
    describe(inner);
    inner.finish();
  }

  void tables(std::string_view name, const std::function<void(OpenKeys&)>& describe) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return report_misspelling_of(name);
    if (!node->is_array_of_tables())
      throw InputError(fmt::format("{0}: {1}: expected tables, each under a line [[{1}]]",
                                   place(file_, *node), joined(prefix_, name)));
    for (const toml::node& each : *node->as_array()) {
      TableReader inner(file_, *each.as_table(), joined(prefix_, name));
      describe(inner);
      inner.finish();
    }
  }

  void own_names(std::string_view name,
                 const std::function<void(OpenKeys&, const std::string&)>& describe) override {
    section(name, {}, [&](Keys& keys) {
      auto& inner = static_cast<TableReader&>(keys);
      std::vector<std::pair<toml::source_position, std::string>>
          names;  // a table is sorted by name, the file is not
      for (const auto& [key, node] : inner.table_) names.emplace_back(node.source().begin, key.str());
      std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [position, key] : names) describe(inner, key);
    });
  }

  void value(std::string_view name, Value& value) override { value_or_table(name, value, {}); }

  void value_or_table(std::string_view name, Value& value, const Describe& table) override {
    const toml::node* node = visit(name);
    if (node == nullptr) return;
    value.place = fmt::format("{}: {}", place(file_, *node), joined(prefix_, name));
    if (node->is_table() && table) {
      TableReader inner(file_, *node->as_table(), joined(prefix_, name));
      table(inner);
      inner.finish();
    } else if (const std::optional<double> number = number_in(*node)) {
      value.content = *number;
    } else if (node->is_string()) {
      value.content = node->as_string()->get();
    } else if (std::optional<Value::Row> row = row_in(*node)) {
      value.content = std::move(*row);
    } else if (std::optional<std::vector<Value::Row>> rows = rows_in(*node)) {
      value.content = std::move(*rows);
    } else {
      reject(
          name, *node,
          fmt::format("a number, a list of numbers, rows of numbers of equal length{} or a formula in quotes",
                      table ? ", a table" : ""));
    }
  }

  void require(bool holds, std::string_view name, std::string_view expected) override {
    if (holds) return;
    if (const toml::node* node = table_.get(name)) reject(name, *node, std::string(expected));
    throw InputError(
        fmt::format("{}: {}: expected {}", place(file_, table_), joined(prefix_, name), expected));
  }

  /// Every key of the table must have been asked for.
  void finish() const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) report_unknown(name, node);
    }
  }

 private:
  const toml::node* visit(std::string_view name) {
    known_.emplace_back(name);
    return table_.get(name);
  }

  /// A missing key may be there under a slip of the keyboard; then that is the error worth reporting.
  void report_misspelling_of(std::string_view name) const {
    const std::string wanted(name);
    for (const auto& [key, node] : table_) {
      const std::string written(key.str());
      if (written != wanted && nearest(written, {&wanted, 1})) {
        const bool known = std::find(known_.begin(), known_.end(), written) != known_.end();
        if (!known) {
          throw InputError(fmt::format("{}: {}: unknown key; did you mean '{}'?", place(file_, node),
                                       joined(prefix_, written), wanted));
        }
      }
    }
  }

  [[noreturn]] void report_unknown(const std::string& name, const toml::node& node) const {
    throw UnknownKey(place(file_, node), joined(prefix_, name), hint(name, known_),
                     nearest(name, known_).has_value());
  }

  [[noreturn]] void reject(std::string_view name, const toml::node& node, const std::string& expected) const {
    throw InputError(fmt::format("{}: {} = {}: expected {}", place(file_, node), joined(prefix_, name),
                                 value_text(node), expected));
  }

  double checked_number(std::string_view name, const toml::node& node, const Range& range) const {
    const std::optional<double> number = number_in(node);
    if (!number || !range.holds(*number)) reject(name, node, range.expected);
    return *number;
  }

  std::string checked_word(std::string_view name, const toml::node& node, Choices choices,
                           const std::string& expected) const {
    if (!node.is_string()) reject(name, node, expected);
    const std::string& word = node.as_string()->get();
    std::vector<std::string> names;
    for (const Choice& choice : choices) names.emplace_back(choice.name);
    if (std::find(names.begin(), names.end(), word) != names.end()) return word;
    const auto near = nearest(word, names);
    reject(name, node, near ? fmt::format("{}; did you mean \"{}\"?", expected, *near) : expected);
  }

  const std::string& file_;
  const toml::table& table_;
  std::string prefix_;
  std::vector<std::string> known_;
};

}  // namespace

UnknownKey::UnknownKey(std::string where, std::string key, const std::string& hint, bool has_near)
    : InputError(fmt::format("{}: {}: unknown key{}", where, key, hint)),
      place(std::move(where)),
      path(std::move(key)),
      hinted(has_near) {}

Document::Document(std::unique_ptr<Tree> tree) : tree_(std::move(tree)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Document Document::from_text(std::string_view text, const std::string& file) {
  try {
    return Document(std::make_unique<Tree>(Tree{file, toml::parse(text, file)}));
  } catch (const toml::parse_error& error) {
    std::string why(error.description());
    std::replace(why.begin(), why.end(), '\n', ' ');
    throw InputError(fmt::format("{}:{}: not valid TOML: {}", file, error.source().begin.line, why));
  }
}

Document Document::from_file(const std::filesystem::path& path) {
  return from_text(file::read_text(path), path.string());
}

void Document::set(std::string_view assignment, const std::string& origin) {
  const std::size_t equals = assignment.find('=');
  const auto complain = [&](std::string_view why) {
    std::string shown(assignment);
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    throw InputError(fmt::format("{} {}: {}", origin, shown, why));
  };
  if (equals == std::string_view::npos || equals == 0)
    complain("expected KEY=VALUE, for example task.gain=0.01");
  std::string_view path = assignment.substr(0, equals);
  const std::string value(assignment.substr(equals + 1));
  if (value.empty()) complain("expected a value after '='");

  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value, origin);
  } catch (const toml::parse_error&) {
    const toml::value<std::string> quoted(value);
    std::ostringstream text;
    text << "value = " << quoted;
    parsed = toml::parse(text.str(), origin);
  }

  if (parsed.size() != 1) complain("expected one value");
  if (path.starts_with('.') || path.ends_with('.') || path.find("..") != std::string_view::npos) {
    complain("expected KEY=VALUE, for example task.gain=0.01");
  }

  toml::table* table = &tree_->root;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    const std::string_view head = path.substr(0, dot);
    path.remove_prefix(dot + 1);
    if (!table->contains(head)) table->insert(head, toml::table{});
    table = table->get(head)->as_table();
    if (table == nullptr) complain(fmt::format("'{}' is not a table", head));
  }
  // Moved, not copied: toml++ keeps the source location only when a node moves.
  parsed.get("value")->visit([&](auto& node) { table->insert_or_assign(path, std::move(node)); });
}

void Document::read(const Describe& describe) const {
  TableReader reader(tree_->file, tree_->root, "");
  describe(reader);
  reader.finish();
}

std::vector<std::pair<std::string, file::Cell>> Document::values() const {
  std::vector<std::pair<toml::source_position, std::pair<std::string, file::Cell>>> found;
  collect(tree_->root, "", found);
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::pair<std::string, file::Cell>> values;
  for (auto& [position, value] : found) values.push_back(std::move(value));
  return values;
}

void Document::read_open(const std::function<void(OpenKeys&)>& describe) const {
  TableReader reader(tree_->file, tree_->root, "");
  describe(reader);
  reader.finish();
}

}  // namespace sluice::spec
