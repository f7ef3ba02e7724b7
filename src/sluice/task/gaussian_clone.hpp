/// task.kind = "gaussian-clone": the Gaussian with the covariance of nlgp, the control for its higher-order structure.
///   X ~ N(0, C),   C_ij = arcsin(q r_ij)/arcsin(q),   q = 2g²/(1+2g²),   r = S(ξ)            ledger: B.2, N0.c7
///   excess kurtosis 0
/// Where S(ξ) is not a covariance it is projected first, as nlgp does; arcsin has a power series without negative
/// coefficients, so C then needs no projection of its own.
#pragma once

#include "sluice/task/ring_task.hpp"

namespace sluice::task {

struct GaussianCloneOptions final : RingOptions {
  double gain = 3.0;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

class GaussianClone final : public RingTask {
 public:
  explicit GaussianClone(const GaussianCloneOptions& options);

  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::optional<Recipe> recipe(int which_class) const override {
    return Recipe{.mix = clone_.at(static_cast<std::size_t>(which_class)).mix()};
  }
  bool has_recipe() const override { return true; }

 private:
  std::array<LatentRing, 2> clone_;
};

}  // namespace sluice::task
