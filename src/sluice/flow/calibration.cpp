#include "sluice/flow/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sluice/math/fourier_basis.hpp"

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

/// The modes of one frequency (of one pair of frequencies on a torus): its power is Σ u²/expected over them.
struct Frequency {
  double power = 0;  // E Σ u²
  std::vector<std::size_t> modes;
};

/// The strongest frequencies, strongest first.
std::vector<Frequency> strongest_frequencies(const task::Task& task, const task::Moments& moments,
                                             const math::FourierBasis& basis) {
  const auto side = static_cast<std::size_t>(task.side());
  const std::vector<double> lambda = basis.eigenvalues(moments.covariance);
  const std::size_t per_axis = side / 2 + 1;
  std::vector<Frequency> frequencies(task.dimensions() == 1 ? per_axis : per_axis * per_axis);
  const auto of = [](std::size_t mode) { return (mode + 1) / 2; };
  for (std::size_t mode = 0; mode < lambda.size(); ++mode) {
    Frequency& frequency = frequencies[of(mode / side) * per_axis + of(mode % side)];
    frequency.power += lambda[mode];
    frequency.modes.push_back(mode);
  }
  frequencies[0].power += static_cast<double>(lambda.size()) * moments.mean * moments.mean;

  std::ranges::stable_sort(frequencies, std::greater(), &Frequency::power);
  // The covariance of many controls costs more than it gains; powers at the level of float rounding are noise.
  constexpr std::size_t kMost = 64;
  frequencies.resize(std::min(frequencies.size(), kMost));
  std::erase_if(frequencies,
                [least = 1e-6 * frequencies[0].power](const Frequency& f) { return f.power <= least; });
  return frequencies;
}

}  // namespace

std::vector<double> calibrated_weights(std::span<const float> x, std::int64_t stride, const task::Task& task,
                                       const task::Moments& moments) {
  const auto sites = static_cast<std::size_t>(task.inputs());
  const math::FourierBasis basis(task.side(), task.dimensions());
  const std::vector<Frequency> frequencies = strongest_frequencies(task, moments, basis);
  const std::size_t samples = x.size() / static_cast<std::size_t>(stride);
  const std::size_t controls = frequencies.size() + (task.even() ? 0 : 1);
  std::vector<double> weights(samples, 1.0);
  constexpr std::size_t kSamplesPerControl = 10;
  if (samples < kSamplesPerControl * controls) return weights;

  std::vector<double> deviations;  // [samples, controls], relative to the expected power
  deviations.reserve(samples * controls);
  std::vector<double> sample(sites);
  for (std::size_t m = 0; m < samples; ++m) {
    std::copy_n(x.data() + m * static_cast<std::size_t>(stride), sites, sample.begin());
    const std::vector<double> u = basis.analyse(sample);
    for (const Frequency& frequency : frequencies) {
      double power = 0;
      for (const std::size_t mode : frequency.modes) power += u[mode] * u[mode];
      deviations.push_back(power / frequency.power - 1);
    }
    if (!task.even()) deviations.push_back(u[0] / std::sqrt(static_cast<double>(sites)) - moments.mean);
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
