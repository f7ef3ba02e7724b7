/// What is watched during a run. A probe turns a snapshot of the network into numbers; the record keeps them under
/// the probe's name, one entry per probe time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/file/array.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::probe {

/// The network at one probe time.
struct Snapshot {
  std::int64_t step = 0;
  std::int64_t units = 0;          ///< K
  std::int64_t inputs = 0;         ///< n
  std::span<const float> weights;  ///< [K, n]
  std::span<const float> bias;     ///< [K]
  double loss = 0;
  double accuracy = 0;
  double train_loss = 0;  ///< these two only where training is confined to a finite set
  double train_accuracy = 0;
  std::span<const float> readout;  ///< [K]; these two only where the readout is learned
  std::span<const float> offset;   ///< [1]
  std::span<const float> flow;  ///< [K, n]: the weights of the flow from the same start, where it is watched
};

/// Axes of a probe's array after the time axis.
enum class Extent { scalar, per_unit, per_weight };

/// What makes a probe watch.
enum class When {
  always,           ///< part of the record's contract, whether asked for or not
  asked,            ///< named by probe.watch
  finite_set,       ///< whenever training is confined to a finite set
  learned_readout,  ///< whenever the network learns its readout
};

/// What a run has that makes probes watch unasked.
struct Occasions {
  bool finite_set = false;
  bool learned_readout = false;
};

struct Probe {
  spec::Choice choice;  ///< name and equation
  Extent extent;
  When when;
  file::Array::Data (*empty)();
  void (*measure)(const Snapshot&, file::Array::Data& append_to);
};

/// All probes, in the order in which they stand in record.npz.
std::span<const Probe> probes();
spec::Choices probe_choices();

/// Shape of the array after T probe times.
file::Shape shape_of(Extent extent, std::int64_t times, std::int64_t units, std::int64_t inputs);
/// Names of the array's axes: "step", "unit", "site".
std::span<const std::string_view> axes_of(Extent extent);

}  // namespace sluice::probe
