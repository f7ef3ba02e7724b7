#include "sluice/theory/seen_entries.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sluice/theory/sign_sums.hpp"

namespace sluice::theory {

template <class Real>
std::vector<std::size_t> by_size(std::span<const Real> w) {
  std::vector<std::size_t> sites;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w[i] != 0) sites.push_back(i);
  std::ranges::stable_sort(sites, std::greater{}, [&](std::size_t i) { return std::abs(w[i]); });
  return sites;
}
template std::vector<std::size_t> by_size(std::span<const float>);
template std::vector<std::size_t> by_size(std::span<const double>);

std::optional<std::size_t> deciding_entries(std::span<const double> w, math::Workers& workers) {
  std::vector<double> sorted;
  for (const std::size_t i : by_size(w)) sorted.push_back(std::abs(w[i]));
  const Grid grid = grid_of(sorted);
  std::int64_t tail = 0;
  for (const std::int64_t step : grid.steps) tail += step;
  std::int64_t balance = 0;  // |w_1 − w_2 ± …|, each sign against the sum so far: no less than δ_k
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    tail -= grid.steps[k - 1];
    balance = std::abs(balance - grid.steps[k - 1]);
    if (tail >= balance) continue;
    if (k > SignSums::kMost) return std::nullopt;
    const SignSums::Margin margin = SignSums(std::span(sorted).first(k), workers).margin();
    if (grid.value(tail) + margin.rounding < margin.value) return k;
  }
  return sorted.size();
}

namespace {

/// 1, ½, 0 as the gate opens, and how far two gates agree.
float opening(float sum) { return sum > 0 ? 1.0F : sum < 0 ? 0.0F : 0.5F; }

/// Sums over the first entries of w, and the gates of all entries, sample by sample.
struct Progress {
  std::vector<float> sum, gate;
};

void add_entry(float w, const float* x, std::span<float> sum) {
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += w * x[r];
}

}  // namespace

std::vector<double> gate_agreement(std::span<const float> w, float bias, std::span<const ConstLanes> classes,
                                   double enough) {
  const std::vector<std::size_t> sites = by_size(w);
  std::vector<Progress> progress;
  for (const ConstLanes& x : classes) {  // all entries, in the same order: the last share is 1 to the bit
    Progress& of = progress.emplace_back();
    of.sum.assign(static_cast<std::size_t>(x.samples), bias);
    of.gate = of.sum;
    for (const std::size_t i : sites) add_entry(w[i], &x.at(static_cast<std::int64_t>(i), 0), of.gate);
    std::ranges::transform(of.gate, of.gate.begin(), opening);
  }
  std::vector<double> shares;
  for (const std::size_t i : sites) {
    double share = 0;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      auto& [sum, gate] = progress[c];
      add_entry(w[i], &classes[c].at(static_cast<std::int64_t>(i), 0), sum);
      float disagreement = 0;  // multiples of ½, exact in float up to 2²³ samples
      for (std::size_t r = 0; r < sum.size(); ++r) disagreement += std::abs(opening(sum[r]) - gate[r]);
      share += 1 - static_cast<double>(disagreement) / static_cast<double>(sum.size());
    }
    shares.push_back(share / static_cast<double>(classes.size()));
    if (shares.back() >= enough) break;
  }
  return shares;
}

std::int64_t seen_entries(std::span<const float> w, float bias, std::span<const ConstLanes> classes,
                          double epsilon) {
  return static_cast<std::int64_t>(gate_agreement(w, bias, classes, 1 - epsilon).size());
}

}  // namespace sluice::theory
