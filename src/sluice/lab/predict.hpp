/// Where will a unit localize? From the initial weights alone: the flow is integrated in place of training.  ledger: N0.c19
///
/// The prediction is compared with what training did, unit by unit, beside two baselines: the initial weights themselves (the
/// peak is already there) and, where there is one, the Gaussian flow (what second moments alone would do). No prediction can be
/// expected to do better than a second training from the same start does, on other samples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/file/json.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

/// K receptive fields of n sites, and the biases of their units where they are learned.
struct Fields {
  std::int64_t units = 0;
  std::int64_t inputs = 0;
  std::vector<float> weights = {};  ///< [K, n]
  std::vector<float> bias = {};     ///< [K], or empty
  task::Layout layout = {};

  std::span<const float> field(std::int64_t unit) const {
    return std::span(weights).subspan(static_cast<std::size_t>(unit * inputs),
                                      static_cast<std::size_t>(inputs));
  }
  /// Adds the units of other fields on the same sites.
  void append(const Fields& more);
};

/// Which of them are localized (probe/localized.hpp): 1 or 0; empty where inputs lie on neither ring nor torus.
std::vector<std::uint8_t> localized(const Fields& fields);

/// The site of largest |w|.
std::int64_t peak(std::span<const float> field);

Fields initial_fields(const Setup& setup);
/// At the end of the spec's flow, with at least `samples` samples where it is sampled (0: as the spec has it); a spec that trains is
/// integrated over the same time, t = rate × steps. Throws InputError where no flow is known.
Fields predicted_fields(const Setup& setup, const std::string& response, const std::string& pairs,
                        math::Workers& workers, std::int64_t samples = 0);
/// At the end of the spec's training, in memory; from the start of `from`, where that is another.
Fields trained_fields(const Setup& setup, math::Workers& workers);
Fields trained_fields(const Setup& setup, const Setup& from, math::Workers& workers);

/// What to predict, and what to hold the prediction against.
struct PredictRequest {
  Source source;
  std::string response = "auto", pairs = "auto";  ///< as dynamics.operator and dynamics.pairs
  std::int64_t samples = 0;                       ///< as dynamics.samples; 0: as the spec has it
  std::filesystem::path against;                  ///< a trained run
  bool train = false;                             ///< or training in memory
  bool again = false;  ///< and hold a second training from the same start, on other samples, against the same
  std::int64_t seeds = 1;  ///< from the spec's on; more than one are trained
};
/// One way of predicting.
struct Guess {
  std::string name;
  Fields fields;
};
struct Prediction {
  std::vector<Guess> guesses;  ///< "flow"; where there is something to score on also what it is held against
  std::optional<Fields> trained;  ///< what they are scored on
};
/// Throws InputError, and Stopped when it was asked to stop (math/stopping.hpp).
Prediction predict(const PredictRequest& request, math::Workers& workers);

/// How well fields agree with those of a trained network, on a ring or torus. NaN where there is nothing to compare.
struct Score {
  double distance = 0;     ///< ‖V − W‖/‖W‖ over all units
  double correlation = 0;  ///< median over units of Σ v w/(|v||w|)
  double close = 0;        ///< share of units with that cosine above 0.9
  double peaks = 0;        ///< share of units whose peak lies within one site of the trained one
  double localized = 0;    ///< share of units for which both or neither localize
  double ipr_rank = 0;     ///< Spearman's rank correlation of the IPRs; NaN for a single unit
  double kinds = 0;        ///< on a ring: share of units of one kind in both (probe/kind.hpp)
  double centres = 0;      ///< of the units that localize in both: share whose peaks lie within one site
  double bias_signs = 0;   ///< share of units whose learned biases have one sign
};
Score score(const Fields& predicted, const Fields& trained);
file::Json to_json(const Score& score);

}  // namespace sluice::lab
