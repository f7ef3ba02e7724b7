#include "sluice/net/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <string>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"
#include "sluice/math/ring.hpp"

namespace sluice::net {
namespace {

const file::Array& pick_array(const file::NamedArrays& arrays, const InitOptions& init) {
  if (init.array.empty() && arrays.size() == 1) return arrays.front().second;
  if (const file::Array* found = file::find(arrays, init.array)) return *found;
  std::string names;
  for (const auto& [name, array] : arrays) names += (names.empty() ? "" : ", ") + name;
  throw InputError(
      fmt::format("{}: network.init.array = \"{}\": expected one of {}", init.path, init.array, names));
}

/// [K,n] weights, or entry `index` of a time-first [T,K,n] array such as a record's "weights".
std::vector<float> weights_from_file(const InitOptions& init, std::int64_t units, std::int64_t inputs) {
  const file::NamedArrays arrays = file::read_npz(init.path);
  const file::Array& array = pick_array(arrays, init);
  const file::Shape field_shape{units, inputs};
  const file::Shape& shape = array.shape;
  const bool has_time = shape.size() == 3 && file::Shape(shape.begin() + 1, shape.end()) == field_shape;
  if (shape != field_shape && !has_time) {
    throw InputError(
        fmt::format("{}: array has shape {}, expected [{}, {}] or [T, {}, {}] (network.hidden, task.n)",
                    init.path, file::to_string(shape), units, inputs, units, inputs));
  }
  std::int64_t entry = 0;
  if (has_time) {
    entry = init.index < 0 ? shape[0] + init.index : init.index;
    if (entry < 0 || entry >= shape[0]) {
      throw InputError(fmt::format("{}: network.init.index = {}: expected an entry of [T, K, n] with T = {}",
                                   init.path, init.index, shape[0]));
    }
  }
  const auto size = static_cast<std::size_t>(units * inputs);
  std::vector<float> weights(size);
  std::visit(
      [&](const auto& values) {
        const auto from = std::span(values).subspan(static_cast<std::size_t>(entry) * size, size);
        std::transform(from.begin(), from.end(), weights.begin(),
                       [](auto w) { return static_cast<float>(w); });
      },
      array.data);
  if (!std::all_of(weights.begin(), weights.end(), [](float w) { return std::isfinite(w); })) {
    throw InputError(fmt::format("{}: weights contain NaN or infinity", init.path));
  }
  return weights;
}

/// [K, n] standard normals; attempt a of the same weight is another number.
std::vector<float> standard_normals(std::int64_t units, std::int64_t inputs, std::uint64_t seed,
                                    std::uint64_t attempt) {
  math::LanesBuffer<float> normals(inputs, units);  // unit k is row k of the stream
  math::fill_normals({.seed = seed, .purpose = math::Purpose::initial_weights, .step = attempt},
                     normals.lanes(units));
  std::vector<float> weights(static_cast<std::size_t>(units * inputs));
  math::transpose(normals.lanes(units), weights.data(), inputs);
  return weights;
}

std::vector<float> normal_weights(double sd, bool truncated, std::int64_t units, std::int64_t inputs,
                                  std::uint64_t seed) {
  std::vector<float> weights = standard_normals(units, inputs, seed, 0);
  if (truncated) {
    const auto outside = [](float z) { return std::abs(z) > 2; };
    for (std::uint64_t attempt = 1; std::any_of(weights.begin(), weights.end(), outside); ++attempt) {
      const std::vector<float> again = standard_normals(units, inputs, seed, attempt);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        if (outside(weights[i])) weights[i] = again[i];
      }
    }
    sd /= 0.87962566103423978;  // sd of a standard normal cut at ±2
  }
  for (float& w : weights) w *= static_cast<float>(sd);
  return weights;
}

std::vector<float> shaped_weights(const InitOptions& init, std::int64_t units, std::int64_t inputs) {
  const auto field = [&](std::int64_t i, std::int64_t centre) -> double {
    if (init.law == "basis") return i == centre ? 1 : 0;
    const double d = static_cast<double>(math::ring_distance(i, centre, inputs)) / init.width;
    const double turns = init.frequency * static_cast<double>(i - centre) / static_cast<double>(inputs);
    return std::exp(-d * d / 2) * (init.law == "gabor" ? std::cos(2 * std::numbers::pi * turns) : 1.0);
  };
  std::vector<float> weights;
  for (std::int64_t k = 0; k < units; ++k) {
    std::vector<double> w;
    for (std::int64_t i = 0; i < inputs; ++i) w.push_back(field(i, k * inputs / units));
    const double length = std::sqrt(std::inner_product(w.begin(), w.end(), w.begin(), 0.0));
    for (const double value : w) weights.push_back(static_cast<float>(init.norm * value / length));
  }
  return weights;
}

std::vector<float> initial_weights(const InitOptions& init, std::int64_t units, std::int64_t inputs,
                                   std::uint64_t seed) {
  if (init.law == "file") return weights_from_file(init, units, inputs);
  if (init.law == "normal") return normal_weights(init.std, false, units, inputs, seed);
  if (init.law == "xavier-normal") {
    const double sd = init.scale * std::sqrt(2.0 / static_cast<double>(units + inputs));
    return normal_weights(sd, init.truncated, units, inputs, seed);
  }
  return shaped_weights(init, units, inputs);
}

std::vector<float> initial_readout(const ReadoutInitOptions& init, std::int64_t units, std::uint64_t seed) {
  if (init.law == "mean") {
    return std::vector<float>(static_cast<std::size_t>(units), 1.0F / static_cast<float>(units));
  }
  math::LanesBuffer<float> normals(1, units);  // unit k is row k of the stream
  math::fill_normals({.seed = seed, .purpose = math::Purpose::initial_readout}, normals.lanes(units));
  std::vector<float> readout(static_cast<std::size_t>(units));
  math::transpose(normals.lanes(units), readout.data(), 1);
  for (float& a : readout) a *= static_cast<float>(init.std);
  return readout;
}

}  // namespace

std::vector<float> initial_parameters(const TwoLayerOptions& options, std::int64_t inputs,
                                      std::uint64_t seed) {
  const std::int64_t units = options.hidden;
  std::vector<float> parameters = initial_weights(options.init, units, inputs, seed);
  parameters.resize(static_cast<std::size_t>(units * (inputs + 1)),
                    static_cast<float>(options.initial_bias()));
  if (options.learns_readout()) {
    const std::vector<float> readout = initial_readout(options.readout_init, units, seed);
    parameters.insert(parameters.end(), readout.begin(), readout.end());
    parameters.push_back(0);
  }
  return parameters;
}

}  // namespace sluice::net
