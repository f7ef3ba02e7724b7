/// How numbers and verdicts of a check are written on a terminal.
#pragma once

#include <optional>
#include <string>

#include "sluice/theory/claim.hpp"

namespace sluice::cli {

/// Six digits, or a dash.
std::string number_text(const std::optional<double>& value);
/// "0.280887 ± 0.00044"
std::string with_error(double value, double standard_error);
/// "1.4 %", "< 0.001 %"
std::string resolution_text(const theory::Finding& finding);
/// In the colour of that ANSI code, on a terminal that wants colours.
std::string coloured(const std::string& text, int code);

}  // namespace sluice::cli
