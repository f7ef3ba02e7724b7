#include "sluice/probe/given.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "sluice/file/errors.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::probe {
namespace of_given {
namespace {

bool is_name(const std::string& text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string::npos &&
         (text.front() < '0' || text.front() > '9');
}

/// How long an axis of this name is in a run; none where the name is the function's own.
std::optional<std::int64_t> length_of(const std::string& axis, const Extents& extents) {
  for (const Axis each : {Axis::unit, Axis::site, Axis::layer})
    if (axis == name_of(each)) return extents.of(each);
  return std::nullopt;
}

}  // namespace
}  // namespace of_given

FunctionNames function_names(const std::string& text) {
  FunctionNames names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::string each = text.substr(at, end - at);
    each.erase(0, std::min(each.find_first_not_of(' '), each.size()));
    const std::size_t equals = std::min(each.find('='), each.size());
    names.emplace_back(each.substr(0, equals), equals < each.size() ? each.substr(equals + 1) : "");
    at = end + 1;
  }
  return names;
}

std::string expected_of_functions(const std::string& text) {
  const FunctionNames names = function_names(text);
  for (const auto& [name, mark] : names) {
    if (!of_given::is_name(name)) return fmt::format("names of letters, digits and _, found '{}'", name);
    if (!spec::is_mark(mark)) return fmt::format("{}=SHA-256, 64 digits", name);
    if (find_probe(name) != nullptr || name == "unit")
      return fmt::format("another name than {}, which sluice has", name);
    if (std::ranges::count(names, name, [](const auto& each) { return each.first; }) > 1)
      return fmt::format("{} once", name);
  }
  return "";
}

GivenProbe::GivenProbe(std::string name, const std::string& mark)
    : name_(std::move(name)), function_(GivenProbes::find(mark)) {
  if (!function_)
    throw InputError(spec::lack_of_function("probe.functions: " + name_, mark, "it is measured"));
}

file::Array GivenProbe::measure(const Snapshot& now, const Extents& extents) const {
  file::Array seen = function_->measure(now);
  const std::vector<std::string>& names = function_->axes;
  if (!names.empty() && names.size() != seen.shape.size())
    throw InputError(fmt::format("{}: expected an array with the axes {}, found shape {}", name_,
                                 fmt::join(names, ", "), file::to_string(seen.shape)));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::optional<std::int64_t> length = of_given::length_of(names[i], extents);
    if (length && *length != seen.shape[i])
      throw InputError(fmt::format("{}: expected {} of axis {}, found shape {}", name_, *length, names[i],
                                   file::to_string(seen.shape)));
  }
  return seen;
}

std::vector<std::string> GivenProbe::axes(std::size_t dimensions) const {
  std::vector<std::string> names{"step"};
  for (std::size_t i = 0; i < dimensions; ++i)
    names.push_back(i < function_->axes.size() ? function_->axes[i] : fmt::format("axis{}", i + 1));
  return names;
}

}  // namespace sluice::probe
