/// L = ½(ŷ−y)² and its derivative ŷ−y.                                                                  ledger: N0.3
#pragma once

namespace sluice::learn {

template <class Real>
constexpr Real half_squared_error(Real output, Real label) {
  return Real{0.5} * (output - label) * (output - label);
}

template <class Real>
constexpr Real half_squared_error_slope(Real output, Real label) {
  return output - label;
}

}  // namespace sluice::learn
