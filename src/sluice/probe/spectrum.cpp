#include "sluice/probe/spectrum.hpp"

#include <algorithm>

namespace sluice::probe {
FieldFourier::FieldFourier(std::int64_t sites)
    : plan_(sites), halves_(static_cast<std::size_t>(sites), 0.5F) {
  halves_[0] = 1;
  if (sites % 2 == 0) halves_[1] = 1;
}

// RealFourier sums modes into sites. With A_k = ½(w_k + w_(n−k)) − ½i(w_k − w_(n−k)) for modes, its sites are the Hartley
// transform H_j = Σ_i w_i (cos + sin)(2πij/n), and û_j, v̂_j = ½(H_j ± H_(n−j)).
FieldSpectra FieldFourier::analyse(std::span<const float> fields) const {
  const std::int64_t n = plan_.sites();
  const std::int64_t units = static_cast<std::int64_t>(fields.size()) / n;
  FieldSpectra spectra{units, n, math::whole_vectors(units), {}, {}};
  const auto size = static_cast<std::size_t>(spectra.frequencies() * spectra.stride);
  spectra.cosine.assign(size, 0);
  spectra.sine.assign(size, 0);
  math::LanesBuffer<float> modes(n, math::kBlockSamples);
  math::LanesBuffer<float> sums(n, math::kBlockSamples);
  for (std::int64_t first = 0; first < units; first += math::kBlockSamples) {
    const std::int64_t count = std::min(math::kBlockSamples, units - first);
    const math::Lanes m = modes.lanes(count);
    const math::Lanes h = sums.lanes(count);
    std::ranges::fill(m.all(), 0.0F);
    for (std::int64_t r = 0; r < count; ++r) {
      const float* w = fields.data() + (first + r) * n;
      m.at(0, r) = w[0];
      if (n % 2 == 0) m.at(1, r) = w[n / 2];
      for (std::int64_t k = 1; 2 * k < n; ++k) {
        m.at(spectra.real_row(k), r) = w[k] + w[n - k];
        m.at(spectra.imaginary_row(k), r) = w[n - k] - w[k];
      }
    }
    plan_.synthesize({m.data, m.stride}, {h.data, h.stride}, halves_, m.stride);
    for (std::int64_t j = 0; j < spectra.frequencies(); ++j) {
      float* cosine = spectra.cosine.data() + j * spectra.stride + first;
      float* sine = spectra.sine.data() + j * spectra.stride + first;
      const std::int64_t mirror = (n - j) % n;
      for (std::int64_t r = 0; r < count; ++r) {
        cosine[r] = 0.5F * (h.at(j, r) + h.at(mirror, r));
        sine[r] = 0.5F * (h.at(j, r) - h.at(mirror, r));
      }
    }
  }
  return spectra;
}

std::vector<float> power_shares(const FieldSpectra& spectra) {
  const auto units = static_cast<std::size_t>(spectra.units);
  const auto frequencies = static_cast<std::size_t>(spectra.frequencies());
  std::vector<float> shares(units * frequencies);
  std::vector<double> totals(units);
  for (std::size_t j = 0; j < frequencies; ++j) {
    const double multiplicity = spectra.multiplicity(static_cast<std::int64_t>(j));
    const std::size_t row = j * static_cast<std::size_t>(spectra.stride);
    for (std::size_t k = 0; k < units; ++k) {
      const double u = spectra.cosine[row + k];
      const double v = spectra.sine[row + k];
      const double power = multiplicity * (u * u + v * v);
      totals[k] += power;
      shares[k * frequencies + j] = static_cast<float>(power);
    }
  }
  for (std::size_t k = 0; k < units; ++k) {
    const auto inverse = static_cast<float>(1 / totals[k]);
    for (std::size_t j = 0; j < frequencies; ++j) shares[k * frequencies + j] *= inverse;
  }
  return shares;
}

std::int64_t power_peak(std::span<const float> shares) {
  return std::max_element(shares.begin(), shares.end()) - shares.begin();
}

double mean_frequency(std::span<const float> shares) {
  double sum = 0;
  for (std::size_t j = 0; j < shares.size(); ++j) sum += static_cast<double>(j) * shares[j];
  return sum;
}

}  // namespace sluice::probe
