/// The figures of a run, each a recipe: a function of views that returns a Figure.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/color.hpp"
#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_view.hpp"
#include "sluice/figure/samples_view.hpp"

namespace sluice::figure {

// Every recipe checks its run with require_consistent() and says "no finite data" where there is nothing to
// draw.

/// What each unit sees at the end: a grid of small multiples on one scale, ordered by the position of their
/// peaks. Up to 100 units all of them; of more, an evenly chosen 100, and the caption says so.
Figure receptive_fields(const RunView& run);

/// How the four most localized units got there: weights at about eight times laid over each other, time as
/// colour.
Figure evolution(const RunView& run);

/// IPR of the population, loss and accuracy over training. Panels of what the run did not watch are left out.
Figure learning(const RunView& run);

/// Training held against its gradient flow (figure 1 of note 000): fields of one unit over time, final power spectra, and the
/// relative distance between them. Needs RunView::flow.
Figure flow_comparison(const RunView& run);

/// All final weights, units × sites, ordered by position: one column of a journal.
Figure unit_map(const RunView& run);

/// Weights of the four most localized units, time × sites.
Figure time_map(const RunView& run);

/// Shares of power at every frequency: their mean over units, time × frequency, and the final ones, units × frequency.
struct PowerView {
  std::span<const float> shares;  ///< [T, K, n/2 + 1]
};
Figure spectra(const RunView& run, const PowerView& power);

/// The final fields of up to twelve units as points, and the Gabor function nearest to each as a line.
struct GaborView {
  std::vector<double> width, frequency, residual;  ///< [K]
  std::function<double(std::size_t unit, double site)> value;
};
Figure gabor_fits(const RunView& run, const GaborView& gabor);

/// How many units are flat (0), oscillatory (1) and localized (2), over training; kind [T, K].
Figure kinds(const RunView& run, std::span<const std::int64_t> kind);

/// Two populations by the sign of their bias (002 §2): biases over training, IPR and frequency at the end over the bias.
struct BiasesView {
  std::span<const float> bias;            ///< [T, K]
  std::span<const float> ipr, frequency;  ///< [K] at the end
};
Figure biases(const RunView& run, const BiasesView& view);

/// Numbers of every unit over training, a panel each: mean and quartiles of the units that end localized, and of the others.
struct UnitNumbers {
  std::string label;              ///< along the axis
  std::span<const float> values;  ///< [T, K]
};
Figure unit_curves(const RunView& run, std::span<const UnitNumbers> numbers);

/// How often gates flip (figure 3 of note 000): of up to twelve units p(t) and the excess kurtosis of their pre-activations over training,
/// with their final fields; and the mean of p over all units.
struct FlipsView {
  std::span<const float>
      flips;  ///< [T, K]: the share of samples on which the gate is another than at the time before
  std::span<const float> kurtosis;  ///< [T, K]; empty: not watched
};
Figure sign_flipping(const RunView& run, const FlipsView& gates);

/// What one gate makes of its data (figures 4 and 5 of note 000): b = E[gYX], A = E[gXXᵀ], and the limit w(∞) = A⁺b.
struct GateStructureView {
  std::string title;
  std::vector<double> gate;                 ///< v [n], open where ⟨v, x⟩ ≥ 0
  std::vector<double> covariance, inverse;  ///< A, A⁺ [n, n]
  struct Case {
    std::string label;                    ///< "gain 3"
    std::vector<double> response, limit;  ///< b, w(∞) [n]
    double ipr;                           ///< of w(∞)
  };
  std::vector<Case> cases;  ///< one or more tasks behind the same gate
  std::size_t own = 0;      ///< the run's, whose A it is
};
Figure gate_structure(const GateStructureView& view);

/// Two linear units behind opposite small-bump gates (note 003): Σ^xx(p_1,p_1) as it is, and as the note prints it.
struct PairCovarianceView {
  std::string title;
  std::size_t sites = 0;
  std::vector<double> corrected, printed;  ///< [n, n]; NaN where the printed form has no value
};
Figure pair_covariance(const PairCovarianceView& view);

struct ComparedRun {
  std::string label;  ///< "gain = 3"
  RunView view;
  double localized_share;  ///< of the units, in [0, 1]; not finite: not shown
  double kurtosis;         ///< excess kurtosis of the inputs; not finite: not shown
  Color color = category(0);
};

/// One to six runs side by side: 4 × 4 receptive fields each, evenly chosen, on one scale, and below them the
/// IPR of all runs on common axes. Throws std::invalid_argument for any other number of runs.
Figure comparison(std::span<const ComparedRun> runs);

/// What a task's samples look like: four of each class, covariance stated and measured, the law of one site.
/// Throws std::invalid_argument when there is not a whole number of samples.
Figure samples(const SamplesView& view);

}  // namespace sluice::figure
