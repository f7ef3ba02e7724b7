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

/// Pieces between commas; those within brackets or quotes do not count. Nothing where one of these is not closed.
std::optional<std::vector<std::string>> at_commas(std::string_view text) {
  std::vector<std::string> pieces{""};
  int depth = 0;
  bool quoted = false, escaped = false;
  for (const char c : text) {
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
    if (!quoted && std::string_view("[{(").find(c) != std::string_view::npos) depth += 1;
    if (!quoted && std::string_view("]})").find(c) != std::string_view::npos) depth -= 1;
    if (c == ',' && depth == 0 && !quoted)
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
  if (*last < *first || *last - *first >= kMostValues)
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
  const auto parts = at_commas(std::string_view(text).substr(4, text.size() - 5));
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
  if (!usable(low) || !usable(high) || !count || *count < 2 || *count > kMostValues)
    throw InputError(fmt::format("{}: expected {}(FIRST, LAST, COUNT) with {} and COUNT from 2 to {}", text,
                                 linear ? "lin" : "log", linear ? "two numbers" : "two positive numbers",
                                 kMostValues));
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < *count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(*count - 1);
    const double value = linear ? *low + share * (*high - *low) : *low * std::pow(*high / *low, share);
    values.push_back(fmt::format("{}", std::stod(fmt::format("{:.5e}", value))));
  }
  return values;
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  SweepAxis axis{text.substr(0, equals), {}};
  const auto pieces = at_commas(std::string_view(text).substr(std::min(equals + 1, text.size())));
  if (axis.key.empty() || !pieces ||
      std::ranges::any_of(*pieces, [](const std::string& piece) { return piece.empty(); }))
    throw InputError(fmt::format("{}: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100", text));
  for (const std::string& piece : *pieces) {
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
