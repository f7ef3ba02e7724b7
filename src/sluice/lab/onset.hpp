/// From which value of a parameter on trained units are concentrated or localized: the point where half of them are (Spearman and Kärber). With shares p_i of N_i units at
/// x_1 < … < x_m, made to rise, p_1 = 0 and p_m = 1,
///   x_half = Σ_i (p_(i+1) − p_i)(x_i + x_(i+1))/2,    Var x_half = Σ_i p_i(1 − p_i)/(N_i − 1) · ((x_(i+1) − x_(i−1))/2)²,
/// x the logarithm of a gain or length. The mean of the points at which single units would turn, whatever their law.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/flow/unit_family.hpp"
#include "sluice/lab/recorded.hpp"

namespace sluice::lab {

struct OnsetShare {
  double parameter = 0;
  std::int64_t units = 0;
  std::int64_t having = 0;  ///< so many of them are it
};

struct Onset {
  std::vector<OnsetShare> shares;  ///< by rising parameter
  std::optional<double> half;      ///< none where shares do not go from 0 to 1
  double error = 0;
  double spacing = 0;  ///< between the two values around it
};

/// R₁ of the energy from which on a field is concentrated (theory/localized.hpp).
inline constexpr double kConcentratedFrom = 0.5;

enum class OnsetOf { concentrated, localized };

/// Of the runs of a sweep, all on nlgp rings. Throws InputError naming the run that is not.
Onset trained_onset(const std::vector<Recorded>& runs, const flow::UnitParameter& parameter, OnsetOf what);

/// From the shares alone.
Onset half_point(std::vector<OnsetShare> shares, const flow::UnitParameter& parameter);

}  // namespace sluice::lab
