#include "sluice/theory/field_panel.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "sluice/math/lattice_fourier.hpp"
#include "sluice/math/stopping.hpp"
#include "sluice/theory/localized.hpp"

namespace sluice::theory {
namespace {

using math::RowNumbers;
using Field = std::vector<double>;
using Width = double (*)(double n);  // of a field on n sites

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kNoise = 0.1;

double between(RowNumbers& random, double low, double high) { return low + (high - low) * random.uniform(); }
double sign(RowNumbers& random) { return random.below(2) == 0 ? 1 : -1; }

template <class Function>
Field on_ring(std::int64_t n, const Function& f) {
  Field w;
  for (std::int64_t x = 0; x < n; ++x) w.push_back(f(static_cast<double>(x)));
  return w;
}

template <class Function>
Field on_torus(std::int64_t n, const Function& f) {
  Field w;
  for (std::int64_t x = 0; x < n; ++x)
    for (std::int64_t y = 0; y < n; ++y) w.push_back(f(static_cast<double>(x), static_cast<double>(y)));
  return w;
}

double bell(double d, double width) { return std::exp(-d * d / (2 * width * width)); }

double norm(const Field& w) {
  double square = 0;
  for (const double value : w) square += value * value;
  return std::sqrt(square);
}

Field normals(std::size_t count, RowNumbers& random) {
  Field w;
  for (std::size_t i = 0; i < count; ++i) w.push_back(random.normal());
  return w;
}

Field noisy(Field w, RowNumbers& random) {
  const Field noise = normals(w.size(), random);
  const double scale = kNoise * norm(w) / norm(noise);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += scale * noise[i];
  return w;
}

/// White noise times exp(−(πℓ|k|/n)²/2) in Fourier space: covariance exp(−d²/ℓ²).
Field smooth_noise(std::int64_t n, std::int64_t side, double length, RowNumbers& random) {
  const Field white = normals(static_cast<std::size_t>(side == 0 ? n : n * n), random);
  std::vector<std::complex<double>> values(white.begin(), white.end());
  const math::LatticeFourier fourier(static_cast<std::int64_t>(values.size()), side);
  fourier.sum(values);
  const auto frequency = [&](std::int64_t k) { return static_cast<double>(std::min(k, n - k)); };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const double k = std::hypot(frequency(at % n), frequency(at / n));
    values[i] *= std::exp(-std::pow(std::numbers::pi * length * k / static_cast<double>(n), 2) / 2);
  }
  fourier.sum(values);  // the field mirrored: the same law
  Field w;
  for (const auto& value : values) w.push_back(value.real());
  return w;
}

// Kinds on a ring.

Field bump(std::int64_t n, double width, RowNumbers& random) {
  const double centre = between(random, 0, static_cast<double>(n));
  return on_ring(n,
                 [&](double x) { return bell(std::remainder(x - centre, static_cast<double>(n)), width); });
}

/// Of equal sign or not; the second has `ratio` … 1 of the height of the first.
Field two_bumps(std::int64_t n, double width, double nearest, double farthest, double ratio,
                RowNumbers& random) {
  const auto length = static_cast<double>(n);
  const double centre = between(random, 0, length), apart = between(random, nearest, farthest);
  const double height = sign(random) * between(random, ratio, 1);
  return on_ring(n, [&](double x) {
    return bell(std::remainder(x - centre, length), width) +
           height * bell(std::remainder(x - centre - apart, length), width);
  });
}

Field gabor(std::int64_t n, double width, RowNumbers& random) {
  const double centre = between(random, 0, static_cast<double>(n));
  const double period = std::max(between(random, 1.5, 4) * width, 2.5), phase = between(random, 0, kTurn);
  return on_ring(n, [&](double x) {
    const double d = std::remainder(x - centre, static_cast<double>(n));
    return bell(d, width) * std::cos(kTurn * d / period + phase);
  });
}

Field mexican_hat(std::int64_t n, double width, RowNumbers& random) {
  const double centre = between(random, 0, static_cast<double>(n));
  return on_ring(n, [&](double x) {
    const double d = std::remainder(x - centre, static_cast<double>(n)) / width;
    return (1 - d * d) * bell(d, 1);
  });
}

Field wave(std::int64_t n, std::int64_t frequency, RowNumbers& random) {
  const double phase = between(random, 0, kTurn);
  return on_ring(n, [&](double x) {
    return std::cos(kTurn * static_cast<double>(frequency) * x / static_cast<double>(n) + phase);
  });
}

Field& operator+=(Field& w, const Field& other) {
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += other[i];
  return w;
}

Field modes(std::int64_t n, int count, RowNumbers& random) {
  Field w(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < count; ++i) {
    Field each = wave(n, random.below(n / 2 + 1), random);
    const double height = between(random, 0.3, 1);
    for (double& value : each) value *= height;
    w += each;
  }
  return w;
}

Field neighbouring_modes(std::int64_t n, int count, RowNumbers& random) {
  Field w(static_cast<std::size_t>(n), 0.0);
  const std::int64_t lowest = 1 + random.below(n / 2 - count - 1);
  for (int i = 0; i < count; ++i) w += wave(n, lowest + i, random);
  return w;
}

Field flat_and_wave(std::int64_t n, RowNumbers& random) {
  const double height = between(random, 0.3, 1.5);
  return on_ring(n, [&](double x) { return 1 + height * std::cos(kTurn * x / static_cast<double>(n)); });
}

Field comb(std::int64_t n, RowNumbers& random) {
  const double spacing = static_cast<double>(n) / 10, first = between(random, 0, spacing);
  return on_ring(n, [&](double x) { return bell(std::remainder(x - first, spacing), spacing / 8); });
}

Field half_box(std::int64_t n, RowNumbers& random) {
  const auto first = random.below(n);
  return on_ring(n, [&](double x) { return (static_cast<std::int64_t>(x) + first) % n < n / 2 ? 1.0 : 0.0; });
}

// Kinds on a torus.

Field blob(std::int64_t n, double width, RowNumbers& random) {
  const auto length = static_cast<double>(n);
  const double cx = between(random, 0, length), cy = between(random, 0, length);
  return on_torus(n, [&](double x, double y) {
    return bell(std::remainder(x - cx, length), width) * bell(std::remainder(y - cy, length), width);
  });
}

Field plane_gabor(std::int64_t n, double width, RowNumbers& random) {
  const auto length = static_cast<double>(n);
  const double cx = between(random, 0, length), cy = between(random, 0, length);
  const double angle = between(random, 0, std::numbers::pi), phase = between(random, 0, kTurn);
  const double period = std::max(between(random, 2, 4) * width, 2.8);
  return on_torus(n, [&](double x, double y) {
    const double dx = std::remainder(x - cx, length), dy = std::remainder(y - cy, length);
    return bell(dx, width) * bell(dy, width) *
           std::cos(kTurn * (dx * std::cos(angle) + dy * std::sin(angle)) / period + phase);
  });
}

Field plane_waves(std::int64_t n, int count, RowNumbers& random) {
  Field w(static_cast<std::size_t>(n * n), 0.0);
  for (int i = 0; i < count; ++i) {
    const auto kx = static_cast<double>(random.below(n / 2 + 1));
    const auto ky = static_cast<double>(random.below(n) - n / 2);
    const double phase = between(random, 0, kTurn);
    w += on_torus(n, [&](double x, double y) {
      return std::cos(kTurn * (kx * x + ky * y) / static_cast<double>(n) + phase);
    });
  }
  return w;
}

/// A bump across, constant along: one of the axes, or a diagonal.
Field stripe(std::int64_t n, double slope, RowNumbers& random) {
  const double centre = between(random, 0, static_cast<double>(n));
  return on_torus(n, [&](double x, double y) {
    return bell(std::remainder(x + slope * y - centre, static_cast<double>(n)), 1);
  });
}

struct NamedWidth {
  const char* name;
  Width of;
};

std::vector<PanelKind> make_ring_panel() {
  std::vector<PanelKind> kinds;
  const auto yes = [&](std::string name, auto draw) { kinds.push_back({std::move(name), true, draw}); };
  const auto no = [&](std::string name, auto draw) { kinds.push_back({std::move(name), false, draw}); };
  const NamedWidth bumps[] = {{"1", [](double) { return 1.0; }},
                              {"n/20", [](double n) { return n / 20; }},
                              {"n/15", [](double n) { return n / 15; }},
                              {"n/12", [](double n) { return n / 12; }}};
  const auto width = [](Width of, std::int64_t n) { return of(static_cast<double>(n)); };
  for (const NamedWidth& each : bumps)
    yes(std::string("bump, σ = ") + each.name,
        [=](std::int64_t n, RowNumbers& r) { return bump(n, width(each.of, n), r); });
  for (const NamedWidth& each : bumps)
    yes(std::string("bump and noise, σ = ") + each.name,
        [=](std::int64_t n, RowNumbers& r) { return noisy(bump(n, width(each.of, n), r), r); });
  const NamedWidth narrow[] = {{"1", [](double) { return 1.0; }}, {"n/40", [](double n) { return n / 40; }}};
  for (const NamedWidth& each : narrow) {
    yes(std::string("neighbouring bumps, σ = ") + each.name, [=](std::int64_t n, RowNumbers& r) {
      const double s = width(each.of, n);
      return noisy(two_bumps(n, s, 3 * s, 6 * s, 0.6, r), r);
    });
    yes(std::string("two bumps anywhere, σ = ") + each.name, [=](std::int64_t n, RowNumbers& r) {
      const double s = width(each.of, n);
      return noisy(two_bumps(n, s, 3 * s, static_cast<double>(n) / 2, 0.6, r), r);
    });
  }
  yes("two equal bumps, opposite", [](std::int64_t n, RowNumbers& r) {
    const double half = static_cast<double>(n) / 2;
    return noisy(two_bumps(n, 1, half, half, 1, r), r);
  });
  const NamedWidth wavelets[] = {{"n/25", [](double n) { return n / 25; }},
                                 {"n/20", [](double n) { return n / 20; }},
                                 {"n/15", [](double n) { return n / 15; }},
                                 {"n/10", [](double n) { return n / 10; }}};
  for (const NamedWidth& each : wavelets)
    yes(std::string("Gabor function, σ = ") + each.name,
        [=](std::int64_t n, RowNumbers& r) { return noisy(gabor(n, width(each.of, n), r), r); });
  for (const NamedWidth& each : {bumps[0], bumps[1], bumps[3]})
    yes(std::string("Mexican hat, σ = ") + each.name,
        [=](std::int64_t n, RowNumbers& r) { return noisy(mexican_hat(n, width(each.of, n), r), r); });

  no("sinusoid", [](std::int64_t n, RowNumbers& r) { return wave(n, 1 + r.below(n / 2), r); });
  no("sinusoid and noise",
     [](std::int64_t n, RowNumbers& r) { return noisy(wave(n, 1 + r.below(n / 2), r), r); });
  for (const int count : {2, 3})
    no(std::to_string(count) + " modes", [=](std::int64_t n, RowNumbers& r) { return modes(n, count, r); });
  for (const int count : {2, 3, 4, 6})
    no(std::to_string(count) + " neighbouring modes",
       [=](std::int64_t n, RowNumbers& r) { return neighbouring_modes(n, count, r); });
  no("flat", [](std::int64_t n, RowNumbers& r) {
    return Field(static_cast<std::size_t>(n), sign(r) * between(r, 0.1, 1));
  });
  no("flat and noise",
     [](std::int64_t n, RowNumbers& r) { return noisy(Field(static_cast<std::size_t>(n), 1.0), r); });
  no("flat and one period", [](std::int64_t n, RowNumbers& r) { return noisy(flat_and_wave(n, r), r); });
  no("white noise", [](std::int64_t n, RowNumbers& r) { return normals(static_cast<std::size_t>(n), r); });
  const NamedWidth lengths[] = {{"1", [](double) { return 1.0; }},
                                {"2", [](double) { return 2.0; }},
                                {"n/20", [](double n) { return n / 20; }},
                                {"n/8", [](double n) { return n / 8; }}};
  for (const NamedWidth& each : lengths)
    no(std::string("smooth noise, ℓ = ") + each.name,
       [=](std::int64_t n, RowNumbers& r) { return smooth_noise(n, 0, width(each.of, n), r); });
  no("comb of ten bumps", [](std::int64_t n, RowNumbers& r) { return noisy(comb(n, r), r); });
  no("box over half the ring", [](std::int64_t n, RowNumbers& r) { return noisy(half_box(n, r), r); });
  return kinds;
}

std::vector<PanelKind> make_torus_panel() {
  std::vector<PanelKind> kinds;
  const auto yes = [&](std::string name, auto draw) { kinds.push_back({std::move(name), true, draw}); };
  const auto no = [&](std::string name, auto draw) { kinds.push_back({std::move(name), false, draw}); };
  const auto width = [](Width of, std::int64_t n) { return of(static_cast<double>(n)); };
  const NamedWidth blobs[] = {{"0.8", [](double) { return 0.8; }},
                              {"1", [](double) { return 1.0; }},
                              {"n/12", [](double n) { return n / 12; }},
                              {"n/8", [](double n) { return n / 8; }},
                              {"n/6", [](double n) { return n / 6; }}};
  for (const NamedWidth& each : blobs)
    yes(std::string("blob, σ = ") + each.name,
        [=](std::int64_t n, RowNumbers& r) { return noisy(blob(n, width(each.of, n), r), r); });
  for (const NamedWidth& each : {blobs[1], blobs[2], blobs[3]})
    yes(std::string("Gabor function, σ = ") + each.name,
        [=](std::int64_t n, RowNumbers& r) { return noisy(plane_gabor(n, width(each.of, n), r), r); });

  for (const int count : {1, 2, 3})
    no(std::to_string(count) + (count == 1 ? " plane wave" : " plane waves"),
       [=](std::int64_t n, RowNumbers& r) { return noisy(plane_waves(n, count, r), r); });
  no("stripe", [](std::int64_t n, RowNumbers& r) { return noisy(stripe(n, 0, r), r); });
  no("diagonal stripe", [](std::int64_t n, RowNumbers& r) { return noisy(stripe(n, 1, r), r); });
  no("flat and noise",
     [](std::int64_t n, RowNumbers& r) { return noisy(Field(static_cast<std::size_t>(n * n), 1.0), r); });
  no("white noise",
     [](std::int64_t n, RowNumbers& r) { return normals(static_cast<std::size_t>(n * n), r); });
  const NamedWidth lengths[] = {{"1", [](double) { return 1.0; }},
                                {"2", [](double) { return 2.0; }},
                                {"n/8", [](double n) { return n / 8; }},
                                {"n/4", [](double n) { return n / 4; }}};
  for (const NamedWidth& each : lengths)
    no(std::string("smooth noise, ℓ = ") + each.name,
       [=](std::int64_t n, RowNumbers& r) { return smooth_noise(n, n, width(each.of, n), r); });
  return kinds;
}

/// Every kind and size has numbers of its own.
RowNumbers numbers(const std::string& name, std::int64_t n, std::uint32_t number) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211U;
  return {{.seed = hash, .purpose = math::Purpose::dataset, .step = static_cast<std::uint64_t>(n)}, number};
}

}  // namespace

std::span<const PanelKind> ring_panel() {
  static const std::vector<PanelKind> panel = make_ring_panel();
  return panel;
}

std::span<const PanelKind> torus_panel() {
  static const std::vector<PanelKind> panel = make_torus_panel();
  return panel;
}

std::vector<float> panel_field(const PanelKind& kind, std::int64_t n, std::uint32_t number) {
  RowNumbers random = numbers(kind.name, n, number);
  const Field w = kind.draw(n, random);
  return {w.begin(), w.end()};
}

// The transform of noise has independent phases with φ_(−k) = −φ_k, and 0 or π where k = −k.
std::vector<float> phase_shuffled(std::span<const float> field, std::int64_t side, std::uint32_t number) {
  const auto n = static_cast<std::int64_t>(field.size());
  RowNumbers random = numbers("phases", n, number);
  const Field noise = normals(field.size(), random);
  std::vector<std::complex<double>> phases(noise.begin(), noise.end());
  std::vector<std::complex<double>> values(field.begin(), field.end());
  const math::LatticeFourier fourier(n, side);
  fourier.sum(phases);
  fourier.sum(values);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= phases[k] / std::abs(phases[k]);
  fourier.sum(values);
  std::vector<float> out;
  for (const auto& value : values) out.push_back(static_cast<float>(value.real() / static_cast<double>(n)));
  return out;
}

PanelShare panel_share(const PanelKind& kind, std::int64_t n, bool torus, std::uint32_t count) {
  const std::int64_t side = torus ? n : 0;
  const Localization criterion(torus ? n * n : n, side);
  std::uint32_t counted = 0, shuffled = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    math::stop_if_asked();
    const std::vector<float> field = panel_field(kind, n, i);
    counted += criterion.localized(field) ? 1 : 0;
    if (kind.counts) shuffled += criterion.localized(phase_shuffled(field, side, i)) ? 1 : 0;
  }
  const auto share = [&](std::uint32_t of) { return static_cast<double>(of) / count; };
  return {share(counted), kind.counts ? share(shuffled) : std::numeric_limits<double>::quiet_NaN()};
}

}  // namespace sluice::theory
