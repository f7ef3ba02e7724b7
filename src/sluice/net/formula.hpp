/// A function of one number that was typed (math/expression.hpp), with its slope: what units (formula_unit.hpp) and gates (gate.hpp) that are
/// formulas have in common. The slope is derived by the rules of calculus, term by term; steps have the slope 0.
#pragma once

#include <span>
#include <string>

#include "sluice/math/expression_program.hpp"

namespace sluice::net {

/// What is wrong with a formula of this variable, "column 3: …"; empty: nothing.
std::string complaint_about(const std::string& formula, const std::string& variable);

class Formula {
 public:
  /// Throws math::ExpressionError where there is a complaint.
  Formula(const std::string& formula, const std::string& variable);

  /// Its slope is 0 wherever it has one: nothing is learned through it.
  bool flat() const;

  /// Arrays of one length, a multiple of math::kWidestVector. Work space is the thread's own: nothing is allocated after its first call.
  template <class Real>
  void evaluate(std::span<const Real> x, std::span<Real> value) const;
  template <class Real>
  void evaluate(std::span<const Real> x, std::span<Real> value, std::span<Real> slope) const;

 private:
  math::Program value_;
  math::Program with_slope_;
};

}  // namespace sluice::net
