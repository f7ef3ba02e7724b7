#include "sluice/probe/kurtosis.hpp"

#include <algorithm>
#include <array>

#include "sluice/math/kernels.hpp"
#include "sluice/math/stopping.hpp"
#include "sluice/theory/seen_entries.hpp"

namespace sluice::probe {
namespace {

/// Σ z^p, in double.
struct Powers {
  double count = 0, first = 0, second = 0, third = 0, fourth = 0;

  void add(const float* values, std::int64_t how_many) {
    for (std::int64_t i = 0; i < how_many; ++i) {
      const double z = values[i];
      const double square = z * z;
      first += z;
      second += square;
      third += square * z;
      fourth += square * square;
    }
    count += static_cast<double>(how_many);
  }

  double excess_kurtosis() const {
    const double m = first / count;
    const double variance = second / count - m * m;
    const double central =
        fourth / count - 4 * m * third / count + 6 * m * m * second / count - 3 * m * m * m * m;
    return central / (variance * variance) - 3;
  }
};

}  // namespace

Samples::Samples(std::span<const float> x, std::int64_t inputs, std::span<const std::uint8_t> which_class)
    : inputs_(inputs) {
  const auto rows = static_cast<std::int64_t>(x.size()) / inputs;
  for (int c = 0; c < 2; ++c) {
    std::vector<std::int64_t> of_class;
    for (std::int64_t row = 0; row < rows; ++row)
      if ((which_class.empty() ? 0 : which_class[static_cast<std::size_t>(row)]) == c)
        of_class.push_back(row);
    if (of_class.empty()) continue;
    const auto count = static_cast<std::int64_t>(of_class.size());
    Class& one = classes_.emplace_back(Class{count, math::whole_vectors(count), {}});
    one.x.assign(static_cast<std::size_t>(inputs * one.stride), 0);
    Powers pooled;
    for (std::int64_t r = 0; r < count; ++r) {
      const float* row = x.data() + of_class[static_cast<std::size_t>(r)] * inputs;
      pooled.add(row, inputs);
      for (std::int64_t i = 0; i < inputs; ++i) one.x[static_cast<std::size_t>(i * one.stride + r)] = row[i];
    }
    input_kurtosis_ += pooled.excess_kurtosis();
  }
  input_kurtosis_ /= static_cast<double>(classes_.size());
}

namespace {

constexpr std::int64_t kAtOnce = 10 * math::kBlockSamples;

/// h [units, kAtOnce] ← ⟨w_k, x⟩ of the samples from `first` on; how many of them there are.
std::int64_t some_preactivations(std::span<const float> weights, std::int64_t inputs, const float* x,
                                 std::int64_t stride, std::int64_t count, std::int64_t first, float* h) {
  const std::int64_t lanes = std::min(kAtOnce, stride - first);
  const std::int64_t units = static_cast<std::int64_t>(weights.size()) / inputs;
  math::multiply(math::Product<float>{units, lanes, inputs, weights.data(), inputs, x + first, stride, h,
                                      kAtOnce, false});
  return std::min(lanes, count - first);
}

}  // namespace

void Samples::preactivations(
    std::span<const float> weights,
    const std::function<void(std::size_t, std::size_t, std::span<const float>)>& visit) const {
  math::Aligned<float> h(units(weights) * static_cast<std::size_t>(kAtOnce));
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    const Class& one = classes_[c];
    for (std::int64_t first = 0; first < one.count; first += kAtOnce) {
      const auto count = static_cast<std::size_t>(
          some_preactivations(weights, inputs_, one.x.data(), one.stride, one.count, first, h.data()));
      for (std::size_t k = 0; k < units(weights); ++k)
        visit(c, k, std::span<const float>(h).subspan(k * static_cast<std::size_t>(kAtOnce), count));
    }
  }
}

std::vector<float> Samples::preactivation_kurtosis(std::span<const float> weights) const {
  std::vector<Powers> powers(classes() * units(weights));
  preactivations(weights, [&](std::size_t c, std::size_t k, std::span<const float> h) {
    powers[c * units(weights) + k].add(h.data(), static_cast<std::int64_t>(h.size()));
  });
  std::vector<float> kurtosis;
  for (std::size_t k = 0; k < units(weights); ++k) {
    double sum = 0;
    for (std::size_t c = 0; c < classes(); ++c) sum += powers[c * units(weights) + k].excess_kurtosis();
    kurtosis.push_back(static_cast<float>(sum / static_cast<double>(classes())));
  }
  return kurtosis;
}

std::vector<float> Samples::gate_flips(const Units& now, const Units& before) const {
  const std::int64_t units = static_cast<std::int64_t>(now.weights.size()) / inputs_;
  const auto bias = [](const Units& of, std::size_t k) { return of.bias.empty() ? 0.0F : of.bias[k]; };
  std::vector<double> shares(static_cast<std::size_t>(units));
  math::Aligned<float> h(static_cast<std::size_t>(units * kAtOnce)), earlier(h.size());
  for (const Class& one : classes_) {
    std::vector<std::int64_t> flips(shares.size());
    for (std::int64_t first = 0; first < one.count; first += kAtOnce) {
      const std::int64_t count =
          some_preactivations(now.weights, inputs_, one.x.data(), one.stride, one.count, first, h.data());
      some_preactivations(before.weights, inputs_, one.x.data(), one.stride, one.count, first,
                          earlier.data());
      for (std::size_t k = 0; k < flips.size(); ++k) {
        const float* a = h.data() + static_cast<std::int64_t>(k) * kAtOnce;
        const float* b = earlier.data() + static_cast<std::int64_t>(k) * kAtOnce;
        const float a_bias = bias(now, k), b_bias = bias(before, k);
        for (std::int64_t r = 0; r < count; ++r)
          flips[k] += (a[r] + a_bias >= 0) != (b[r] + b_bias >= 0) ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < shares.size(); ++k)
      shares[k] += static_cast<double>(flips[k]) / static_cast<double>(one.count);
  }
  std::vector<float> flips;
  for (const double share : shares)
    flips.push_back(static_cast<float>(share / static_cast<double>(classes_.size())));
  return flips;
}

std::vector<std::int64_t> Samples::seen_entries(const Units& now, double epsilon) const {
  std::vector<theory::ConstLanes> classes;
  for (const Class& one : classes_) classes.push_back({one.x.data(), inputs_, one.count, one.stride});
  std::vector<std::int64_t> seen;
  const auto sites = static_cast<std::size_t>(inputs_);
  for (std::size_t k = 0; k < now.weights.size() / sites; ++k)
    seen.push_back(theory::seen_entries(now.weights.subspan(k * sites, sites),
                                        now.bias.empty() ? 0 : now.bias[k], classes, epsilon));
  return seen;
}

double input_kurtosis(const learn::Batches& set) {
  std::array<Powers, 2> classes;
  const auto drawer = set.drawer();
  math::LanesBuffer<float> samples(set.inputs(), learn::BlockPlan::kBlockRows);
  std::vector<float> labels(learn::BlockPlan::kBlockRows);
  for (const learn::Block& block : learn::BlockPlan(set.rows(), set.rows_of_first_class()).blocks) {
    math::stop_if_asked();
    const math::Lanes x = samples.lanes(block.rows);
    drawer->draw(0, block, x, std::span(labels).first(static_cast<std::size_t>(block.rows)));
    for (std::int64_t site = 0; site < x.sites; ++site)
      classes.at(static_cast<std::size_t>(block.which_class)).add(&x.at(site, 0), x.samples);
  }
  const double first = classes[0].excess_kurtosis();
  return classes[1].count > 0 ? (first + classes[1].excess_kurtosis()) / 2 : first;
}

}  // namespace sluice::probe
