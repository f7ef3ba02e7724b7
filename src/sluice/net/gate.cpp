#include "sluice/net/gate.hpp"

#include <algorithm>

#include "sluice/math/kernels.hpp"

namespace sluice::net {

void open_gates(const Gate& gate, std::span<const float> q, std::span<float> gates) {
  const auto open = static_cast<float>(1 + gate.epsilon);
  if (!gate.soft()) {
    std::transform(q.begin(), q.end(), gates.begin(), [open](float h) { return h >= 0 ? open : 0.0F; });
    return;
  }
  std::copy(q.begin(), q.end(), gates.begin());
  math::logistic(gates, static_cast<float>(gate.beta), open);
}

void open_gates(const Gate& gate, std::span<const double> q, std::span<double> gates) {
  std::transform(q.begin(), q.end(), gates.begin(), [&](double h) { return gate.value(h); });
}

}  // namespace sluice::net
