#include "sluice/theory/localized.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "sluice/math/bessel.hpp"

namespace sluice::theory {
namespace {

constexpr std::size_t kShifts = LocalizedEvidence::kShifts;
constexpr std::size_t kFewestSites = 8;
constexpr double kConcentrated = 0.5;
constexpr double kLevel = 0.01;
constexpr double kRounding = 1e-6;  // of the power Σ|ŵ|²: steps that add up to less are rounding errors
constexpr int kScales = 25;         // s = 2^(j/2)/Σc, up to 4096/Σc: two steps never suffice

double log_level(std::size_t q) { return std::log(kLevel) - static_cast<double>(q) * std::numbers::ln2; }

/// The steps c_k and the distance |T|, over the length Σc of the walk.
struct Walk {
  std::vector<double> lengths;
  double distance = 0;
};

/// Empty when there is nothing to walk.
Walk walk(const std::vector<std::complex<double>>& steps, double power) {
  Walk walk;
  std::complex<double> end = 0;
  double total = 0;
  for (const std::complex<double>& step : steps) {
    walk.lengths.push_back(std::sqrt(std::norm(step)));
    total += walk.lengths.back();
    end += step;
  }
  if (!(total > kRounding * power)) return {};
  for (double& length : walk.lengths) length /= total;
  walk.distance = std::sqrt(std::norm(end)) / total;
  return walk;
}

/// ln of Π_k I₀(s c_k)/I₀(s|T|), or anything above `enough` as soon as it is known to be above: every factor I₀ is at least 1.
double log_bound(const Walk& walk, double s, double enough) {
  double bound = -math::log_i0(s * walk.distance);
  for (const double length : walk.lengths) {
    if (bound > enough) break;
    bound += math::log_i0(s * length);
  }
  return bound;
}

double log_p(const Walk& walk) {
  double least = 0;
  for (int j = 0; j < kScales && !walk.lengths.empty(); ++j)
    least = std::min(least, log_bound(walk, std::exp2(0.5 * j), least));
  return least;
}

/// Whether p ≤ its level; looks only for that.
bool unlikely(const Walk& walk, double level) {
  for (int j = 0; j < kScales && !walk.lengths.empty(); ++j)
    if (log_bound(walk, std::exp2(0.5 * j), level) <= level) return true;
  return false;
}

}  // namespace

bool LocalizedEvidence::localized() const {
  for (std::size_t q = 1; q <= kShifts; ++q)
    if (concentration[q - 1] >= kConcentrated && log_p[q - 1] <= log_level(q)) return true;
  return false;
}

Localization::Localization(std::int64_t sites, std::int64_t side)
    : sites_(static_cast<std::size_t>(sites)),
      side_(static_cast<std::size_t>(side)),
      length_(side == 0 ? sites_ : side_),
      highest_(length_ == 0 ? 0 : (length_ - 1) / 2),
      fourier_(std::max<std::int64_t>(sites, 1), side) {
  if (sites < 0 || side < 0 || (side > 0 && side * side != sites))
    throw std::invalid_argument("Localization: expected a ring, or side × side sites");
  for (std::size_t x = 0; x < length_; ++x)
    turns_.push_back(
        std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(x) / static_cast<double>(length_)));
}

/// Σw² = 1; empty where the field is zero, not finite, or too short.
std::vector<double> Localization::normalised(std::span<const float> field) const {
  if (field.size() != sites_) throw std::invalid_argument("Localization: a field of another number of sites");
  double energy = 0;
  for (const float w : field) energy += static_cast<double>(w) * w;
  if (length_ < kFewestSites || !(energy > 0) || !std::isfinite(energy)) return {};
  const double scale = 1 / std::sqrt(energy);
  std::vector<double> out(field.begin(), field.end());
  for (double& w : out) w *= scale;
  return out;
}

/// R_q of the energy along an axis: 0 is that of the rows of a torus, or a ring's only one; 1 is along the rows.
std::array<double, kShifts> Localization::concentration(const std::vector<double>& field,
                                                        std::size_t axis) const {
  std::vector<double> energy(length_, 0.0);
  for (std::size_t i = 0; i < field.size(); ++i)
    energy[side_ == 0 ? i : axis == 0 ? i / side_ : i % side_] += field[i] * field[i];
  std::array<double, kShifts> out{};
  for (std::size_t q = 1; q <= std::min(kShifts, highest_); ++q) {
    Complex sum = 0;
    for (std::size_t x = 0, turn = 0; x < length_; ++x, turn += q) {
      if (turn >= length_) turn -= length_;
      sum += energy[x] * turns_[turn];
    }
    out[q - 1] = std::abs(sum);
  }
  return out;
}

/// ŵ, or its complex conjugate: all that follows is the same for both.
std::vector<std::complex<double>> Localization::modes(const std::vector<double>& field) const {
  std::vector<Complex> modes(field.begin(), field.end());
  fourier_.sum(modes);
  return modes;
}

std::vector<std::complex<double>> Localization::steps(const std::vector<Complex>& modes, std::size_t axis,
                                                      std::size_t q) const {
  std::vector<Complex> steps;
  const auto add = [&](const Complex& from, const Complex& to) {  // to·from*, without a check for infinities
    steps.emplace_back(to.real() * from.real() + to.imag() * from.imag(),
                       to.imag() * from.real() - to.real() * from.imag());
  };
  if (side_ == 0) {
    for (std::size_t k = 0; k + q <= highest_; ++k) add(modes[k], modes[k + q]);
    return steps;
  }
  const auto highest = static_cast<std::ptrdiff_t>(highest_), shift = static_cast<std::ptrdiff_t>(q);
  const auto at = [&](std::size_t across, std::ptrdiff_t along) -> const Complex& {
    const std::size_t wrapped =
        along < 0 ? side_ - static_cast<std::size_t>(-along) : static_cast<std::size_t>(along);
    return axis == 0 ? modes[wrapped * side_ + across] : modes[across * side_ + wrapped];
  };
  for (std::size_t across = 0; across <= highest_; ++across)
    for (std::ptrdiff_t k = across == 0 ? 0 : -highest; k + shift <= highest; ++k)
      add(at(across, k), at(across, k + shift));
  return steps;
}

bool Localization::localized(std::span<const float> field) const {
  const std::vector<double> w = normalised(field);
  if (w.empty()) return false;
  std::array<std::array<double, kShifts>, 2> r{};
  for (std::size_t axis = 0; axis < axes(); ++axis) {
    r[axis] = concentration(w, axis);
    if (*std::ranges::max_element(r[axis]) < kConcentrated) return false;  // no transform is needed
  }
  const std::vector<Complex> transformed = modes(w);
  const auto along = [&](std::size_t axis) {
    for (std::size_t q = 1; q <= kShifts; ++q)
      if (r[axis][q - 1] >= kConcentrated &&
          unlikely(walk(steps(transformed, axis, q), static_cast<double>(sites_)), log_level(q)))
        return true;
    return false;
  };
  return along(0) && (axes() == 1 || along(1));
}

std::vector<LocalizedEvidence> Localization::evidence(std::span<const float> field) const {
  std::vector<LocalizedEvidence> out(axes());
  const std::vector<double> w = normalised(field);
  if (w.empty()) return out;
  const std::vector<Complex> transformed = modes(w);
  for (std::size_t axis = 0; axis < axes(); ++axis) {
    out[axis].concentration = concentration(w, axis);
    for (std::size_t q = 1; q <= kShifts; ++q)
      if (out[axis].concentration[q - 1] >= kConcentrated)
        out[axis].log_p[q - 1] = log_p(walk(steps(transformed, axis, q), static_cast<double>(sites_)));
  }
  return out;
}

}  // namespace sluice::theory
