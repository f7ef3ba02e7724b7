/// Units that are typed: network.activation = "h*erf(h)", any formula of the pre-activation h (formula.hpp). A gate is a factor of it: "h*(h > 1)" is
/// open above 1. Slower than the units of activation.cpp, whose vector code the compiler sees whole: docs/units.md has by how much.
#pragma once

#include <string>

#include "sluice/net/activation.hpp"
#include "sluice/net/formula.hpp"

namespace sluice::net {

/// What is wrong with a formula of h, "column 3: …"; empty: nothing.
std::string complaint_about_unit(const std::string& formula);

class FormulaUnit {
 public:
  /// Throws math::ExpressionError where there is a complaint.
  explicit FormulaUnit(const std::string& formula);

  /// As activations do. Work space is the thread's own: nothing is allocated after its first block.
  template <class Real>
  void apply(const UnitBlock<Real>& block) const;

 private:
  Formula formula_;  ///< σ(h)
};

}  // namespace sluice::net
