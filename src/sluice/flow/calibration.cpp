#include "sluice/flow/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "sluice/math/fft.hpp"

namespace sluice::flow {
namespace {

/// Solves V y = b for a positive semi-definite V of which the lower triangle is given (and overwritten); directions in
/// which V has next to no variance are left out (y = 0 there).
std::vector<double> solve(std::vector<double>& v, std::vector<double> b) {
  constexpr double kNothing = 1e-9;  // of the diagonal
  const std::size_t size = b.size();
  std::vector<double> pivot(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double diagonal = v[j * size + j];
    double left = diagonal;
    for (std::size_t k = 0; k < j; ++k) left -= v[j * size + k] * v[j * size + k] * pivot[k];
    pivot[j] = left > kNothing * diagonal ? left : 0;
    for (std::size_t i = j + 1; i < size; ++i) {
      double entry = v[i * size + j];
      for (std::size_t k = 0; k < j; ++k) entry -= v[i * size + k] * v[j * size + k] * pivot[k];
      v[i * size + j] = pivot[j] > 0 ? entry / pivot[j] : 0;
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= v[i * size + k] * b[k];
  }
  for (std::size_t i = 0; i < size; ++i) b[i] = pivot[i] > 0 ? b[i] / pivot[i] : 0;
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) b[i] -= v[k * size + i] * b[k];
  }
  return b;
}

/// E|x̂_k|²/n for k = 0 … n/2.
std::vector<double> expected_power(const task::Moments& moments, const math::Fft& fft) {
  std::vector<math::Fft::Complex> sums(moments.covariance.begin(), moments.covariance.end());
  std::vector<math::Fft::Complex> scratch(fft.scratch_length());
  fft.forward(sums, scratch);
  std::vector<double> power;
  for (std::size_t k = 0; k <= sums.size() / 2; ++k) power.push_back(sums[k].real());
  power[0] += static_cast<double>(sums.size()) * moments.mean * moments.mean;
  return power;
}

}  // namespace

std::vector<double> calibrated_weights(std::span<const float> x, std::int64_t n, std::int64_t stride,
                                       const task::Moments& moments, bool even) {
  const auto sites = static_cast<std::size_t>(n);
  const std::size_t samples = x.size() / static_cast<std::size_t>(stride);
  const math::Fft fft(sites);
  const std::vector<double> power = expected_power(moments, fft);
  // Powers at the level of float rounding are noise, not a control.
  const double least = 1e-6 * *std::max_element(power.begin(), power.end());
  std::vector<std::size_t> frequencies;
  for (std::size_t k = 0; k < power.size(); ++k) {
    if (power[k] > least) frequencies.push_back(k);
  }
  // The covariance of many controls costs more than it gains: keep the strongest.
  constexpr std::size_t kMostFrequencies = 64;
  std::ranges::stable_sort(frequencies, std::greater(), [&](std::size_t k) { return power[k]; });
  frequencies.resize(std::min(frequencies.size(), kMostFrequencies));
  const std::size_t controls = frequencies.size() + (even ? 0 : 1);
  std::vector<double> weights(samples, 1.0);
  constexpr std::size_t kSamplesPerControl = 10;
  if (samples < kSamplesPerControl * controls) return weights;

  std::vector<double> deviations;  // [samples, controls], relative to the expected power
  deviations.reserve(samples * controls);
  std::vector<math::Fft::Complex> spectrum(sites);
  std::vector<math::Fft::Complex> scratch(fft.scratch_length());
  for (std::size_t m = 0; m < samples; ++m) {
    for (std::size_t i = 0; i < sites; ++i) {
      spectrum[i] = static_cast<double>(x[m * static_cast<std::size_t>(stride) + i]);
    }
    fft.forward(spectrum, scratch);
    for (const std::size_t k : frequencies) {
      deviations.push_back(std::norm(spectrum[k]) / static_cast<double>(n) / power[k] - 1);
    }
    if (!even) deviations.push_back(spectrum[0].real() / static_cast<double>(n) - moments.mean);
  }

  std::vector<double> mean(controls, 0.0);
  for (std::size_t at = 0; at < deviations.size(); ++at) mean[at % controls] += deviations[at];
  for (double& value : mean) value /= static_cast<double>(samples);
  std::vector<double> covariance(controls * controls, 0.0);
  for (std::size_t m = 0; m < samples; ++m) {
    double* a = deviations.data() + m * controls;
    for (std::size_t i = 0; i < controls; ++i) a[i] -= mean[i];
    for (std::size_t i = 0; i < controls; ++i) {
      for (std::size_t j = 0; j <= i; ++j) covariance[i * controls + j] += a[i] * a[j];
    }
  }
  for (double& value : covariance) value /= static_cast<double>(samples);
  const std::vector<double> slope = solve(covariance, mean);
  for (std::size_t m = 0; m < samples; ++m) {
    for (std::size_t i = 0; i < controls; ++i) weights[m] -= slope[i] * deviations[m * controls + i];
  }
  return weights;
}

}  // namespace sluice::flow
