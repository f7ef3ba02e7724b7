#include "sluice/spec/write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

namespace sluice::spec {
namespace {

/// Shortest text that reads back to the same double, always recognisable as a TOML float.
std::string toml_number(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::vector<std::string> names_of(Choices choices) {
  std::vector<std::string> names;
  for (const Choice& choice : choices) names.emplace_back(choice.name);
  return names;
}

/// Turns every declared key into a KeyInfo, its path still the bare name, and leaves the layout to derived classes.
class Walker : public Keys {
 public:
  void integer(std::string_view name, std::int64_t& value, const Range& range,
               std::string_view meaning) final {
    key({std::string(name), range.expected, std::to_string(value), std::string(meaning)});
  }
  void number(std::string_view name, double& value, const Range& range, std::string_view meaning) final {
    key({std::string(name), range.expected, toml_number(value), std::string(meaning)});
  }
  void integer_list(std::string_view name, std::vector<std::int64_t>& value, const Range& each,
                    std::string_view meaning) final {
    key({std::string(name), fmt::format("a list, each {}", each.expected),
         fmt::format("[{}]", fmt::join(value, ", ")), std::string(meaning)});
  }
  void pair(std::string_view name, std::array<double, 2>& value, const Range& each,
            std::string_view meaning) final {
    key({std::string(name), fmt::format("two numbers, each {}", each.expected),
         fmt::format("[{}, {}]", toml_number(value[0]), toml_number(value[1])), std::string(meaning)});
  }
  void flag(std::string_view name, bool& value, std::string_view meaning) final {
    key({std::string(name), "true or false", value ? "true" : "false", std::string(meaning),
         std::vector<std::string>{"true", "false"}});
  }
  void text(std::string_view name, std::string& value, std::string_view meaning) final {
    key({std::string(name), "a string", toml_string(value), std::string(meaning)});
  }
  void choice(std::string_view name, std::string& value, Choices choices, std::string_view meaning) final {
    key(one_of(name, value, choices, meaning));
  }
  void rare_choice(std::string_view name, std::string& value, Choices choices,
                   std::string_view meaning) final {
    rare_key(one_of(name, value, choices, meaning), value == choices.front().name);
  }
  void required_choice(std::string_view name, std::string& value, Choices choices,
                       std::string_view meaning) final {
    KeyInfo info = one_of(name, value, choices, meaning);
    info.required = true;
    key(std::move(info));
  }
  void choice_list(std::string_view name, std::vector<std::string>& value, Choices choices,
                   std::string_view meaning) final {
    std::vector<std::string> quoted;
    quoted.reserve(value.size());
    for (const std::string& word : value) quoted.push_back(toml_string(word));
    const std::vector<std::string> words = names_of(choices);
    key({std::string(name), "a list from " + list_of_words(words),
         fmt::format("[{}]", fmt::join(quoted, ", ")), std::string(meaning), words});
  }
  void word_or_number(std::string_view name, WordOrNumber& value, Choices words, const Range& range,
                      std::string_view meaning) final {
    const std::string* word = std::get_if<std::string>(&value);
    const auto number = [&] {
      const double count = std::get<double>(value);
      return range.whole ? fmt::format("{:.0f}", count) : toml_number(count);
    };
    const std::vector<std::string> names = names_of(words);
    key({std::string(name), fmt::format("{} or {}", list_of_words(names), range.expected),
         word != nullptr ? toml_string(*word) : number(), std::string(meaning), names});
  }
  void word_or_text(std::string_view name, std::string& value, Choices words, const Complaint&,
                    std::string_view text_is, std::string_view meaning) final {
    KeyInfo info = one_of(name, value, words, meaning);
    info.expected += fmt::format(" or {}", text_is);
    key(std::move(info));
  }
  void require(bool, std::string_view, std::string_view) final {}

 protected:
  virtual void key(KeyInfo info) = 0;
  /// Of a spec that is written, one that says nothing is left out.
  virtual void rare_key(KeyInfo info, bool says_nothing) {
    if (!says_nothing) key(std::move(info));
  }

 private:
  static KeyInfo one_of(std::string_view name, const std::string& value, Choices choices,
                        std::string_view meaning) {
    const std::vector<std::string> words = names_of(choices);
    return {std::string(name), list_of_words(words), toml_string(value), std::string(meaning), words};
  }
};

/// Keys of an inline table: { law = "normal", std = 0.1 }.
class InlineWriter final : public Walker {
 public:
  std::vector<std::string> items;

  void section(std::string_view name, std::string_view, const Describe& describe) override {
    InlineWriter inner;
    describe(inner);
    items.push_back(fmt::format("{} = {{ {} }}", name, fmt::join(inner.items, ", ")));
  }

 private:
  void key(KeyInfo info) override { items.push_back(fmt::format("{} = {}", info.path, info.value)); }
};

class TomlWriter final : public Walker {
 public:
  explicit TomlWriter(bool top) : top_(top) {}
  std::string text;

  void section(std::string_view name, std::string_view meaning, const Describe& describe) override {
    if (top_) {
      TomlWriter inner(false);
      describe(inner);
      text += fmt::format("\n[{}]  # {}\n{}", name, meaning, inner.text);
    } else {
      InlineWriter inner;
      describe(inner);
      line(name, fmt::format("{{ {} }}", fmt::join(inner.items, ", ")), meaning);
    }
  }

 private:
  void key(KeyInfo info) override { line(info.path, info.value, info.meaning); }
  void line(std::string_view name, const std::string& value, std::string_view meaning) {
    text += fmt::format("{:<36}  # {}\n", fmt::format("{} = {}", name, value), meaning);
  }
  bool top_;
};

class Lister final : public Walker {
 public:
  Lister(std::vector<KeyInfo>& keys, std::string prefix) : keys_(keys), prefix_(std::move(prefix)) {}

  void section(std::string_view name, std::string_view, const Describe& describe) override {
    Lister inner(keys_, fmt::format("{}{}.", prefix_, name));
    describe(inner);
  }

 private:
  void key(KeyInfo info) override {
    info.path.insert(0, prefix_);
    keys_.push_back(std::move(info));
  }
  void rare_key(KeyInfo info, bool) override { key(std::move(info)); }
  std::vector<KeyInfo>& keys_;
  std::string prefix_;
};

}  // namespace

std::string toml_string(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string list_of_words(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(toml_string(word));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

std::string to_toml(const Describe& describe) {
  TomlWriter writer(true);
  describe(writer);
  return writer.text;
}

std::vector<KeyInfo> list_keys(const Describe& describe) {
  std::vector<KeyInfo> keys;
  Lister lister(keys, "");
  describe(lister);
  return keys;
}

}  // namespace sluice::spec
