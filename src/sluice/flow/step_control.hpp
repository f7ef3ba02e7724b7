/// The step size of an integrator that stops exactly at given times.
///   h ← h · min(5, max(1/5, 0.9 · s^(−1/q)))     s: error of the trial as a share of what is allowed, q: it falls like h^q
/// A trial with s > 1, or one that ran away (s is not finite), is made again. A step cut short by a stop says nothing against
/// the longer one that was planned, which is then kept. Planned steps settle, five times as long each, within a few hundred; what is left then
/// for a million million of them would never be reached.
#pragma once

#include <algorithm>
#include <cmath>

namespace sluice::flow {

class StepControl {
 public:
  /// `planned` is the step to be tried next; it belongs to what the integrator saves, and must outlive this. `may_rest`: a steady state may come
  /// before the stop.
  StepControl(double& planned, double q, bool may_rest)
      : planned_(planned), exponent_(-1 / q), may_rest_(may_rest) {}

  /// The step of the next trial, from `time` to no further than `left` beyond it.
  double trial(double left) {
    last_ = planned_ >= left;
    out_of_reach_ = !may_rest_ && ++trials_ > kSettled && left > kMostSteps * planned_;
    tried_ = last_ ? left : planned_;
    return tried_;
  }
  /// The trial reaches the stop.
  bool last() const { return last_; }
  /// Whether the trial was good; plans the next one.
  bool accepts(double share) {
    const double factor =
        std::isfinite(share) ? std::clamp(0.9 * std::pow(std::max(share, 1e-12), exponent_), 0.2, 5.0) : 0.2;
    const bool good = share <= 1;
    planned_ = good && last_ ? std::max(planned_, tried_ * factor) : tried_ * factor;
    return good;
  }
  /// The trial would not move the time, or steps have shrunk to nothing, or the stop is out of their reach: no integration goes on from here.
  bool stuck(double time) const {
    return (!last_ && time + tried_ == time) || planned_ < 1e-300 || out_of_reach_;
  }

 private:
  static constexpr int kSettled = 1000;
  static constexpr double kMostSteps = 1e12;

  double& planned_;
  double exponent_;
  bool may_rest_;
  double tried_ = 0;
  bool last_ = false;
  int trials_ = 0;
  bool out_of_reach_ = false;
};

}  // namespace sluice::flow
