/// Fixed points of the flow of one ReLU unit, or of two, as a parameter changes: branches, where they begin, turn and lose their stability, how deep the valleys are
/// and how high the passes between them.
///
/// With the diluted response places and losses with an error were found anew on independent sets of draws, on each at the dilutions h and h/2:
///   value = mean over sets of (4 v(h/2) − v(h))/3,    error = its standard error over sets;
/// the onset of waves on the flat field comes from sets of draws whatever the response (flow/flat_field.hpp), and says how good that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/array.hpp"
#include "sluice/file/json.hpp"
#include "sluice/flow/branching.hpp"
#include "sluice/flow/unit_family.hpp"
#include "sluice/lab/basins.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/listeners.hpp"
#include "sluice/lab/onset.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {

struct BranchOptions {
  std::string parameter = "gain";
  std::optional<double> low, high;        ///< of the parameter; none: where it is usually followed
  std::vector<std::string> from{"flat"};  ///< lab/branch_start.hpp
  file::NamedArrays fields;               ///< and starts that are given, [n] or [units, n], under their names
  std::vector<double> at;                 ///< values of the parameter to be tabulated
  std::string response = "conditioned";
  std::int64_t draws = 1 << 14;
  std::int64_t sets = 8;
  double dilution = 0.4;
  double step = 0.15;
  std::int64_t basins =
      0;  ///< starts at every value of `at`, as the spec's network has them at seed, seed + 1, …
};

/// A number and how well it is known; without sets (a closed form) there is no error.
struct Measured {
  double value = 0;
  std::optional<double> error;
  std::optional<double>
      dilution;  ///< what the extrapolation from h/2 to 0 changed; none where nothing was diluted
};

struct NamedBranch {
  std::string name;
  flow::Branch branch;
  std::vector<double> parameter;      ///< [points]
  std::vector<double> concentration;  ///< R_1 of the energy (theory/localized.hpp), mean over units
};

/// A critical point, found again on every set.
struct CriticalValue {
  std::string branch;
  std::string kind;  ///< "fold", "pitchfork, supercritical", …
  Measured parameter;
  double followed = 0;  ///< on the set that was followed, diluted
  double halved = 0;    ///< what half the step changes there
  double loss = 0;
  double slope = 0;  ///< of the rate that crosses zero, over the parameter
  std::int64_t directions = 1;
  std::vector<flow::Offshoot> offshoots;
  std::optional<Measured> curvature;  ///< of the first of them, over sets
};

/// Two stable branches with one loss: the global minimum changes hands.
struct ExchangeValue {
  std::string first, second;
  Measured parameter;
};

/// One branch at one value of the parameter.
struct BranchRow {
  double parameter = 0;
  std::string branch;
  Measured loss;
  double fastest = 0;        ///< rate
  std::int64_t growing = 0;  ///< perturbations that grow
  Arrangement arrangement;
  std::vector<double> field;  ///< [units, n]
};

/// From the site-centred minimum over the pass to its neighbour.
struct BarrierRow {
  double parameter = 0;
  Measured height;  ///< L(pass) − L(minimum)
  double rate = 0;  ///< at which the pass is left
};

struct BranchStudy {
  std::string spec;  ///< TOML
  const flow::UnitParameter* parameter = nullptr;
  std::int64_t units = 1;
  BranchOptions options;
  std::vector<NamedBranch> branches;
  std::vector<CriticalValue> critical;
  std::vector<ExchangeValue> exchanges;
  /// Where R₁ of the site branch passes ½, the concentration that the criterion of theory/localized.hpp asks for; its test of phases is about noise,
  /// of which fixed points have none.
  std::optional<Measured> concentrated_from;
  std::vector<BranchRow> rows;
  std::vector<BarrierRow> barriers;
  std::vector<Basin> basins;
  double modulation = 0;  ///< flow/modulation.hpp, of gains
  /// Of runs it was held against: units with R₁ ≥ ½, and those that are localized.
  std::optional<Onset> trained_concentrated, trained_localized;
};

/// Rates nearer to zero than this have no sign: rounding, or what a response that is no gradient leaves of a shift along the ring.
double still_rate(const std::string& response);

/// Throws InputError where the spec is not one of one or two ReLU units on a ring of nlgp data, or a start leads to no fixed point.
BranchStudy study_branches(const Experiment& experiment, const BranchOptions& options, math::Workers& workers,
                           const Advance& progress = tell_nobody);

figure::ReportTable critical_table(const BranchStudy& study);
figure::ReportTable branch_table(const BranchStudy& study);
figure::ReportTable basin_table(const BranchStudy& study);
/// What was found, in sentences of one line.
std::vector<std::string> branch_remarks(const BranchStudy& study);
figure::Figure branch_figure(const BranchStudy& study);
file::Json to_json(const BranchStudy& study);
/// Every point of every branch.
std::string branch_csv(const BranchStudy& study);
std::string branch_page(const BranchStudy& study, const std::string& title);

}  // namespace sluice::lab
