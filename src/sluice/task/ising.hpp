/// task.kind = "ising": spins ±1 on a ring with coupling J between neighbours, P(s) ∝ exp(J Σ s_i s_{i+1}).
///   Cov s_i s_j = (t^d + t^(n−d))/(1 + t^n),  t = tanh J,  d the ring distance;   excess kurtosis −2
///
/// Sampling is exact (transfer matrix), not a Markov chain. With bonds b_i = s_{i−1}s_i, each bond has weight 1 + t b and
/// the ring asks for Π b_i = 1. Given π = s_0 s_{i−1} and m = n − i bonds still to come after b_i,
///   P(b_i = −1) = (1−t)(1 − π t^m) / (2(1 + π t^(m+1))) ≤ ½.
#pragma once

#include "sluice/task/options.hpp"

namespace sluice::task {

struct IsingOptions final : SiteOptions {
  std::array<double, 2> coupling = {1.0, 0.5};

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

class Ising final : public Task {
 public:
  explicit Ising(const IsingOptions& options);

  std::int64_t inputs() const override { return options_.n; }
  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;

 private:
  /// P(b_i = −1) given π = +1 and π = −1.
  struct Flip {
    float alike;
    float opposite;
  };
  IsingOptions options_;
  std::array<std::vector<Flip>, 2> flips_;  // of the bonds 1, …, n−1 of each class
};

}  // namespace sluice::task
