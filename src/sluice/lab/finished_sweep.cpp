#include "sluice/lab/finished_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFirstNumber = "excess_kurtosis";  // what stands before it are settings

/// RFC 4180, as summary.csv is written.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (doubled) {
      cells.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

double number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : std::nan("");
}

}  // namespace

bool is_sweep(const fs::path& folder) {
  return fs::is_directory(folder) && fs::exists(folder / "summary.csv");
}

std::vector<FinishedRun> read_sweep(const fs::path& folder) {
  const fs::path file = folder / "summary.csv";
  std::istringstream lines(file::read_text(file));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = cells_of(line);
  const auto settings = std::ranges::find(header, kFirstNumber) - header.begin();
  std::vector<FinishedRun> runs;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != header.size() || settings == static_cast<std::ptrdiff_t>(header.size()))
      throw InputError(fmt::format("{}: not the table of a sweep", file.string()));
    FinishedRun run;
    std::string name;
    std::map<std::string, double> numbers;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (static_cast<std::ptrdiff_t>(c) >= settings) {
        numbers[header[c]] = number(cells[c]);
        continue;
      }
      run.settings.push_back({header[c], cells[c]});
      name += fmt::format("{}{}={}", name.empty() ? "" : ",", header[c], cells[c]);
    }
    std::ranges::replace(name, '/', '_');
    run.folder = folder / name;
    run.excess_kurtosis = numbers[kFirstNumber];
    run.ipr_end = numbers["ipr_median_end"];
    run.localized = numbers["localized_share"];
    run.loss = numbers["loss"];
    run.accuracy = numbers["accuracy"];
    runs.push_back(run);
  }
  if (runs.empty()) throw InputError(fmt::format("{}: no runs", file.string()));
  return runs;
}

}  // namespace sluice::lab
