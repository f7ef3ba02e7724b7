/// Numbers over training as curves: what belongs on one pair of axes, of one run or of several.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sluice/figure/figure.hpp"
#include "sluice/file/array.hpp"

namespace sluice::lab {

/// Curves that belong on one pair of axes.
struct CurveGroup {
  std::string name;
  std::string title;
  std::string y_label;
  std::vector<std::pair<std::string, std::string>> columns;  ///< array, what the figure calls it

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
};
/// One figure per scalar that all runs hold, one curve per label: the mean over its runs, with standard errors where there
/// are several. `learning` false leaves out loss and accuracy.
std::vector<figure::Figure> compare_curves(const std::vector<LabelledRecord>& runs, bool learning);

}  // namespace sluice::lab
