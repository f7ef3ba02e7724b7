/// K ReLU units without biases, ŷ = (1/K) Σ_k ReLU(⟨w_k,x⟩), two classes with labels Y_c.
///   −∂L/∂w_j = (1/K) Σ_c ½ [ Y_c f_c(w_j) − (1/K) Σ_k p_c(w_j, w_k) ]                   ledger: N0.4, N0.5, D.2
///   L        = ¼ Σ_c [ Y_c² − (2Y_c/K) Σ_k ⟨w_k, f_c(w_k)⟩ + (1/K²) Σ_jk ⟨w_j, p_c(w_j, w_k)⟩ ]       ledger: D.3
/// With one unit, labels 1 and 0 and X ~ −X these are
///   −∂L/∂w = ½ f(w) − ¼ (C0 + C1) w,   L = ¼ + w'(C0 + C1)w/8 − E1|S|/4           ledger: C.1, C.2, N0.19, N0.20, N1.4
/// What a class answers is a PopulationResponse: Gaussian, sampled, or any response operator for one unit.
#pragma once

#include <array>
#include <cstdint>

#include "sluice/flow/landscape.hpp"
#include "sluice/flow/population.hpp"

namespace sluice::flow {

class ReluLandscape final : public Landscape {
 public:
  /// The two classes in the order of the task (first label first); they must outlive the landscape.
  ReluLandscape(std::int64_t units, std::array<const PopulationResponse*, 2> classes,
                std::array<double, 2> labels);

  std::size_t size() const override;
  void downhill(std::span<const double> weights, std::span<double> out) const override;
  double loss(std::span<const double> weights) const override;

 private:
  std::int64_t units_;
  std::array<const PopulationResponse*, 2> classes_;
  std::array<double, 2> labels_;
};

}  // namespace sluice::flow
