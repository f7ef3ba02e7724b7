/// What a localized receptive field is (docs/theory/localized.md). With ŵ_k = Σ_x w_x e^(−2πikx/n), K = ⌊(n−1)/2⌋ and a shift
/// q = 1, 2, 3, 4:
///
///   R_q = |Σ_x w_x² e^(−2πiqx/n)| / Σ_x w_x²                            how concentrated the energy w² is
///   T_q = Σ_k ŵ_(k+q) ŵ_k*,   c_k = |ŵ_(k+q)| |ŵ_k|,   k = 0 … K−q      the same, as coherence of phases
///   p_q = min_s Π_k I₀(s c_k) / I₀(s |T_q|)                             ≥ P(|T_q| or more, at this power spectrum)
///
///   localized  ⇔  for some q ≤ 4:  R_q ≥ ½ and p_q ≤ 0.01/2^q;  on a torus along both axes.
///
/// On the torus R_q is that of the energy summed over the other axis, and k runs over one of each pair k, −k: for the second axis
/// k₁ = 1 … K with k₂ = −K … K−q, and k₁ = 0 with k₂ = 0 … K−q. The mean is kept, it is the largest mode of a bump.
/// Fields that are zero everywhere or not finite, and those on fewer than 8 sites (along an axis), are not localized.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/lattice_fourier.hpp"

namespace sluice::theory {

/// Why a field is, or is not, localized along one axis; [q − 1].
struct LocalizedEvidence {
  static constexpr std::size_t kShifts = 4;
  std::array<double, kShifts> concentration{};  ///< R_q; 0 for q > K
  std::array<double, kShifts> log_p{};          ///< ln p_q; 0 where R_q < ½, which no p_q can mend

  bool localized() const;
};

/// The criterion for one number of sites. May be used by several threads at once.
class Localization {
 public:
  /// `side` = 0: a ring of this many sites; else a torus of side × side of them.
  explicit Localization(std::int64_t sites, std::int64_t side = 0);

  bool localized(std::span<const float> field) const;

  /// All numbers behind it: of a ring's one axis, or of the torus's two. Slower: a decision stops where it is certain.
  std::vector<LocalizedEvidence> evidence(std::span<const float> field) const;

 private:
  using Complex = std::complex<double>;

  std::size_t axes() const { return side_ == 0 ? 1 : 2; }
  std::vector<double> normalised(std::span<const float> field) const;
  std::array<double, LocalizedEvidence::kShifts> concentration(const std::vector<double>& field,
                                                               std::size_t axis) const;
  std::vector<Complex> modes(const std::vector<double>& field) const;
  std::vector<Complex> steps(const std::vector<Complex>& modes, std::size_t axis, std::size_t q) const;

  std::size_t sites_, side_, length_;  // length of an axis
  std::size_t highest_;                // K
  math::LatticeFourier fourier_;
  std::vector<Complex> turns_;  // e^(−2πix/length)
};

}  // namespace sluice::theory
