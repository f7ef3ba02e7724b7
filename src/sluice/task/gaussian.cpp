#include "sluice/task/gaussian.hpp"

namespace sluice::task {

std::unique_ptr<Task> GaussianOptions::make() const { return std::make_unique<Gaussian>(*this); }

Gaussian::Gaussian(const GaussianOptions& options) : RingTask(options) {}

Moments Gaussian::moments(int which_class) const {
  return {.covariance = latent(which_class).correlation(), .excess_kurtosis = 0};
}

void Gaussian::sample(const math::Address& first, int which_class, const math::Lanes& x,
                      const math::Lanes& scratch) const {
  latent(which_class).sample(first, x, scratch);
}

}  // namespace sluice::task
