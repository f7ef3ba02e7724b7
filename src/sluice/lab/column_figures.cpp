#include "sluice/lab/column_figures.hpp"

#include "sluice/lab/sweep_figures.hpp"

namespace sluice::lab {

const std::vector<ColumnFigure>& column_figures() {
  static const std::vector<ColumnFigure> all = [] {
    std::vector<ColumnFigure> figures{
        {"curve", "of many runs: a number against a key or another number, mean over seeds with bars",
         [](const DrawnPoints& drawn) { return no_curve(drawn.points, drawn.request.curve); },
         [](const DrawnPoints& drawn) { return draw_curve(drawn.points, drawn.request.curve); }},
        {"phase_diagram",
         "of many runs: numbers over two keys, mean and spread: IPR, localized share, accuracy",
         [](const DrawnPoints& drawn) { return no_phase_diagram(drawn.points, drawn.request.phase); },
         [](const DrawnPoints& drawn) { return draw_phase_diagram(drawn.points, drawn.request.phase); }},
    };
    for (ColumnFigure& each : figures) {  // of results, and of what is none they say so
      each.lack = [lack = each.lack](const DrawnPoints& drawn) {
        const std::string why = lack(drawn);
        return why.empty() || drawn.points.left_out.empty() ? why : why + "; " + drawn.points.left_out;
      };
      each.draw = [draw = each.draw](const DrawnPoints& drawn) {
        return with_note(draw(drawn), drawn.points.left_out);
      };
    }
    return figures;
  }();
  return all;
}

}  // namespace sluice::lab
