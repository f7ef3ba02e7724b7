/// A trained network of sigmoidal units and its reduced models (theory/reduced_network.hpp): how much of it is two filters, moved over
/// the ring?                                                                                    ledger: N2.3, N2.4, N2.5
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/reduction_view.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/theory/reduced_network.hpp"

namespace sluice::lab {

struct ReduceOptions {
  std::int64_t samples = 10'000;  ///< that models are judged on: of the task, none of them seen in training
};

/// One model on the samples.
struct ReducedModel {
  theory::Reduction reduction = theory::Reduction::full;
  double loss = 0;         ///< ½E(ŷ−y)²
  double accuracy = 0;     ///< share on the label's side of the boundary
  double correlation = 0;  ///< of its answers with the full network's
  double difference = 0;   ///< root mean square of what it is off the full network by
};

/// A population in numbers.
struct PopulationNumbers {
  std::int64_t units = 0;
  double bias = 0, bias_spread = 0;
  double similarity = 0, coverage = 0, filters = 0;  ///< theory/tiling.hpp
  double ipr = 0;                                    ///< of the filter
  double negative_signs = 0;                         ///< share of units with the sign −1
};

struct ReducedRun {
  std::string label;
  std::int64_t units = 0;
  std::int64_t samples = 0;
  PopulationNumbers negative, positive;
  std::vector<ReducedModel> models;  ///< in the order of theory::kReductions
  std::vector<figure::AlignedUnits> aligned;
  std::vector<figure::AnswersView> answers;  ///< of some samples, for the picture
};

/// Throws InputError where the run is none of saturating units on a ring with biases and a mean readout, on an endless task of two classes.
ReducedRun reduce(Recorded run, const ReduceOptions& options, math::Workers& workers);

figure::ReportTable reduce_table(const std::vector<ReducedRun>& runs);
figure::ReportTable population_table(const std::vector<ReducedRun>& runs);
figure::Figure reduce_figure(const ReducedRun& run);
file::Json to_json(const std::vector<ReducedRun>& runs);
/// Every run and model with all digits.
std::string reduce_csv(const std::vector<ReducedRun>& runs);
/// A page on its own.
std::string reduce_page(const std::vector<ReducedRun>& runs);

}  // namespace sluice::lab
