#include "sluice/task/gaussian_clone.hpp"

#include "sluice/task/nlgp.hpp"

namespace sluice::task {

void GaussianCloneOptions::describe(spec::Keys& keys) {
  RingOptions::describe(keys);
  keys.number("gain", gain, nlgp_gains(), "g of the nlgp whose covariance is taken");
}

std::unique_ptr<Task> GaussianCloneOptions::make() const { return std::make_unique<GaussianClone>(*this); }

GaussianClone::GaussianClone(const GaussianCloneOptions& options)
    : options_(options),
      clone_{LatentRing(options.n, options.xi[0]).mapped(nlgp_correlation, options.gain),
             LatentRing(options.n, options.xi[1]).mapped(nlgp_correlation, options.gain)} {}

Moments GaussianClone::moments(int which_class) const {
  return {.covariance = clone_.at(static_cast<std::size_t>(which_class)).correlation().row,
          .excess_kurtosis = 0};
}

void GaussianClone::sample(const math::Address& first, int which_class, const math::Lanes& x,
                           const math::Lanes& scratch) const {
  clone_[static_cast<std::size_t>(which_class)].sample(first, x, scratch);
}

std::vector<std::string> GaussianClone::remarks() const { return latent_remarks(clone_); }

}  // namespace sluice::task
