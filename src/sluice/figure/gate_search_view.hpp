/// A search for gates, as a picture wants it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sluice/figure/figure.hpp"

namespace sluice::figure {

struct GateSearchView {
  std::size_t sites = 0;
  std::vector<std::vector<float>> gates;  ///< the refined ones, each drawn on a scale of its own
  double initial_loss = 0;                ///< without any gate
  std::vector<double> rounds;             ///< L_∞ after each greedy round
  double refined = 0;                     ///< L_∞ of the refined gates
  struct Structure {
    std::string name;
    double loss, error;  ///< on held-out samples
  };
  std::vector<Structure> structures;
};

/// The gates, the loss over the rounds, and the losses on held-out samples.
Figure gate_search(const GateSearchView& view);

}  // namespace sluice::figure
