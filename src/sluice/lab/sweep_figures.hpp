/// Figures that show the runs of a sweep themselves, their fields and curves; those over columns are in column_figures.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/figure/run_data.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/run_figures.hpp"

namespace sluice::lab {

/// The runs of a sweep with their views.
struct DrawnSweep {
  std::string name = {};  ///< in messages: its folder
  std::vector<Recorded> runs = {};
  std::vector<figure::RunData> data = {};
  FigureRequest request = {};
  std::string left_out = {};  ///< "3 of 6 runs diverged and are left out"; empty: none was
};

/// The runs of these folders: of a sweep by the settings their folders are named after; of several folders by the folder's name first.
/// Throws InputError where a pattern of the request names none of them.
DrawnSweep open_sweep(const Sources& folders, const FigureRequest& request);
/// The same of runs at hand, told apart by their settings.
DrawnSweep beside_each_other(std::vector<Recorded> runs, const FigureRequest& request);

struct SweepFigure {
  std::string name;
  std::string meaning;
  std::function<std::string(const DrawnSweep&)> lack;
  std::function<figure::Figure(const DrawnSweep&)> draw;
  std::size_t most_units = 0;  ///< of the units it shows some; 0: it shows all, or none
};
const std::vector<SweepFigure>& sweep_figures();

/// A figure whose caption says what was left out.
figure::Figure with_note(figure::Figure figure, const std::string& left_out);

/// A record as recipes want it, under the name by which its run is told apart.
figure::RunData data_of(const Recorded& run);

}  // namespace sluice::lab
