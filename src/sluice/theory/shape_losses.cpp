#include "sluice/theory/shape_losses.hpp"

#include "sluice/flow/advantage.hpp"
#include "sluice/flow/sampled.hpp"
#include "sluice/theory/bump_gates.hpp"
#include "sluice/theory/shapes.hpp"
#include "sluice/theory/trained_unit.hpp"

namespace sluice::theory {

std::vector<NamedShape> landscape_shapes(const task::NlgpOptions& options) {
  const auto n = static_cast<std::size_t>(options.n);
  std::vector<Vector> fields{flat(n),
                             unit(n, 0),
                             bump(n, 0.7),
                             bump(n, 1),
                             bump(n, 2),
                             gabor(n, 2, 6),
                             nyquist(n),
                             bump_solution(options.n, options.xi[0], options.xi[1], options.gain).weights,
                             trained_field(options)};
  std::vector<NamedShape> shapes;
  for (const std::string& name : landscape_names()) shapes.push_back({name, fields[shapes.size()]});
  return shapes;
}

std::vector<std::string> landscape_names() {
  return {"flat",  "one site", "bump s = 0.7",   "bump s = 1", "bump s = 2",
          "Gabor", "Nyquist",  "small-bump OLS", "trained"};
}

std::vector<ShapeLoss> shape_losses(const task::NlgpOptions& options, std::int64_t samples) {
  const std::unique_ptr<task::Task> task = options.make();
  math::Workers workers(math::hardware_threads());
  const flow::SampledResponse response(*task, 0, {.samples = samples}, workers);
  std::vector<ShapeLoss> losses;
  for (const NamedShape& shape : landscape_shapes(options)) {
    const flow::Advantage found = flow::advantage(*task, view(shape.weights), response);
    losses.push_back({found.best_loss, found.loss_error});
  }
  return losses;
}

}  // namespace sluice::theory
