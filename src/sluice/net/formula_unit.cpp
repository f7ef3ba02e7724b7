#include "sluice/net/formula_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "sluice/math/expression.hpp"

namespace sluice::net {
namespace {

const std::string kVariable = "h";

bool mentions(const math::Expression& expression, const std::string& name) {
  return (expression.kind == math::Expression::Kind::symbol && expression.name == name) ||
         std::ranges::any_of(expression.arguments,
                             [&](const math::Expression& argument) { return mentions(argument, name); });
}

void evaluate(const math::Program& program, std::span<const float> h, std::span<float> scratch,
              std::span<float> value, std::span<float> slope) {
  program.evaluate_floats(std::array{h}, scratch, std::array{value, slope});
}
void evaluate(const math::Program& program, std::span<const double> h, std::span<double> scratch,
              std::span<double> value, std::span<double> slope) {
  program.evaluate_arrays(std::array{h}, scratch, std::array{value, slope});
}

/// h + b, σ(h) and σ'(h) of some rows of units, and what the program needs.
template <class Real>
struct Space {
  std::vector<Real> h, value, slope, scratch;

  void hold(std::size_t numbers, std::size_t scratch_size) {
    for (auto* each : {&h, &value, &slope})
      if (each->size() < numbers) each->resize(numbers);
    if (scratch.size() < scratch_size) scratch.resize(scratch_size);
  }
};

}  // namespace

std::string complaint_about_unit(const std::string& formula) {
  try {
    const math::Expression parsed = math::parse(formula);
    if (!math::compile_with_slope(parsed, kVariable).of_numbers()) return "vectors are not for units";
    return mentions(parsed, kVariable) ? "" : "it does not depend on h";
  } catch (const math::ExpressionError& error) {
    return error.what();
  }
}

FormulaUnit::FormulaUnit(const std::string& formula)
    : program_(math::compile_with_slope(math::parse(formula), kVariable)) {}

template <class Real>
void FormulaUnit::apply(const UnitBlock<Real>& block) const {
  thread_local Space<Real> space;
  const auto lanes = static_cast<std::size_t>(block.lanes);
  // As many units at once as fill the program's lanes: its steps cost a call each.
  const std::size_t most = std::max<std::size_t>(1, math::Program::kLanes / lanes);
  space.hold(most * lanes, math::Program::kLanes * program_.scratch_size());
  std::fill_n(block.sum, lanes, Real{0});
  const auto units = static_cast<std::size_t>(block.units);
  for (std::size_t first = 0; first < units; first += most) {
    const std::size_t rows = std::min(most, units - first);
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t j = 0; j < lanes; ++j)
        space.h[k * lanes + j] = block.h[(first + k) * lanes + j] + block.bias[first + k];
    const std::size_t count = rows * lanes;
    evaluate(program_, std::span<const Real>(space.h).first(count), space.scratch,
             std::span(space.value).first(count), std::span(space.slope).first(count));
    for (std::size_t k = 0; k < rows; ++k) {
      const Real weight = block.readout == nullptr ? Real{1} : block.readout[first + k];
      const Real* value = space.value.data() + k * lanes;
      const Real* slope = space.slope.data() + k * lanes;
      Real* out = block.h + (first + k) * lanes;
      for (std::size_t j = 0; j < lanes; ++j) block.sum[j] += weight * value[j];
      for (std::size_t j = 0; j < lanes; ++j) out[j] = weight * slope[j];
      if (block.readout != nullptr) std::copy_n(value, lanes, block.value + (first + k) * lanes);
    }
  }
}

template void FormulaUnit::apply(const UnitBlock<float>& block) const;
template void FormulaUnit::apply(const UnitBlock<double>& block) const;

}  // namespace sluice::net
