#include <algorithm>
#include <array>
#include <cmath>

#include "sluice/figure/fields.hpp"
#include "sluice/figure/gate_search_view.hpp"
#include "sluice/figure/plot.hpp"
#include "sluice/figure/select.hpp"

namespace sluice::figure {
namespace of_gate_search {
namespace {

constexpr double search_width_mm = 180, search_left_mm = 15, search_top_mm = 7, search_plot_mm = 40,
                 search_gap_mm = 17, search_foot_mm = 11, search_names_mm = 18;
constexpr std::size_t search_most_gates = 32;

Grid grid_of_gates(std::size_t gates) {
  Grid grid;
  grid.columns = std::min<std::size_t>(gates, gates > 16 ? 8 : 4);
  grid.rows = (gates + grid.columns - 1) / grid.columns;
  grid.gap_mm = 2;
  grid.box = {3, search_top_mm, search_width_mm - 6, static_cast<double>(grid.rows) * 19 - 2};
  return grid;
}

/// Signs and sizes of v say nothing: each at its own scale, up to 1.
std::vector<Tile> tiles_of_gates(const GateSearchView& view) {
  std::vector<Tile> tiles;
  for (const std::size_t k : evenly_chosen(view.gates.size(), search_most_gates)) {
    Tile tile{.weights = view.gates[k], .ipr = 0};
    double second = 0, fourth = 0;
    float largest = 0;
    for (const float v : tile.weights) {
      const double square = static_cast<double>(v) * static_cast<double>(v);
      second += square;
      fourth += square * square;
      largest = std::max(largest, std::abs(v));
    }
    tile.ipr = static_cast<float>(fourth / (second * second));
    if (largest > 0)
      for (float& v : tile.weights) v /= largest;
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

void draw_rounds(Canvas& canvas, const Box& box, const GateSearchView& view) {
  std::vector<double> number{0}, loss{view.initial_loss};
  for (const double value : view.rounds) {
    number.push_back(static_cast<double>(number.size()));
    loss.push_back(value);
  }
  Interval losses = finite_range(loss);
  losses.include(view.refined);
  const Plot plot(canvas, box,
                  Axis::snug("gates", finite_range(number), intervals_in(box.width, x_label_mm), 1),
                  Axis::rounded("limiting loss", losses, intervals_in(box.height, y_label_mm)));
  plot.reference(canvas, view.refined);
  plot.curve(canvas, number, loss, {category(0), 1.0});
  for (std::size_t i = 0; i < number.size(); ++i) canvas.disc(plot.at(number[i], loss[i]), 0.7, category(0));
  canvas.text({box.left + 1.5, plot.at(0, view.refined).y - 0.8}, "refined", {.size_pt = 6.5, .color = grey});
  plot.draw_axes(canvas);
}

void draw_held_out(Canvas& canvas, const Box& box, const GateSearchView& view) {
  Interval losses;
  for (const GateSearchView::Structure& one : view.structures) {
    losses.include(one.loss - 2 * one.error);
    losses.include(one.loss + 2 * one.error);
  }
  const auto count = static_cast<double>(view.structures.size());
  const Plot plot(canvas, box,
                  Axis::rounded("loss on held-out samples", losses, intervals_in(box.width, x_label_mm)),
                  Axis::snug("", {0, count}, 3, 2 * count));
  for (std::size_t i = 0; i < view.structures.size(); ++i) {
    const GateSearchView::Structure& one = view.structures[i];
    const double row = count - static_cast<double>(i) - 0.5;
    const bool found = i + 2 >= view.structures.size();
    const Color color = category(found ? 0 : one.name == "relu" ? 2 : 1);
    canvas.line(std::array{Point{box.left, plot.at(losses.low, row).y},
                           Point{box.right(), plot.at(losses.low, row).y}},
                {hairline, 0.4});
    canvas.line(std::array{plot.at(one.loss - 2 * one.error, row), plot.at(one.loss + 2 * one.error, row)},
                {color, 1.0});
    canvas.disc(plot.at(one.loss, row), 0.9, color);
    canvas.text({box.left - 1.5, plot.at(one.loss, row).y}, one.name,
                {.size_pt = 6.5, .color = found ? color : ink, .across = 1, .up = 0.5});
  }
  plot.draw_axes(canvas, Plot::Labels::only_x);
}

}  // namespace
}  // namespace of_gate_search

Figure gate_search(const GateSearchView& view) {
  using namespace of_gate_search;
  const std::vector<Tile> tiles = tiles_of_gates(view);
  const Grid grid = grid_of_gates(tiles.size());
  const double top = grid.box.bottom() + 10;
  const double width = (search_width_mm - search_left_mm - search_gap_mm - search_names_mm - 4) / 2;
  const bool relu = std::ranges::any_of(view.structures, [](const auto& one) { return one.name == "relu"; });
  const std::string caption =
      "Gates that were searched for. (a) The vectors v of the refined half-spaces ⟨v, x⟩ ≥ 0, each on a "
      "scale of its own; small numbers: "
      "inverse participation ratio. (b) The limiting loss as gates are added one by one from the library, "
      "and after refinement (dashed), on "
      "the sample they were found on. (c) The loss of the fitted networks on held-out samples, ± 2 standard "
      "errors. Orange: tilings by one "
      "law, of each the one that fitted best.";
  return {"gate_search",
          relu ? caption + " Green: behind the frozen gates of a trained ReLU network." : caption,
          search_width_mm, top + search_plot_mm + search_foot_mm, [=](Canvas& canvas) {
            draw_grid(canvas, grid, tiles, category(0));
            const Box left{search_left_mm, top, width, search_plot_mm};
            const Box right{left.right() + search_gap_mm + search_names_mm, top, width, search_plot_mm};
            draw_rounds(canvas, left, view);
            draw_held_out(canvas, right, view);
            draw_panel_letter(canvas, {3, 1.5}, "a");
            draw_panel_letter(canvas, {3, top - 5.5}, "b");
            draw_panel_letter(canvas, {right.left - search_names_mm - 2, top - 5.5}, "c");
          }};
}

}  // namespace sluice::figure
