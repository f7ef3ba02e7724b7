/// A deep gated network: d layers of weights without biases, gates on all but the last.      ledger: P.T1, P.T2, I.1, I.3
///   z_0 = x,   q_l = Θ_l z_(l−1),   z_l = q_l∘G_l (l < d),   ŷ = q_d = Θ_d z_(d−1)
///   gating network:  z^g_0 = x,   q^g_l = Θ^g_l z^g_(l−1),   z^g_l = q^g_l∘G_l
/// Backwards, from D_d = ∂L/∂ŷ:
///   D_l = G_l∘P_l,   P_l = Θ_(l+1)'D_(l+1)                                   strength: gates held fixed
///   η_l = G'_l∘q_l∘P_l + (G_l + q^g_l∘G'_l)∘ζ_l,   ζ_l = Θ^g_(l+1)'η_(l+1),  ζ_(d−1) = 0        gate adaptation
///   ∂L/∂Θ_l = D_l z_(l−1)',   ∂L/∂Θ^g_l = η_l z^g_(l−1)';   with own gates ∂L/∂Θ_l = (D_l + η_l) z_(l−1)'
/// A layer's Θ_l is that of a linear map (layer.hpp): a dense one, [units, inputs of the layer], or a convolution. Behind gates the pixels of a
/// convolution may be averaged over windows, z_l = Pool(q_l∘G_l), and z^g_l likewise.
///
/// Circular layers have one channel on the ring, q_l(i) = Σ_j θ_l(j) z(i+j mod n), j < ŵ; the last layer is then the average over sites, 1/n each,
/// and not trained.                                                                                    ledger: I.10
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sluice/math/lanes.hpp"
#include "sluice/net/deep_options.hpp"
#include "sluice/net/gates.hpp"
#include "sluice/net/layer.hpp"

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
  math::Aligned<Real> z;       ///< what the next layer sees; of layer 0: x
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
  math::Aligned<Real> pooling;           ///< on one side of an average; only where there is one

  math::LanesOf<Real> input() { return {layers[0].z.data(), inputs, samples, stride}; }
  std::int64_t inputs = 0;
};

/// Parameters as passes read them: as they stand, and as the way back wants them.
template <class Real>
struct Prepared {
  std::span<const Real> parameters;
  std::span<const Real> turned;
};

template <class Real>
class DeepGated {
 public:
  /// Throws InputError when the options do not fit the inputs and outputs.
  DeepGated(const DeepOptions& options, const Volume& input, std::int64_t outputs);
  /// Of inputs on a ring, or in no order.
  DeepGated(const DeepOptions& options, std::int64_t inputs, std::int64_t outputs)
      : DeepGated(options, Volume{.columns = inputs}, outputs) {}

  const DeepOptions& options() const { return options_; }
  const Volume& input() const { return input_; }
  std::int64_t depth() const { return static_cast<std::int64_t>(layers_.size()); }
  /// Between the units of layers l − 1 and l, l ∈ [1, d].
  const Layer<Real>& layer(std::int64_t l) const { return *layers_[static_cast<std::size_t>(l - 1)]; }
  /// Behind the gates of layer l ∈ [1, d−1]; null where there is none.
  const Layer<Real>* pool(std::int64_t l) const { return pools_[static_cast<std::size_t>(l - 1)].get(); }
  /// Units of layer l; 0 is the input, d the output.
  std::int64_t width(std::int64_t l) const { return l == 0 ? input_.size() : layer(l).units(); }
  std::int64_t inputs() const { return input_.size(); }
  std::int64_t outputs() const { return width(depth()); }
  /// Where site i of a task stands among the units of layer 0.
  std::int64_t place_of(std::int64_t site) const { return input_.place_of(site); }
  /// η exists: gates are soft, and their weights or the unit's own are trained through them.
  bool adapts_gates() const { return gate_.soft() && (options_.own_gates() || options_.gated_by_network()); }
  /// Some layer's weights are shared by pairs of units.
  bool shares_weights() const;

  /// The flat vector of parameters: Θ_1, …, Θ_d, then Θ^g_1, …, Θ^g_(d−1) of a gating network.
  std::size_t parameter_count() const { return parameter_count_; }
  /// Θ of layer l ∈ [1, d], and [1, d−1], as matrices (layer.hpp).
  const MatrixPlace& weights(std::int64_t l) const { return weights_[static_cast<std::size_t>(l - 1)]; }
  const MatrixPlace& gate_weights(std::int64_t l) const {
    return gate_weights_[static_cast<std::size_t>(l - 1)];
  }
  /// Θ_l as it is recorded, and the names of its axes.
  file::Shape shape(std::int64_t l) const;
  std::vector<std::string_view> axes(std::int64_t l) const;

  /// `storage` keeps what has to be turned.
  Prepared<Real> prepare(std::span<const Real> parameters, std::vector<Real>& storage) const;

  /// `parted` false: for backward_at_once() alone, without room for what that does not write.
  Trace<Real> make_trace(std::int64_t samples, bool parted = true) const;
  /// Gates that no weights decide, from layers[0].z: random ones of the samples first_row, …, drawn once for all, so a training set's gates are
  /// those of its rows; or those of a function of the input. Of other networks there are none.
  void set_gates(std::uint64_t seed, std::int64_t first_row, Trace<Real>& trace) const;

  /// From layers[0].z to layers[d].q.
  void forward(const Prepared<Real>& prepared, Trace<Real>& trace) const;
  /// From layers[d].delta to the other deltas, and to eta.
  void backward(const Prepared<Real>& prepared, Trace<Real>& trace) const;
  /// What training needs of it. Units that gate themselves learn by both ways at once, so one way back is enough: delta holds
  ///   D_l + η_l = (G_l + q_l∘G'_l)∘P_l,   P_l = Θ_(l+1)'(D_(l+1) + η_(l+1)),
  /// and eta is not written. Of all other gates it is backward().
  void backward_at_once(const Prepared<Real>& prepared, Trace<Real>& trace) const;

 private:
  using LayerPointer = std::shared_ptr<const Layer<Real>>;

  /// D and η may be summed before they are pulled back.
  bool sums_ways() const { return options_.own_gates() && adapts_gates(); }
  void add_dense(std::int64_t units);
  void add_convolutions();
  /// What layer l sees: the units of the layer before, behind their pool.
  Volume seen() const;
  void gated(std::int64_t l, const math::Aligned<Real>& q, const math::Aligned<Real>& gate,
             Trace<Real>& trace, math::Aligned<Real>& z) const;
  void pull_back(std::int64_t l, bool gating, const Prepared<Real>& prepared,
                 const math::Aligned<Real>& slopes, Trace<Real>& trace, math::Aligned<Real>& back) const;
  void draw_gates(std::uint64_t seed, std::int64_t first_row, Trace<Real>& trace) const;
  void ask_for_gates(Trace<Real>& trace) const;

  DeepOptions options_;
  GateFunction gate_;
  Volume input_;
  std::vector<LayerPointer> layers_;  // [1, d]
  std::vector<LayerPointer> pools_;   // [1, d]
  std::vector<MatrixPlace> weights_, gate_weights_;
  std::size_t parameter_count_ = 0;
  std::vector<std::size_t> turned_, gate_turned_;  // where what is turned of each layer begins
  std::size_t turned_count_ = 0;
  std::optional<Gates> function_;  // of all hidden layers, one after the other
};

}  // namespace sluice::net
