/// The recipe `field_panel`: which receptive fields count as localized, by example.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"

namespace sluice::figure {

/// Kinds of receptive field that must count as localized, and kinds that must not, with examples and with what was found.
struct FieldPanelView {
  struct Example {
    std::vector<float> field;
    bool localized;
  };
  struct Kind {
    std::string name;
    bool counts;                    ///< must count
    double share;                   ///< that does, in [0, 1]
    double shuffled;                ///< with phases drawn at random; not finite: not shown
    std::vector<Example> examples;  ///< up to five are drawn
  };
  struct Section {
    std::string title;  ///< "Ring of 40 sites"
    std::size_t side;   ///< of square fields, drawn as images; 0: curves
    std::vector<Kind> kinds;
  };
  std::string name;  ///< file stem
  std::vector<Section> sections;
};

/// A row per kind: left those that must count, right those that must not. Examples are on a scale of their own, in colour when they
/// are localized, else grey.
Figure field_panel(const FieldPanelView& view);

}  // namespace sluice::figure
