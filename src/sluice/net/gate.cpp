#include "sluice/net/gate.hpp"

#include <algorithm>

#include "sluice/math/kernels.hpp"

namespace sluice::net {
namespace {

const std::string kOfGate = "q";

void open_all(const Gate& gate, std::span<const float> q, std::span<float> gates) {
  const auto open = static_cast<float>(1 + gate.epsilon);
  if (!gate.soft()) {
    std::transform(q.begin(), q.end(), gates.begin(), [open](float h) { return h >= 0 ? open : 0.0F; });
    return;
  }
  std::copy(q.begin(), q.end(), gates.begin());
  math::logistic(gates, static_cast<float>(gate.beta), open);
}

void open_all(const Gate& gate, std::span<const double> q, std::span<double> gates) {
  std::transform(q.begin(), q.end(), gates.begin(), [&](double h) { return gate.value(h); });
}

}  // namespace

std::string complaint_about_gate(const std::string& formula) { return complaint_about(formula, kOfGate); }

GateFunction::GateFunction(const std::string& formula) : formula_(Formula(formula, kOfGate)) {}

template <class Real>
void GateFunction::open(std::span<const Real> q, std::span<Real> gates, std::span<Real> slopes) const {
  if (formula_ && slopes.empty()) return formula_->evaluate(q, gates);
  if (formula_) return formula_->evaluate(q, gates, slopes);
  open_all(gate_, q, gates);
  const auto beta = static_cast<Real>(gate_.beta);
  const auto full = static_cast<Real>(1 + gate_.epsilon);
  for (std::size_t i = 0; i < slopes.size(); ++i)
    slopes[i] = gate_.soft() ? beta * gates[i] * (full - gates[i]) / full : Real{0};
}

template void GateFunction::open(std::span<const float> q, std::span<float> gates,
                                 std::span<float> slopes) const;
template void GateFunction::open(std::span<const double> q, std::span<double> gates,
                                 std::span<double> slopes) const;

}  // namespace sluice::net
