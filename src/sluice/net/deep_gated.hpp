/// A deep gated network: d layers of weights without biases, gates on all but the last.      ledger: P.T1, P.T2, I.1, I.3
///   z_0 = x,   q_l = Θ_l z_(l−1),   z_l = q_l∘G_l (l < d),   ŷ = q_d = Θ_d z_(d−1)
///   gating network:  z^g_0 = x,   q^g_l = Θ^g_l z^g_(l−1),   z^g_l = q^g_l∘G_l
/// Backwards, from D_d = ∂L/∂ŷ:
///   D_l = G_l∘P_l,   P_l = Θ_(l+1)'D_(l+1)                                   strength: gates held fixed
///   η_l = G'_l∘q_l∘P_l + (G_l + q^g_l∘G'_l)∘ζ_l,   ζ_l = Θ^g_(l+1)'η_(l+1),  ζ_(d−1) = 0        gate adaptation
///   ∂L/∂Θ_l = D_l z_(l−1)',   ∂L/∂Θ^g_l = η_l z^g_(l−1)';   with own gates ∂L/∂Θ_l = (D_l + η_l) z_(l−1)'
/// Θ_l is [units, inputs of the layer], one unit per row.
///
/// A circular layer is the dense one whose matrix is Θ_l[i, i+j mod n] = θ_l(j), j < ŵ; the last layer is then the average
/// over sites, 1/n each, and not trained.                                                              ledger: I.10
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/net/deep_options.hpp"
#include "sluice/net/gates.hpp"

namespace sluice::net {

/// A matrix within a flat vector.
struct MatrixPlace {
  std::size_t offset = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  std::size_t size() const { return static_cast<std::size_t>(rows * columns); }
  template <class T>
  std::span<T> of(std::span<T> all) const {
    return all.subspan(offset, size());
  }
};

/// What a block of samples leaves behind in one layer; every array is [units, stride], samples as lanes.
template <class Real>
struct LayerTrace {
  math::Aligned<Real> q;       ///< of the last layer: ŷ
  math::Aligned<Real> z;       ///< of layer 0: x
  math::Aligned<Real> gate;    ///< G
  math::Aligned<Real> delta;   ///< D; of the last layer: ∂L/∂ŷ
  math::Aligned<Real> slope;   ///< G'; this and η only with gates that adapt
  math::Aligned<Real> gate_q;  ///< q^g; these two only with a gating network
  math::Aligned<Real> gate_z;  ///< z^g
  math::Aligned<Real> eta;     ///< η
};

template <class Real>
struct Trace {
  std::int64_t samples = 0;
  std::int64_t stride = 0;
  std::vector<LayerTrace<Real>> layers;  ///< [0, d]
  math::Aligned<Real> back;              ///< P and
  math::Aligned<Real> gate_back;         ///< ζ of the layer at hand

  math::LanesOf<Real> input() { return {layers[0].z.data(), inputs, samples, stride}; }
  std::int64_t inputs = 0;
};

template <class Real>
class DeepGated {
 public:
  /// Throws InputError when the options do not fit the inputs and outputs.
  DeepGated(const DeepOptions& options, std::int64_t inputs, std::int64_t outputs);

  const DeepOptions& options() const { return options_; }
  std::int64_t depth() const { return static_cast<std::int64_t>(widths_.size()) - 1; }
  /// Units of layer l; 0 is the input, d the output.
  std::int64_t width(std::int64_t layer) const { return widths_[static_cast<std::size_t>(layer)]; }
  std::int64_t inputs() const { return widths_.front(); }
  std::int64_t outputs() const { return widths_.back(); }
  /// η exists: gates are soft, and their weights or the unit's own are trained through them.
  bool adapts_gates() const { return gate_.soft() && (options_.own_gates() || options_.gated_by_network()); }

  /// The flat vector of parameters: Θ_1, …, Θ_d, then Θ^g_1, …, Θ^g_(d−1) of a gating network; kernels instead of matrices
  /// where layers are circular, and no Θ_d.
  std::size_t parameter_count() const { return parameter_count_; }
  /// Layer l ∈ [1, d], and [1, d−1]. Rows × columns of circular layers: 1 × ŵ.
  const MatrixPlace& weights(std::int64_t layer) const {
    return weights_[static_cast<std::size_t>(layer - 1)];
  }
  const MatrixPlace& gate_weights(std::int64_t layer) const {
    return gate_weights_[static_cast<std::size_t>(layer - 1)];
  }

  /// All layers as dense matrices: the parameters themselves, or `storage` filled with circulants and the average.
  std::span<const Real> matrices(std::span<const Real> parameters, std::vector<Real>& storage) const;
  const MatrixPlace& matrix(std::int64_t layer) const {
    return matrices_[static_cast<std::size_t>(layer - 1)];
  }
  const MatrixPlace& gate_matrix(std::int64_t layer) const {
    return gate_matrices_[static_cast<std::size_t>(layer - 1)];
  }
  /// Gradient of a kernel from that of its circulant: θ(j) stands at [i, i+j mod n] for every i.
  void fold(std::span<const Real> matrix_gradient, std::int64_t stride,
            std::span<Real> kernel_gradient) const;

  Trace<Real> make_trace(std::int64_t samples) const;
  /// Gates that no weights decide, from layers[0].z: random ones of the samples first_row, …, drawn once for all, so a training set's gates are
  /// those of its rows; or those of a function of the input. Of other networks there are none.
  void set_gates(std::uint64_t seed, std::int64_t first_row, Trace<Real>& trace) const;

  /// From layers[0].z to layers[d].q.
  void forward(std::span<const Real> matrices, Trace<Real>& trace) const;
  /// From layers[d].delta to the other deltas, and to eta.
  void backward(std::span<const Real> matrices, Trace<Real>& trace) const;

 private:
  void draw_gates(std::uint64_t seed, std::int64_t first_row, Trace<Real>& trace) const;
  void ask_for_gates(Trace<Real>& trace) const;
  void product(const MatrixPlace& place, std::span<const Real> matrices, const math::Aligned<Real>& from,
               math::Aligned<Real>& to, std::int64_t stride) const;
  void transposed_product(const MatrixPlace& place, std::span<const Real> matrices,
                          const math::Aligned<Real>& from, math::Aligned<Real>& to,
                          std::int64_t stride) const;

  DeepOptions options_;
  GateFunction gate_;
  std::vector<std::int64_t> widths_;  // [0, d]
  std::vector<MatrixPlace> weights_, gate_weights_, matrices_, gate_matrices_;
  std::size_t parameter_count_ = 0;
  std::size_t matrix_count_ = 0;
  std::optional<Gates> function_;  // of all hidden layers, one after the other
};

}  // namespace sluice::net
