/// K ReLU units, and beside each a linear pathway of strength a through the same weights: ŷ = (1/K) Σ_k [ReLU(S_k) + a S_k], S_k = ⟨w_k,x⟩, two
/// classes with X ~ −X and labels Y_c. Then E ŷ sees no pathway and E ŷ² = (1/K²) [Σ_jk E ReLU(S_j) ReLU(S_k) + (a + a²) WᵀCW], W = Σ_k w_k: with P_c of
/// population.hpp
///   −∂L/∂w_j = (1/2K) Σ_c [Y_c f_c(w_j) − (1/K) P_cj − (1/K)(a + a²) C_c W]                              ledger: C.1, N0.5
///   Jacobian = (1/2K) Σ_c [δ_jk Y_c ∂f_c(w_j) − (1/K) ∂P_cj/∂w_k − (1/K)(a + a²) C_c]
///
/// One unit: a scales weights by 1/κ and rates by κ = 1 + 2a + 2a², and does nothing else; a = −½ is the unit |S|/2.
///
/// Several units: f_c is that of the data, p_c(w_j, w_k) that of Gaussian data with their covariance. For two units with w_2 = −λ w_1 nothing is
/// approximate in that: their gates never open together, p = 0 with all its first derivatives, whatever the law.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/curved.hpp"
#include "sluice/flow/relu_landscape.hpp"

namespace sluice::flow {

class UnitLandscape final : public CurvedLandscape {
 public:
  /// A class with label 0 needs no response.
  UnitLandscape(std::int64_t units, std::array<Covariance, 2> covariances,
                std::array<std::unique_ptr<const CurvedResponse>, 2> responses, std::array<double, 2> labels,
                double pathway = 0);
  UnitLandscape(const UnitLandscape&) = delete;  // its parts know each other
  UnitLandscape& operator=(const UnitLandscape&) = delete;

  std::size_t size() const override { return relu_.size(); }
  void downhill(std::span<const double> weights, std::span<double> out) const override;
  double loss(std::span<const double> weights) const override;
  void jacobian(std::span<const double> weights, std::span<double> out) const override;

 private:
  /// Σ_c C_c W, [n].
  std::vector<double> together(std::span<const double> weights) const;
  const PopulationResponse* answers(std::size_t which_class);

  std::int64_t units_;
  std::array<Covariance, 2> covariances_;
  std::array<std::unique_ptr<const CurvedResponse>, 2> responses_;
  std::array<double, 2> labels_;
  double linear_;  // a + a²
  std::array<GaussianPopulation, 2> pairs_;
  std::array<std::optional<MixedPopulation>, 2> mixed_;
  ReluLandscape relu_;
};

}  // namespace sluice::flow
