/// Training of a deep gated network on a device, behind learn's engine: same spec, same samples in the same order, same checkpoints. Numbers differ from the CPU's by
/// rounding alone; on one device they are the same every time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sluice/gpu/machine.hpp"
#include "sluice/learn/engine.hpp"

namespace sluice::gpu {

/// Where a network is trained.
struct Place {
  bool on_device = false;
  Precision precision = Precision::usual;

  /// "cpu", "gpu", "gpu:single", "gpu:tf32", "gpu:bfloat16". Throws InputError otherwise.
  static Place of(const std::string& text);
  std::string text() const;
  /// Why there is none, in one line; empty: there is.
  std::string missing() const;
  /// Throws InputError that says so.
  void require_there() const;
};

/// Throws InputError, in one line, where the network or its gates are not among those that a device knows; null: there are no batches. Needs no device.
void require_known(const learn::Batches* batches, const net::Network& network, Precision precision);

/// Bytes that training a network which a device knows takes there, at least: parameters, their gradient and what the optimiser remembers of them, and what is
/// kept of every unit for every sample of a batch. Samples, and what libraries need to work in, come on top.
double least_bytes(const learn::Batches& batches, const net::Network& network,
                   const learn::TrainingOptions& options, Precision precision);

/// Throws InputError, in one line, where there is no device or the network or its gates are not among those that a device knows. Samples that are new at every
/// step are drawn on the CPU, by the workers, while the device is busy with those before. Everything but the options and the start must outlive the engine.
std::unique_ptr<learn::Engine> make_trainer(const learn::Batches& batches, const net::Network& network,
                                            const learn::OutputLoss& loss,
                                            const learn::TrainingOptions& options, double midpoint,
                                            std::uint64_t gate_seed, learn::State start,
                                            math::Workers& workers, Precision precision);

}  // namespace sluice::gpu
