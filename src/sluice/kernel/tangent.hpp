/// Gram matrices of a deep gated network with one output over n samples, without a Jacobian.
///   tangent       K = K^w + K^a + K^c                                          ledger: I.2, I.3, P.s1, P.s2
///     strength    K^w = Σ_(l=1..d) (Z_(l−1)'Z_(l−1))∘(D_l'D_l)
///     gates       K^a = Σ_(l<d) (Z^g_(l−1)'Z^g_(l−1))∘(η_l'η_l)                soft gates; 0 for hard ones
///     cross       K^c = Σ_(l<d) (Z_(l−1)'Z_(l−1))∘(D_l'η_l + η_l'D_l)          where a unit gates itself
///   overlap       λ = Π_l (G_l'G_l), entry by entry                            ledger: P.a3, I.4
///   paths         M = (x'x)∘λ, the Gram matrix of the path features            ledger: P.a3
/// Where layers are convolutions, a term of K^w is ⟨g_s, g_t⟩ of g = Σ_pixels D z', and so on; and a unit sees some units alone, so paths are counted
/// along the layers: M(s,t) = Σ_p φ_s(p) φ_t(p) over all paths from unit to unit, φ_s(p) = x_s(p(0)) Π_l G_s(l, p(l)) times the fixed weights of
/// averages on its way; λ counts the paths that are open to both, over the number of inputs.
/// Samples pass through the network in blocks of kBlock and stay in memory as n·Σwidths numbers; the matrix is made in tiles
/// of kBlock × kBlock, those above the diagonal once and mirrored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/kernel/matrix.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/deep_gated.hpp"

namespace sluice::kernel {

/// The samples of a kernel after their way through the network and back.
template <class Real>
class Passage {
 public:
  static constexpr std::int64_t kBlock = 96;  ///< two register tiles of the product

  /// x is [n, inputs]. `gate_seed` is that of random gates, sample s having those of row s. Only networks with one output
  /// have a tangent kernel here; `backward` false leaves D and η out, for gates alone.
  Passage(const net::DeepGated<Real>& network, std::span<const Real> parameters, std::span<const Real> x,
          std::uint64_t gate_seed, math::Workers& workers, bool backward = true);

  std::int64_t samples() const { return samples_; }
  const net::DeepGated<Real>& network() const { return network_; }
  const std::vector<net::Trace<Real>>& blocks() const { return blocks_; }
  /// ŷ of every sample.
  std::vector<Real> outputs() const;

  /// Any sum of the parts, or 0 where the network has none.
  enum Part : unsigned { strength = 1, gates = 2, cross = 4, all = 7 };
  SampleMatrix<Real> tangent(unsigned parts = all) const;
  SampleMatrix<Real> overlap() const;
  SampleMatrix<Real> paths() const;

 private:
  template <class Terms>
  void add_shared(std::int64_t l, const Terms& pairs, SampleMatrix<Real>& matrix) const;
  template <class Start>
  SampleMatrix<Real> over_paths(int power, const Start& start) const;

  const net::DeepGated<Real>& network_;
  math::Workers& workers_;
  std::int64_t samples_;
  std::vector<net::Trace<Real>> blocks_;
};

}  // namespace sluice::kernel
