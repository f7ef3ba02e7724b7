#include "sluice/net/formula.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "sluice/math/expression.hpp"

namespace sluice::net {
namespace {

bool mentions(const math::Expression& expression, const std::string& name) {
  return (expression.kind == math::Expression::Kind::symbol && expression.name == name) ||
         std::ranges::any_of(expression.arguments,
                             [&](const math::Expression& argument) { return mentions(argument, name); });
}

template <class Real>
std::span<Real> scratch_of(const math::Program& program) {
  thread_local std::vector<Real> scratch;
  const std::size_t size = math::Program::kLanes * program.scratch_size();
  if (scratch.size() < size) scratch.resize(size);
  return scratch;
}

void over_arrays(const math::Program& program, std::span<const float> x,
                 std::span<const std::span<float>> out) {
  program.evaluate_floats(std::array{x}, scratch_of<float>(program), out);
}
void over_arrays(const math::Program& program, std::span<const double> x,
                 std::span<const std::span<double>> out) {
  program.evaluate_arrays(std::array{x}, scratch_of<double>(program), out);
}

}  // namespace

std::string complaint_about(const std::string& formula, const std::string& variable) {
  try {
    const math::Expression parsed = math::parse(formula);
    if (!math::compile_with_slope(parsed, variable).of_numbers()) return "expected numbers, not vectors";
    return mentions(parsed, variable) ? "" : "it does not depend on " + variable;
  } catch (const math::ExpressionError& error) {
    return error.what();
  }
}

Formula::Formula(const std::string& formula, const std::string& variable)
    : value_(math::compile(math::parse(formula), {.symbols = {{.name = variable}}})),
      with_slope_(math::compile_with_slope(math::parse(formula), variable)) {}

bool Formula::flat() const { return with_slope_.known_number(1) == 0.0; }

template <class Real>
void Formula::evaluate(std::span<const Real> x, std::span<Real> value) const {
  over_arrays(value_, x, std::array{value});
}

template <class Real>
void Formula::evaluate(std::span<const Real> x, std::span<Real> value, std::span<Real> slope) const {
  over_arrays(with_slope_, x, std::array{value, slope});
}

template void Formula::evaluate(std::span<const float> x, std::span<float> value) const;
template void Formula::evaluate(std::span<const double> x, std::span<double> value) const;
template void Formula::evaluate(std::span<const float> x, std::span<float> value,
                                std::span<float> slope) const;
template void Formula::evaluate(std::span<const double> x, std::span<double> value,
                                std::span<double> slope) const;

}  // namespace sluice::net
