/// Where will a unit localize? From the initial weights alone: the flow is integrated in place of training.  ledger: N0.c19
///
/// The prediction is compared with what training did, unit by unit, beside two baselines: the initial weights themselves (the
/// peak is already there) and the Gaussian flow (what second moments alone would do).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/lab/setup.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

/// K receptive fields of n sites.
struct Fields {
  std::int64_t units = 0;
  std::int64_t inputs = 0;
  std::vector<float> weights;  ///< [K, n]

  std::span<const float> field(std::int64_t unit) const {
    return std::span(weights).subspan(static_cast<std::size_t>(unit * inputs),
                                      static_cast<std::size_t>(inputs));
  }
  /// Adds the units of other fields on as many sites.
  void append(const Fields& more);
};

/// Which of them are localized, on a ring (probe/localized.hpp): 1 or 0.
std::vector<std::uint8_t> localized(const Fields& fields);

/// The site of largest |w|.
std::int64_t peak(std::span<const float> field);

Fields initial_fields(const Setup& setup);
/// At the end of the spec's flow; a spec that trains is integrated over the same time, t = rate × steps. Throws InputError where
/// no flow is known.
Fields predicted_fields(const Setup& setup, const std::string& response, const std::string& pairs,
                        math::Workers& workers);
/// At the end of the spec's training, in memory.
Fields trained_fields(const Setup& setup, math::Workers& workers);

/// What to predict, and what to hold the prediction against.
struct PredictRequest {
  Source source;
  std::string response = "auto", pairs = "auto";  ///< as dynamics.operator and dynamics.pairs
  std::filesystem::path against;                  ///< a trained run
  bool train = false;                             ///< or training in memory
  std::int64_t seeds = 1;                         ///< from the spec's on; more than one are trained
  std::function<bool()> stop_requested = [] { return false; };
};
/// One way of predicting.
struct Guess {
  std::string name;
  Fields fields;
};
struct Prediction {
  std::vector<Guess> guesses;     ///< "flow"; where there is something to score on also the baselines
  std::optional<Fields> trained;  ///< what they are scored on
};
/// Throws InputError; nothing is returned when it was asked to stop.
std::optional<Prediction> predict(const PredictRequest& request, math::Workers& workers);

/// How well fields agree with those of a trained network, on a ring.
struct Score {
  double distance = 0;     ///< ‖V − W‖/‖W‖ over all units
  double correlation = 0;  ///< median over units of Σ v w/(|v||w|)
  double close = 0;        ///< share of units with that cosine above 0.9
  double peaks = 0;        ///< share of units whose peak lies within one site of the trained one
  double localized = 0;    ///< share of units for which both or neither localize
  double ipr_rank = 0;     ///< Spearman's rank correlation of the IPRs; NaN for a single unit
};
Score score(const Fields& predicted, const Fields& trained);

}  // namespace sluice::lab
