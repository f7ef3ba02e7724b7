/// The search for gates as an experiment: which half-spaces would a network of K gated linear units want?       ledger: N0.58
///
/// Gates are found on one sample (flow/gate_search.hpp): one after the other from a library, then refined, from there and from the best
/// tiling. They are judged on another: the weights that fit the first sample, their loss on the second, beside those of tilings by one law, as
/// `network.gate` has them (of every law the one that fits best). Differences are taken draw by draw. "Beats" means by more than two
/// standard errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sluice/flow/gate_agreement.hpp"
#include "sluice/flow/gate_search.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/listeners.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

struct SearchRequest {
  Experiment experiment;              ///< its task, seed and network.hidden; the gates it has do not count
  std::int64_t candidates = 600;      ///< shapes of the library, at least; their opposites come on top
  std::int64_t samples = 40'000;      ///< draws that gates are found on; four times as many judge them
  const Recorded* against = nullptr;  ///< a ReLU run, named after its folder; null: none
  Remark remark = say_nothing;        ///< of what it does now
};

/// K gates and how they do.
struct Structure {
  std::string name;            ///< "bump", …, "relu", "greedy", "refined"
  std::string detail;          ///< which of its family; where it started
  std::vector<float> gates;    ///< [K, n]
  double fitted = 0;           ///< L_∞ on the sample that they and their weights were found on
  flow::Estimate held_out;     ///< L on the other
  flow::Estimate behind;       ///< how much worse than the refined gates on it: L − L(refined)
  double ipr = 0;              ///< mean over gates
  std::int64_t localized = 0;  ///< gates that count as localized (probe/localized.hpp)
};

/// How gates agree with the units of a ReLU network; where there is chance in it, mean and standard deviation over GateSearch::kChances sets.
struct AgreementRow {
  std::string name;
  flow::Agreement mean;
  std::optional<flow::Agreement> spread;
};

struct GateSearch {
  static constexpr std::int64_t kChances = 20;  ///< sets of random gates that agreements are held against

  std::int64_t units = 0, inputs = 0;
  std::string spec;  ///< resolved, TOML
  bool exact =
      false;  ///< the task has finitely many points: all of them, both to find gates and to judge them
  double initial_loss = 0;  ///< ½E Y²
  std::vector<Structure>
      structures;  ///< tilings by fitted loss; the run's gates where it has K; greedy; refined
  std::vector<std::string> chosen;  ///< shapes, in the order of the greedy rounds
  std::vector<double> rounds;       ///< L_∞ after each of them
  std::string run;                  ///< that they were compared with; empty: none
  std::int64_t run_units = 0;
  std::vector<AgreementRow> agreements;

  struct Budget {
    std::int64_t candidates = 0;  ///< half-spaces of the library, opposites included
    std::int64_t gains = 0;       ///< that greedy addition computed
    std::int64_t fits = 0;        ///< of whole sets of gates, by refinement and for tilings
    std::int64_t points = 0;  ///< of the sample they were found on: draws, and their negatives where X ~ −X
    std::int64_t held_out = 0;  ///< and of the other
    double seconds = 0;
  } budget;

  const Structure& refined() const { return structures.back(); }
  const Structure& greedy() const { return structures[structures.size() - 2]; }
  /// The tiling with the lowest held-out loss.
  const Structure& best_tiling() const;
};

/// Throws InputError where the network has no gated linear units, the inputs lie on no ring, or a run cannot be compared with.
GateSearch search_gates(const SearchRequest& request, math::Workers& workers);

}  // namespace sluice::lab
