#include "sluice/task/gaussian_clone.hpp"

#include "sluice/task/nlgp.hpp"

namespace sluice::task {

void GaussianCloneOptions::describe(spec::Keys& keys) {
  RingOptions::describe(keys);
  keys.number("gain", gain, nlgp_gains(), "g of the nlgp whose covariance is taken");
}

std::unique_ptr<Task> GaussianCloneOptions::make() const { return std::make_unique<GaussianClone>(*this); }

GaussianClone::GaussianClone(const GaussianCloneOptions& options)
    : RingTask(options),
      clone_{latent(0).mapped(nlgp_correlation, options.gain),
             latent(1).mapped(nlgp_correlation, options.gain)} {}

Moments GaussianClone::moments(int which_class) const {
  return {.covariance = clone_.at(static_cast<std::size_t>(which_class)).correlation(), .excess_kurtosis = 0};
}

void GaussianClone::sample(const math::Address& first, int which_class, const math::Lanes& x,
                           const math::Lanes& scratch) const {
  clone_[static_cast<std::size_t>(which_class)].sample(first, x, scratch);
}

}  // namespace sluice::task
