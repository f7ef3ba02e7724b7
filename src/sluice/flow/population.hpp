/// How K ReLU units answer one class of inputs together: what the flow of a network needs of a class.
///   f_j = f(w_j)                  P_j = Σ_k p(w_j, w_k)                       ledger: N0.5, N0.16, D.1, D.2
/// with f and p of response.hpp. By Euler's theorem the moments of the output follow from them:
///   E ReLU(⟨w_j,X⟩) = ⟨w_j, f_j⟩,    Σ_jk E[ReLU(⟨w_j,X⟩) ReLU(⟨w_k,X⟩)] = Σ_j ⟨w_j, P_j⟩.
/// A unit with w = 0 is a tie for every X: its gate is half open (J.2).
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "sluice/flow/covariance.hpp"
#include "sluice/flow/response.hpp"

namespace sluice::flow {

class PopulationResponse {
 public:
  virtual ~PopulationResponse() = default;

  virtual std::int64_t inputs() const = 0;
  /// `weights`, `f` and `pairs` are [K, n], one unit after the other; f may be empty where only the pairs are wanted (a
  /// class with label 0).
  virtual void respond(std::span<const double> weights, std::span<double> f,
                       std::span<double> pairs) const = 0;
};

/// One unit, any law with X ~ −X: P = ½ C w (N0.14), f from any response operator (none: for a class with label 0).
class OneUnit final : public PopulationResponse {
 public:
  explicit OneUnit(Covariance covariance, const Response* response = nullptr)
      : covariance_(std::move(covariance)), response_(response) {}

  std::int64_t inputs() const override { return covariance_.inputs(); }
  void respond(std::span<const double> weights, std::span<double> f, std::span<double> pairs) const override;

 private:
  Covariance covariance_;
  const Response* response_;
};

/// Gaussian data with covariance C. With ρ_jk = w_j'C w_k, s_j² = ρ_jj, γ = ρ_jk/(s_j s_k):
///   f_j = C w_j/(√(2π) s_j)                                                                         ledger: N0.12
///   p(w_j, w_k) = √(1−γ²)/(2π) · s_k/s_j · C w_j + (π − arccos γ)/(2π) · C w_k,  p(w, w) = ½ C w     ledger: D.1
/// The K products C w_k and their K² overlaps are shared: O(K² n).
class GaussianPopulation final : public PopulationResponse {
 public:
  explicit GaussianPopulation(Covariance covariance) : covariance_(std::move(covariance)) {}

  std::int64_t inputs() const override { return covariance_.inputs(); }
  void respond(std::span<const double> weights, std::span<double> f, std::span<double> pairs) const override;

 private:
  Covariance covariance_;
};

/// f from one operator, pairs from another: the label signal of the true law with, for instance, Gaussian interactions.
class MixedPopulation final : public PopulationResponse {
 public:
  MixedPopulation(const Response& f, const PopulationResponse& pairs);

  std::int64_t inputs() const override { return pairs_->inputs(); }
  void respond(std::span<const double> weights, std::span<double> f, std::span<double> pairs) const override;

 private:
  const Response* f_;
  const PopulationResponse* pairs_;
};

}  // namespace sluice::flow
