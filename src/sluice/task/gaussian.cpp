#include "sluice/task/gaussian.hpp"

namespace sluice::task {

std::unique_ptr<Task> GaussianOptions::make() const { return std::make_unique<Gaussian>(*this); }

Gaussian::Gaussian(const GaussianOptions& options)
    : options_(options),
      latent_{LatentRing(options.n, options.xi[0]), LatentRing(options.n, options.xi[1])} {}

Moments Gaussian::moments(int which_class) const {
  return {.covariance = latent_.at(static_cast<std::size_t>(which_class)).correlation().row,
          .excess_kurtosis = 0};
}

void Gaussian::sample(const math::Address& first, int which_class, const math::Lanes& x,
                      const math::Lanes& scratch) const {
  latent_[static_cast<std::size_t>(which_class)].sample(first, x, scratch);
}

std::vector<std::string> Gaussian::remarks() const { return latent_remarks(latent_); }

}  // namespace sluice::task
