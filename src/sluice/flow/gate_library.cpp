#include "sluice/flow/gate_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "sluice/math/random.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;

constexpr std::array kHatWidths{1.0, 2.0, 4.0};
/// Envelope and period of the carrier, in sites.
struct Carrier {
  double width, period;
  bool sine;
};
constexpr std::array<Carrier, 6> kCarriers{
    {{2, 5, false}, {2, 10, false}, {4, 5, false}, {4, 10, false}, {2, 10, true}, {4, 10, true}}};

double mexican_hat(double d, double width) {
  return (1 - d * d / (width * width)) * std::exp(-d * d / (2 * width * width));
}

/// Signed distance along the ring, the shorter way.
double ring_offset(std::int64_t from, std::int64_t to, std::int64_t n) {
  const std::int64_t ahead = (to - from + n) % n;
  return static_cast<double>(2 * ahead > n ? ahead - n : ahead);
}

/// Its value at every site.
template <class Shape>
void add_shape(GateLibrary& library, std::string name, const Shape& shape) {
  std::vector<float> v(static_cast<std::size_t>(library.inputs));
  for (std::int64_t i = 0; i < library.inputs; ++i)
    v[static_cast<std::size_t>(i)] = static_cast<float>(shape(i));
  library.add(std::move(name), v);
}

void add_random(GateLibrary& library, std::int64_t count, std::uint64_t seed) {
  const std::int64_t n = library.inputs;
  for (std::int64_t r = 0; r < count; ++r) {
    math::stop_if_asked();
    // The gates of a spec are step 0.
    math::RowNumbers numbers({.seed = seed, .purpose = math::Purpose::initial_gates, .step = 1},
                             static_cast<std::uint32_t>(r));
    std::vector<double> normals(static_cast<std::size_t>(n));
    for (double& z : normals) z = numbers.normal();
    if (r % 2 == 0) {
      add_shape(library, "random", [&](std::int64_t i) { return normals[static_cast<std::size_t>(i)]; });
      continue;
    }
    const double width = 1 + 3 * numbers.uniform();
    add_shape(library, "smooth", [&](std::int64_t i) {
      double sum = 0;
      for (std::int64_t j = 0; j < n; ++j) {
        const double d = ring_offset(i, j, n) / width;
        sum += normals[static_cast<std::size_t>(j)] * std::exp(-d * d / 2);
      }
      return sum;
    });
  }
}

}  // namespace

void GateLibrary::add(std::string shape, std::span<const float> v) {
  shapes.push_back(std::move(shape));
  vectors.insert(vectors.end(), v.begin(), v.end());
}

GateLibrary gate_library(std::int64_t inputs, std::int64_t shapes, std::uint64_t seed) {
  const std::int64_t n = inputs;
  GateLibrary library{.inputs = n, .shapes = {}, .vectors = {}};
  for (std::int64_t c = 0; c < n; ++c)
    add_shape(library, "bump", [&](std::int64_t i) { return i == c ? 1 : 0; });
  // A fifteenth of the library each, or every site.
  const std::int64_t centres = std::clamp<std::int64_t>(shapes / 15, 1, n);
  for (std::int64_t at = 0; at < centres; ++at) {
    const std::int64_t c = at * n / centres;
    for (const double width : kHatWidths)
      add_shape(library, fmt::format("hat, width {}", width),
                [&](std::int64_t i) { return mexican_hat(ring_offset(c, i, n), width); });
    for (const Carrier& carrier : kCarriers) {
      add_shape(library,
                fmt::format("gabor, width {}, period {}{}", carrier.width, carrier.period,
                            carrier.sine ? ", sine" : ""),
                [&](std::int64_t i) {
                  const double d = ring_offset(c, i, n), angle = 2 * pi * d / carrier.period;
                  return std::exp(-d * d / (2 * carrier.width * carrier.width)) *
                         (carrier.sine ? std::sin(angle) : std::cos(angle));
                });
    }
  }
  for (std::int64_t mode = 0; mode < centres; ++mode) {
    const std::int64_t frequency = (mode + 1) / 2;
    add_shape(library, fmt::format("wave, frequency {}", frequency), [&](std::int64_t i) {
      const double angle = 2 * pi * static_cast<double>(frequency * i) / static_cast<double>(n);
      return mode % 2 == 1 || mode == 0 ? std::cos(angle) : std::sin(angle);
    });
  }
  add_random(library, std::max(shapes / 10, shapes - library.size()), seed);
  const std::int64_t count = library.size();
  for (std::int64_t index = 0; index < count; ++index) {
    std::vector<float> v(library.vector(index).begin(), library.vector(index).end());
    for (float& value : v) value = -value;
    library.add(library.shapes[static_cast<std::size_t>(index)], v);
  }
  return library;
}

std::vector<Tiling> tilings(std::int64_t inputs, std::int64_t units) {
  std::vector<Tiling> all;
  const auto n = static_cast<double>(inputs);
  const auto add = [&](const std::string& name, const net::GateOptions& options) {
    all.push_back({name, options});
    if (units % 2 != 0) return;
    all.push_back({name + ", pairs", options});
    all.back().options.pairs = true;
  };
  add("bump", {.law = "bump"});
  for (const double width : kHatWidths)
    add(fmt::format("hat, width {}", width), {.law = "hat", .width = width});
  for (const Carrier& carrier : kCarriers) {
    if (carrier.sine) continue;  // a spec has cosines
    add(fmt::format("gabor, width {}, period {}", carrier.width, carrier.period),
        {.law = "gabor", .width = carrier.width, .frequency = n / carrier.period});
  }
  for (const double period : {20.0, 10.0, 5.0}) {
    const double frequency = std::max(1.0, std::round(n / period));
    add(fmt::format("fourier, from frequency {}", frequency), {.law = "fourier", .frequency = frequency});
  }
  add("random", {.law = "random"});
  return all;
}

}  // namespace sluice::flow
