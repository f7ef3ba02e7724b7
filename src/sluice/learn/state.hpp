/// What evolves, and all a checkpoint must hold: random numbers have addresses, so no generator state is needed.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::learn {

struct State {
  std::int64_t step = 0;
  std::vector<float> parameters;  ///< in the order of net::Network::parts()
  std::vector<float> memory =
      {};  ///< what the optimiser remembers: optimizer.hpp's v, then s, each like parameters
  std::vector<double> exact =
      {};  ///< where parameters move in double (a flow): those, then the integrator's next step

  std::int64_t memory_from =
      0;  ///< the step at which the optimiser began to remember: 0, unless a run went on with another one

  bool operator==(const State&) const = default;
};

}  // namespace sluice::learn
