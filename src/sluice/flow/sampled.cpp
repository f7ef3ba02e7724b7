#include "sluice/flow/sampled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "sluice/flow/calibration.hpp"
#include "sluice/flow/class_covariance.hpp"
#include "sluice/math/kernels.hpp"

namespace sluice::flow {
namespace {

constexpr float sign(float value, float tie) {
  return static_cast<float>(value > tie) - static_cast<float>(value < -tie);
}
constexpr float gate(float value, float tie) { return (1 + sign(value, tie)) / 2; }

SampledResponse::Estimate over_replicates(const std::vector<std::vector<double>>& replicates) {
  const std::size_t size = replicates.front().size();
  const auto count = static_cast<double>(replicates.size());
  SampledResponse::Estimate estimate{std::vector<double>(size), std::vector<double>(size)};
  for (std::size_t i = 0; i < size; ++i) {
    double mean = 0;
    for (const auto& replicate : replicates) mean += replicate[i] / count;
    double square = 0;
    for (const auto& replicate : replicates) square += (replicate[i] - mean) * (replicate[i] - mean);
    estimate.value[i] = mean;
    estimate.standard_error[i] = std::sqrt(square / (count - 1) / count);
  }
  return estimate;
}

std::int64_t blocks_for(std::int64_t samples, std::int64_t block) {
  return (samples + SampledResponse::kReplicates * block - 1) / (SampledResponse::kReplicates * block);
}

}  // namespace

struct SampledResponse::Pass {
  std::vector<float> rows;  // [count, n]: pre-activations are rows · x
  std::int64_t count;
  std::int64_t kept;  // rows of coefficients
  /// (pre-activations [count, kBlock], weights [kBlock], coefficients [kept, kBlock])
  std::function<void(const float*, const float*, float*)> coefficients;
};

SampledResponse::SampledResponse(const task::Task& task, int which_class, const SampledOptions& options,
                                 math::Workers& workers)
    : n_(task.inputs()),
      padded_(math::whole_vectors(n_)),
      blocks_(blocks_for(options.samples, kBlock)),
      even_(task.even()),
      moves_(static_cast<std::size_t>(n_), static_cast<std::size_t>(task.side())),
      shifts_(moves_.spread(options.use_shifts && task.stationary() ? static_cast<std::size_t>(kMostShifts)
                                                                    : std::size_t{1})),
      covariance_(class_covariance(task, which_class)),
      by_site_(static_cast<std::size_t>(kReplicates * blocks_ * n_ * kBlock)),
      by_sample_(static_cast<std::size_t>(kReplicates * blocks_ * kBlock * padded_)),
      weights_(static_cast<std::size_t>(kReplicates * blocks_ * kBlock), 1.0F),
      workers_(&workers) {
  const task::Moments moments = task.moments(which_class);
  // Without a fourth moment the second moments of samples have no variance to regress on.
  const bool weighed = options.use_weights && std::isfinite(moments.excess_kurtosis);
  workers.run(kReplicates, [&](std::int64_t replicate, int) {
    draw(task, which_class, options.seed, replicate);
    if (weighed) weigh(task, moments, replicate);
  });
  for (const float x : by_site_) largest_ = std::max(largest_, std::abs(static_cast<double>(x)));
}

void SampledResponse::draw(const task::Task& task, int which_class, std::uint64_t seed,
                           std::int64_t replicate) {
  math::LanesBuffer<float> scratch(n_, kBlock);
  for (std::int64_t b = 0; b < blocks_; ++b) {
    const std::int64_t block = replicate * blocks_ + b;
    const math::Address first{.seed = seed,
                              .purpose = math::Purpose::expectation,
                              .step = static_cast<std::uint64_t>(which_class),
                              .row = static_cast<std::uint32_t>(block * kBlock)};
    const math::Lanes x{by_site_.data() + block * n_ * kBlock, n_, kBlock, kBlock};
    task.sample(first, which_class, x, scratch.lanes(kBlock));
    math::transpose(x, by_sample_.data() + block * kBlock * padded_, padded_);
  }
}

void SampledResponse::weigh(const task::Task& task, const task::Moments& moments, std::int64_t replicate) {
  const std::int64_t first = replicate * blocks_ * kBlock;
  const std::span<const float> x(by_sample_.data() + first * padded_,
                                 static_cast<std::size_t>(blocks_ * kBlock * padded_));
  const std::vector<double> weights = calibrated_weights(x, padded_, task, moments);
  std::transform(weights.begin(), weights.end(), weights_.begin() + first,
                 [](double weight) { return static_cast<float>(weight); });
}

/// Every replicate's Σ_m coefficients[k, m] x_m / samples, [kept, n].
std::vector<std::vector<double>> SampledResponse::run(const Pass& pass) const {
  const std::lock_guard lock(turn_);
  struct Scratch {
    math::Aligned<float> preactivations, coefficients, sums;
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(workers_->threads()));
  for (Scratch& mine : scratch) {
    mine.preactivations.resize(static_cast<std::size_t>(pass.count * kBlock));
    mine.coefficients.resize(static_cast<std::size_t>(pass.kept * kBlock));
    mine.sums.resize(static_cast<std::size_t>(pass.kept * padded_));
  }
  std::vector<std::vector<double>> replicates(static_cast<std::size_t>(kReplicates));
  workers_->run(kReplicates, [&](std::int64_t replicate, int thread) {
    Scratch& mine = scratch[static_cast<std::size_t>(thread)];
    std::vector<double> sums(mine.sums.size(), 0.0);
    // Float sums over a stretch of blocks, double across stretches.
    constexpr std::int64_t kStretch = 8;
    for (std::int64_t b = 0; b < blocks_; ++b) {
      const std::int64_t block = replicate * blocks_ + b;
      math::multiply(math::Product<float>{.m = pass.count,
                                          .n = kBlock,
                                          .k = n_,
                                          .a = pass.rows.data(),
                                          .a_stride = n_,
                                          .b = by_site_.data() + block * n_ * kBlock,
                                          .b_stride = kBlock,
                                          .c = mine.preactivations.data(),
                                          .c_stride = kBlock,
                                          .add = false});
      pass.coefficients(mine.preactivations.data(), weights_.data() + block * kBlock,
                        mine.coefficients.data());
      math::multiply(math::Product<float>{.m = pass.kept,
                                          .n = padded_,
                                          .k = kBlock,
                                          .a = mine.coefficients.data(),
                                          .a_stride = kBlock,
                                          .b = by_sample_.data() + block * kBlock * padded_,
                                          .b_stride = padded_,
                                          .c = mine.sums.data(),
                                          .c_stride = padded_,
                                          .add = b % kStretch != 0});
      if (b % kStretch == kStretch - 1 || b == blocks_ - 1) math::accumulate(mine.sums, sums);
    }
    std::vector<double>& out = replicates[static_cast<std::size_t>(replicate)];
    const auto samples = static_cast<double>(blocks_ * kBlock);
    for (std::int64_t k = 0; k < pass.kept; ++k) {
      for (std::int64_t i = 0; i < n_; ++i) {
        out.push_back(sums[static_cast<std::size_t>(k * padded_ + i)] / samples);
      }
    }
  });
  return replicates;
}

/// w after every shift, one row each.
std::vector<float> SampledResponse::forward_rows(std::span<const double> w) const {
  std::vector<float> rows(shifts_.size() * w.size());
  for (std::size_t s = 0; s < shifts_.size(); ++s) {
    for (std::size_t i = 0; i < w.size(); ++i) {
      rows[s * w.size() + moves_.moved(i, shifts_[s])] = static_cast<float>(w[i]);
    }
  }
  return rows;
}

/// Pre-activations below this are rounding of a sum of n floats: a tie.
float SampledResponse::tie(std::span<const double> w) const {
  double absolute = 0;
  for (const double value : w) absolute += std::abs(value);
  return static_cast<float>(4 * std::numeric_limits<float>::epsilon() * absolute * largest_);
}

/// Row s of the sums belongs to w after shift s: shift it back, average.
std::vector<double> SampledResponse::shift_averaged(std::span<const double> sums) const {
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> mean(n, 0.0);
  for (std::size_t s = 0; s < shifts_.size(); ++s) {
    for (std::size_t i = 0; i < n; ++i) mean[i] += sums[s * n + moves_.moved(i, shifts_[s])];
  }
  for (double& value : mean) value /= static_cast<double>(shifts_.size());
  return mean;
}

std::vector<std::vector<double>> SampledResponse::single_replicates(std::span<const double> w) const {
  Pass pass{.rows = forward_rows(w), .count = shifts(), .kept = shifts()};
  const float close = tie(w);
  pass.coefficients = [this, &pass, close](const float* s, const float* weights, float* out) {
    for (std::int64_t k = 0; k < pass.count; ++k, s += kBlock, out += kBlock) {
      if (even_) {
        for (std::int64_t m = 0; m < kBlock; ++m) out[m] = 0.5F * weights[m] * sign(s[m], close);
      } else {
        for (std::int64_t m = 0; m < kBlock; ++m) out[m] = weights[m] * gate(s[m], close);
      }
    }
  };
  std::vector<std::vector<double>> replicates = run(pass);
  for (auto& replicate : replicates) replicate = shift_averaged(replicate);
  return replicates;
}

std::vector<std::vector<double>> SampledResponse::pair_replicates(std::span<const double> w,
                                                                  std::span<const double> v) const {
  Pass pass{.rows = forward_rows(w), .count = 2 * shifts(), .kept = shifts()};
  const std::vector<float> second = forward_rows(v);
  pass.rows.insert(pass.rows.end(), second.begin(), second.end());
  const float close = tie(w);
  pass.coefficients = [this, close](const float* s, const float* weights, float* out) {
    const float* t = s + shifts() * kBlock;
    for (std::int64_t k = 0; k < shifts(); ++k, s += kBlock, t += kBlock, out += kBlock) {
      if (even_) {
        for (std::int64_t m = 0; m < kBlock; ++m) {
          out[m] = 0.25F * weights[m] * sign(s[m], close) * std::abs(t[m]);
        }
      } else {
        for (std::int64_t m = 0; m < kBlock; ++m) {
          out[m] = weights[m] * gate(s[m], close) * std::max(t[m], 0.0F);
        }
      }
    }
  };
  std::vector<double> image(v.size(), 0.0);
  if (even_) covariance_.times(v, image);
  std::vector<std::vector<double>> replicates = run(pass);
  for (auto& replicate : replicates) {
    replicate = shift_averaged(replicate);
    for (std::size_t i = 0; i < image.size(); ++i) replicate[i] += image[i] / 4;
  }
  return replicates;
}

SampledResponse::Estimate SampledResponse::single_estimate(std::span<const double> w) const {
  return over_replicates(single_replicates(w));
}

SampledResponse::Estimate SampledResponse::pair_estimate(std::span<const double> w,
                                                         std::span<const double> v) const {
  return over_replicates(pair_replicates(w, v));
}

SampledResponse::Estimate SampledResponse::mean_output(std::span<const double> w) const {
  std::vector<std::vector<double>> replicates = single_replicates(w);
  for (auto& replicate : replicates) {
    replicate = {std::inner_product(w.begin(), w.end(), replicate.begin(), 0.0)};
  }
  return over_replicates(replicates);
}

void SampledResponse::single(std::span<const double> w, std::span<double> f) const {
  std::ranges::copy(single_estimate(w).value, f.begin());
}

void SampledResponse::pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const {
  std::ranges::copy(pair_estimate(w, v).value, p.begin());
}

void SampledResponse::respond(std::span<const double> weights, std::span<double> f,
                              std::span<double> pairs) const {
  const auto n = static_cast<std::size_t>(n_);
  const auto units = static_cast<std::int64_t>(weights.size() / n);
  if (units == 1 && even_) {  // P = ½ C w, and shifts pay
    covariance_.times(weights, pairs);
    for (double& p : pairs) p /= 2;
    if (!f.empty()) single(weights, f);
    return;
  }
  std::vector<float> ties;
  for (std::size_t at = 0; at < weights.size(); at += n) ties.push_back(tie(weights.subspan(at, n)));
  Pass pass{.rows = {}, .count = units, .kept = f.empty() ? units : 2 * units};
  for (const double w : weights) pass.rows.push_back(static_cast<float>(w));
  const bool with_f = !f.empty();
  pass.coefficients = [this, units, with_f, &ties](const float* s, const float* w, float* out) {
    // even: Σ_k |S_k|, of which unit k takes its own part out, because p(w, w) is exact; else Σ_k ReLU(S_k)
    std::array<float, kBlock> total{};
    for (std::int64_t k = 0; k < units; ++k) {
      for (std::int64_t m = 0; m < kBlock; ++m) {
        const float value = s[k * kBlock + m];
        total[static_cast<std::size_t>(m)] += even_ ? std::abs(value) : std::max(value, 0.0F);
      }
    }
    for (std::int64_t k = 0; k < units; ++k, s += kBlock, out += kBlock) {
      const float close = ties[static_cast<std::size_t>(k)];
      float* single_out = out + units * kBlock;
      for (std::int64_t m = 0; m < kBlock; ++m) {
        const float open = even_ ? 0.5F * sign(s[m], close) : gate(s[m], close);
        const float others = even_ ? 0.5F * (total[static_cast<std::size_t>(m)] - std::abs(s[m]))
                                   : total[static_cast<std::size_t>(m)];
        out[m] = w[m] * open * others;
        if (with_f) single_out[m] = w[m] * open;
      }
    }
  };
  const Estimate estimate = over_replicates(run(pass));
  std::copy_n(estimate.value.begin(), weights.size(), pairs.begin());
  std::copy_n(estimate.value.begin() + static_cast<std::ptrdiff_t>(weights.size()), f.size(), f.begin());
  if (!even_) return;
  std::vector<double> sum(n, 0.0);
  std::vector<double> image(n);
  for (std::size_t at = 0; at < weights.size(); ++at) sum[at % n] += weights[at];
  for (std::size_t at = 0; at < weights.size(); at += n) {  // ¼ C (Σ_k w_k + w_j)
    std::vector<double> both = sum;
    for (std::size_t i = 0; i < n; ++i) both[i] += weights[at + i];
    covariance_.times(both, image);
    for (std::size_t i = 0; i < n; ++i) pairs[at + i] += image[i] / 4;
  }
}

}  // namespace sluice::flow
