#include "sluice/flow/differenced.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sluice/math/stopping.hpp"

namespace sluice::flow {

void central_differences(const std::function<void(std::span<const double>, std::span<double>)>& f,
                         std::span<const double> w, std::span<double> out) {
  constexpr double kShare = 3e-5;
  double largest = 0;
  for (const double value : w) largest = std::max(largest, std::abs(value));
  const double step = kShare * largest;
  std::vector<double> at(w.begin(), w.end());
  std::vector<double> up(w.size()), down(w.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    math::stop_if_asked();  // two values of some functions take a millisecond
    at[j] = w[j] + step;
    f(at, up);
    at[j] = w[j] - step;
    f(at, down);
    at[j] = w[j];
    for (std::size_t i = 0; i < w.size(); ++i) out[i * w.size() + j] = (up[i] - down[i]) / (2 * step);
  }
}

void DifferencedResponse::derivative(std::span<const double> w, std::span<double> out) const {
  central_differences([this](std::span<const double> at, std::span<double> f) { response_->single(at, f); },
                      w, out);
}

}  // namespace sluice::flow
