/// One ReLU unit, and beside it a linear pathway of strength a through the same weights: ŷ = ReLU(S) + a S, S = ⟨w,x⟩, two
/// classes with X ~ −X and labels Y_c. Then E ŷ = E|S|/2, E ŷ² = ½κ s², κ = 1 + 2a + 2a², so that
///   L_a(w)     = ¼ Σ_c Y_c² + κ wᵀ(C0+C1)w/8 − ½ Σ_c Y_c ⟨w, f_c(w)⟩ = ¼ Σ_c Y_c² + (L_0(κw) − ¼ Σ_c Y_c²)/κ
///   −∂L_a/∂w   = ½ Σ_c Y_c f_c(w) − ¼ κ (C0+C1) w                                                  ledger: C.1, C.2
///   Jacobian   = ½ Σ_c Y_c ∂f_c/∂w − ¼ κ (C0+C1)
/// a = 0 is the unit of relu_landscape.hpp, a = −½ the unit |S|/2. The pathway scales weights by 1/κ and rates by κ and does nothing else.
#pragma once

#include <array>
#include <memory>

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/curved.hpp"
#include "sluice/flow/relu_landscape.hpp"

namespace sluice::flow {

class UnitLandscape final : public CurvedLandscape {
 public:
  /// A class with label 0 needs no response.
  UnitLandscape(std::array<Covariance, 2> covariances,
                std::array<std::unique_ptr<const CurvedResponse>, 2> responses, std::array<double, 2> labels,
                double pathway = 0);
  UnitLandscape(const UnitLandscape&) = delete;  // its parts know each other
  UnitLandscape& operator=(const UnitLandscape&) = delete;

  std::size_t size() const override { return relu_.size(); }
  void downhill(std::span<const double> w, std::span<double> out) const override;
  double loss(std::span<const double> w) const override;
  void jacobian(std::span<const double> w, std::span<double> out) const override;

 private:
  std::vector<double> scaled(std::span<const double> w) const;

  std::array<Covariance, 2> covariances_;
  std::array<std::unique_ptr<const CurvedResponse>, 2> responses_;
  std::array<double, 2> labels_;
  double stiffness_;  // κ
  std::array<OneUnit, 2> classes_;
  ReluLandscape relu_;
};

}  // namespace sluice::flow
