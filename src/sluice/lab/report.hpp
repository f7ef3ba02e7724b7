/// Figures and pages of runs and sweeps: what the figure room draws, filled from records.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/recorded_run.hpp"
#include "sluice/lab/summary.hpp"
#include "sluice/lab/write_figure.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::lab {

/// Writes figures/ and report.html of one run, whose record.npz is in its folder by now.
void write_run_report(record::RunFolder& folder, const std::string& name, Experiment& experiment,
                      const file::NamedArrays& record, const Summary& summary);

/// The page alone, anywhere; it links to the record in the run's folder.
void write_run_page(const std::filesystem::path& page, RecordedRun& run);

/// What distinguishes a run of a sweep: {"gain", "3"}.
struct Setting {
  std::string name;
  std::string value;
};
/// "gain = 3, n = 40"
std::string label_of(const std::vector<Setting>& settings);

/// One run of a sweep as its report shows it.
struct SweepPoint {
  std::vector<Setting> settings;
  file::NamedArrays record;
  Summary summary;
  std::int64_t dimensions = 1;  ///< of the task's sites
  std::filesystem::path folder = {};
};

/// One row per point, rounded for reading; summary.csv has all digits.
struct SummaryTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
SummaryTable summary_table(const std::vector<SweepPoint>& points);

/// Writes figures/comparison.*, summary.csv and report.html of a sweep.
void write_sweep_report(const std::filesystem::path& folder, const std::string& name, Experiment& experiment,
                        const std::vector<SweepPoint>& points, const Claim& claim);

/// Runs from anywhere on one page. What sets them apart are the keys in which their specs differ, or their folders' names
/// where they differ in none or in more than four.
void write_comparison_page(const std::filesystem::path& page, std::vector<RecordedRun>& runs);

}  // namespace sluice::lab
