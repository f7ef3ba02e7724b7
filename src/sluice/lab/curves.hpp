/// Numbers over training as curves: what belongs on one pair of axes, of one run or of several.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sluice/figure/color.hpp"
#include "sluice/figure/figure.hpp"
#include "sluice/file/array.hpp"
#include "sluice/record/summary.hpp"

namespace sluice::lab {

/// Curves that belong on one pair of axes.
struct CurveGroup {
  std::string name;
  std::string title;
  std::string y_label;
  std::vector<std::pair<std::string, std::string>> columns;  ///< array, what the figure calls it
  bool decays =
      false;  ///< to zero: over more than two decades on a logarithmic axis, where several runs are compared

  bool in(const file::NamedArrays& record) const;
};
/// Those of the probes of kernels and gates.
const std::vector<CurveGroup>& curve_groups();

figure::Figure draw_curves(const CurveGroup& group, const std::string& title,
                           const file::NamedArrays& record);
figure::Figure draw_tangent_spectrum(const std::string& title, const file::NamedArrays& record);
figure::Figure draw_weight_norms(const std::string& title, const file::NamedArrays& record);

/// Records of runs, several of them under one label when they differ in the seed alone.
struct LabelledRecord {
  std::string label;
  const file::NamedArrays* record;
  record::Evaluated on = record::Evaluated::new_samples;  ///< what loss and accuracy were measured on
  std::optional<figure::Color> color = {};                ///< of its label; none: by its place
};
/// A figure of several runs: a panel for each number of a group that all of them hold, in it one curve per label: the mean over its
/// runs, with standard errors where there are several.
struct CurveComparison {
  std::string name;
  std::string meaning;
  bool learning;  ///< loss and accuracy
  std::function<std::optional<figure::Figure>(const std::vector<LabelledRecord>&)>
      draw;  ///< none where there is nothing to draw
};
const std::vector<CurveComparison>& curve_comparisons();
/// All there are of these runs. `learning` false leaves out loss and accuracy.
std::vector<figure::Figure> compare_curves(const std::vector<LabelledRecord>& runs, bool learning);

}  // namespace sluice::lab
