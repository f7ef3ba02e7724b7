/// The flat field of one ReLU unit on nlgp data, and the rates of all waves on it, without dilution.
///
/// With w = α·1 the gate sees only T = Σ_i X_i, the same for every shift, and δ(T) can be integrated out. The flat mode of the latent Gaussian is cut off,
/// Z = Z⊥ + b u 1, b² = λ_0/n, u a standard normal number independent of Z⊥; T rises with u and is 0 at one point u*(Z⊥). With
/// X̂_k = Σ_x X_x e^(2πikx/n) and expectations over Z⊥,
///   m   = E|T|/(2n) = f_i                 = E ∫ φ(u) |T(u)| du/(2n)
///   q_k = E[δ(T) |X̂_k|²]/n                = E[φ(u*) |X̂_k(u*)|²/(b Σ_i X'(Z_i(u*)))]/n
///   α   = 2 Σ_c Y_c m_c/(λ_0(C_0) + λ_0(C_1)),   rate of wave k: ½ Σ_c Y_c q_ck/α − ¼ (λ_k(C_0) + λ_k(C_1))            ledger: C.1, C.3
/// Control: the same for X = Z, φ(0) |Ẑ_k|²/(b n²), whose mean φ(0) λ_k/(b n) is known; by regression. All gains see the same normals.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sluice/flow/unit_family.hpp"

namespace sluice::flow {

struct FlatOptions {
  std::int64_t draws = 1 << 14;
  std::uint64_t seed = 1;
  std::int64_t set = 0;  ///< sets of draws with one seed are independent
};

/// The rate at which a wave with `periods` periods grows on the flat field of a unit (with its pathway).
double flat_rate(const UnitSpec& spec, std::int64_t periods, const FlatOptions& options,
                 math::Workers& workers);

/// Where that rate is 0, near a value of the parameter, by the secant method; nothing where it is not found.
std::optional<double> flat_onset(const UnitSpec& spec, const UnitParameter& parameter, double near,
                                 std::int64_t periods, const FlatOptions& options, math::Workers& workers);

}  // namespace sluice::flow
