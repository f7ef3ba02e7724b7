/// The neural race: gating structures on one task, each solved exactly from w = 0. Which learns fastest, which gets furthest?
///   L(t) = L_∞ + ½ Σ_i (c_i²/λ_i) e^(−2λ_i t/K²)                                             ledger: F.2, N0.58, N0.c14
/// A mode relaxes at the rate λ/K², so the largest eigenvalues are the fastest (the note has the smallest); at first the loss falls
/// at the rate |b|²/K², whatever the eigenvalues.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/listeners.hpp"
#include "sluice/lab/sweep_axis.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

/// A network of gated linear units on its task.
struct Entrant {
  std::string label;
  Experiment experiment;
};

/// Every source at every point of the axes. They are called by what tells them apart: the values, and the source where there are several.
std::vector<Entrant> entrants(const std::vector<Source>& sources, const std::vector<SweepAxis>& axes);

/// How an entrant fared.
struct Lap {
  std::string label;
  std::int64_t units = 0;
  std::string moments;          ///< how they were computed
  std::int64_t samples = 0;     ///< behind sampled ones
  std::vector<double> lambda;   ///< eigenvalues of A above 0, descending
  std::vector<double> carried;  ///< the loss each of these modes removes, ½c²/λ
  std::int64_t null_modes = 0;
  double initial_loss = 0;  ///< ½E Y²
  double initial_rate = 0;  ///< −dL/dt at 0
  double limit = 0;         ///< L_∞
  double half_time = 0;     ///< L(t) = (L(0) + L_∞)/2; infinite where nothing is learned
  std::int64_t carriers =
      0;  ///< modes, the fastest first of those that carry most, that make up 90 % of the reduction
  double carrier_lambda = 0;  ///< the mean eigenvalue, weighted with what the modes carry
  /// Mean cosine of the half-spaces' v_k and where their w_k go: a ReLU unit is its own gate, so it could keep only those near 1.
  std::optional<double> kept;
  std::vector<double> loss;            ///< at Race::times
  int speed_rank = 0, limit_rank = 0;  ///< 1 is the best
};

struct Race {
  std::string spec;           ///< of the first entrant, resolved, TOML
  std::vector<double> times;  ///< rising from a tenth of the first half-time to ten of the last
  std::vector<Lap> laps;
};

/// Throws InputError where an entrant is no network of gated linear units, or its moments cannot be had.
Race race(std::vector<Entrant> entrants, math::Workers& workers, const Advance& progress = tell_nobody);

/// One row per entrant, rounded for reading.
figure::ReportTable race_table(const Race& race);
figure::Figure race_figure(const Race& race);
file::Json to_json(const Race& race);
/// The table with all digits.
std::string race_csv(const Race& race);
/// A page on its own.
std::string race_page(const Race& race, const std::string& title);

}  // namespace sluice::lab
