#include "sluice/task/ising.hpp"

#include <cmath>

#include "sluice/math/ring.hpp"

namespace sluice::task {

void IsingOptions::describe(spec::Keys& keys) {
  describe_sites(keys);
  // At J = 6 neighbours differ once in 160,000 bonds, and the uniform numbers resolve that to 1e-4 of its value.
  const spec::Range range{.low = 0, .high = 6, .open_low = true, .expected = "a positive number up to 6"};
  keys.pair("coupling", coupling, range,
            "couplings J of the two classes, correlation tanh(J)^d up to the ring's closure");
  describe_classes(keys);
}

std::unique_ptr<Task> IsingOptions::make() const { return std::make_unique<Ising>(*this); }

Ising::Ising(const IsingOptions& options) : Task(options.classes), options_(options) {
  for (std::size_t c = 0; c < 2; ++c) {
    const double coupling = options.coupling[c];
    const double one_minus_t = 2 / (std::exp(2 * coupling) + 1);
    const double log_t = std::log1p(-one_minus_t);
    for (std::int64_t i = 1; i < options.n; ++i) {
      const auto left = static_cast<double>(options.n - i);
      // expm1: for strong coupling t^m is close to 1
      const double alike = one_minus_t * -std::expm1(left * log_t) / (2 * (1 + std::exp((left + 1) * log_t)));
      const double opposite =
          one_minus_t * (1 + std::exp(left * log_t)) / (2 * -std::expm1((left + 1) * log_t));
      flips_[c].push_back({static_cast<float>(alike), static_cast<float>(opposite)});
    }
  }
}

Moments Ising::moments(int which_class) const {
  const auto n = static_cast<double>(options_.n);
  const double t = std::tanh(options_.coupling.at(static_cast<std::size_t>(which_class)));
  Moments moments{.covariance = {}, .excess_kurtosis = -2};
  for (std::int64_t i = 0; i < options_.n; ++i) {
    const auto d = static_cast<double>(math::ring_distance(0, i, options_.n));
    moments.covariance.push_back((std::pow(t, d) + std::pow(t, n - d)) / (1 + std::pow(t, n)));
  }
  return moments;
}

void Ising::sample(const math::Address& first, int which_class, const math::Lanes& x,
                   const math::Lanes& scratch) const {
  math::fill_uniforms(first, scratch);
  for (std::int64_t r = 0; r < x.stride; ++r) x.data[r] = scratch.data[r] <= 0.5F ? 1.0F : -1.0F;
  for (std::int64_t i = 1; i < x.sites; ++i) {
    const Flip flip = flips_[static_cast<std::size_t>(which_class)][static_cast<std::size_t>(i - 1)];
    const float* before = x.data + (i - 1) * x.stride;
    const float* uniform = scratch.data + i * x.stride;
    float* now = x.data + i * x.stride;
    for (std::int64_t r = 0; r < x.stride; ++r) {
      const float chance = before[r] == x.data[r] ? flip.alike : flip.opposite;
      now[r] = uniform[r] <= chance ? -before[r] : before[r];
    }
  }
}

}  // namespace sluice::task
