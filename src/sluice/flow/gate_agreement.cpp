#include "sluice/flow/gate_agreement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "sluice/math/fourier_basis.hpp"
#include "sluice/math/random.hpp"

namespace sluice::flow {
namespace {

/// [gates, units]: how often they agree.
std::vector<double> shares(const OpenBits& gates, const OpenBits& units, std::int64_t points) {
  std::vector<double> shares;
  for (std::int64_t k = 0; k < gates.gates; ++k) {
    for (std::int64_t j = 0; j < units.gates; ++j) {
      std::int64_t apart = 0;
      for (std::size_t word = 0; word < static_cast<std::size_t>(gates.words); ++word)
        apart += std::popcount(gates.row(k)[word] ^ units.row(j)[word]);
      shares.push_back(1 - static_cast<double>(apart) / static_cast<double>(points));
    }
  }
  return shares;
}

/// The best pair, then the best of the gates and units that are left, and so on.
double matched(std::vector<double> shares, std::int64_t gates, std::int64_t units) {
  const std::int64_t pairs = std::min(gates, units);
  double sum = 0;
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const auto best = std::ranges::max_element(shares) - shares.begin();
    sum += shares[static_cast<std::size_t>(best)];
    for (std::int64_t j = 0; j < units; ++j) shares[static_cast<std::size_t>(best / units * units + j)] = -1;
    for (std::int64_t k = 0; k < gates; ++k) shares[static_cast<std::size_t>(k * units + best % units)] = -1;
  }
  return sum / static_cast<double>(pairs);
}

math::RowNumbers numbers_of(std::uint64_t seed, std::int64_t draw, std::int64_t unit) {
  // Step 1 are the candidates of a search.
  return {{.seed = seed,
           .purpose = math::Purpose::initial_gates,
           .step = 2 + static_cast<std::uint64_t>(draw),
           .row = static_cast<std::uint32_t>(unit)},
          0};
}

}  // namespace

Agreement agreement(const GatePoints& points, std::span<const float> gates, std::span<const float> units,
                    math::Workers& workers) {
  const auto n = static_cast<std::size_t>(points.inputs);
  const std::size_t count = gates.size() / n;
  const OpenBits theirs = open_bits(points, units, workers);
  std::vector<float> moved;  // [n, K, n]: by 0, 1, … sites
  for (std::size_t by = 0; by < n; ++by)
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < n; ++i) moved.push_back(gates[k * n + (i + n - by) % n]);
  const std::vector<double> all = shares(open_bits(points, moved, workers), theirs, points.count);
  const auto others = static_cast<std::size_t>(theirs.gates);
  const auto best_of = [&](std::size_t by, std::size_t k) {
    const auto own = std::span(all).subspan((by * count + k) * others, others);
    return *std::ranges::max_element(own);
  };
  Agreement agreement;
  for (std::size_t k = 0; k < count; ++k) {
    double shifted = 0;
    for (std::size_t by = 0; by < n; ++by) shifted = std::max(shifted, best_of(by, k));
    agreement.best += best_of(0, k) / static_cast<double>(count);
    agreement.shifted += shifted / static_cast<double>(count);
  }
  agreement.matched = matched({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count * others)},
                              static_cast<std::int64_t>(count), theirs.gates);
  return agreement;
}

std::vector<float> random_phases(std::span<const float> gates, std::int64_t inputs, std::uint64_t seed,
                                 std::int64_t draw) {
  const math::FourierBasis basis(inputs);
  const auto n = static_cast<std::size_t>(inputs);
  std::vector<float> all;
  for (std::size_t k = 0; k * n < gates.size(); ++k) {
    math::RowNumbers numbers = numbers_of(seed, draw, static_cast<std::int64_t>(k));
    const auto v = gates.subspan(k * n, n);
    std::vector<double> modes = basis.analyse(std::vector<double>(v.begin(), v.end()));
    for (std::int64_t mode = 0; mode < inputs; ++mode) {
      const std::int64_t partner = basis.partner(mode);
      if (partner < mode) continue;
      double &a = modes[static_cast<std::size_t>(mode)], &b = modes[static_cast<std::size_t>(partner)];
      const double angle = 2 * std::numbers::pi * numbers.uniform(), length = std::hypot(a, b);
      if (partner == mode) {
        a = angle < std::numbers::pi ? a : -a;
      } else {
        a = length * std::cos(angle);
        b = length * std::sin(angle);
      }
    }
    for (const double value : basis.synthesise(modes)) all.push_back(static_cast<float>(value));
  }
  return all;
}

std::vector<float> random_gates(std::int64_t units, std::int64_t inputs, std::uint64_t seed,
                                std::int64_t draw) {
  std::vector<float> all;
  for (std::int64_t k = 0; k < units; ++k) {
    math::RowNumbers numbers = numbers_of(seed, draw, k);
    for (std::int64_t i = 0; i < inputs; ++i) all.push_back(static_cast<float>(numbers.normal()));
  }
  return all;
}

}  // namespace sluice::flow
