/// How a network does on a set.
#pragma once

#include <vector>

namespace sluice::learn {

struct Evaluation {
  double loss = 0;  ///< mean over the set
  double accuracy =
      0;  ///< share of samples on their label's side of the boundary, or whose class has the largest output
};

/// The same sample by sample.
struct Judged {
  float label = 0;
  double loss = 0;
  bool right = false;
};

Evaluation mean_of(const std::vector<Judged>& samples);

}  // namespace sluice::learn
