#include "sluice/cli/verdict_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "sluice/math/environment.hpp"

namespace sluice::cli {

std::string number_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "–";
}

std::string with_error(double value, double standard_error) {
  return number_text(value) + (standard_error > 0 ? fmt::format(" ± {:.2g}", standard_error) : "");
}

std::string resolution_text(const theory::Finding& finding) {
  if (!finding.resolution) return "–";
  const double percent = 100 * *finding.resolution;
  return percent < 1e-3 ? "< 0.001 %" : fmt::format("{:.2g} %", percent);
}

std::string coloured(const std::string& text, int code) {
  const bool colourful = ::isatty(STDOUT_FILENO) == 1 && math::environment("NO_COLOR") == nullptr;
  return colourful ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace sluice::cli
