#include "sluice/flow/diluted.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sluice/math/kernels.hpp"
#include "sluice/task/latent_ring.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::flow {
namespace {

using std::numbers::pi;

/// E[XZ] of one site.
double correlation_with_latent(double gain) {
  if (std::isinf(gain)) return std::sqrt(2 / pi);
  return 2 / std::sqrt(pi) * gain / std::sqrt(1 + 2 * gain * gain) / std::sqrt(task::nlgp_variance(gain));
}

/// Cov(φ(S/h), φ(T/h))/Var φ(S/h) for standard normals S, T with correlation c: E[φφ] ∝ [(1+h²)² − c²]^(−½).
double window_regression(double c, double h) {
  const double wide = 1 + h * h;
  const double apart = 1 / wide;
  return (1 / std::sqrt(wide * wide - c * c) - apart) / (1 / std::sqrt(wide * wide - 1) - apart);
}

std::vector<double> nlgp_row(std::vector<double> latent, double gain) {
  for (double& r : latent) r = task::nlgp_correlation(r, gain);
  return latent;
}

}  // namespace

DilutedResponse::DilutedResponse(std::int64_t n, double xi, double gain, double deviation, int which_class,
                                 const DilutedOptions& options, math::Workers& workers)
    : n_(n),
      padded_(math::whole_vectors(n)),
      stride_(math::whole_vectors(n + padded_)),
      draws_((options.draws + math::kBlockSamples - 1) / math::kBlockSamples * math::kBlockSamples),
      dilution_(options.dilution),
      deviation_(deviation),
      control_(window_regression(correlation_with_latent(gain), options.dilution)),
      latent_(Covariance::circulant(task::LatentRing(n, xi).correlation())),
      covariance_(Covariance::circulant(nlgp_row(task::LatentRing(n, xi).correlation(), gain))),
      z_(static_cast<std::size_t>(draws_ * stride_)),
      x_(z_.size()),
      workers_(&workers) {
  draw(xi, gain, which_class, options);
}

void DilutedResponse::draw(double xi, double gain, int which_class, const DilutedOptions& options) {
  constexpr std::int64_t kBlock = math::kBlockSamples;
  const task::LatentRing ring(n_, xi);
  const auto unit = static_cast<float>(1 / std::sqrt(task::nlgp_variance(gain)));
  workers_->run(draws_ / kBlock, [&](std::int64_t block, int) {
    math::LanesBuffer<float> z(n_, kBlock), scratch(n_, kBlock);
    const math::Address first{.seed = options.seed,
                              .purpose = math::Purpose::expectation,
                              .step = static_cast<std::uint64_t>(which_class),
                              .row = static_cast<std::uint32_t>(options.set * draws_ + block * kBlock)};
    const math::Lanes lanes = z.lanes(kBlock);
    const auto keep = [&](math::Aligned<float>& rows) {
      for (std::int64_t m = 0; m < kBlock; ++m) {
        float* row = rows.data() + (block * kBlock + m) * stride_;
        for (std::int64_t i = 0; i < n_ + padded_; ++i) row[i] = lanes.at(i % n_, m);
      }
    };
    ring.sample(first, lanes, scratch.lanes(kBlock));
    keep(z_);
    if (std::isinf(gain)) {
      for (float& value : lanes.all()) value = std::copysign(1.0F, value);
    } else {
      math::erf(lanes.all(), static_cast<float>(gain), unit);
    }
    keep(x_);
  });
}

DilutedResponse::Averages DilutedResponse::average(const math::Aligned<float>& rows,
                                                   std::span<const double> w, double width,
                                                   bool with_spread) const {
  const auto n = static_cast<std::size_t>(n_);
  const auto padded = static_cast<std::size_t>(padded_);
  const std::vector<float> weights(w.begin(), w.end());
  constexpr std::int64_t kTogether = 16;  // samples whose spread is summed in float
  constexpr std::int64_t kChunk = 64 * kTogether;
  const std::int64_t chunks = (draws_ + kChunk - 1) / kChunk;
  std::vector<Averages> parts(static_cast<std::size_t>(chunks));
  workers_->run(chunks, [&](std::int64_t chunk, int) {
    Averages& sums = parts[static_cast<std::size_t>(chunk)];
    sums.pull.assign(padded, 0.0);
    sums.spread.assign(with_spread ? n * padded : 0, 0.0);
    math::Aligned<float> s(padded), open(padded), window(padded), pull(padded);
    math::Aligned<float> spread(sums.spread.size()), weighed(with_spread ? n * n : 0);
    const std::int64_t last = std::min(draws_, (chunk + 1) * kChunk);
    for (std::int64_t m = chunk * kChunk; m < last; ++m) {
      const float* x = rows.data() + m * stride_;
      const bool first = m % kTogether == 0;
      // S of every shift: row i of the product's B is the ring from site i on.
      math::multiply(math::Product<float>{.m = 1,
                                          .n = padded_,
                                          .k = n_,
                                          .a = weights.data(),
                                          .a_stride = n_,
                                          .b = x,
                                          .b_stride = 1,
                                          .c = s.data(),
                                          .c_stride = padded_,
                                          .add = false});
      double opened = 0;
      for (std::size_t k = 0; k < padded; ++k) {
        const float a = s[k] / static_cast<float>(width);
        open[k] = a;
        window[k] = k < n ? std::exp(-a * a / 2) : 0.0F;
        opened += static_cast<double>(window[k]);
      }
      sums.window += opened;
      math::erf(open, 1 / std::numbers::sqrt2_v<float>, 0.5F);  // Φ − ½
      math::multiply(math::Product<float>{.m = 1,
                                          .n = padded_,
                                          .k = n_,
                                          .a = open.data(),
                                          .a_stride = n_,
                                          .b = x,
                                          .b_stride = 1,
                                          .c = pull.data(),
                                          .c_stride = padded_,
                                          .add = false});
      math::accumulate(pull, sums.pull);
      if (with_spread) {
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t k = 0; k < n; ++k) weighed[i * n + k] = window[k] * x[i + k];
        }
        math::multiply(math::Product<float>{.m = n_,
                                            .n = padded_,
                                            .k = n_,
                                            .a = weighed.data(),
                                            .a_stride = n_,
                                            .b = x,
                                            .b_stride = 1,
                                            .c = spread.data(),
                                            .c_stride = padded_,
                                            .add = !first});
      }
      if (with_spread && (m % kTogether == kTogether - 1 || m == last - 1))
        math::accumulate(spread, sums.spread);
    }
  });
  Averages mean{0, std::vector<double>(n, 0.0), std::vector<double>(with_spread ? n * n : 0, 0.0)};
  const double share = 1 / static_cast<double>(draws_ * n_);
  const double density = share / std::sqrt(2 * pi);
  for (const Averages& part : parts) {
    mean.window += density * part.window;
    for (std::size_t i = 0; i < n; ++i) mean.pull[i] += share * part.pull[i];
    for (std::size_t i = 0; with_spread && i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) mean.spread[i * n + j] += density * part.spread[i * padded + j];
    }
  }
  return mean;
}

void DilutedResponse::add_single(const math::Aligned<float>& rows, const Covariance& covariance,
                                 std::span<const double> w, double factor, std::span<double> out) const {
  std::vector<double> image(w.size());
  covariance.times(w, image);
  const double s = std::sqrt(std::inner_product(w.begin(), w.end(), image.begin(), 0.0));
  const Averages mean = average(rows, w, dilution_ * s, false);
  factor /= std::sqrt(1 + dilution_ * dilution_);
  for (std::size_t i = 0; i < w.size(); ++i)
    out[i] += factor * (mean.pull[i] + dilution_ * mean.window * image[i] / s);
}

void DilutedResponse::add_derivative(const math::Aligned<float>& rows, const Covariance& covariance,
                                     std::span<const double> w, double factor, std::span<double> out) const {
  const std::size_t n = w.size();
  std::vector<double> image(n);
  covariance.times(w, image);
  const double square = std::inner_product(w.begin(), w.end(), image.begin(), 0.0);
  const double s = std::sqrt(square);
  const Averages mean = average(rows, w, dilution_ * s, true);
  std::vector<double> along(n, 0.0);  // E[φ(a) XXᵀ] w
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) along[i] += mean.spread[i * n + j] * w[j];
  }
  const double both = std::inner_product(w.begin(), w.end(), along.begin(), 0.0);
  factor /= std::sqrt(1 + dilution_ * dilution_);
  for (std::size_t i = 0; i < n; ++i) {
    const double vi = image[i] / square;
    for (std::size_t j = 0; j < n; ++j) {
      const double vj = image[j] / square;
      const double projected = mean.spread[i * n + j] - along[i] * vj - vi * along[j] + both * vi * vj;
      out[i * n + j] += factor * (projected / (dilution_ * s) +
                                  dilution_ * mean.window * (covariance(i, j) - square * vi * vj) / s);
    }
  }
}

void DilutedResponse::single(std::span<const double> w, std::span<double> f) const {
  std::fill(f.begin(), f.end(), 0.0);
  add_single(x_, covariance_, w, deviation_, f);
  add_single(z_, latent_, w, -control_ * deviation_, f);
  std::vector<double> image(w.size());
  latent_.times(w, image);
  const double s = std::sqrt(std::inner_product(w.begin(), w.end(), image.begin(), 0.0));
  for (std::size_t i = 0; i < w.size(); ++i)
    f[i] += control_ * deviation_ * image[i] / (std::sqrt(2 * pi) * s);
}

void DilutedResponse::derivative(std::span<const double> w, std::span<double> out) const {
  const std::size_t n = w.size();
  std::fill(out.begin(), out.end(), 0.0);
  add_derivative(x_, covariance_, w, deviation_, out);
  add_derivative(z_, latent_, w, -control_ * deviation_, out);
  std::vector<double> image(n);
  latent_.times(w, image);
  const double square = std::inner_product(w.begin(), w.end(), image.begin(), 0.0);
  const double factor = control_ * deviation_ / std::sqrt(2 * pi * square);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      out[i * n + j] += factor * (latent_(i, j) - image[i] * image[j] / square);
  }
}

}  // namespace sluice::flow
