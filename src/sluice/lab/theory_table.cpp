#include "sluice/lab/theory_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/net/two_layer_network.hpp"

namespace sluice::lab {
namespace {

/// Weights and biases the request is about: those given, or the spec's initial ones.
void add_units(theory::Request& asked, const TheoryRequest& request, const Experiment& experiment) {
  const auto task = experiment.task.make();
  const std::int64_t inputs = task->inputs();
  const auto& layers = experiment.network.as<net::TwoLayerFamily>()->layers;
  if (request.weights) {
    asked.weights = rows_of(*request.weights, inputs, request.weights_are);
  } else {
    const auto network = experiment.network.make({.inputs = inputs, .dimensions = task->dimensions()});
    const std::vector<float> parameters = network->start(static_cast<std::uint64_t>(experiment.seed));
    std::vector<float> storage;
    const auto fields = network->fields(parameters, storage);
    asked.weights = rows_of({{network->units(), inputs}, std::vector<float>(fields.begin(), fields.end())},
                            inputs, "start");
  }
  for (std::int64_t k = 0; k < std::ssize(asked.weights); ++k) asked.biases.push_back(layers.initial_bias(k));
}

}  // namespace

std::vector<theory::Vector> rows_of(const file::Array& array, std::int64_t n, const std::string& name) {
  const bool fits =
      (array.shape.size() == 1 || (array.shape.size() == 2 && array.shape[0] > 0)) && array.shape.back() == n;
  if (!fits)
    throw InputError(
        fmt::format("{}: shape {}: expected [{}] or [K, {}]", name, file::to_string(array.shape), n, n));
  std::vector<theory::Vector> rows;
  std::visit(
      [&](const auto& values) {
        for (std::size_t first = 0; first < values.size(); first += static_cast<std::size_t>(n)) {
          theory::Vector row(static_cast<std::size_t>(n));
          for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(values[first + i]);
          if (!std::isfinite(row.sum())) throw InputError(name + ": expected finite numbers");
          rows.push_back(std::move(row));
        }
      },
      array.data);
  return rows;
}

theory::Table theory_table(const Experiment& experiment, const TheoryRequest& request) {
  const theory::Quantity& quantity = theory::quantity(request.quantity);
  theory::require_fitting_network(quantity, experiment.network);
  constexpr std::int64_t kMostSites = 4096;  // sums over all pairs of sites
  if (experiment.task.dimensions() != 1)
    throw InputError("task.dim = 2: closed forms are known on rings, dim = 1");
  if (const std::int64_t inputs = experiment.task.make()->inputs(); inputs > kMostSites)
    throw InputError(
        fmt::format("task.n = {}: expected at most {} sites for closed forms", inputs, kMostSites));
  theory::Request asked{.task = experiment.task,
                        .network = experiment.network,
                        .which_class = request.which_class,
                        .weights = {},
                        .biases = {},
                        .response = request.response,
                        .seed = static_cast<std::uint64_t>(experiment.seed)};
  if (quantity.needs == theory::Needs::units) add_units(asked, request, experiment);
  return quantity.table(asked);
}

}  // namespace sluice::lab
