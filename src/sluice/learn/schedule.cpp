#include "sluice/learn/schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sluice::learn {
namespace {

constexpr std::array<spec::Choice, 4> kScheduleLaws{{
    {"constant", "the rate itself"},
    {"step", "falls by factor every so many steps"},
    {"cosine", "half a cosine from the rate to the share end of it at the last step"},
    {"inverse-time", "1/(1 + s/half)"},
}};

}  // namespace

void ScheduleOptions::describe(spec::Keys& keys) {
  keys.choice("law", law, kScheduleLaws, "how the rate changes from step to step");
  if (law == "step") {
    keys.integer("every", every, spec::integers(1, 1'000'000'000'000), "steps between two falls");
    keys.number("factor", factor, spec::positive(), "what a fall leaves of the rate");
  }
  if (law == "cosine") keys.number("end", end, spec::at_least(0), "share of the rate at the last step");
  if (law == "inverse-time") keys.number("half", half, spec::positive(), "steps until half of it is left");
  keys.integer("warmup", warmup, spec::integers(0, 1'000'000'000'000),
               "steps over which the rate rises evenly at first; 0: none");
}

double ScheduleOptions::share(std::int64_t step, std::int64_t steps) const {
  const auto s = static_cast<double>(step);
  const double warm = warmup > 0 ? std::min(1.0, (s + 1) / static_cast<double>(warmup)) : 1.0;
  if (law == "step") {
    const std::int64_t stairs = step / every;
    return warm * std::pow(factor, static_cast<double>(stairs));
  }
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, steps));
  if (law == "cosine") return warm * (end + (1 - end) * (1 + std::cos(std::numbers::pi * s / whole)) / 2);
  if (law == "inverse-time") return warm / (1 + s / half);
  return warm;
}

}  // namespace sluice::learn
