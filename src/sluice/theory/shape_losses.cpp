#include "sluice/theory/shape_losses.hpp"

#include "sluice/flow/advantage.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/theory/bump_gates.hpp"
#include "sluice/theory/shapes.hpp"

namespace sluice::theory {

std::vector<NamedShape> landscape_shapes(std::int64_t n, double xi_one, double xi_zero, double gain) {
  const auto sites = static_cast<std::size_t>(n);
  return {{"flat", flat(sites)},
          {"one site", unit(sites, 0)},
          {"bump s = 0.7", bump(sites, 0.7)},
          {"bump s = 1", bump(sites, 1)},
          {"bump s = 2", bump(sites, 2)},
          {"Gabor", gabor(sites, 2, 6)},
          {"small-bump OLS", bump_solution(n, xi_one, xi_zero, gain).weights},
          {"Nyquist", nyquist(sites)}};
}

std::vector<ShapeLoss> shape_losses(const task::NlgpOptions& options, std::int64_t samples) {
  const std::unique_ptr<task::Task> task = options.make();
  math::Workers workers(math::hardware_threads());
  const flow::SampledResponse response(*task, 0, {.samples = samples}, workers);
  std::vector<ShapeLoss> losses;
  for (const NamedShape& shape : landscape_shapes(options.n, options.xi[0], options.xi[1], options.gain)) {
    const flow::Advantage found = flow::advantage(*task, view(shape.weights), response);
    losses.push_back({found.best_loss, found.loss_error});
  }
  return losses;
}

}  // namespace sluice::theory
