#include "sluice/theory/uncertainty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/math/symmetric.hpp"

namespace sluice::theory {
namespace {

/// (n/2π)√(1 − r²)
double spread_of(double resultant, std::size_t n) {
  return static_cast<double>(n) / (2 * std::numbers::pi) *
         std::sqrt(std::max(1 - resultant * resultant, 0.0));
}

/// Of a real field whose spectrum is one packet around 0, centred at site 0.
Packet packet_of(const Vector& field) {
  const std::size_t n = field.size();
  double energy = 0, in_space = 0, in_frequency = 0;
  for (std::size_t x = 0; x < n; ++x) {
    const double square = field[x] * field[x];
    energy += square;
    in_space += square * std::cos(2 * std::numbers::pi * static_cast<double>(x) / static_cast<double>(n));
    in_frequency += field[x] * field[(x + 1) % n];  // Σ_f P_f e^(2πif/n)
  }
  const double dx = spread_of(in_space / energy, n), df = spread_of(in_frequency / energy, n);
  return {dx, 4 * std::numbers::pi * dx * df / static_cast<double>(n)};
}

/// The width at which a Gaussian packet spreads over this many sites.
double width_of_spread(std::int64_t n, double spread) {
  double low = 0.05, high = static_cast<double>(n);
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (gaussian_packet(n, middle).spread < spread ? low : high) = middle;
  }
  return low;
}

}  // namespace

LeastUncertain least_uncertain(std::int64_t n, double angle) {
  const auto sites = static_cast<std::size_t>(n);
  std::vector<double> h(sites * sites);
  for (std::size_t x = 0; x < sites; ++x) {
    const std::size_t next = (x + 1) % sites;
    h[x * sites + x] += std::cos(angle) *
                        std::cos(2 * std::numbers::pi * static_cast<double>(x) / static_cast<double>(sites));
    h[x * sites + next] += std::sin(angle) / 2;
    h[next * sites + x] += std::sin(angle) / 2;
  }
  const math::SymmetricEigen eigen = math::symmetric_eigen(std::move(h), n);
  const Vector top(eigen.vectors.data() + (sites - 1) * sites, sites);
  const Packet packet = packet_of(top);
  return {packet.spread, packet.uncertainty, top};
}

Packet gaussian_packet(std::int64_t n, double width) {
  Vector field(static_cast<std::size_t>(n));
  for (std::int64_t x = 0; x < n; ++x) {
    const double d = static_cast<double>(math::ring_distance(x, 0, n)) / width;
    field[static_cast<std::size_t>(x)] = std::exp(-d * d / 2);
  }
  return packet_of(field);
}

Table uncertainty_table(const Request& request) {
  constexpr std::int64_t kMostSites = 128;  // a thousand eigenvalue problems
  const auto task = request.task.make();
  const std::int64_t n = task->inputs();
  if (!task->layout().on_ring() || n < 3 || n > kMostSites)
    throw InputError(
        fmt::format("uncertainty: task.n = {}: expected a ring of 3 to {} sites", n, kMostSites));
  Table table{{"spread", "least", "Gabor"}, {}};
  table.picture = {.kind = Picture::Kind::curves,
                   .title = fmt::format("Least uncertainty on a ring of {} sites", n),
                   .y = "4πΔxΔf/n",
                   .x = "spread Δx (sites)"};
  constexpr int kRows = 40;
  for (int i = 1; i < kRows; ++i) {
    const double spread = static_cast<double>(n) / (2 * std::numbers::pi) * i / kRows;
    double low = 0, high = std::numbers::pi / 2;  // the larger the angle, the wider the field
    for (int halving = 0; halving < 24; ++halving) {
      const double middle = (low + high) / 2;
      (least_uncertain(n, middle).spread < spread ? low : high) = middle;
    }
    const LeastUncertain least = least_uncertain(n, low);
    table.rows.push_back(
        {least.spread, least.uncertainty, gaussian_packet(n, width_of_spread(n, least.spread)).uncertainty});
  }
  return table;
}

}  // namespace sluice::theory
