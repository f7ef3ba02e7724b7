/// The network at one probe time.
#pragma once

#include <cstdint>
#include <span>

namespace sluice::probe {

class KernelBench;
class Samples;

struct Snapshot {
  std::int64_t step = 0;
  std::int64_t units = 0;          ///< K
  std::int64_t inputs = 0;         ///< n
  std::span<const float> weights;  ///< [K, n]
  std::span<const float> bias;     ///< [K]
  double loss = 0;
  double accuracy = 0;
  double rate = 0;        ///< of the next step
  double train_loss = 0;  ///< these two only where training is confined to a finite set
  double train_accuracy = 0;
  double first_train_loss = 0;     ///< of the first probe time
  std::span<const float> readout;  ///< [K]; these two only where the readout is learned
  std::span<const float> offset;   ///< [1]
  std::span<const float> flow;  ///< [K, n]: the weights of the flow from the same start, where it is watched
  std::span<const float>
      reference;  ///< [K, n]: those of another record at the same place, where there is one
  const Samples* samples = nullptr;      ///< inputs to measure on, where a probe needs them
  std::span<const float> previous;       ///< [K, n]: the weights of the probe time before; empty at the first
  std::span<const float> previous_bias;  ///< [K]: likewise, where there are biases
  std::int64_t previous_step = 0;
  std::span<const float>
      parameters;  ///< all of them, in the order of the network's parts; empty after the run
  const KernelBench* kernels = nullptr;  ///< of a deep network that runs

  std::span<const float> field(std::int64_t unit) const { return of_unit(weights, unit); }
  /// The field of one unit in weights [K, n].
  std::span<const float> of_unit(std::span<const float> fields, std::int64_t unit) const {
    return fields.subspan(static_cast<std::size_t>(unit * inputs), static_cast<std::size_t>(inputs));
  }
};

}  // namespace sluice::probe
