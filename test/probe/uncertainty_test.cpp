/// Spread in space times spread in frequency: against sums written out, the published bound, and packets that are known.
#include "sluice/probe/uncertainty.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "sluice/theory/uncertainty.hpp"

namespace sluice::probe {
namespace {

constexpr double kPi = std::numbers::pi;
using Complex = std::complex<double>;

struct Resultants {
  double in_space, in_frequency;
};

/// By the definition, every sum written out.
Resultants resultants(const std::vector<Complex>& psi) {
  const std::size_t n = psi.size();
  const auto turn = [n](double turns) { return std::polar(1.0, 2 * kPi * turns / static_cast<double>(n)); };
  Complex in_space, in_frequency;
  double energy = 0, power = 0;
  for (std::size_t f = 0; f < n; ++f) {
    Complex amplitude;
    for (std::size_t x = 0; x < n; ++x) amplitude += psi[x] * turn(-static_cast<double>(f * x % n));
    in_frequency += std::norm(amplitude) * turn(static_cast<double>(f));
    power += std::norm(amplitude);
    in_space += std::norm(psi[f]) * turn(static_cast<double>(f));
    energy += std::norm(psi[f]);
  }
  return {std::abs(in_space) / energy, std::abs(in_frequency) / power};
}

double product(const Resultants& r, std::size_t n) {
  return static_cast<double>(n) / kPi *
         std::sqrt((1 - r.in_space * r.in_space) * (1 - r.in_frequency * r.in_frequency));
}

/// w without its frequencies below 0.
std::vector<Complex> analytic(const std::vector<float>& w) {
  const std::size_t n = w.size();
  std::vector<Complex> psi(n);
  for (std::size_t f = 0; f <= n / 2; ++f) {
    Complex amplitude;
    for (std::size_t x = 0; x < n; ++x)
      amplitude += static_cast<double>(w[x]) *
                   std::polar(1.0, -2 * kPi * static_cast<double>(f * x % n) / static_cast<double>(n));
    const double twice = f == 0 || 2 * f == n ? 1 : 2;
    for (std::size_t x = 0; x < n; ++x)
      psi[x] += twice * amplitude *
                std::polar(1.0, 2 * kPi * static_cast<double>(f * x % n) / static_cast<double>(n));
  }
  return psi;
}

double measured(const std::vector<float>& w) {
  const auto n = static_cast<std::int64_t>(w.size());
  return uncertainty(FieldFourier(n).analyse(w), 0, RingAngles(n).shape(w));
}

std::vector<float> packet(std::size_t n, double centre, double width, double frequency, double phase) {
  std::vector<float> w;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = std::remainder(static_cast<double>(i) - centre, static_cast<double>(n));
    w.push_back(static_cast<float>(std::exp(-d * d / (2 * width * width)) *
                                   std::cos(2 * kPi * frequency * d / static_cast<double>(n) + phase)));
  }
  return w;
}

TEST(Uncertainty, IsItsDefinition) {
  std::mt19937 engine(3);
  std::normal_distribution<float> normal;
  for (const std::size_t n : {8U, 9U, 40U, 41U}) {
    std::vector<float> w(n);
    for (float& each : w) each = normal(engine);
    const std::vector<Complex> real(w.begin(), w.end());
    const double want = std::min(product(resultants(real), n), product(resultants(analytic(w)), n));
    EXPECT_NEAR(measured(w), want, 1e-5 * want) << n;
  }
  EXPECT_TRUE(std::isnan(measured(std::vector<float>(40, 0.0F))));
}

/// A bump as it is, a wave packet without its frequencies below 0: both as a Gaussian packet of that width. A bump that is wide against the
/// ring has so few frequencies that its analytic signal is a little less.
TEST(Uncertainty, OfBumpsAndGaborsIsThatOfTheirPacket) {
  for (const double width : {2.0, 3.0})
    EXPECT_NEAR(measured(packet(40, 7.0, width, 0, 0)), theory::gaussian_packet(40, width).uncertainty, 1e-4)
        << width;
  for (const double width : {3.0, 4.0})  // narrower, the packets of f and −f overlap
    EXPECT_NEAR(measured(packet(40, 31.0, width, 8, 0.7)), theory::gaussian_packet(40, width).uncertainty,
                2e-3)
        << width;
}

TEST(Uncertainty, HasALeastThatNoFieldIsBelow) {
  std::mt19937 engine(4);
  std::normal_distribution<double> normal;
  for (const std::int64_t n : {5, 8, 16, 40}) {
    const auto sites = static_cast<std::size_t>(n);
    for (const double angle : {0.2, 0.6, kPi / 4, 1.1, 1.4}) {
      const theory::LeastUncertain least = theory::least_uncertain(n, angle);
      const std::vector<Complex> field(std::begin(least.field), std::end(least.field));
      const Resultants at = resultants(field);
      EXPECT_NEAR(least.uncertainty, product(at, sites), 1e-9);
      const double bound = std::cos(angle) * at.in_space + std::sin(angle) * at.in_frequency;
      for (int trial = 0; trial < 20; ++trial) {  // fields near it, far from it, and with phases
        std::vector<Complex> other = field;
        const double far = std::pow(10.0, trial % 4 - 3);
        for (std::size_t x = 0; x < sites; ++x)
          other[x] = (other[x] + far * Complex(normal(engine), normal(engine))) *
                     std::polar(1.0, 2 * kPi * static_cast<double>(x) * (trial % 5) / static_cast<double>(n));
        const Resultants r = resultants(other);
        EXPECT_LE(std::cos(angle) * r.in_space + std::sin(angle) * r.in_frequency, bound + 1e-12);
      }
      // Massar and Spindel, Phys. Rev. Lett. 100, 190401 (2008), which is not sharp.
      const double a = std::tan(kPi / static_cast<double>(n)), u = 1 - at.in_space * at.in_space,
                   v = 1 - at.in_frequency * at.in_frequency;
      EXPECT_GE((1 + 2 * a) * u * v + a * a * (u + v), a * a);
    }
  }
}

TEST(Uncertainty, OfAGaborIsAlmostTheLeast) {
  const theory::LeastUncertain least = theory::least_uncertain(40, kPi / 4);
  const theory::Packet packet = theory::gaussian_packet(40, std::sqrt(40 / (2 * kPi)));  // Δx = Δf, as there
  EXPECT_NEAR(packet.spread, least.spread, 1e-3);
  EXPECT_GE(packet.uncertainty, least.uncertainty);
  EXPECT_LE(packet.uncertainty, 1.001 * least.uncertainty);
}

}  // namespace
}  // namespace sluice::probe
