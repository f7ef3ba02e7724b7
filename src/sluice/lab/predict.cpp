#include "sluice/lab/predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/math/relative_distance.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/localized.hpp"
#include "sluice/record/fitting.hpp"

namespace sluice::lab {
namespace {

Fields fields_of(const Setup& setup, const std::vector<float>& parameters) {
  std::vector<float> storage;
  const auto fields = setup.network().fields(parameters, storage);
  return {setup.network().units(), setup.network().inputs(), {fields.begin(), fields.end()}};
}

learn::State start_of(const Setup& setup) { return {.step = 0, .parameters = setup.start()}; }

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

Fields initial_fields(const Setup& setup) { return fields_of(setup, setup.start()); }

Fields predicted_fields(const Setup& setup, const std::string& response, const std::string& pairs,
                        math::Workers& workers) {
  const DynamicsOptions& dynamics = setup.experiment().dynamics;
  flow::EngineOptions options = dynamics.flow;
  options.response = response;
  options.pairs = pairs;
  const std::int64_t at_once = std::max<std::int64_t>(dynamics.steps, 1);  // nothing is watched on the way
  const auto flow = setup.flow(options, at_once, start_of(setup), workers);
  if (dynamics.steps > 0) flow->move();
  return fields_of(setup, flow->state().parameters);
}

Fields trained_fields(const Setup& setup, math::Workers& workers) {
  const auto trainer = setup.trainer(start_of(setup), workers);
  while (trainer->state().step < setup.experiment().dynamics.steps) trainer->move();
  return fields_of(setup, trainer->state().parameters);
}

namespace {

/// The last fields of a run, which must be as many as the prediction's.
Fields final_fields(const std::filesystem::path& folder, const Fields& like) {
  const file::NamedArrays record = file::read_npz(folder / "record.npz");
  const std::size_t floats = file::Array::Data(std::vector<float>{}).index();
  record::require_fitting(record, {{"weights", floats, {record::kTimes, like.units, like.inputs}}},
                          folder / "record.npz");
  const std::vector<float>& all = file::find(record, "weights")->as<float>();
  return {like.units, like.inputs, {all.end() - like.units * like.inputs, all.end()}};
}

}  // namespace

std::optional<Prediction> predict(const PredictRequest& request, math::Workers& workers) {
  if (!request.against.empty() && (request.train || request.seeds > 1))
    throw InputError("a prediction is scored on a run, or on training: expected one of them");
  const bool scored = request.train || request.seeds > 1 || !request.against.empty();
  Prediction prediction{.guesses = {{"flow", {}}}, .trained = {}};
  if (scored)
    prediction.guesses.insert(prediction.guesses.end(), {{"Gaussian flow", {}}, {"initial weights", {}}});
  if (scored && request.against.empty()) prediction.trained.emplace();
  Source source = request.source;
  const std::int64_t first = load(source).seed;
  for (std::int64_t i = 0; i < request.seeds; ++i) {
    if (request.stop_requested()) return std::nullopt;
    source.seed = std::to_string(first + i);
    const Setup setup(load(source));
    if (scored && !setup.task().layout().on_ring())
      throw InputError("task.dim = 2: predictions are scored on rings, dim = 1");
    prediction.guesses[0].fields.append(predicted_fields(setup, request.response, request.pairs, workers));
    if (!scored) continue;
    prediction.guesses[1].fields.append(predicted_fields(setup, "gaussian", "gaussian", workers));
    prediction.guesses[2].fields.append(initial_fields(setup));
    if (prediction.trained) prediction.trained->append(trained_fields(setup, workers));
  }
  if (!request.against.empty())
    prediction.trained = final_fields(request.against, prediction.guesses[0].fields);
  return prediction;
}

std::vector<std::uint8_t> localized(const Fields& fields) {
  return probe::localized_flags(fields.weights, fields.inputs, 0);
}

Score score(const Fields& predicted, const Fields& trained) {
  Score score;
  std::vector<double> cosines;
  std::vector<double> predicted_ipr;
  std::vector<double> trained_ipr;
  const std::vector<std::uint8_t> predicted_localized = localized(predicted);
  const std::vector<std::uint8_t> trained_localized = localized(trained);
  const double share = 1.0 / static_cast<double>(trained.units);
  for (std::int64_t k = 0; k < trained.units; ++k) {
    const auto v = predicted.field(k);
    const auto w = trained.field(k);
    cosines.push_back(cosine(v, w));
    predicted_ipr.push_back(probe::ipr(v));
    trained_ipr.push_back(probe::ipr(w));
    if (cosines.back() > 0.9) score.close += share;
    if (math::ring_distance(peak(v), peak(w), trained.inputs) <= 1) score.peaks += share;
    const auto unit = static_cast<std::size_t>(k);
    if (predicted_localized[unit] == trained_localized[unit]) score.localized += share;
  }
  score.distance = math::relative_distance<float>(predicted.weights, trained.weights);
  score.correlation = math::median(cosines);
  score.ipr_rank = correlation(ranks(predicted_ipr), ranks(trained_ipr));
  return score;
}

}  // namespace sluice::lab
