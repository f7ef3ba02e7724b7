/// What is watched, during a run or after it. A probe turns a snapshot of the network into numbers; the record keeps them
/// under the probe's name, one entry per probe time. Equations and thresholds: docs/probes.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sluice/file/array.hpp"
#include "sluice/probe/snapshot.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::probe {

class Survey;

/// Axes of a probe's array after the time axis.
enum class Extent { scalar, per_unit, per_weight, per_frequency };

/// What makes a probe watch.
enum class When {
  always,           ///< part of the record's contract, whether asked for or not
  asked,            ///< named by probe.watch
  finite_set,       ///< whenever training is confined to a finite set
  learned_readout,  ///< whenever the network learns its readout
};

/// What a probe looks at.
enum class Needs {
  run,        ///< what only a running experiment knows: loss, readout, flow
  weights,    ///< the weights, also those of the probe time before
  ring,       ///< the weights, with sites on a ring
  gabor,      ///< the same, with a number of sites that Gabor functions are fitted on
  bias,       ///< the biases
  samples,    ///< inputs
  reference,  ///< another record
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
  Needs needs;
  file::Array::Data (*empty)();
  void (*measure)(Survey&, file::Array::Data& append_to);
};

/// All probes, in the order in which they stand in record.npz.
std::span<const Probe> probes();
spec::Choices probe_choices();
/// Null when there is none of this name.
const Probe* find_probe(std::string_view name);

/// Shape of the array after T probe times.
file::Shape shape_of(Extent extent, std::int64_t times, std::int64_t units, std::int64_t inputs);
/// Names of the array's axes: "step", "unit", "site" or "frequency".
std::span<const std::string_view> axes_of(Extent extent);

}  // namespace sluice::probe
