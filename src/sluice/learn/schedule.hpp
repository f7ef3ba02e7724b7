/// The learning rate over a run: step s, counted from 0, moves by rate · warm(s) · law(s).
///   warm          min(1, (s + 1)/warmup)
///   constant      1
///   step          factor^⌊s/every⌋
///   cosine        end + (1 − end)·½(1 + cos(π s/steps))
///   inverse-time  1/(1 + s/half)
/// A function of s alone, so that a run that is resumed or continued goes on as if it had never stopped; only a cosine knows where it
/// ends, and stretches when the steps do.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/spec/keys.hpp"

namespace sluice::learn {

struct ScheduleOptions {
  std::string law = "constant";
  std::int64_t every = 1000;  // step: steps between two falls
  double factor = 0.1;        // step: what a fall leaves
  double end = 0;             // cosine: share of the rate at the end
  double half = 1000;         // inverse-time: steps until half of the rate is left
  std::int64_t warmup = 0;    // steps until the rate is whole; 0: from the first on

  void describe(spec::Keys& keys);
  /// The same rate at every step.
  bool is_constant() const { return law == "constant" && warmup <= 1; }
  /// warm(s) · law(s) of a run of so many steps; exactly 1 where it is constant.
  double share(std::int64_t step, std::int64_t steps) const;
};

}  // namespace sluice::learn
