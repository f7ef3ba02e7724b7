#include "sluice/net/deep_init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"
#include "sluice/net/field_file.hpp"

namespace sluice::net {
namespace {

double deviation(const DeepOptions& options, const Layer<float>& layer, std::int64_t width) {
  const auto in = static_cast<double>(layer.fan_in());
  const auto out = static_cast<double>(layer.fan_out());
  if (options.init.law == "he-normal") return std::sqrt(2 / in);
  if (options.init.law.starts_with("xavier")) return std::sqrt(2 / (in + out));
  const double* sigma = std::get_if<double>(&options.init.std);
  return sigma != nullptr ? *sigma : std::sqrt(1 / (options.open_share() * static_cast<double>(width)));
}

/// [rows, columns] numbers with mean 0 and variance 1.
std::vector<float> standard(const std::string& law, const MatrixPlace& place, std::uint64_t seed,
                            math::Purpose purpose, std::int64_t layer) {
  math::LanesBuffer<float> numbers(place.columns, place.rows);  // unit i is row i of the stream
  const math::Lanes lanes = numbers.lanes(place.rows);
  const math::Address first{.seed = seed, .purpose = purpose, .step = static_cast<std::uint64_t>(layer)};
  if (law.ends_with("normal")) {
    math::fill_normals(first, lanes);
  } else {
    math::fill_uniforms(first, lanes);
    for (float& u : lanes.all())
      u = law == "bernoulli" ? (u <= 0.5F ? -1.0F : 1.0F) : std::sqrt(3.0F) * (2 * u - 1);
  }
  std::vector<float> out(place.size());
  math::transpose(lanes, out.data(), place.columns);
  return out;
}

void draw(const DeepGated<float>& network, const MatrixPlace& place, std::int64_t layer, std::uint64_t seed,
          math::Purpose purpose, std::span<float> parameters) {
  const DeepOptions& options = network.options();
  const std::int64_t width = options.dense() ? network.width(1) : network.layer(layer).fan_in();
  const auto sd = static_cast<float>(deviation(options, network.layer(layer), width));
  const std::vector<float> numbers = standard(options.init.law, place, seed, purpose, layer);
  std::ranges::transform(numbers, place.of(parameters).begin(), [sd](float u) { return sd * u; });
}

void load(const file::Archive& arrays, const std::string& path, const std::string& name,
          const file::Shape& expected, const MatrixPlace& place, std::span<float> parameters) {
  const file::Array* array = arrays.find(name);
  if (array == nullptr)
    throw InputError(fmt::format("{}: no array \"{}\" {}; expected the run of a deep gated network", path,
                                 name, file::to_string(expected)));
  if (array->shape != expected)
    throw InputError(fmt::format("{}: array \"{}\" has shape {}, expected {}", path, name,
                                 file::to_string(array->shape), file::to_string(expected)));
  std::visit(
      [&](const auto& values) {
        std::ranges::transform(values, place.of(parameters).begin(),
                               [](auto value) { return static_cast<float>(value); });
      },
      array->data);
  if (!std::ranges::all_of(place.of(std::span<const float>(parameters)),
                           [](float w) { return std::isfinite(w); }))
    throw InputError(fmt::format("{}: array \"{}\" contains NaN or infinity", path, name));
}

}  // namespace

std::string layer_name(std::int64_t layer) { return fmt::format("layer{}", layer); }
std::string gate_layer_name(std::int64_t layer) { return fmt::format("gate{}", layer); }

std::vector<float> initial_parameters(const DeepGated<float>& network, std::uint64_t seed) {
  const DeepOptions& options = network.options();
  std::vector<float> parameters(network.parameter_count());
  const bool from_file = options.init.law == "file";
  std::optional<file::Archive> start, gates;
  if (from_file) start.emplace(arrays_at(options.init.path));
  for (std::int64_t l = 1; l <= network.depth(); ++l) {
    const MatrixPlace& place = network.weights(l);
    if (place.size() == 0) continue;
    if (from_file) {
      load(*start, options.init.path, layer_name(l), network.shape(l), place, parameters);
    } else {
      draw(network, place, l, seed, math::Purpose::initial_weights, parameters);
    }
  }
  if (!options.gated_by_network()) return parameters;

  const std::string& law = options.gate_init.law;
  if (law == "file") gates.emplace(arrays_at(options.gate_init.path));
  for (std::int64_t l = 1; l < network.depth(); ++l) {
    const MatrixPlace& place = network.gate_weights(l);
    if (law == "file") {
      // The gates of a run are those of its gating network, or of its own layers where it has none.
      const bool has_gates = gates->holds(gate_layer_name(l));
      load(*gates, options.gate_init.path, has_gates ? gate_layer_name(l) : layer_name(l), network.shape(l),
           place, parameters);
    } else if (law == "equal") {
      std::ranges::copy(network.weights(l).of(std::span<const float>(parameters)),
                        place.of(std::span(parameters)).begin());
    } else if (from_file) {
      throw InputError(
          "network.gate_init.law = \"independent\": expected \"equal\" or \"file\" where init is a file");
    } else {
      draw(network, place, l, seed, math::Purpose::initial_gates, parameters);
    }
  }
  return parameters;
}

}  // namespace sluice::net
