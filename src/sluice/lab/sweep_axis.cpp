#include "sluice/lab/sweep_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sluice/file/errors.hpp"

namespace sluice::lab {
namespace {

constexpr std::int64_t kMostValues = 10'000;

/// Pieces between separators; those within brackets or quotes do not count. Nothing where one of these is not closed.
std::optional<std::vector<std::string>> pieces_of(std::string_view text, char separator) {
  std::vector<std::string> pieces{""};
  int depth = 0;
  bool quoted = false, escaped = false;
  for (const char c : text) {
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
    if (!quoted && std::string_view("[{(").find(c) != std::string_view::npos) depth += 1;
    if (!quoted && std::string_view("]})").find(c) != std::string_view::npos) depth -= 1;
    if (c == separator && depth == 0 && !quoted)
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return depth == 0 && !quoted ? std::optional(pieces) : std::nullopt;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && rest == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "1..5"; nothing where it is something else, as a file "../x" is.
std::optional<std::vector<std::string>> integers(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  const auto first = number_of<std::int64_t>(std::string_view(text).substr(0, dots));
  const auto last = number_of<std::int64_t>(std::string_view(text).substr(dots + 2));
  if (!first || !last) return std::nullopt;
  // Unsigned: from one end of the integers to the other is more than an integer.
  if (*last < *first || static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first) >=
                            static_cast<std::uint64_t>(kMostValues))
    throw InputError(
        fmt::format("{}: expected FIRST..LAST with FIRST ≤ LAST and at most {} integers", text, kMostValues));
  std::vector<std::string> values;
  for (std::int64_t value = *first; value <= *last; ++value) values.push_back(std::to_string(value));
  return values;
}

/// "lin(0, 1, 5)", "log(0.01, 100, 9)"; nothing where it is something else.
std::optional<std::vector<std::string>> spaced(const std::string& text) {
  const bool linear = text.starts_with("lin(");
  if (!(linear || text.starts_with("log(")) || !text.ends_with(")")) return std::nullopt;
  const auto parts = pieces_of(std::string_view(text).substr(4, text.size() - 5), ',');
  std::optional<double> low, high;
  std::optional<std::int64_t> count;
  if (parts && parts->size() == 3) {
    low = number_of<double>((*parts)[0]);
    high = number_of<double>((*parts)[1]);
    count = number_of<std::int64_t>((*parts)[2]);
  }
  const auto usable = [linear](const std::optional<double>& end) {
    return end && std::isfinite(*end) && (linear || *end > 0);
  };
  // From one end of all numbers to the other there are no steps.
  const bool apart = usable(low) && usable(high) && std::isfinite(linear ? *high - *low : *high / *low);
  if (!apart || !count || *count < 2 || *count > kMostValues)
    throw InputError(fmt::format("{}: expected {}(FIRST, LAST, COUNT) with {} and COUNT from 2 to {}", text,
                                 linear ? "lin" : "log", linear ? "two numbers" : "two positive numbers",
                                 kMostValues));
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < *count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(*count - 1);
    const double value = linear ? *low + share * (*high - *low) : *low * std::pow(*high / *low, share);
    values.push_back(fmt::format("{}", *number_of<double>(fmt::format("{:.5e}", value))));
  }
  return values;
}

bool has_empty(const std::vector<std::string>& pieces) {
  return std::ranges::any_of(pieces, [](const std::string& piece) { return piece.empty(); });
}

/// "10:0.5": a value of the first key, then one of every follower.
void append_together(SweepAxis& axis, const std::string& piece) {
  const auto parts = pieces_of(piece, ':');
  if (!parts || parts->size() != axis.followers.size() + 1 || has_empty(*parts))
    throw InputError(fmt::format("{}: expected a value for each of the {} keys, with colons between them",
                                 piece, axis.followers.size() + 1));
  axis.values.push_back(parts->front());
  for (std::size_t i = 0; i < axis.followers.size(); ++i) axis.followers[i].values.push_back((*parts)[i + 1]);
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const auto keys = pieces_of(std::string_view(text).substr(0, equals), ',');
  const auto pieces = pieces_of(std::string_view(text).substr(std::min(equals + 1, text.size())), ',');
  if (!keys || has_empty(*keys) || !pieces || has_empty(*pieces))
    throw InputError(fmt::format("{}: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100", text));
  SweepAxis axis{keys->front(), {}};
  for (std::size_t i = 1; i < keys->size(); ++i) axis.followers.push_back({(*keys)[i], {}});
  for (const std::string& piece : *pieces) {
    if (!axis.followers.empty()) {
      append_together(axis, piece);
      continue;
    }
    std::optional<std::vector<std::string>> made = integers(piece);
    if (!made) made = spaced(piece);
    if (made)
      axis.values.insert(axis.values.end(), made->begin(), made->end());
    else
      axis.values.push_back(piece);
  }
  return axis;
}

}  // namespace sluice::lab
