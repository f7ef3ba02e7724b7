#include "sluice/net/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "sluice/file/errors.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/net/field_file.hpp"

namespace sluice::net {
namespace {

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

std::vector<float> weights_of_law(const InitOptions& init, std::int64_t units, std::int64_t inputs,
                                  std::uint64_t seed) {
  if (init.law == "zero") return std::vector<float>(static_cast<std::size_t>(units * inputs));
  if (init.law == "file")
    return read_fields({init.path, init.array, init.index}, "network.init", units, inputs);
  if (init.law == "normal") return normal_weights(init.std, false, units, inputs, seed);
  if (init.law == "xavier-normal") {
    const double sd = init.scale * std::sqrt(2.0 / static_cast<double>(units + inputs));
    return normal_weights(sd, init.truncated, units, inputs, seed);
  }
  return shaped_weights(init, units, inputs);
}

}  // namespace

std::vector<float> initial_weights(const InitOptions& init, std::int64_t units, std::int64_t inputs,
                                   std::uint64_t seed) {
  std::vector<float> weights = weights_of_law(init, units, inputs, seed);
  if (init.noise > 0) {
    const std::vector<float> added = normal_weights(init.noise, false, units, inputs, seed);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += added[i];
  }
  return weights;
}

namespace {

/// The other parts that are learned, in place of those of a fresh start: `parameters` in the order of TwoLayerView.
void take_others(const TwoLayerOptions& options, std::int64_t inputs, std::span<float> parameters) {
  struct Learned {
    bool is;
    std::string name;
    file::Shape shape;
  };
  const std::int64_t units = options.hidden;
  const InitOptions& init = options.init;
  const PartFile file({init.path, init.array, init.index}, "network.init");
  std::size_t at = static_cast<std::size_t>(units * inputs);
  for (const Learned& part :
       {Learned{options.learns_bias(), "bias", {units}},
        Learned{options.learns_readout(), "readout", {units}},
        Learned{options.learns_readout(), "offset", {}}, Learned{options.pathway > 0, "pathway", {inputs}}}) {
    const auto size = static_cast<std::size_t>(file::element_count(part.shape));
    const bool stands =
        part.is || part.name == "bias";  // a bias that is not learned stands there all the same
    if (part.is && file.holds_at_index(part.name, part.shape)) {
      std::ranges::copy(file.part(part.name, part.shape),
                        parameters.begin() + static_cast<std::ptrdiff_t>(at));
    } else if (part.is && init.others == "required") {
      throw InputError(fmt::format(
          "{}: no array '{}' {}{}, which this network learns; network.init.others = \"fresh\" starts it anew",
          init.path, part.name, file::to_string(part.shape),
          file.holds(part.name) ? fmt::format(" of network.init.index = {}, only that of the end", init.index)
                                : ""));
    }
    if (stands) at += size;
  }
}

}  // namespace

std::vector<float> initial_parameters(const TwoLayerOptions& options, std::int64_t inputs,
                                      std::uint64_t seed) {
  const std::int64_t units = options.hidden;
  std::vector<float> parameters = initial_weights(options.init, units, inputs, seed);
  for (std::int64_t k = 0; k < units; ++k) parameters.push_back(static_cast<float>(options.initial_bias(k)));
  if (options.learns_readout()) {
    const std::vector<float> readout = initial_readout(options.readout_init, units, seed);
    parameters.insert(parameters.end(), readout.begin(), readout.end());
    parameters.push_back(0);
  }
  if (options.pathway > 0) parameters.resize(parameters.size() + static_cast<std::size_t>(inputs));
  if (options.learns_others() && options.init.from_many()) take_others(options, inputs, parameters);
  return parameters;
}

}  // namespace sluice::net
