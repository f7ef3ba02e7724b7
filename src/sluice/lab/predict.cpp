#include "sluice/lab/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <variant>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/math/quantile.hpp"
#include "sluice/math/relative_distance.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/math/stopping.hpp"
#include "sluice/net/two_layer_network.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/probe/kind.hpp"
#include "sluice/probe/localized.hpp"
#include "sluice/probe/spectrum.hpp"
#include "sluice/record/fitting.hpp"

namespace sluice::lab {
namespace {

bool learns_bias(const net::Network& network) {
  const auto* two_layer = dynamic_cast<const net::TwoLayerNetwork*>(&network);
  return two_layer != nullptr && two_layer->options().learns_bias();
}

Fields fields_of(const Setup& setup, const std::vector<float>& parameters) {
  std::vector<float> storage;
  const net::Network& network = setup.network();
  const auto weights = network.fields(parameters, storage);
  Fields fields{.units = network.units(),
                .inputs = network.inputs(),
                .weights = {weights.begin(), weights.end()},
                .layout = setup.subject().extents.layout};
  if (learns_bias(network)) {
    const auto bias = network.find_part("bias")->of(std::span<const float>(parameters));
    fields.bias.assign(bias.begin(), bias.end());
  }
  return fields;
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

bool is_finite(const Fields& fields) {
  return math::all_finite(fields.weights) && math::all_finite(fields.bias);
}

/// 1, 2, …; ties share their mean rank. What is no number has no rank, and leaves none to the others.
std::vector<double> ranks(const std::vector<double>& values) {
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); }))
    return std::vector<double>(values.size(), std::numeric_limits<double>::quiet_NaN());
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
  layout = more.layout;
  weights.insert(weights.end(), more.weights.begin(), more.weights.end());
  bias.insert(bias.end(), more.bias.begin(), more.bias.end());
}

std::int64_t peak(std::span<const float> field) {
  return std::max_element(field.begin(), field.end(),
                          [](float a, float b) { return std::abs(a) < std::abs(b); }) -
         field.begin();
}

Fields initial_fields(const Setup& setup) { return fields_of(setup, setup.start()); }

Fields predicted_fields(const Setup& setup, const std::string& response, const std::string& pairs,
                        math::Workers& workers, std::int64_t samples) {
  const DynamicsOptions& dynamics = setup.experiment().dynamics;
  flow::EngineOptions options = dynamics.flow;
  options.response = response;
  options.pairs = pairs;
  if (samples > 0) options.samples = samples;
  const std::int64_t at_once = std::max<std::int64_t>(dynamics.steps, 1);  // nothing is watched on the way
  const auto flow = setup.flow(options, at_once, start_of(setup), workers);
  if (dynamics.steps > 0) flow->move();
  Fields predicted = fields_of(setup, flow->state().parameters);
  if (flow->diverged() || !is_finite(predicted))
    throw std::runtime_error(
        fmt::format("the flow diverged within {} steps: expected finite weights", dynamics.steps));
  return predicted;
}

Fields trained_fields(const Setup& setup, math::Workers& workers) {
  return trained_fields(setup, setup, workers);
}

Fields trained_fields(const Setup& setup, const Setup& from, math::Workers& workers) {
  const auto trainer = setup.trainer(start_of(from), workers);
  while (trainer->state().step < setup.experiment().dynamics.steps && !trainer->diverged()) trainer->move();
  Fields trained = fields_of(setup, trainer->state().parameters);
  if (trainer->diverged() || !is_finite(trained))
    throw std::runtime_error(fmt::format("training diverged within {} steps: expected finite weights",
                                         setup.experiment().dynamics.steps));
  return trained;
}

namespace {

/// Units are held against each other one by one: those of a run that began elsewhere are others. Where its record has no weights of the start,
/// or none that tell (all are zero, and gates are drawn), its seed is asked.
void require_same_start(const file::NamedArrays& record, const Fields& start, const Setup& setup,
                        const std::filesystem::path& folder) {
  constexpr double kFarther = 1e-3;  // than another machine's rounding
  constexpr const char* kReason =
      "of another start, whose units cannot be compared one by one; predict the run's own spec.toml, with "
      "its seed";
  const file::Array& weights = *file::find(record, "weights");
  const file::Array* step = file::find(record, "step");
  const auto* times = step == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&step->data);
  const bool has_start = times != nullptr && std::ssize(*times) == weights.shape[0] &&
                         times->front() == setup.first_step() &&
                         std::ranges::any_of(start.weights, [](float w) { return w != 0; });
  if (has_start) {
    const auto first = std::span(weights.as<float>()).first(start.weights.size());
    if (!(math::relative_distance<float>(first, start.weights) <= kFarther))
      throw InputError(fmt::format("{}: weights: expected those of seed {} at the start, found some {}",
                                   (folder / "record.npz").string(), setup.seed(), kReason));
  } else if (const std::filesystem::path spec = folder / "spec.toml"; std::filesystem::exists(spec)) {
    const std::int64_t seed = load({.name_or_file = spec.string()}).seed;
    if (seed != setup.experiment().seed)
      throw InputError(fmt::format("{}: seed = {}: expected {}; this one is {}", spec.string(), seed,
                                   setup.seed(), kReason));
  }
}

/// The last fields of a run, which must be as many as those the prediction starts from, and have begun there.
Fields final_fields(const std::filesystem::path& folder, const Fields& start, const Setup& setup) {
  const file::NamedArrays record = file::read_npz(folder / "record.npz");
  const std::size_t floats = file::Array::Data(std::vector<float>{}).index();
  const bool biases = !start.bias.empty() && file::find(record, "bias") != nullptr;
  std::vector<record::ArrayForm> expected{{"weights", floats, {record::kTimes, start.units, start.inputs}}};
  if (biases)  // at every probe time, also where weights are those of the end alone
    expected.push_back({"bias", floats, {record::kSome, start.units}});
  record::require_fitting(record, expected, folder / "record.npz");
  const auto last = [&](const char* name, std::size_t count) {
    const std::vector<float>& all = file::find(record, name)->as<float>();
    return std::vector<float>(all.end() - static_cast<std::ptrdiff_t>(count), all.end());
  };
  Fields fields{.units = start.units,
                .inputs = start.inputs,
                .weights = last("weights", start.weights.size()),
                .layout = start.layout};
  if (biases) fields.bias = last("bias", start.bias.size());
  if (!is_finite(fields))
    throw InputError(
        fmt::format("{}: weights: expected finite ones at the end", (folder / "record.npz").string()));
  require_same_start(record, start, setup, folder);
  return fields;
}

/// The Gaussian flow is known of closed forms alone.
bool has_gaussian_flow(const Setup& setup) {
  flow::EngineOptions options = setup.experiment().dynamics.flow;
  options.response = options.pairs = "gaussian";
  return setup.knows_flow(options);
}

}  // namespace

Prediction predict(const PredictRequest& request, math::Workers& workers) {
  if (!request.against.empty() && (request.train || request.seeds > 1))
    throw InputError("a prediction is scored on a run, or on training: expected one of them");
  const bool trained = request.train || request.seeds > 1 || (request.again && request.against.empty());
  const bool scored = trained || !request.against.empty();
  Prediction prediction{.guesses = {{"flow", {}}}, .trained = {}};
  if (trained) prediction.trained.emplace();
  const auto guess = [&](std::size_t which, const char* name, const Fields& fields) {
    if (prediction.guesses.size() == which) prediction.guesses.push_back({name, {}});
    prediction.guesses[which].fields.append(fields);
  };
  Source source = request.source;
  const std::int64_t first = load(source).seed;
  for (std::int64_t i = 0; i < request.seeds; ++i) {
    math::stop_if_asked();
    source.seed = std::to_string(first + i);
    const Setup setup(load(source));
    if (scored && !setup.task().layout().has_places())
      throw InputError(fmt::format("task.kind = \"{}\": predictions are scored on rings and tori",
                                   setup.experiment().task.kind()));
    if (trained || request.again) setup.require_known_at({});  // before the flow, which may take long
    if (!request.against.empty())
      prediction.trained = final_fields(request.against, initial_fields(setup), setup);
    std::size_t which = 0;
    guess(which++, "flow",
          predicted_fields(setup, request.response, request.pairs, workers, request.samples));
    if (!scored) continue;
    if (has_gaussian_flow(setup))
      guess(which++, "Gaussian flow", predicted_fields(setup, "gaussian", "gaussian", workers));
    guess(which++, "initial weights", initial_fields(setup));
    if (trained) prediction.trained->append(trained_fields(setup, workers));
    if (!request.again) continue;
    constexpr std::int64_t kOtherSamples = 1'000'000;  // seeds that nobody counts up to
    source.seed = std::to_string(first + i + kOtherSamples);
    guess(which++, "another training", trained_fields(Setup(load(source)), setup, workers));
  }
  return prediction;
}

std::vector<std::uint8_t> localized(const Fields& fields) {
  if (!fields.layout.has_places()) return {};
  return probe::localized_flags(fields.weights, fields.inputs, fields.layout.torus_side());
}

namespace {

/// Of two sites, along the axis on which they are further apart.
std::int64_t sites_apart(std::int64_t a, std::int64_t b, const Fields& fields) {
  const std::int64_t torus = fields.layout.torus_side(), side = torus > 0 ? torus : fields.inputs;
  return std::max(math::ring_distance(a % side, b % side, side),
                  math::ring_distance(a / side, b / side, side));
}

/// Of every unit on a ring.
std::vector<probe::FieldKind> kinds(const Fields& fields, const std::vector<std::uint8_t>& localized) {
  const std::vector<float> power =
      probe::power_shares(probe::FieldFourier(fields.inputs).analyse(fields.weights));
  const std::size_t frequencies = power.size() / localized.size();
  std::vector<probe::FieldKind> kinds;
  for (std::size_t k = 0; k < localized.size(); ++k)
    kinds.push_back(
        probe::kind_of(localized[k] != 0, std::span(power).subspan(k * frequencies, frequencies)));
  return kinds;
}

/// Of those that count, the share that agrees; NaN where none counts.
struct Share {
  double agree = 0, count = 0;

  void add(bool agrees) {
    agree += agrees ? 1 : 0;
    ++count;
  }
  double value() const { return count > 0 ? agree / count : std::numeric_limits<double>::quiet_NaN(); }
};

}  // namespace

Score score(const Fields& predicted, const Fields& trained) {
  std::vector<double> cosines;
  std::vector<double> predicted_ipr;
  std::vector<double> trained_ipr;
  const std::vector<std::uint8_t> predicted_localized = localized(predicted);
  const std::vector<std::uint8_t> trained_localized = localized(trained);
  Share close, peaks, both_localize, same_kind, centres, bias_signs;
  for (std::int64_t k = 0; k < trained.units; ++k) {
    const auto v = predicted.field(k);
    const auto w = trained.field(k);
    const auto unit = static_cast<std::size_t>(k);
    cosines.push_back(cosine(v, w));
    predicted_ipr.push_back(probe::ipr(v));
    trained_ipr.push_back(probe::ipr(w));
    const bool same_place = sites_apart(peak(v), peak(w), trained) <= 1;
    close.add(cosines.back() > 0.9);
    peaks.add(same_place);
    both_localize.add(predicted_localized[unit] == trained_localized[unit]);
    if (predicted_localized[unit] != 0 && trained_localized[unit] != 0) centres.add(same_place);
    if (!trained.bias.empty()) bias_signs.add(predicted.bias[unit] * trained.bias[unit] > 0);
  }
  if (trained.layout.on_ring()) {
    const std::vector<probe::FieldKind> guessed = kinds(predicted, predicted_localized);
    const std::vector<probe::FieldKind> found = kinds(trained, trained_localized);
    for (std::size_t k = 0; k < found.size(); ++k) same_kind.add(guessed[k] == found[k]);
  }
  return {.distance = math::relative_distance<float>(predicted.weights, trained.weights),
          .correlation = math::median(cosines),
          .close = close.value(),
          .peaks = peaks.value(),
          .localized = both_localize.value(),
          .ipr_rank = correlation(ranks(predicted_ipr), ranks(trained_ipr)),
          .kinds = same_kind.value(),
          .centres = centres.value(),
          .bias_signs = bias_signs.value()};
}

file::Json to_json(const Score& score) {
  return {{"distance", score.distance}, {"correlation", score.correlation}, {"close", score.close},
          {"peaks", score.peaks},       {"localized", score.localized},     {"ipr_rank", score.ipr_rank},
          {"kinds", score.kinds},       {"centres", score.centres},         {"bias_signs", score.bias_signs}};
}

}  // namespace sluice::lab
