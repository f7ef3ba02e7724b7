/// Every figure of a run, of a sweep and of a folder of runs, by name: on their pages, of runs in memory, and again from the folder or from an
/// array file alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_data.hpp"
#include "sluice/lab/phase_diagram.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/sources.hpp"
#include "sluice/lab/sweep_curve.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::lab {

/// Every figure there is, with what it shows and what it needs; the first belong to runs (some to sweeps as well), the last to sweeps and
/// other folders of runs.
std::vector<spec::Choice> figure_choices();

/// What of the sources a figure shows.
struct FigureRequest {
  std::vector<std::string> runs =
      {};                  ///< of a sweep: names of their folders, with * and ? as in a shell; empty: all
  std::string where = {};  ///< of figures over columns: a filter (run_filter.hpp)
  std::vector<std::int64_t> units = {};  ///< where a figure shows some of them; empty: as it chooses
  CurveRequest curve = {};
  PhaseRequest phase = {};
  FieldsIn fields = {};  ///< of a file of weights: which array, and how its sites lie
};

/// Is this folder neither a run nor a sweep, but runs lie below it?
bool holds_runs(const std::filesystem::path& folder);

/// The names of those that can be drawn of them, in that order. Throws InputError when one is neither a folder nor a file of weights.
std::vector<std::string> figures_of(const Sources& sources, const FigureRequest& request = {});
/// The same of a run at hand, and of runs that stand beside each other by their settings.
std::vector<std::string> figures_of_run(const Recorded& run, const FigureRequest& request = {});
std::vector<std::string> figures_of_runs(std::vector<Recorded> runs, const FigureRequest& request = {});

/// Throws InputError when there is no such figure, or not of these sources, and says what it would need; or when it cannot show what is
/// requested of it.
figure::Figure draw_figure(const Sources& sources, const std::string& name,
                           const FigureRequest& request = {});
figure::Figure draw_figure_of_run(const Recorded& run, const std::string& name,
                                  const FigureRequest& request = {});
figure::Figure draw_figure_of_runs(std::vector<Recorded> runs, const std::string& name,
                                   const FigureRequest& request = {});

/// Those that stand on the page of a run.
std::vector<figure::Figure> page_figures(const record::Recording& run, const figure::RunData& data);

/// Those of several runs: a number against the key that was swept, runs side by side where they have receptive fields, curves over
/// training where they have not, and the distance to the flow where they watched it.
struct Comparison {
  std::vector<figure::Figure> answer, fields, curves, flow;
};
Comparison compare(const std::vector<Recorded>& runs, const std::vector<figure::RunData>& data);

}  // namespace sluice::lab
