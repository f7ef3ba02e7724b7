/// task.kind = "gaussian": X = Z, the Gaussian reference without higher-order structure.
///   Cov X = S(ξ), excess kurtosis 0                                                              ledger: A.1, N1.2
#pragma once

#include "sluice/task/latent_ring.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

struct GaussianOptions final : RingOptions {
  std::unique_ptr<Task> make() const override;
};

class Gaussian final : public Task {
 public:
  explicit Gaussian(const GaussianOptions& options);

  std::int64_t inputs() const override { return options_.n; }
  std::array<double, 2> labels() const override { return options_.labels; }
  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::vector<std::string> remarks() const override;

 private:
  GaussianOptions options_;
  std::array<LatentRing, 2> latent_;
};

}  // namespace sluice::task
