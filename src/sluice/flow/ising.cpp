#include "sluice/flow/ising.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>

namespace sluice::flow {
namespace {

constexpr double kSpinTie = 1e-12;  // of Σ|w|

/// A state of a half is a number whose bit i is set where spin i of the half is +1. Its ends: first spin and last.
std::size_t ends_of(std::size_t state, std::size_t sites) {
  return (state & 1U) | (state >> (sites - 1) & 1U) << 1U;
}

double spin(std::size_t ends, std::size_t which) { return (ends >> which & 1U) != 0 ? 1.0 : -1.0; }

struct Sum {
  double value;
  std::size_t state;
};

/// ⟨w,s⟩ of every state of a half, in ascending order: appending a site merges the list with itself, moved by ±w.
void list_sums(std::span<const double> w, std::vector<Sum>& sums, std::vector<Sum>& scratch) {
  sums.assign(1, Sum{0, 0});
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double step = std::abs(w[i]);
    const std::size_t set = std::size_t{1} << i;
    const std::size_t up = w[i] >= 0 ? set : 0;
    const std::size_t count = sums.size();
    scratch.resize(2 * count);
    for (std::size_t out = 0, low = 0, high = 0; out < 2 * count; ++out) {
      if (low < count && (high == count || sums[low].value - step <= sums[high].value + step)) {
        scratch[out] = {sums[low].value - step, sums[low].state | (set - up)};
        ++low;
      } else {
        scratch[out] = {sums[high].value + step, sums[high].state | up};
        ++high;
      }
    }
    std::swap(sums, scratch);
  }
}

/// Σ_state by[state] s_i for every site of the half, folding one site at a time. Destroys `by`.
void magnetisations(std::span<double> by, std::span<double> out) {
  for (std::size_t i = out.size(); i-- > 0;) {
    const std::size_t half = std::size_t{1} << i;
    double difference = 0;
    for (std::size_t state = 0; state < half; ++state) {
      difference += by[half + state] - by[state];
      by[state] += by[half + state];
    }
    out[i] = difference;
  }
}

using Ends = std::array<double, 4>;

struct SumTables {
  std::array<std::vector<Sum>, 2> sums;
  std::vector<Sum> merged;
  std::vector<double> by;
};

/// by[a] = weight(a) Σ_b weight(b) bond(a, b) sgn(S_a + S_b). As S_a grows, the b that open the gate are a growing tail of
/// the other list: `opened` counts those with S_a + S_b > tie, `reached` those with S_a + S_b ≥ −tie.
void walk(std::span<const Sum> own, std::span<const Sum> other, std::span<const double> own_weight,
          std::span<const double> other_weight, const std::array<Ends, 4>& bond, double tie,
          std::span<double> by) {
  const auto own_sites = static_cast<std::size_t>(std::countr_zero(own.size()));
  const auto other_sites = static_cast<std::size_t>(std::countr_zero(other.size()));
  Ends total{};
  for (std::size_t b = 0; b < other.size(); ++b) total[ends_of(b, other_sites)] += other_weight[b];
  Ends opened{};
  Ends reached{};
  std::size_t open_from = other.size();
  std::size_t reach_from = other.size();
  const auto take = [&](std::size_t at, Ends& sum) {
    sum[ends_of(other[at].state, other_sites)] += other_weight[other[at].state];
  };
  for (const Sum& a : own) {
    while (open_from > 0 && a.value + other[open_from - 1].value > tie) take(--open_from, opened);
    while (reach_from > 0 && a.value + other[reach_from - 1].value >= -tie) take(--reach_from, reached);
    const Ends& with = bond[ends_of(a.state, own_sites)];
    double sum = 0;
    for (std::size_t e = 0; e < 4; ++e) sum += with[e] * (opened[e] + reached[e] - total[e]);
    by[a.state] = own_weight[a.state] * sum;
  }
}

std::vector<double> half_weights(std::size_t sites, double coupling) {
  const double broken = std::exp(-2 * coupling);
  std::vector<double> weights{1.0, 1.0};
  for (std::size_t i = 1; i < sites; ++i) {  // append spin i: broken where it differs from spin i − 1
    const std::size_t half = weights.size();
    weights.resize(2 * half);
    for (std::size_t state = 0; state < half; ++state) {
      const bool before = (state >> (i - 1) & 1U) != 0;
      weights[half + state] = weights[state] * (before ? 1 : broken);
      weights[state] *= before ? broken : 1;
    }
  }
  return weights;
}

double size_of(std::span<const double> w) {
  double size = 0;
  for (const double value : w) size += std::abs(value);
  return size;
}

}  // namespace

IsingResponse::IsingResponse(std::int64_t n, double coupling) : n_(n), bond_{} {
  if (n < 4 || n > kMostSites) throw std::invalid_argument("an exact Ising response of 4 to 40 sites");
  const auto first = static_cast<std::size_t>(n / 2);
  const auto second = static_cast<std::size_t>(n) - first;
  weight_ = {half_weights(first, coupling), half_weights(second, coupling)};
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {  // last of one half meets first of the other, twice
      bond_[a][b] = std::exp(coupling * (spin(a, 1) * spin(b, 0) + spin(a, 0) * spin(b, 1) - 2));
    }
  }
  std::array<Ends, 2> total{};
  for (std::size_t h = 0; h < 2; ++h) {
    const std::size_t sites = h == 0 ? first : second;
    for (std::size_t state = 0; state < weight_[h].size(); ++state) {
      total[h][ends_of(state, sites)] += weight_[h][state];
    }
  }
  partition_ = 0;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) partition_ += total[0][a] * total[1][b] * bond_[a][b];
  }
}

void IsingResponse::single(std::span<const double> w, std::span<double> f) const {
  thread_local SumTables scratch;
  const auto cut = static_cast<std::size_t>(n_ / 2);
  const std::array<std::span<const double>, 2> half{w.first(cut), w.subspan(cut)};
  for (std::size_t h = 0; h < 2; ++h) list_sums(half[h], scratch.sums[h], scratch.merged);
  const double tie = kSpinTie * size_of(w);
  for (std::size_t h = 0; h < 2; ++h) {  // bond_ is its own transpose
    scratch.by.resize(weight_[h].size());
    walk(scratch.sums[h], scratch.sums[1 - h], weight_[h], weight_[1 - h], bond_, tie, scratch.by);
    magnetisations(scratch.by, h == 0 ? f.first(cut) : f.subspan(cut));
  }
  for (double& value : f) value /= 2 * partition_;
}

void IsingResponse::pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const {
  if (n_ > kMostSitesOfPairs) throw std::invalid_argument("an exact Ising pair response of at most 22 sites");
  const auto cut = static_cast<std::size_t>(n_ / 2);
  const double tie = kSpinTie * size_of(w);
  const auto sums_of = [](std::span<const double> weights) {
    std::vector<double> sums{0.0};
    for (const double value : weights) {
      const std::size_t half = sums.size();
      sums.resize(2 * half);
      for (std::size_t state = 0; state < half; ++state) {
        sums[half + state] = sums[state] + value;
        sums[state] -= value;
      }
    }
    return sums;
  };
  const std::vector<double> s_first = sums_of(w.first(cut));
  const std::vector<double> t_first = sums_of(v.first(cut));
  const std::vector<double> s_second = sums_of(w.subspan(cut));
  const std::vector<double> t_second = sums_of(v.subspan(cut));
  std::array<std::vector<double>, 4> with_ends;  // weight of a state of the first half, by the other's ends
  for (std::size_t e = 0; e < 4; ++e) {
    for (std::size_t a = 0; a < s_first.size(); ++a) {
      with_ends[e].push_back(weight_[0][a] * bond_[ends_of(a, cut)][e]);
    }
  }
  std::vector<double> by_first(s_first.size());
  std::vector<double> by_second(s_second.size());
  const auto second_sites = static_cast<std::size_t>(n_) - cut;
  for (std::size_t b = 0; b < s_second.size(); ++b) {
    const std::vector<double>& weight = with_ends[ends_of(b, second_sites)];
    double sum = 0;
    for (std::size_t a = 0; a < s_first.size(); ++a) {
      const double s = s_first[a] + s_second[b];
      const double t = t_first[a] + t_second[b];
      const double agree = s * t > 0 ? 1.0 : 0.0;
      const double open = std::abs(s) <= tie ? 0.5 : agree;
      const double term = weight[a] * open * t;
      sum += term;
      by_first[a] += weight_[1][b] * term;
    }
    by_second[b] = weight_[1][b] * sum;
  }
  magnetisations(by_first, p.first(cut));
  magnetisations(by_second, p.subspan(cut));
  for (double& value : p) value /= 2 * partition_;
}

}  // namespace sluice::flow
