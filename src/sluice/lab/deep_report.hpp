/// Figures and page of a run of a deep gated network: curves over training instead of receptive fields.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/array.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/summary.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::lab {

/// Writes figures/ and report.html of one run.
void write_deep_report(record::RunFolder& folder, const std::string& name, Experiment& experiment,
                       const file::NamedArrays& record, const Summary& summary);

std::vector<figure::Figure> deep_figures(const std::string& title, const file::NamedArrays& record);
std::vector<figure::Fact> deep_key_numbers(const Summary& summary);

/// Records of runs, several of them under one label when they differ in the seed alone.
struct LabelledRecord {
  std::string label;
  const file::NamedArrays* record;
};
/// One figure per scalar that all runs hold, one curve per label: the mean over its runs, with standard errors where there
/// are several.
std::vector<figure::Figure> deep_comparison(const std::vector<LabelledRecord>& runs);

}  // namespace sluice::lab
