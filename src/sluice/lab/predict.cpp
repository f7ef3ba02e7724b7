#include "sluice/lab/predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sluice/file/errors.hpp"
#include "sluice/lab/mover.hpp"
#include "sluice/lab/sources.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/math/relative_distance.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/net/init.hpp"
#include "sluice/probe/ipr.hpp"

namespace sluice::lab {
namespace {

std::uint64_t seed_of(const Experiment& experiment) { return static_cast<std::uint64_t>(experiment.seed); }

learn::State start_of(const Experiment& experiment, std::int64_t inputs) {
  return {.step = 0,
          .parameters = net::initial_parameters(experiment.network.two_layer, inputs, seed_of(experiment))};
}

Fields fields_of(const Experiment& experiment, std::int64_t inputs, const std::vector<float>& parameters) {
  const std::int64_t units = experiment.network.two_layer.hidden;
  return {units, inputs, {parameters.begin(), parameters.begin() + units * inputs}};
}

double cosine(std::span<const float> v, std::span<const float> w) {
  double vw = 0;
  double vv = 0;
  double ww = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    vw += static_cast<double>(v[i]) * w[i];
    vv += static_cast<double>(v[i]) * v[i];
    ww += static_cast<double>(w[i]) * w[i];
  }
  return vw / std::sqrt(vv * ww);
}

/// 1, 2, …; ties share their mean rank.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) ranks[order[i]] = static_cast<double>(first + last + 1) / 2;
    first = last;
  }
  return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa * bb > 0 ? ab / std::sqrt(aa * bb) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void Fields::append(const Fields& more) {
  units += more.units;
  inputs = more.inputs;
  weights.insert(weights.end(), more.weights.begin(), more.weights.end());
}

std::int64_t peak(std::span<const float> field) {
  return std::max_element(field.begin(), field.end(),
                          [](float a, float b) { return std::abs(a) < std::abs(b); }) -
         field.begin();
}

Fields initial_fields(const Experiment& experiment) {
  const std::int64_t inputs = experiment.task.make()->inputs();
  return fields_of(experiment, inputs, start_of(experiment, inputs).parameters);
}

Fields predicted_fields(const Experiment& experiment, const std::string& response, const std::string& pairs,
                        math::Workers& workers) {
  DynamicsOptions dynamics = experiment.dynamics;
  dynamics.kind = "flow";
  dynamics.response = response;
  dynamics.pairs = pairs;
  const auto task = experiment.task.make();
  require_flow(experiment, dynamics, *task);
  const std::int64_t at_once = std::max<std::int64_t>(dynamics.steps, 1);  // nothing is watched on the way
  const auto flow =
      make_flow(experiment, dynamics, at_once, *task, start_of(experiment, task->inputs()), workers);
  if (dynamics.steps > 0) flow->move();
  return fields_of(experiment, task->inputs(), flow->state().parameters);
}

Fields trained_fields(const Experiment& experiment, math::Workers& workers) {
  if (experiment.dynamics.is_flow()) {
    throw InputError("dynamics.kind = \"flow\": expected an optimiser, for there to be training to predict");
  }
  const auto task = experiment.task.make();
  const auto batches = training_batches(*task, experiment.dynamics.batch, seed_of(experiment));
  const net::TwoLayer<float> network(experiment.network.two_layer, task->inputs());
  const auto trainer =
      make_trainer(experiment, *batches, network, start_of(experiment, task->inputs()), workers);
  while (trainer->state().step < experiment.dynamics.steps) trainer->move();
  return fields_of(experiment, task->inputs(), trainer->state().parameters);
}

Score score(const Fields& predicted, const Fields& trained) {
  Score score;
  std::vector<double> cosines;
  std::vector<double> predicted_ipr;
  std::vector<double> trained_ipr;
  const double threshold = probe::localized_threshold(trained.inputs);
  const double share = 1.0 / static_cast<double>(trained.units);
  for (std::int64_t k = 0; k < trained.units; ++k) {
    const auto v = predicted.field(k);
    const auto w = trained.field(k);
    cosines.push_back(cosine(v, w));
    predicted_ipr.push_back(probe::ipr(v));
    trained_ipr.push_back(probe::ipr(w));
    if (cosines.back() > 0.9) score.close += share;
    if (math::ring_distance(peak(v), peak(w), trained.inputs) <= 1) score.peaks += share;
    if ((predicted_ipr.back() >= threshold) == (trained_ipr.back() >= threshold)) score.localized += share;
  }
  score.distance = math::relative_distance<float>(predicted.weights, trained.weights);
  score.correlation = math::median(cosines);
  score.ipr_rank = correlation(ranks(predicted_ipr), ranks(trained_ipr));
  return score;
}

}  // namespace sluice::lab
