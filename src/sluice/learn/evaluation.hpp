/// How a network does on a set.
#pragma once

namespace sluice::learn {

struct Evaluation {
  double loss = 0;  ///< mean over the set
  double accuracy =
      0;  ///< share of samples on their label's side of the boundary, or whose class has the largest output
};

}  // namespace sluice::learn
