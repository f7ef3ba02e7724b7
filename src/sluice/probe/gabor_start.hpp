/// Where a Gabor fit starts: the best of a dictionary of Gabor functions.
///   widths       s = 0.6 · 1.7^k up to n/3, and 4n: no envelope
///   frequencies  from 0.7 n/(2πs) on, apart by 1.4 n/(2πs), at least 1: neighbours overlap by half or more
///   phases       both: explained(s, f) = ⟨w, e cos⟩²/|e cos|² + ⟨w, e sin⟩²/|e sin|²
///   centres      the circular mean of w² and the site of largest |w|
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/math/lanes.hpp"

namespace sluice::probe {

/// a cos + b sin under the envelope, as in gabor.hpp, one number per lane.
struct GaborStart {
  float a, b, centre, width, frequency;
};

class GaborDictionary {
 public:
  explicit GaborDictionary(std::int64_t sites);

  /// For each of at most math::kBlockSamples fields of length one, as lanes.
  void choose(const math::Lanes& fields, std::span<GaborStart> starts) const;

 private:
  struct Entry {
    float width, frequency;
    float cosine_norm, sine_norm;  ///< 1/|e cos|, 1/|e sin|
  };

  std::int64_t sites_;
  std::vector<Entry> entries_;
  std::vector<float> cosines_, sines_;  ///< [entry, d], 0 ≤ d ≤ n/2, of length one on the ring
  std::vector<float> ring_cosine_, ring_sine_;
};

}  // namespace sluice::probe
