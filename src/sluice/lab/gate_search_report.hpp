/// A search for gates in words, tables, a figure, and on a page.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/report.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/gate_search.hpp"

namespace sluice::lab {

/// "beats", "does not beat" or "loses to", by two standard errors.
std::string verdict(const flow::Estimate& behind);
/// What came out, one sentence each.
std::vector<std::string> conclusions(const GateSearch& search);

/// Rounded for reading.
figure::ReportTable structure_table(const GateSearch& search);
figure::ReportTable agreement_table(const GateSearch& search);
figure::Figure search_figure(const GateSearch& search);
file::Json to_json(const GateSearch& search);
/// The structures with all digits.
std::string search_csv(const GateSearch& search);
/// A page on its own.
std::string search_page(const GateSearch& search, const std::string& title);

}  // namespace sluice::lab
