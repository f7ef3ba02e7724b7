#include "sluice/flow/differenced.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::flow {

void DifferencedResponse::derivative(std::span<const double> w, std::span<double> out) const {
  constexpr double kShare = 3e-5;
  double largest = 0;
  for (const double value : w) largest = std::max(largest, std::abs(value));
  const double step = kShare * largest;
  std::vector<double> at(w.begin(), w.end());
  std::vector<double> up(w.size()), down(w.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    at[j] = w[j] + step;
    response_->single(at, up);
    at[j] = w[j] - step;
    response_->single(at, down);
    at[j] = w[j];
    for (std::size_t i = 0; i < w.size(); ++i) out[i * w.size() + j] = (up[i] - down[i]) / (2 * step);
  }
}

}  // namespace sluice::flow
