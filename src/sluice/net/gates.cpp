#include "sluice/net/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/net/options.hpp"

namespace sluice::net {
namespace {

using std::numbers::pi;

constexpr std::array<spec::Choice, 10> kGateLaws{{
    {"bump", "1(x_c ≥ 0): each looks at one site, evenly spread"},
    {"hat", "half-spaces of Mexican hats, centres evenly spread"},
    {"gabor", "half-spaces of Gabor functions, centres evenly spread"},
    {"fourier", "half-spaces of waves, in order of frequency"},
    {"random", "half-spaces of independent normals"},
    {"always", "always open: a linear network"},
    {"coin", "open with a probability, a hash of x that knows nothing of its law"},
    {"file", "half-spaces from an npy or npz file"},
    {"run", "the gates of a recorded run's ReLU units, frozen at a step"},
    {"function", "any function of x, made by the program around the library"},
}};

constexpr std::array<spec::Choice, 1> kGateShapes{{{"half-space", "1(⟨v, x⟩ ≥ 0)"}}};

/// Copies of one gate.
std::int64_t copies(const GateOptions& options) { return options.repeat * (options.pairs ? 2 : 1); }

double shape(const GateOptions& options, std::int64_t i, std::int64_t centre, std::int64_t n) {
  if (options.law == "bump") return i == centre ? 1 : 0;
  const double d = static_cast<double>(math::ring_distance(i, centre, n)) / options.width;
  if (options.law == "hat") return (1 - d * d) * std::exp(-d * d / 2);
  const double turns = options.frequency * static_cast<double>(i - centre) / static_cast<double>(n);
  return std::exp(-d * d / 2) * std::cos(2 * pi * turns);
}

/// Mode m of a ring: 0 flat, 2j − 1 the cosine and 2j the sine of frequency j.
double wave(std::int64_t mode, std::int64_t i, std::int64_t n) {
  const std::int64_t frequency = (mode + 1) / 2;
  const auto j = static_cast<double>(frequency);
  const double angle = 2 * pi * j * static_cast<double>(i) / static_cast<double>(n);
  return mode % 2 == 1 || mode == 0 ? std::cos(angle) : std::sin(angle);
}

/// The weights of a recorded run at one of its steps.
std::vector<float> frozen_gates(const GateOptions& options, std::int64_t units, std::int64_t inputs) {
  FieldFile record{.path = arrays_at(options.file.path).string(), .array = "weights"};
  const file::Archive arrays(record.path);
  const file::Array* step = arrays.find("step");
  const auto* steps = step == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&step->data);
  if (steps == nullptr || steps->empty())
    throw InputError(fmt::format("{}: expected the record of a run, with steps and weights", record.path));
  if (options.step >= 0) {
    const auto at = std::ranges::lower_bound(*steps, options.step);
    if (at == steps->end() || *at != options.step)
      throw InputError(fmt::format("{}: network.gate.step = {}: expected a step it has, such as {}",
                                   record.path, options.step, at == steps->end() ? steps->back() : *at));
    record.index = at - steps->begin();
  }
  if (const file::Array* bias = arrays.find("bias")) {
    const auto* values = std::get_if<std::vector<float>>(&bias->data);
    if (values != nullptr && std::ranges::any_of(*values, [](float b) { return b != 0; }))
      throw InputError(
          fmt::format("{}: expected a run without biases: gates are half-spaces through 0", record.path));
  }
  return read_fields(record, "network.gate", units, inputs);
}

std::vector<float> base_gates(const GateOptions& options, std::int64_t count, const Ends& ends,
                              std::uint64_t seed) {
  const std::int64_t n = ends.inputs;
  const std::string& law = options.law;
  if (law == "file") return read_fields(options.file, "network.gate", count, n);
  if (law == "run") return frozen_gates(options, count, n);
  std::vector<float> vectors(static_cast<std::size_t>(count * n));
  if (law == "always" || law == "coin" || law == "function") return vectors;
  if (law == "random") {
    math::LanesBuffer<float> normals(n, count);  // gate k is row k of the stream
    math::fill_normals({.seed = seed, .purpose = math::Purpose::initial_gates}, normals.lanes(count));
    math::transpose(normals.lanes(count), vectors.data(), n);
    return vectors;
  }
  if (ends.dimensions != 1 && law != "bump")
    throw InputError(
        fmt::format("network.gate.law = \"{}\": expected task.dim = 1, its gates lie on a ring", law));
  const auto first_mode = std::max<std::int64_t>(0, 2 * static_cast<std::int64_t>(options.frequency) - 1);
  for (std::int64_t k = 0; k < count; ++k) {
    for (std::int64_t i = 0; i < n; ++i) {
      const double v = law == "fourier" ? wave((first_mode + k) % n, i, n)
                                        : shape(options, i, (options.at + k * n / count) % n, n);
      vectors[static_cast<std::size_t>(k * n + i)] = static_cast<float>(v);
    }
  }
  return vectors;
}

/// A hash that mixes well: the finaliser of SplitMix64.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace

void GateOptions::describe(spec::Keys& keys, std::int64_t units) {
  keys.choice("law", law, kGateLaws, "law of the gates");
  if (law == "function") {
    keys.text("source", source,
              "SHA-256 of the function's source: who does not have it cannot run this spec");
    return;
  }
  if (law != "always" && law != "coin")
    keys.word_or_text("shape", shape, kGateShapes, complaint_about_gate,
                      "a formula of q = ⟨v, x⟩, \"Phi(2*q)\"", "the gate as a function of what it sees");
  const bool placed = law == "bump" || law == "hat" || law == "gabor";
  if (placed) keys.integer("at", at, spec::integers(0, 1'000'000'000), "site of the first centre");
  if (law == "hat" || law == "gabor")
    keys.number("width", width, spec::positive(), "sd of the envelope, in sites");
  if (law == "gabor")
    keys.number("frequency", frequency, frequencies(), "cycles of the carrier around the ring");
  if (law == "fourier") {
    keys.number("frequency", frequency, frequencies(), "periods around the ring of the first wave");
    keys.require(frequency == std::floor(frequency), "frequency", "a whole number of periods");
  }
  if (law == "coin") keys.number("open", open, spec::numbers(0, 1), "probability that a gate is open");
  if (from_file()) {
    keys.text("path", file.path,
              law == "run" ? "run folder or its record.npz, relative to the spec"
                           : "npy or npz file, relative to the spec");
    keys.require(!file.path.empty(), "path",
                 law == "run" ? "the folder of a run" : "the path of an npy or npz file");
  }
  if (law == "file") {
    keys.text("array", file.array, "name of the array in an npz file; empty: its only array");
    keys.integer("index", file.index, spec::integers(-1'000'000'000, 1'000'000'000),
                 "entry of a time-first [T,K,n] array; -1: the last");
  }
  if (law == "run")
    keys.integer("step", step, spec::integers(-1, 1'000'000'000'000),
                 "step at which the gates are taken; -1: the last");
  keys.flag("pairs", pairs, "every gate is followed by its opposite");
  keys.require(!pairs || (law != "always" && law != "coin"), "pairs", "false: these gates have no opposite");
  keys.integer("repeat", repeat, spec::integers(1, 1'000'000), "units with the same gate");
  keys.integer("linear", linear, spec::integers(0, 1'000'000),
               "units behind them that are always open: a linear pathway");
  keys.require(linear <= units, "linear", fmt::format("at most the {} units of network.hidden", units));
  keys.require((units - linear) % copies(*this) == 0, pairs ? "pairs" : "repeat",
               fmt::format("copies that divide the {} gated units", units - linear));
}

std::vector<float> gate_vectors(const GateOptions& options, std::int64_t units, const Ends& ends,
                                std::uint64_t seed) {
  const std::int64_t n = ends.inputs;
  if (options.at >= n)
    throw InputError(
        fmt::format("network.gate.at = {}: expected one of the {} sites, from 0 on", options.at, n));
  const std::int64_t count = (units - options.linear) / copies(options);
  const std::vector<float> base = base_gates(options, count, ends, seed);
  std::vector<float> vectors;
  vectors.reserve(static_cast<std::size_t>(units * n));
  for (std::int64_t k = 0; k < count; ++k) {
    const auto v = std::span(base).subspan(static_cast<std::size_t>(k * n), static_cast<std::size_t>(n));
    for (const float sign : {1.0F, -1.0F}) {
      if (sign < 0 && !options.pairs) continue;
      for (std::int64_t copy = 0; copy < options.repeat; ++copy)
        for (const float value : v) vectors.push_back(sign * value);
    }
  }
  vectors.resize(static_cast<std::size_t>(units * n));  // the linear pathway's are 0
  return vectors;
}

void Gates::look(std::span<const float> vectors, const math::Lanes& x, float* open) const {
  SLUICE_ASSERT(x.sites == inputs_);
  if (function_) return ask(x, open);
  SLUICE_ASSERT(vectors.size() == static_cast<std::size_t>(units_ * inputs_));
  math::multiply(math::Product<float>{.m = units_,
                                      .n = x.stride,
                                      .k = inputs_,
                                      .a = vectors.data(),
                                      .a_stride = inputs_,
                                      .b = x.data,
                                      .b_stride = x.stride,
                                      .c = open,
                                      .c_stride = x.stride,
                                      .add = false});
  const auto all = std::span(open, static_cast<std::size_t>(units_ * x.stride));
  if (!shape_) {
    for (float& s : all) s = s >= 0 ? 1.0F : 0.0F;
  } else {
    shape_->open(std::span<const float>(all), all, std::span<float>());
    for (std::int64_t k = 0; k < units_; ++k) {
      const auto v =
          vectors.subspan(static_cast<std::size_t>(k * inputs_), static_cast<std::size_t>(inputs_));
      if (std::ranges::all_of(v, [](float value) { return value == 0; }))
        std::fill_n(open + k * x.stride, x.stride, 1.0F);
    }
  }
  if (coins_ > 0) toss(x, open);
}

void Gates::toss(const math::Lanes& x, float* open) const {
  const auto limit = std::ldexp(open_, 53);
  for (std::int64_t r = 0; r < x.samples; ++r) {
    std::uint64_t hash = 0;
    for (std::int64_t i = 0; i < x.sites; ++i)
      hash = mixed(hash + std::bit_cast<std::uint32_t>(x.at(i, r)) + 1);
    for (std::int64_t k = 0; k < coins_; ++k) {
      const std::uint64_t number =
          mixed(hash + 0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(k + 1)) >> 11;
      open[k * x.stride + r] = static_cast<double>(number) < limit ? 1.0F : 0.0F;
    }
  }
}

void Gates::ask(const math::Lanes& x, float* open) const {
  std::vector<float> rows(static_cast<std::size_t>(x.samples * inputs_));
  std::vector<float> gates(static_cast<std::size_t>(x.samples * units_));
  math::transpose(x, rows.data(), inputs_);
  (*function_)(x.samples, rows, gates);
  if (!math::all_finite(gates))
    throw InputError("network.gate: the function of the gates gave numbers that are not finite");
  std::fill_n(open, units_ * x.stride, 0.0F);
  for (std::int64_t k = 0; k < units_; ++k)
    for (std::int64_t r = 0; r < x.samples; ++r)
      open[k * x.stride + r] = gates[static_cast<std::size_t>(r * units_ + k)];
}

}  // namespace sluice::net
