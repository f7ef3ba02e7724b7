/// The [dynamics] section: stochastic gradient descent on fresh samples.
#pragma once

#include <cstdint>
#include <string>

#include "sluice/spec/keys.hpp"

namespace sluice::learn {

struct SgdOptions {
  std::string kind = "sgd";
  double rate = 0.01;         // multiplies the gradient of ½(ŷ−y)²; no hidden factor of K
  std::int64_t batch = 1000;  // fresh samples per step, half from each class
  std::int64_t steps = 5000;

  void describe(spec::Keys& keys);
};

}  // namespace sluice::learn
