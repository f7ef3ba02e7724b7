/// The step size of an integrator that stops exactly at given times.
///   h ← h · min(5, max(1/5, 0.9 · s^(−1/q)))     s: error of the trial as a share of what is allowed, q: it falls like h^q
/// A trial with s > 1, or one that ran away (s is not finite), is made again. A step cut short by a stop says nothing against
/// the longer one that was planned, which is then kept.
#pragma once

#include <algorithm>
#include <cmath>

namespace sluice::flow {

class StepControl {
 public:
  /// `planned` is the step to be tried next; it belongs to what the integrator saves, and must outlive this.
  StepControl(double& planned, double q) : planned_(planned), exponent_(-1 / q) {}

  /// The step of the next trial, from `time` to no further than `left` beyond it.
  double trial(double left) {
    last_ = planned_ >= left;
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
  /// The trial would not move the time, or steps have shrunk to nothing: no integration goes on from here.
  bool stuck(double time) const { return (!last_ && time + tried_ == time) || planned_ < 1e-300; }

 private:
  double& planned_;
  double exponent_;
  double tried_ = 0;
  bool last_ = false;
};

}  // namespace sluice::flow
