/// The [probe] section: when to look and at what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/spec/keys.hpp"

namespace sluice::probe {

struct Options {
  std::int64_t every = 50;        // steps between probe times; the first and the last step are always probed
  std::int64_t samples = 10'000;  // size of the evaluation set for loss and accuracy
  std::vector<std::string> watch = {"loss", "accuracy", "weights", "bias", "ipr"};
  // deep networks
  std::int64_t kernel_samples = 200;  // of the training set, for the probes of kernels and gates
  double tau_active = 0.9;
  double tau_sensitive = 0.1;

  void describe(spec::Keys& keys);
  void describe_deep(spec::Keys& keys);
};

/// Is this step a probe time?
inline bool is_probe_time(const Options& options, std::int64_t step, std::int64_t last_step) {
  return step % options.every == 0 || step == last_step;
}

}  // namespace sluice::probe
