/// A sweep read back from its folder: summary.csv and the runs it names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/lab/report.hpp"

namespace sluice::lab {

struct FinishedRun {
  std::vector<Setting> settings;
  std::filesystem::path folder;
  double excess_kurtosis = 0, ipr_end = 0, localized = 0, loss = 0, accuracy = 0;
};

bool is_sweep(const std::filesystem::path& folder);

/// Throws InputError naming summary.csv and what is wrong with it.
std::vector<FinishedRun> read_sweep(const std::filesystem::path& folder);

}  // namespace sluice::lab
