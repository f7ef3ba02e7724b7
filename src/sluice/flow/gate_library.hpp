/// Half-spaces to choose from: shapes on a ring with their translates, waves, and random vectors.
///   bump                 e_c, every site c
///   hat, gabor           as in net/gates.hpp, of several widths and periods, Gabor functions with cosine and sine carriers, at centres
///                        evenly spread
///   wave                 cosine and sine of every frequency, the lowest first
///   random, smooth       independent normals; the same smoothed over 1 to 4 sites
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sluice/math/workers.hpp"
#include "sluice/net/gates.hpp"

namespace sluice::flow {

struct GateLibrary {
  std::int64_t inputs = 0;
  std::vector<std::string> shapes;  ///< "hat, width 2": of every vector
  std::vector<float> vectors;       ///< [shapes, n]

  std::int64_t size() const { return static_cast<std::int64_t>(shapes.size()); }
  std::span<const float> vector(std::int64_t index) const {
    return std::span(vectors).subspan(static_cast<std::size_t>(index * inputs),
                                      static_cast<std::size_t>(inputs));
  }
  void add(std::string shape, std::span<const float> v);
};

/// At least so many shapes, and behind them the opposite of each in the same order: 1(⟨v,x⟩ ≥ 0) and 1(⟨−v,x⟩ ≥ 0) are two gates.
GateLibrary gate_library(std::int64_t inputs, std::int64_t shapes, std::uint64_t seed);

/// K gates of one law, as a spec would have them: its widths and frequencies that are tried, alone and where K is even in pairs.
struct Tiling {
  std::string name;  ///< "hat, width 2, pairs"
  net::GateOptions options;
};
std::vector<Tiling> tilings(std::int64_t inputs, std::int64_t units);

}  // namespace sluice::flow
