/// Branches of fixed points, as a picture wants them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"

namespace sluice::figure {

struct BranchCurve {
  std::string name;
  std::vector<double> parameter, concentration, loss, fastest;  ///< [points]
  std::vector<bool> stable;                                     ///< [points]
};

/// A value of the parameter that is marked.
struct BranchMark {
  std::string label;
  double parameter = 0;
};

struct BranchField {
  double parameter = 0;
  std::int64_t units = 1;
  std::vector<double> weights;  ///< [units, n]
};

struct BranchesView {
  std::string units;      ///< "one ReLU unit"
  std::string parameter;  ///< along the axes
  bool logarithmic = false;
  std::vector<BranchCurve> curves = {};
  std::vector<BranchMark> marks = {};
  std::vector<BranchField> fields = {};  ///< of stable points, at most six
  struct Share {
    double parameter = 0, share = 0, error = 0;
  };
  std::vector<Share> trained = {};  ///< share of trained units that are localized
};

/// Concentration of the energy with what trained units do, loss, the fastest rate, and fields; what is unstable is dashed.
Figure branches(const BranchesView& view);

}  // namespace sluice::figure
