#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sluice/lab/experiment.hpp"
#include "sluice/lab/simulation.hpp"
#include "sluice/math/stopping.hpp"
#include "test/fuzz/target.hpp"

namespace {

constexpr int kMost = 16;           // sites, units, layers, steps, …: runs that take milliseconds
constexpr int kMostSamples = 1024;  // in batches, sets and averages

/// Whether the integers of a resolved spec are small, but for seeds, which take no time.
bool is_small(std::string_view spec) {
  while (!spec.empty()) {
    const std::string_view line = spec.substr(0, spec.find('\n'));
    spec.remove_prefix(std::min(line.size() + 1, spec.size()));
    const std::string_view key = line.substr(0, line.find_first_of(" =["));
    const std::string_view value = line.substr(0, line.find(" #"));  // to the comment behind it
    if (key.ends_with("seed")) continue;
    const int most = key == "batch" || key.ends_with("samples") ? kMostSamples : kMost;
    for (std::size_t at = value.find('='); at < value.size(); ++at) {
      int number = 0;
      const auto [end, error] = std::from_chars(value.data() + at, value.data() + value.size(), number);
      if (error == std::errc::invalid_argument) continue;
      at = static_cast<std::size_t>(end - value.data());
      const bool whole = at == value.size() || (value[at] != '.' && value[at] != 'e');
      if (whole && (error != std::errc() || std::abs(number) > most)) return false;
      while (at < value.size() &&
             (std::isalnum(static_cast<unsigned char>(value[at])) != 0 || value[at] == '.'))
        ++at;
    }
  }
  return true;
}

}  // namespace

/// A spec, and the run that it describes, in memory, where that is a small one. A run may take its time: after a fifth of a second it is asked to stop, which
/// it must do within the second that an input has.
SLUICE_FUZZ_TARGET(run) {
  using namespace sluice;
  static const bool alone = ::setenv("XDG_CACHE_HOME", "/proc/self/nowhere", 1) == 0;
  fuzz::require(alone, "no data sets but what a spec says");
  lab::Experiment experiment = lab::parse_spec(std::string(fuzz::text(bytes)), "input.toml");
  if (!is_small(lab::to_toml(experiment))) return;
  using Clock = std::chrono::steady_clock;  // asked often: the clock of a processor is a call of the system
  const auto late = [begun = Clock::now()] { return Clock::now() - begun > std::chrono::milliseconds(200); };
  try {
    lab::simulate(std::move(experiment), "input", 1, {.stop_requested = late, .abandon_requested = late});
  } catch (const math::Stopped&) {  // before there was anything to show
  }
}
