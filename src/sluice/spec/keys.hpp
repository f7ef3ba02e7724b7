/// How a room declares the keys it reads: once, beside the options struct they fill.
///
///   void SgdOptions::describe(spec::Keys& keys) {
///     keys.number("rate", rate, spec::positive(), "multiplies the gradient of ½(ŷ−y)²; no hidden factor of K");
///   }
///
/// The same declaration is read from TOML (reader), written as the resolved spec (writer) and listed for --help,
/// docs and shell completion (lister). The value an options struct starts with is the default.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::spec {

/// Which numbers a key takes, and how to say so in an error message.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;      ///< low itself is excluded
  bool infinity_too = false;  ///< the value inf is meaningful
  bool whole = false;         ///< integers only
  bool even = false;          ///< even integers only
  std::string expected;       ///< "a positive number"

  bool holds(double value) const;
};
Range any_number();
Range positive();
Range at_least(double low);
Range numbers(double low, double high);
Range integers(std::int64_t low, std::int64_t high);
Range even_integers(std::int64_t low, std::int64_t high);

/// One of the words a key takes.
struct Choice {
  std::string_view name;
  std::string_view meaning;
};
using Choices = std::span<const Choice>;

/// The choices of a table whose entries each have one as their member `choice`.
template <class Entry, std::size_t size>
constexpr std::array<Choice, size> choices_of(const std::array<Entry, size>& table) {
  std::array<Choice, size> choices;
  for (std::size_t i = 0; i < size; ++i) choices[i] = table[i].choice;
  return choices;
}

/// What is wrong with a text; empty: nothing.
using Complaint = std::function<std::string(const std::string& text)>;

/// A key that is a word ("none", "learned") or a number.
using WordOrNumber = std::variant<std::string, double>;

class Keys {
 public:
  virtual ~Keys() = default;

  virtual void integer(std::string_view name, std::int64_t& value, const Range& range,
                       std::string_view meaning) = 0;
  virtual void number(std::string_view name, double& value, const Range& range, std::string_view meaning) = 0;
  virtual void integer_list(std::string_view name, std::vector<std::int64_t>& value, const Range& each,
                            std::string_view meaning) = 0;
  virtual void pair(std::string_view name, std::array<double, 2>& value, const Range& each,
                    std::string_view meaning) = 0;
  virtual void flag(std::string_view name, bool& value, std::string_view meaning) = 0;
  virtual void text(std::string_view name, std::string& value, std::string_view meaning) = 0;
  virtual void choice(std::string_view name, std::string& value, Choices choices,
                      std::string_view meaning) = 0;
  /// As choice(), but the file must say it: a kind has no sensible default.
  virtual void required_choice(std::string_view name, std::string& value, Choices choices,
                               std::string_view meaning) = 0;
  /// As choice(), but the first word says nothing: the resolved spec has the key where it is another word, so that the specs of those who
  /// do not use it are what they were before there was the key.
  virtual void rare_choice(std::string_view name, std::string& value, Choices choices,
                           std::string_view meaning) = 0;
  virtual void choice_list(std::string_view name, std::vector<std::string>& value, Choices choices,
                           std::string_view meaning) = 0;
  virtual void word_or_number(std::string_view name, WordOrNumber& value, Choices words, const Range& range,
                              std::string_view meaning) = 0;
  /// One of the words, or a text of which `complaint` has nothing to say; it tells what is wrong with one, "column 3: …".
  virtual void word_or_text(std::string_view name, std::string& value, Choices words,
                            const Complaint& complaint, std::string_view text_is,
                            std::string_view meaning) = 0;
  virtual void section(std::string_view name, std::string_view meaning,
                       const std::function<void(Keys&)>& describe) = 0;

  /// For conditions that tie keys together or that a Range cannot say: reports `name` with what was expected.
  virtual void require(bool holds, std::string_view name, std::string_view expected) = 0;
};

using Describe = std::function<void(Keys&)>;

}  // namespace sluice::spec
