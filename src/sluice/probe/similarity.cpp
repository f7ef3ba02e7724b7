// Compiled once per instruction set: Highway includes this file again for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sluice/probe/similarity.cpp"
#include <hwy/foreach_target.h>
// Highway
#include <hwy/highway.h>

#include <cstdint>

#include "sluice/math/kernels.hpp"
#include "sluice/probe/similarity.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::probe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, math::kWidestVector>;
using Vec = hn::Vec<Tag>;
constexpr Tag kTag;

/// How many of kWidestVector bounds exceed what both units of the pair have already, by more than the tolerance.
std::int64_t count_possible(const float* bounds, const float* best, float best_of_row) {
  const Vec tolerance = hn::Set(kTag, kSimilarityTolerance);
  const Vec row = hn::Set(kTag, best_of_row);
  std::size_t count = 0;
  for (std::int64_t l = 0; l < math::kWidestVector; l += static_cast<std::int64_t>(hn::Lanes(kTag))) {
    const Vec beaten = hn::Add(hn::Min(row, hn::LoadU(kTag, best + l)), tolerance);
    count += hn::CountTrue(kTag, hn::Gt(hn::LoadU(kTag, bounds + l), beaten));
  }
  return static_cast<std::int64_t>(count);
}

/// How many of `count` (a multiple of kWidestVector) bounds lie above the threshold.
std::int64_t count_above(const float* bounds, std::int64_t count, float threshold) {
  const Vec least = hn::Set(kTag, threshold);
  std::size_t above = 0;
  for (std::int64_t l = 0; l < count; l += static_cast<std::int64_t>(hn::Lanes(kTag)))
    above += hn::CountTrue(kTag, hn::Gt(hn::LoadU(kTag, bounds + l), least));
  return static_cast<std::int64_t>(above);
}

/// conj(ŵ_k) ŵ_l at every frequency for kWidestVector neighbouring units l, as modes of math::RealFourier.
void cross(const FieldSpectra& spectra, std::int64_t k, std::int64_t first, float* modes,
           std::int64_t modes_stride) {
  for (std::int64_t j = 0; j < spectra.frequencies(); ++j) {
    const float* u = spectra.cosine.data() + j * spectra.stride;
    const float* v = spectra.sine.data() + j * spectra.stride;
    const Vec uk = hn::Set(kTag, u[k]);
    const Vec vk = hn::Set(kTag, v[k]);
    float* real = modes + spectra.real_row(j) * modes_stride;
    float* imaginary = modes + spectra.imaginary_row(j) * modes_stride;
    for (std::int64_t l = 0; l < math::kWidestVector; l += static_cast<std::int64_t>(hn::Lanes(kTag))) {
      const Vec ul = hn::LoadU(kTag, u + first + l);
      const Vec vl = hn::LoadU(kTag, v + first + l);
      hn::StoreU(hn::MulAdd(uk, ul, hn::Mul(vk, vl)), kTag, real + l);
      if (spectra.multiplicity(j) == 2) hn::StoreU(hn::MulSub(uk, vl, hn::Mul(vk, ul)), kTag, imaginary + l);
    }
  }
}

/// The largest |sum| over shifts of each of kWidestVector lanes.
void extremes(const float* sums, std::int64_t stride, std::int64_t shifts, float* most) {
  for (std::int64_t l = 0; l < math::kWidestVector; l += static_cast<std::int64_t>(hn::Lanes(kTag))) {
    Vec largest = hn::Zero(kTag);
    for (std::int64_t s = 0; s < shifts; ++s)
      largest = hn::Max(largest, hn::Abs(hn::LoadU(kTag, sums + s * stride + l)));
    hn::StoreU(largest, kTag, most + l);
  }
}

}  // namespace sluice::probe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sluice::probe {

HWY_EXPORT(count_possible);
HWY_EXPORT(count_above);
HWY_EXPORT(cross);
HWY_EXPORT(extremes);

namespace {

class Search {
 public:
  Search(const FieldSpectra& spectra, const math::RealFourier& plan)
      : unit_(spectra),
        plan_(plan),
        amplitudes_(spectra.cosine.size()),
        rows_(spectra.cosine.size()),
        bounds_(static_cast<std::size_t>(kRows * spectra.stride)),
        shares_(static_cast<std::size_t>(spectra.sites), 1.0F / static_cast<float>(spectra.sites)),
        modes_(spectra.sites, math::kBlockSamples),
        sums_(spectra.sites, math::kBlockSamples),
        best_(static_cast<std::size_t>(spectra.stride), 0.0F) {
    normalise();
  }

  std::vector<float> run() {
    if (unit_.units <= kMostForAllPairs) {
      over_rows([&](std::int64_t k) { queue_likeliest(k); }, 0);
      over_rows([&](std::int64_t k) { queue_possible(k); }, 1);
    } else {
      over_rows([&](std::int64_t k) { queue_nearest(k); }, 0);
    }
    std::vector<float> best(best_.begin(), best_.begin() + unit_.units);
    const auto present = std::ranges::count_if(best, [](float each) { return each < kAbsent; });
    for (float& each : best)
      if (each == kAbsent || present < 2) each = std::numeric_limits<float>::quiet_NaN();
    return best;
  }

 private:
  static constexpr std::int64_t kRows = 16;
  static constexpr float kAbsent =
      std::numeric_limits<float>::infinity();  // best of a field without a direction
  static constexpr std::int64_t kTile = math::kWidestVector;
  static constexpr std::int64_t kWorthATile = 8;  // pairs of a tile that cost more one by one

  /// Of a pair of units, k < l; or of unit k with every unit of a tile.
  struct Lane {
    std::int64_t k, l;
  };

  std::size_t at(std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>(j * unit_.stride + k);
  }
  float& best(std::int64_t k) { return best_[static_cast<std::size_t>(k)]; }

  /// Spectra of fields of unit length, and √(m_j/n)|ŵ(j)|. A field that cannot be compared is zero: all its bounds are 0.
  void normalise() {
    std::vector<double> powers(static_cast<std::size_t>(unit_.units));
    const auto weight = [&](std::int64_t j) {
      return unit_.multiplicity(j) / static_cast<double>(unit_.sites);
    };
    for (std::int64_t j = 0; j < unit_.frequencies(); ++j) {
      for (std::int64_t k = 0; k < unit_.units; ++k) {
        const double u = unit_.cosine[at(j, k)];
        const double v = unit_.sine[at(j, k)];
        powers[static_cast<std::size_t>(k)] += weight(j) * (u * u + v * v);
      }
    }
    std::vector<float> scales;
    for (std::size_t k = 0; k < powers.size(); ++k) {
      const bool usable = powers[k] > 0 && std::isfinite(powers[k]);
      scales.push_back(usable ? static_cast<float>(1 / std::sqrt(powers[k])) : 0.0F);
      if (!usable) best_[k] = kAbsent;
    }
    for (std::int64_t j = 0; j < unit_.frequencies(); ++j) {
      const auto root = static_cast<float>(std::sqrt(weight(j)));
      for (std::int64_t k = 0; k < unit_.units; ++k) {
        const float scale = scales[static_cast<std::size_t>(k)];
        float& u = unit_.cosine[at(j, k)];
        float& v = unit_.sine[at(j, k)];
        u = scale > 0 ? scale * u : 0;
        v = scale > 0 ? scale * v : 0;
        const float amplitude = root * std::sqrt(u * u + v * v);
        amplitudes_[at(j, k)] = amplitude;
        rows_[static_cast<std::size_t>(k * unit_.frequencies() + j)] = amplitude;
      }
    }
  }

  /// Bounds of kRows units with all of them (`later` = 0) or with those from the first row on (1), row by row.
  template <class Visit>
  void over_rows(const Visit& visit, int later) {
    for (std::int64_t first = 0; first < unit_.units; first += kRows) {
      const std::int64_t count = std::min(kRows, unit_.units - first);
      const std::int64_t from = later * first;
      math::multiply(math::Product<float>{.m = count,
                                          .n = unit_.stride - from,
                                          .k = unit_.frequencies(),
                                          .a = rows_.data() + first * unit_.frequencies(),
                                          .a_stride = unit_.frequencies(),
                                          .b = amplitudes_.data() + from,
                                          .b_stride = unit_.stride,
                                          .c = bounds_.data() + from,
                                          .c_stride = unit_.stride,
                                          .add = false});
      row_ = bounds_.data();
      for (std::int64_t k = first; k < first + count; ++k, row_ += unit_.stride) {
        row_[k] = 0;
        visit(k);
      }
    }
    try_pairs();
    try_tiles();
  }

  void queue_likeliest(std::int64_t k) {
    const std::int64_t likeliest = std::max_element(row_, row_ + unit_.units) - row_;
    if (row_[likeliest] > 0) queue_pair(std::min(k, likeliest), std::max(k, likeliest));
  }

  void queue_possible(std::int64_t k) {
    for (std::int64_t first = k / kTile * kTile; first < unit_.units; first += kTile) {
      const std::int64_t possible =
          HWY_DYNAMIC_DISPATCH(count_possible)(row_ + first, best_.data() + first, best(k));
      if (possible >= kWorthATile) {
        queue_tile(k, first);
      } else if (possible > 0) {
        const std::int64_t end = std::min(first + kTile, unit_.units);
        for (std::int64_t l = std::max(first, k + 1); l < end; ++l)
          if (row_[l] > std::min(best(k), best(l)) + kSimilarityTolerance) queue_pair(k, l);
      }
    }
  }

  void queue_nearest(std::int64_t k) {
    float low = 0;  // more than kNearest bounds lie above it, at most kNearest above `high`
    float high = 1;
    for (int halving = 0; halving < 14; ++halving) {
      const float middle = (low + high) / 2;
      const bool many = HWY_DYNAMIC_DISPATCH(count_above)(row_, unit_.stride, middle) > kNearest;
      (many ? low : high) = middle;
    }
    const float least = std::max(low, best(k) + kSimilarityTolerance);
    for (std::int64_t first = 0; first < unit_.units; first += kTile) {
      if (HWY_DYNAMIC_DISPATCH(count_above)(row_ + first, kTile, least) == 0) continue;
      for (std::int64_t l = first; l < std::min(first + kTile, unit_.units); ++l)
        if (row_[l] > least) queue_pair(std::min(k, l), std::max(k, l));
    }
  }

  void queue_pair(std::int64_t k, std::int64_t l) {
    pairs_.push_back({k, l});
    if (static_cast<std::int64_t>(pairs_.size()) == math::kBlockSamples) try_pairs();
  }

  void queue_tile(std::int64_t k, std::int64_t first) {
    tiles_.push_back({k, first});
    if (static_cast<std::int64_t>(tiles_.size()) == math::kBlockSamples / kTile) try_tiles();
  }

  void try_pairs() {
    const auto count = static_cast<std::int64_t>(pairs_.size());
    const math::Lanes modes = modes_.lanes(count);
    for (std::int64_t j = 0; j < unit_.frequencies(); ++j) {
      for (std::int64_t r = 0; r < count; ++r) {
        const auto [k, l] = pairs_[static_cast<std::size_t>(r)];
        const float uk = unit_.cosine[at(j, k)], vk = unit_.sine[at(j, k)];
        const float ul = unit_.cosine[at(j, l)], vl = unit_.sine[at(j, l)];
        modes.at(unit_.real_row(j), r) = uk * ul + vk * vl;
        if (unit_.multiplicity(j) == 2) modes.at(unit_.imaginary_row(j), r) = uk * vl - vk * ul;
      }
    }
    const float* extremes = extremes_of(modes);
    for (std::int64_t r = 0; r < count; ++r) credit(pairs_[static_cast<std::size_t>(r)], extremes[r]);
    pairs_.clear();
  }

  void try_tiles() {
    const auto count = static_cast<std::int64_t>(tiles_.size());
    const math::Lanes modes = modes_.lanes(count * kTile);
    for (std::int64_t tile = 0; tile < count; ++tile) {
      const auto [k, first] = tiles_[static_cast<std::size_t>(tile)];
      HWY_DYNAMIC_DISPATCH(cross)(unit_, k, first, modes.data + tile * kTile, modes.stride);
    }
    const float* extremes = extremes_of(modes);
    for (std::int64_t tile = 0; tile < count; ++tile) {
      const auto [k, first] = tiles_[static_cast<std::size_t>(tile)];
      for (std::int64_t l = std::max(first, k + 1); l < std::min(first + kTile, unit_.units); ++l)
        credit({k, l}, extremes[tile * kTile + l - first]);
    }
    tiles_.clear();
  }

  /// The largest |correlation| over shifts of every lane.
  const float* extremes_of(const math::Lanes& modes) {
    if (modes.samples == 0) return extremes_;
    const math::Lanes sums = sums_.lanes(modes.samples);
    plan_.synthesize({modes.data, modes.stride}, {sums.data, sums.stride}, shares_, modes.stride);
    for (std::int64_t lane = 0; lane < sums.stride; lane += kTile)
      HWY_DYNAMIC_DISPATCH(extremes)(sums.data + lane, sums.stride, sums.sites, extremes_ + lane);
    return extremes_;
  }

  void credit(const Lane& pair, float similarity) {
    for (const std::int64_t unit : {pair.k, pair.l})
      best(unit) = std::max(best(unit), std::min(similarity, 1.0F));
  }

  FieldSpectra unit_;  // of fields of length one
  const math::RealFourier& plan_;
  math::Aligned<float> amplitudes_;  // [frequency, unit]
  math::Aligned<float> rows_;        // [unit, frequency]
  math::Aligned<float> bounds_;      // [kRows, unit]
  float* row_ = nullptr;             // bounds of the unit that is visited
  std::vector<float> shares_;
  math::LanesBuffer<float> modes_, sums_;
  float extremes_[math::kBlockSamples] = {};
  std::vector<Lane> pairs_, tiles_;
  std::vector<float> best_;  // padded like the spectra
};

}  // namespace

std::vector<float> nearest_unit_similarity(const FieldSpectra& spectra, const math::RealFourier& plan) {
  return Search(spectra, plan).run();
}

}  // namespace sluice::probe
#endif
