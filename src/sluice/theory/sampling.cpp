#include "sluice/theory/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::theory {

namespace {

/// √(a² + b²) of every component.
Vector lengths(const Vector& a, const Vector& b) {
  Vector c(a.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::hypot(a[i], b[i]);
  return c;
}

/// For every component the power of two by which its numbers are divided so that squares neither overflow nor vanish: 0, nearly always.
std::vector<int> powers_for(const Vector& largest) {
  constexpr int kMost = 400;  // 2^±800 and as many samples as there may be are ordinary numbers
  std::vector<int> powers(largest.size());
  for (std::size_t c = 0; c < powers.size(); ++c) {
    if (largest[c] == 0 || !std::isfinite(largest[c])) continue;
    const int power = std::ilogb(largest[c]);
    if (std::abs(power) > kMost) powers[c] = power;
  }
  return powers;
}

}  // namespace

Data data_of(std::shared_ptr<const task::Task> task) {
  const Ring one{vector_of(task->moments(0).covariance)};
  const Ring zero{vector_of(task->moments(1).covariance)};
  return {std::move(task), one, zero};
}

Data gaussian_data(std::int64_t n, double xi_one, double xi_zero) {
  task::GaussianOptions options;
  options.n = n;
  options.xi = {xi_one, xi_zero};
  return data_of(std::make_shared<task::Gaussian>(options));
}

Data nlgp_data(std::int64_t n, double xi_one, double xi_zero, double gain) {
  task::NlgpOptions options;
  options.n = n;
  options.xi = {xi_one, xi_zero};
  options.gain = gain;
  return data_of(std::make_shared<task::Nlgp>(options));
}

Means operator*(double factor, const Means& means) {
  return {factor * means.mean, std::abs(factor) * means.standard_error};
}

Means operator+(const Means& a, const Means& b) {
  return {a.mean + b.mean, lengths(a.standard_error, b.standard_error)};
}

Means operator-(const Means& a, const Means& b) { return a + -1.0 * b; }

Means followed_by(const Means& a, const Means& b) {
  const auto joined = [](const Vector& first, const Vector& second) {
    Vector both(first.size() + second.size());
    both[std::slice(0, first.size(), 1)] = first;
    both[std::slice(first.size(), second.size(), 1)] = second;
    return both;
  };
  return {joined(a.mean, b.mean), joined(a.standard_error, b.standard_error)};
}

void Sampler::each(
    const Data& data, Label label,
    const std::function<void(std::size_t chunk, std::int64_t draw, std::span<const double> x)>& visit) const {
  constexpr std::int64_t kBlock = 64;
  const std::int64_t n = data.task->inputs();
  const int which_class = label == Label::one ? 0 : 1;
  workers_.run(kChunks, [&](std::int64_t chunk, int) {
    math::LanesBuffer<float> x(n, kBlock);
    math::LanesBuffer<float> scratch(n, kBlock);
    std::vector<double> sample(static_cast<std::size_t>(n));
    const std::int64_t end = samples_ * (chunk + 1) / kChunks;
    for (std::int64_t row = samples_ * chunk / kChunks; row < end; row += kBlock) {
      const std::int64_t rows = std::min(kBlock, end - row);
      const math::Lanes block = x.lanes(rows);
      data.task->sample({.seed = seed_,
                         .purpose = math::Purpose::evaluation,
                         .step = static_cast<std::uint64_t>(which_class),
                         .row = static_cast<std::uint32_t>(row)},
                        which_class, block, scratch.lanes(rows));
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t i = 0; i < n; ++i)
          sample[static_cast<std::size_t>(i)] = static_cast<double>(block.at(i, r));
        visit(static_cast<std::size_t>(chunk), row + r, sample);
      }
    }
  });
}

Means Sampler::mean(const Data& data, Label label, std::size_t count, const Statistic& statistic) const {
  struct Sums {
    explicit Sums(std::size_t count) : first(count), second(count), largest(count), out(count) {}

    Vector first, second, largest;
    std::vector<double> out;
  };
  const auto summed = [&](const std::vector<int>& powers) {
    std::vector<Sums> sums(kChunks, Sums(count));
    each(data, label, [&](std::size_t chunk, std::int64_t /*draw*/, std::span<const double> x) {
      auto& [first, second, largest, out] = sums[chunk];
      statistic(x, out);
      for (std::size_t c = 0; c < count; ++c) {
        if (powers[c] != 0) out[c] = std::ldexp(out[c], -powers[c]);
        first[c] += out[c];
        second[c] += out[c] * out[c];
        largest[c] = std::max(largest[c], std::abs(out[c]));
      }
    });
    Sums total(count);
    for (const Sums& part : sums) {
      total.first += part.first;
      total.second += part.second;
      for (std::size_t c = 0; c < count; ++c) total.largest[c] = std::max(total.largest[c], part.largest[c]);
    }
    return total;
  };
  std::vector<int> powers(count);
  Sums total = summed(powers);
  powers = powers_for(total.largest);
  if (std::ranges::any_of(powers, [](int power) { return power != 0; })) total = summed(powers);
  const auto number = static_cast<double>(samples_);
  Means means{total.first / number, Vector(count)};
  for (std::size_t c = 0; c < count; ++c) {
    const double variance = total.second[c] / number - means.mean[c] * means.mean[c];
    means.standard_error[c] = std::ldexp(std::sqrt(std::max(variance, 0.0) / (number - 1)), powers[c]);
    means.mean[c] = std::ldexp(means.mean[c], powers[c]);
  }
  return means;
}

std::vector<double> Sampler::values(
    const Data& data, Label label,
    const std::function<double(std::int64_t draw, std::span<const double> x)>& statistic) const {
  std::vector<double> all(static_cast<std::size_t>(samples_));
  each(data, label, [&](std::size_t /*chunk*/, std::int64_t draw, std::span<const double> x) {
    all[static_cast<std::size_t>(draw)] = statistic(draw, x);
  });
  return all;
}

Means Sampler::mixture_mean(
    const Data& data, std::size_t count,
    const std::function<void(Label, std::span<const double>, std::span<double>)>& statistic) const {
  const auto of = [&](Label label) {
    return mean(data, label, count,
                [&, label](std::span<const double> x, std::span<double> out) { statistic(label, x, out); });
  };
  return 0.5 * (of(Label::one) + of(Label::zero));
}

Means sampled_response(const Sampler& sampler, const Data& data, Label label, const Vector& w) {
  return sampler.mean(data, label, data.n(), [&](std::span<const double> x, std::span<double> out) {
    const double open = gate(dot(view(w), x));
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = open * x[i];
  });
}

Statistic response_over_shifts(const Vector& w, std::size_t first) {
  std::vector<std::pair<std::size_t, double>> entries;  // few, of fields with few bumps
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w[i] != 0) entries.emplace_back(i, w[i]);
  return [entries, first](std::span<const double> x, std::span<double> out) {
    const std::size_t n = x.size();
    thread_local std::vector<double> twice;  // around the ring, so that a shift is a place to begin
    twice.resize(2 * n);
    std::ranges::copy(x, twice.begin());
    std::ranges::copy(x, twice.begin() + static_cast<std::ptrdiff_t>(n));
    std::ranges::fill(out, 0.0);
    for (std::size_t shift = 0; shift < n; ++shift) {
      const double* moved = twice.data() + shift;
      double sum = 0;
      for (const auto& [site, weight] : entries) sum += weight * moved[site];
      const double open = (gate(sum) - 0.5) / static_cast<double>(n);
      for (std::size_t l = 0; l < out.size(); ++l) out[l] += open * moved[first + l];
    }
  };
}

Statistic over_symmetries(Statistic statistic) {
  return [statistic = std::move(statistic)](std::span<const double> x, std::span<double> out) {
    const std::size_t n = x.size();
    thread_local std::vector<double> moved, values;  // so not of another over_symmetries
    moved.resize(n);
    values.resize(out.size());
    std::ranges::fill(out, 0.0);
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t shift = 0; shift < n; ++shift) {
        for (std::size_t i = 0; i < n; ++i) moved[i] = sign * x[(i + shift) % n];
        statistic(moved, values);
        for (std::size_t c = 0; c < out.size(); ++c) out[c] += values[c] / static_cast<double>(2 * n);
      }
    }
  };
}

Vector trial_weights(std::size_t n, std::uint32_t which) {
  math::LanesBuffer<float> buffer(static_cast<std::int64_t>(n), 1);
  const math::Lanes lanes = buffer.lanes(1);
  math::fill_normals({.seed = 2024, .purpose = math::Purpose::initial_weights, .row = which}, lanes);
  Vector w(n);
  for (std::size_t i = 0; i < n; ++i) w[i] = static_cast<double>(lanes.at(static_cast<std::int64_t>(i), 0));
  return w;
}

}  // namespace sluice::theory
