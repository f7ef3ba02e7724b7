#include "sluice/net/formula_unit.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace sluice::net {
namespace {

const std::string kOfUnit = "h";

/// h + b, σ(h) and σ'(h) of some rows of units.
template <class Real>
struct Space {
  std::vector<Real> h, value, slope;

  void hold(std::size_t numbers) {
    for (auto* each : {&h, &value, &slope})
      if (each->size() < numbers) each->resize(numbers);
  }
};

}  // namespace

std::string complaint_about_unit(const std::string& formula) { return complaint_about(formula, kOfUnit); }

FormulaUnit::FormulaUnit(const std::string& formula) : formula_(formula, kOfUnit) {}

template <class Real>
void FormulaUnit::apply(const UnitBlock<Real>& block) const {
  thread_local Space<Real> space;
  const auto lanes = static_cast<std::size_t>(block.lanes);
  // As many units at once as fill the program's lanes: its steps cost a call each.
  const std::size_t most = std::max<std::size_t>(1, math::Program::kLanes / lanes);
  space.hold(most * lanes);
  std::fill_n(block.sum, lanes, Real{0});
  const auto units = static_cast<std::size_t>(block.units);
  for (std::size_t first = 0; first < units; first += most) {
    const std::size_t rows = std::min(most, units - first);
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t j = 0; j < lanes; ++j)
        space.h[k * lanes + j] = block.h[(first + k) * lanes + j] + block.bias[first + k];
    const std::size_t count = rows * lanes;
    formula_.evaluate(std::span<const Real>(space.h).first(count), std::span(space.value).first(count),
                      std::span(space.slope).first(count));
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
