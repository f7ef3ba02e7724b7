/// Pages of runs and sweeps: what the figure room draws, filled from recordings of any network.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/figure/page_data.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/place.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/write_figure.hpp"
#include "sluice/record/recording.hpp"

namespace sluice::lab {

/// Writes figures/ and report.html of one run, whose record.npz is in its folder by now.
void write_run_report(const record::Recording& run, const Experiment& experiment, const Claim& claim,
                      math::Workers& workers);

/// The page alone, anywhere; it links to the record in the run's folder.
void write_run_page(const std::filesystem::path& page, const Recorded& run,
                    file::IfTaken if_taken = file::IfTaken::replace);
/// What would be written there; without a place, for a page that is shown and not kept.
std::string run_page(const Recorded& run, const std::filesystem::path& page = {});

/// A page that is open while its runs are at work: as they stand, what the viewer shows and no figures; and its data block alone.
struct LiveReport {
  std::string html, data;
};
LiveReport live_report(const std::vector<Recorded>& runs, const figure::Live& live);

/// One row per run, rounded for reading; summary.csv has all digits. A number that a run does not have is left empty.
figure::ReportTable summary_table(const std::vector<Recorded>& runs);

/// Writes figures/, summary.csv, sweep.csv and report.html of a sweep.
void write_sweep_report(const std::filesystem::path& folder, const std::string& name,
                        const std::vector<Recorded>& runs, const Claim& claim, math::Workers& workers);

/// The page of a sweep alone, shown and not kept.
std::string sweep_page(const std::string& name, const std::vector<Recorded>& runs);

/// Runs from anywhere on one page. What sets them apart are the keys in which their specs differ, or their folders' names
/// where they differ in none or in more than four.
void write_comparison_page(const std::filesystem::path& page, std::vector<Recorded> runs,
                           file::IfTaken if_taken);

}  // namespace sluice::lab
