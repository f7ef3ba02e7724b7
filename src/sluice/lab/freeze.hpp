/// From when on is a ReLU network a gated linear one? The gates of a recorded run are frozen as they stood at a step s; the rest is solved
/// from the weights it had there, and held against the end that the run came to with gates that went on moving.  ledger: N0.37, N0.38
///   ŵ_s = e^(−t A_s/K²) (w(s) − K A_s⁺b_s) + K A_s⁺b_s,   t = rate × (end − s)                                          ledger: F.2
/// A_s, b_s are the moments behind the gates 1(⟨w_k(s), x⟩ ≥ 0). In steps where the run took steps: (1 − rate·λ/K²)^(end − s).
///
/// The solution has no noise of batches, and where moments are sampled, theirs. So a run of sgd is also replayed: the frozen network sees
/// the same batches that the run saw from s on. What is left between the two ends is what the gates did, however little that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/listeners.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

struct FreezeOptions {
  std::int64_t count = 12;  ///< steps to freeze at, at most: the first, the last, and denser towards both
  std::vector<std::int64_t> at;    ///< or these, which must be recorded
  std::int64_t samples = 1 << 17;  ///< behind moments without a closed form
  Advance progress = tell_nobody;  ///< steps that frozen networks have to go
};

/// How far a frozen network's end is from the run's own.
struct Miss {
  double distance = 0;  ///< ‖ŵ_s − w(end)‖
  double of_way = 0;    ///< as a share of the way that is left, ‖w(end) − w(s)‖; NaN where none is
  double of_end = 0;    ///< as a share of ‖w(end)‖
};

/// What became of the gates of one step.
struct Freeze {
  std::int64_t step = 0;  ///< s
  double time = 0;        ///< rate × s
  Miss solved;
  double error =
      0;  ///< standard error of the solution from sampled moments, as a share of ‖w(end)‖; 0: they are exact
  std::optional<Miss> replayed;  ///< on the run's own batches; of sgd
  double loss = 0;               ///< of the solution, on the samples the run was measured on
  double flips = 0;              ///< P(g_s(x) ≠ g_end(x)), the mean over units

  /// What is known best.
  const Miss& miss() const { return replayed ? *replayed : solved; }
};

/// A run, frozen again and again.
struct FrozenRun {
  std::string label;
  std::string condition;  ///< its label without the seed
  std::int64_t units = 0;
  std::int64_t steps = 0;
  std::string moments;       ///< how they were computed
  std::int64_t samples = 0;  ///< of sampled ones
  double loss = 0;           ///< of the ReLU network at its end
  std::vector<Freeze> freezes;

  /// The first step from which on the share stays below; nothing where it does not before the end.
  std::optional<std::int64_t> from(double Miss::*share, double below) const;
};

/// Throws InputError where the run is none of ReLU units with a mean readout, no biases and half-squared loss, trained by sgd or its
/// flow, or did not record a step of `at`.
FrozenRun freeze(Recorded run, const FreezeOptions& options, math::Workers& workers);

/// One row per step, over all runs of a condition: means and standard deviations, rounded for reading.
figure::ReportTable freeze_table(const std::vector<FrozenRun>& runs);
figure::Figure freeze_figure(const std::vector<FrozenRun>& runs);
file::Json to_json(const std::vector<FrozenRun>& runs);
/// Every run and step with all digits.
std::string freeze_csv(const std::vector<FrozenRun>& runs);
/// A page on its own.
std::string freeze_page(const std::vector<FrozenRun>& runs);

}  // namespace sluice::lab
