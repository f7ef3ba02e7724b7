/// Every figure of a run and of a sweep, by name: on their pages, and again from the folder or from an array file alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_data.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::lab {

/// Every figure there is, with what it shows and what it needs; the first belong to runs (some to sweeps as well), the last to sweeps.
std::vector<spec::Choice> figure_choices();

/// A folder or file, or several folders whose runs stand beside each other, told apart by the names of the folders.
using Sources = std::vector<std::filesystem::path>;

/// The names of those that can be drawn of them, in that order. Throws InputError when one is neither a folder nor a file of weights.
std::vector<std::string> figures_of(const Sources& sources, const FieldsIn& fields = {});

/// Throws InputError when there is no such figure, or not of these sources, and says what it would need.
figure::Figure draw_figure(const Sources& sources, const std::string& name, const FieldsIn& fields = {});

/// Those that stand on the page of a run.
std::vector<figure::Figure> page_figures(const record::Recording& run, const figure::RunData& data);

/// Those of several runs: side by side where they have receptive fields, as curves where they have not, and the distance to the flow
/// where they watched it. `note` says what a reader must know, where something was left out.
struct Comparison {
  std::vector<figure::Figure> fields, curves, flow;
  std::string note;
};
Comparison compare(const std::vector<Recorded>& runs, const std::vector<figure::RunData>& data);

/// The settings of a run but the seed.
std::vector<Setting> condition_of(const Recorded& run);

}  // namespace sluice::lab
