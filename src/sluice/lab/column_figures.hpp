/// Figures over columns of the index, of any folder of runs: a sweep, several of them, or whatever lies below.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/lab/run_figures.hpp"
#include "sluice/lab/run_points.hpp"

namespace sluice::lab {

/// Runs as points, and what is asked of them.
struct DrawnPoints {
  RunPoints points;
  FigureRequest request = {};
  std::string name = {};  ///< in messages: their folder
};

struct ColumnFigure {
  std::string name;
  std::string meaning;
  std::function<std::string(const DrawnPoints&)> lack;
  std::function<figure::Figure(const DrawnPoints&)> draw;
};
const std::vector<ColumnFigure>& column_figures();

}  // namespace sluice::lab
