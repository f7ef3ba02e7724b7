/// task.kind = "gaussian-clone": the Gaussian with the covariance of nlgp, the control for its higher-order structure.
///   X ~ N(0, C),   C_ij = arcsin(q r_ij)/arcsin(q),   q = 2g²/(1+2g²),   r = S(ξ)            ledger: B.2, N0.c7
///   excess kurtosis 0
/// Where S(ξ) is not a covariance it is projected first, as nlgp does; arcsin has a power series without negative
/// coefficients, so C then needs no projection of its own.
#pragma once

#include "sluice/task/latent_ring.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

struct GaussianCloneOptions final : RingOptions {
  double gain = 3.0;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
};

class GaussianClone final : public Task {
 public:
  explicit GaussianClone(const GaussianCloneOptions& options);

  std::int64_t inputs() const override { return options_.n; }
  std::array<double, 2> labels() const override { return options_.labels; }
  Moments moments(int which_class) const override;
  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes& scratch) const override;
  std::vector<std::string> remarks() const override;

 private:
  GaussianCloneOptions options_;
  std::array<LatentRing, 2> clone_;
};

}  // namespace sluice::task
