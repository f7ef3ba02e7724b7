/// What gated linear units know of a task: its moments behind the gates.                   ledger: F.1, N0.42, N0.43, N0.46
///   b_k  = E[g_k Y X]          A_kl = E[g_k g_l X Xᵀ]
///
///   closed      exact: even tasks whose labels are those of the classes, gates by half_spaces.hpp; gates that are always open or coins,
///               copies and opposites of a gate need nothing but the covariance
///   enumerated  exact: sums over the points of pulse and block, over the samples of a dataset
///   sampled     averages over samples of any task, with standard errors. Where X ~ −X a sample stands for itself and its negative:
///               A = ¼(C + E[s_k s_l X Xᵀ]), b = ½E[Y s_k X] with s = ±1 the side of the half-space, C exact. Where shifts along
///               the ring turn every gate into the next, all blocks that are shifts of each other are averaged.
/// Gates that are formulas of ⟨v, x⟩ have sums and averages, no closed forms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/flow/engine.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::flow {

struct GateMoments {
  std::int64_t units = 0;    ///< K
  std::int64_t inputs = 0;   ///< n
  std::vector<double> b;     ///< [K, n]
  std::vector<double> a;     ///< [K n, K n]
  double label_square = 0;   ///< E Y²
  std::string method;        ///< "closed", "enumerated" or "sampled"
  std::int64_t samples = 0;  ///< of the sampled ones
  /// Standard errors of sampled moments; empty where they are exact.
  std::vector<double> b_error = {};
  std::vector<float> a_error = {};

  std::int64_t size() const { return units * inputs; }
  /// Are they, all of them? Not of gates that are not, nor of inputs or labels whose squares leave the numbers.
  bool are_finite() const;
  /// A_kl at i, j.
  double block(std::int64_t k, std::int64_t l, std::int64_t i, std::int64_t j) const {
    return a[static_cast<std::size_t>((k * inputs + i) * size() + l * inputs + j)];
  }
};

/// Throws InputError where a method that was asked for does not fit the task or the gates `vectors` [K, n].
void require_moments(const net::GatedLinearNetwork& network, std::span<const float> vectors,
                     const task::Section& section, const task::Task& task, const MomentOptions& options);

/// Of these gates. Throws as require_moments does.
GateMoments gate_moments(const net::GatedLinearNetwork& network, std::span<const float> vectors,
                         const task::Section& section, const task::Task& task, const MomentOptions& options,
                         math::Workers& workers);

}  // namespace sluice::flow
