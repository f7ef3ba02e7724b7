#include "sluice/theory/start_loss.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "sluice/file/errors.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/premises.hpp"

namespace sluice::theory {
namespace {

double variance_of_start(const net::TwoLayerOptions& network, std::int64_t inputs) {
  const net::InitOptions& init = network.init;
  if (init.law == "normal") return init.std * init.std;
  if (init.law == "xavier-normal" && !init.truncated)
    return init.scale * init.scale * 2 / static_cast<double>(network.hidden + inputs);
  throw InputError(fmt::format(
      "start-loss: network.init: law = \"{}\": expected normal, or xavier-normal that is not truncated",
      init.law));
}

}  // namespace

StartLosses start_losses(const Sampler& sampler, const Data& data, std::int64_t units, double variance) {
  const auto each = static_cast<double>(units);
  const auto of_class = [&](Label label) {
    return sampler.mean(data, label, 2, [&](std::span<const double> x, std::span<double> out) {
      const double square = dot(x, x), u = variance * square;
      out[0] = std::sqrt(square);
      out[1] = 2 / std::numbers::pi * std::asin(u / (1 + u));
    });
  };
  const Means one = of_class(Label::one), both = one + of_class(Label::zero);
  const double slope = 2 * std::sqrt(variance / (2 * std::numbers::pi));
  const double squares = static_cast<double>(data.n()) * (data.one.row[0] + data.zero.row[0]);
  const double relu = 1 - slope * one.mean[0] +
                      variance * squares * (1 / (2 * each) + (1 - 1 / each) / (2 * std::numbers::pi));
  return {.relu = relu / 4,
          .relu_error = slope * one.standard_error[0] / 4,
          .erf = (2 + both.mean[1] / each) / 4,
          .erf_error = both.standard_error[1] / each / 4,
          .length = one.mean[0] / std::sqrt(static_cast<double>(data.n()))};
}

Table start_loss_table(const Request& request) {
  const auto* spec = dynamic_cast<const task::NlgpOptions*>(&request.task.options());
  if (spec == nullptr || spec->dim != 1)
    throw InputError(fmt::format("start-loss: task.kind = {}: expected nlgp on a ring, task.dim = 1",
                                 request.task.kind()));
  constexpr std::int64_t kSamples = 200'000;
  const net::TwoLayerOptions& network = request.network.as<net::TwoLayerFamily>()->layers;
  require_even_classes(spec->classes, "start-loss", network.activation == "erf" ? kSignLabels : kOneAndZero);
  require_plain_start(network, "start-loss");
  math::Workers workers(math::hardware_threads());
  const Sampler sampler(kSamples, request.seed, workers);
  Table table{{"gain", "ReLU", "± ReLU", "erf", "± erf", "loss of ReLU", "loss of erf", "E‖X‖/√n"}, {}};
  table.picture = {
      .kind = Picture::Kind::curves,
      .title = fmt::format("Loss before training, mean over weights: {} units, n = {}, ξ = {} against {}",
                           network.hidden, spec->n, spec->xi[0], spec->xi[1]),
      .y = "change from gain 0.01 (%)",
      .drawn = 5};
  std::optional<StartLosses> first;
  for (const double gain : {0.01, 0.1, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, kSigns}) {
    task::NlgpOptions options = *spec;
    options.gain = gain;
    const Data data = data_of(options.make());
    const StartLosses now =
        start_losses(sampler, data, network.hidden, variance_of_start(network, data.task->inputs()));
    if (!first) first = now;
    const auto error = [&](double of_now, double at_first) {  // at most: gains share their draws
      return table.rows.empty() ? 0 : 100 * std::hypot(of_now, at_first);
    };
    const auto change = [](double loss, double at_first) { return 100 * (loss / at_first - 1); };
    table.rows.push_back({gain, change(now.relu, first->relu),
                          error(now.relu_error, first->relu_error) / first->relu, change(now.erf, first->erf),
                          error(now.erf_error, first->erf_error) / first->erf, now.relu, now.erf,
                          now.length});
  }
  return table;
}

}  // namespace sluice::theory
