/// The [probe] section: when to look and at what.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sluice/spec/keys.hpp"

namespace sluice::probe {

struct Options {
  std::int64_t every = 50;        // steps between probe times; the first and the last step are always probed
  std::int64_t samples = 10'000;  // size of the evaluation set for loss and accuracy
  std::optional<std::vector<std::string>> watch;  // what the spec names; else the network's usual probes
  std::string weights = "always";                 // when they are kept
  std::string functions;  // "NAME=SHA-256; …", probes that the program around the library gives (given.hpp)
  // of networks with kernels
  std::int64_t kernel_samples = 200;  // of the training set, for the probes of kernels and gates
  double tau_active = 0.9;
  double tau_sensitive = 0.1;

  /// Arrays of which the last probe time alone is kept, [1, …] in place of [T, …].
  std::vector<std::string> of_the_end() const;

  /// `usual` are the probes of a spec that names none.
  void describe(spec::Keys& keys, const std::vector<std::string>& usual, bool kernels);
};

/// Is this step a probe time?
inline bool is_probe_time(const Options& options, std::int64_t step, std::int64_t last_step) {
  return step % options.every == 0 || step == last_step;
}
/// The first one after this step, which is before the last.
inline std::int64_t next_probe_time(const Options& options, std::int64_t step, std::int64_t last_step) {
  return std::min(step - step % options.every + options.every, last_step);
}
/// How many there are from step 0 to the last.
inline std::int64_t probe_times(const Options& options, std::int64_t last_step) {
  return last_step / options.every + 1 + (last_step % options.every == 0 ? 0 : 1);
}

}  // namespace sluice::probe
