#include "sluice/theory/vector_relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sluice/theory/sampling.hpp"

namespace sluice::theory {

double relaxed_margin(std::span<const double> w) {
  double largest = 0;
  double sum = 0;
  for (const double value : w) {
    largest = std::max(largest, std::abs(value));
    sum += std::abs(value);
  }
  return std::max(0.0, 2 * largest - sum);
}

double solved_relaxation(std::span<const double> w) {
  constexpr int kMostRounds = 10'000;
  const auto rank = static_cast<std::size_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(w.size())))) + 1;
  std::vector<Vector> v;
  Vector sum(rank);
  double size = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    v.push_back(trial_weights(rank, static_cast<std::uint32_t>(i)));
    v.back() /= norm(v.back());
    sum += w[i] * v.back();
    size += std::abs(w[i]);
  }
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds && norm(sum) < before - 1e-15 * size; ++round) {
    before = norm(sum);
    for (std::size_t i = 0; i < w.size(); ++i) {
      const Vector others = sum - w[i] * v[i];
      const double length = norm(others);
      if (length == 0 || w[i] == 0) continue;
      v[i] = (w[i] > 0 ? -1 : 1) / length * others;
      sum = others + w[i] * v[i];
    }
  }
  return norm(sum);
}

}  // namespace sluice::theory
