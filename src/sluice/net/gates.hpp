/// Fixed gates: functions of the input that training does not change.                ledger: N0.39, N0.45, N0.57, N3.2, N3.3
///   g_k(x) = 1(⟨v_k, x⟩ ≥ 0)        a half-space; v_k = 0 is always open, and so is every gate on its border
///   g_k(x) = φ(⟨v_k, x⟩)            where `shape` is a formula φ of q = ⟨v_k, x⟩, such as "Phi(2*q)"; v_k = 0 is always open here, too
///
///   law      v_k, with centres c_k spread evenly around the ring from the site `at` on
///   bump     e_c: the gate sees one site
///   hat      (1 − d²/width²) exp(−d²/(2 width²)), d = d(i, c): a Mexican hat
///   gabor    exp(−d²/(2 width²)) cos(2π frequency (i − c)/n)
///   fourier  waves, cosine before sine, in order of frequency from `frequency` on
///   random   independent normals
///   always   0
///   file     given
///   run      the weights of a recorded run at one of its steps: the gates of its ReLU units, frozen     ledger: N0.37
///   coin     no half-space: open with probability `open`, by a hash of x and k, which knows nothing of x's law
///   function no half-space: any function of x, made by the program around the library (spec/given.hpp)
///
/// `pairs` follows every gate by its opposite, 1(⟨−v, x⟩ ≥ 0); `repeat` has each of them so many times; the last `linear` units
/// are always open: a linear pathway beside the gated ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/net/field_file.hpp"
#include "sluice/net/gate.hpp"
#include "sluice/net/registry.hpp"
#include "sluice/spec/given.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::net {

/// Fills gates [samples, K] of x [samples, n]: of every sample a function of its row alone. Called by several threads at once.
using GatesOfInput =
    std::function<void(std::int64_t samples, std::span<const float> x, std::span<float> gates)>;
using GivenGates = spec::Given<GatesOfInput>;

struct GateOptions {
  std::string law = "bump";
  std::string shape = "half-space";  // or a formula of q
  std::int64_t at = 0;
  double width = 2;
  double frequency = 4;
  double open = 0.5;
  FieldFile file;          // key path, array, index
  std::int64_t step = -1;  // run: which; −1: the last
  std::string source;      // function: SHA-256 of its source
  bool pairs = false;
  std::int64_t repeat = 1;
  std::int64_t linear = 0;

  void describe(spec::Keys& keys, std::int64_t units);
  bool from_file() const { return law == "file" || law == "run"; }
  bool half_spaces() const { return shape == "half-space" && law != "function"; }
};

/// v_1 … v_K, [K, n]. Throws InputError that names the key, or the file they should come from.
std::vector<float> gate_vectors(const GateOptions& options, std::int64_t units, const Ends& ends,
                                std::uint64_t seed);

/// The gates at work.
class Gates {
 public:
  /// `coins`: the first so many units are open by a hash, with probability `open`; the others by their half-spaces, or by what `shape`
  /// says of ⟨v, x⟩.
  Gates(std::int64_t units, std::int64_t inputs, std::int64_t coins, double open,
        std::optional<GateFunction> shape = {})
      : units_(units), inputs_(inputs), coins_(coins), open_(open), shape_(std::move(shape)) {}
  /// All of them by a function of the input.
  Gates(std::int64_t units, std::int64_t inputs, GivenGates::Kept function)
      : units_(units), inputs_(inputs), coins_(0), open_(0), function_(std::move(function)) {}

  std::int64_t units() const { return units_; }
  std::int64_t inputs() const { return inputs_; }
  bool is_coin(std::int64_t unit) const { return unit < coins_; }
  double open_share() const { return open_; }
  /// Half-spaces, but for coins: 1 or 0.
  bool half_spaces() const { return !shape_ && !function_; }

  /// g_k(x) for every unit and lane of a block, [K, x.stride]; `vectors` [K, n], which a function does not need.
  void look(std::span<const float> vectors, const math::Lanes& x, float* open) const;

 private:
  void toss(const math::Lanes& x, float* open) const;
  void ask(const math::Lanes& x, float* open) const;

  std::int64_t units_;
  std::int64_t inputs_;
  std::int64_t coins_;
  double open_;
  std::optional<GateFunction> shape_;
  GivenGates::Kept function_;
};

}  // namespace sluice::net
