/// task.kind = "pulse": one pulse somewhere on the ring. X_i = 1 on L neighbouring sites, 0 elsewhere; the start is uniform
/// on the ring, where the pulse wraps around, and L is uniform on the integers of [lo·n, hi·n).
/// task.kind = "block": the same on a fixed grid. A class has one length L, a divisor of n; its pulse is one of the n/L
/// disjoint blocks that begin at site 0.
///   invert     x → 1 − x with probability ½, for the whole sample
///   support    "01", or "pm1": x → 2x − 1
///
/// With p = E L/n and q_d = E[max(0, L−d) + max(0, L−n+d)]/n the chance that two sites at distance d are both in the pulse:
///   "01", no inversion   mean p,  Cov_d = q_d − p²
///   "01", inversion      mean ½,  Cov_d = q_d − p + ¼
///   "pm1"                mean 2m − 1, four times the covariance
///   excess kurtosis      (1 − 6v)/v with v = m(1−m), m = P(x = 1): sites take two values
/// Neither mean zero nor symmetric without inversion. The covariance of "block" is not circulant, because sites know which
/// block they are in; what is stated is its mean over sites.
///
/// At n = 40 the widths [0.20, 0.25] give L = 8, 9 and [0.05, 0.10] give 2, 3. Published runs under these names drew
/// 9, 10 and 3, 4, which are [0.225, 0.275] and [0.075, 0.125] here.
#pragma once

#include <string>

#include "sluice/task/options.hpp"
#include "sluice/task/support.hpp"

namespace sluice::task {

/// What the two kinds share.
struct PulseShape : SiteOptions {
  bool invert = false;
  std::string support = "01";

 protected:
  void describe_shape(spec::Keys& keys);
};

struct PulseOptions final : PulseShape {
  std::array<double, 2> width_first = {0.20, 0.25};
  std::array<double, 2> width_second = {0.05, 0.10};

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

struct BlockOptions final : PulseShape {
  std::array<double, 2> block = {8, 2};

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

class Pulse final : public Task {
 public:
  explicit Pulse(const PulseOptions& options);
  explicit Pulse(const BlockOptions& options);

  std::int64_t inputs() const override { return n_; }
  Moments moments(int which_class) const override;
  bool even() const override { return invert_ && off_ == -1; }
  bool stationary() const override { return !on_grid_; }
  /// The law of a class, point by point: what sample() draws from.
  FiniteSupport support(int which_class) const;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::optional<Recipe> recipe(int which_class) const override;

 private:
  /// The lengths shortest, …, longest, each equally likely.
  struct Lengths {
    std::int64_t shortest;
    std::int64_t longest;
  };
  Pulse(const PulseShape& shape, const std::array<Lengths, 2>& lengths, bool on_grid);

  std::int64_t n_;
  std::array<Lengths, 2> lengths_;
  bool on_grid_;
  bool invert_;
  float off_;  // the value outside of a pulse; inside it is 1
};

}  // namespace sluice::task
