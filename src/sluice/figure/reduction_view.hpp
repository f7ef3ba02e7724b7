/// A network and its reduced models, as a picture wants them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"

namespace sluice::figure {

/// The units of one population, moved and signed to lie on each other, and their filter.
struct AlignedUnits {
  std::string name;  ///< "b < 0, 22 units"
  std::vector<std::vector<double>> fields = {};
  std::vector<double> filter = {};
};

/// What two models answer to the same inputs.
struct AnswersView {
  std::string model;
  std::vector<double> full, reduced;
  std::vector<std::uint8_t> which_class;
};

/// Panels of the populations, then of the answers. At least one of either.
Figure reduction(std::span<const AlignedUnits> populations, std::span<const AnswersView> answers);

}  // namespace sluice::figure
