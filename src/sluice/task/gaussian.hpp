/// task.kind = "gaussian": X = Z, the Gaussian reference without higher-order structure.
///   Cov X = S(ξ), excess kurtosis 0                                                              ledger: A.1, N1.2
#pragma once

#include "sluice/task/ring_task.hpp"

namespace sluice::task {

struct GaussianOptions final : RingOptions {
  std::unique_ptr<Task> make() const override;
};

class Gaussian final : public RingTask {
 public:
  explicit Gaussian(const GaussianOptions& options);

  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::optional<Recipe> recipe(int which_class) const override {
    return Recipe{.mix = latent(which_class).mix()};
  }
  bool has_recipe() const override { return true; }
};

}  // namespace sluice::task
