/// What `sluice figure` can be asked to show, as it is typed.
#pragma once

#include <string>
#include <vector>

#include "sluice/cli/app.hpp"
#include "sluice/cli/style_options.hpp"
#include "sluice/lab/run_figures.hpp"

namespace sluice::cli {

/// What --bars, --log and --boundary take.
const std::vector<std::string>& bar_names();
const std::vector<std::string>& log_names();
const std::vector<std::string>& boundary_names();

struct FigureOptions {
  std::vector<std::string> runs;
  std::string units;
  std::string where, x, y, z, bars, log;  // of `curve` and `phase_diagram`
  std::vector<std::string> boundaries;
  StyleOptions style;
  lab::FieldsIn fields;  // of a file of weights

  void add_to(App& verb);
  /// For the figure of this name, empty: for all of them. What belongs to another figure is refused, not ignored.
  lab::FigureRequest request(const std::string& name) const;
  /// An option that makes a figure another than the one of its name in a run's folder; empty: none was typed.
  std::string first_typed() const;
  /// How it is to look; limits belong to one figure, not to all of them.
  figure::Style style_of(const std::string& name) const;

 private:
  /// An option that some figures have.
  struct Owned {
    std::string name;
    bool typed;
    std::vector<std::string> figures;
  };
  std::vector<Owned> owned() const;
};

}  // namespace sluice::cli
