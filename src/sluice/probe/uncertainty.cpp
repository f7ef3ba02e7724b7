#include "sluice/probe/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sluice::probe {
namespace {

/// 4πΔxΔf/n from the lengths of the two resultants.
double product(double in_space, double in_frequency, std::int64_t sites) {
  const auto spread = [](double resultant) { return std::max(1 - resultant * resultant, 0.0); };
  return static_cast<double>(sites) / std::numbers::pi * std::sqrt(spread(in_space) * spread(in_frequency));
}

}  // namespace

double uncertainty(const FieldSpectra& spectra, std::int64_t unit, const FieldShape& shape) {
  const std::int64_t n = spectra.sites;
  double energy = 0, as_it_is = 0;           // Σ_f P_f cos(2πf/n): the sines of f and −f cancel
  double packet = 0;                         // Σ|ψ̂|² of the analytic signal
  std::complex<double> in_space, frequency;  // its resultants, not yet divided by that
  std::complex<double> before;
  for (std::int64_t j = 0; j < spectra.frequencies(); ++j) {
    const auto at = static_cast<std::size_t>(j * spectra.stride + unit);
    const std::complex<double> amplitude(spectra.cosine[at], -static_cast<double>(spectra.sine[at]));
    const std::complex<double> turn =
        std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n));
    const double multiplicity = spectra.multiplicity(j);
    const double power = multiplicity * std::norm(amplitude);
    energy += power;
    as_it_is += power * turn.real();
    const std::complex<double> one_sided = multiplicity * amplitude;
    packet += std::norm(one_sided);
    frequency += std::norm(one_sided) * turn;
    in_space +=
        before * std::conj(one_sided);  // Σ_x |ψ_x|² e^(2πix/n), by the frequencies that differ by one
    before = one_sided;
  }
  if (!(energy > 0) || n < 3) return std::nan("");
  return std::min(product(1 - shape.variance, as_it_is / energy, n),
                  product(std::abs(in_space) / packet, std::abs(frequency) / packet, n));
}

}  // namespace sluice::probe
