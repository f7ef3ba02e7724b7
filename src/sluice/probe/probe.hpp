/// What is watched, during a run or after it: one table for all networks. A probe turns a snapshot of the network into numbers; the
/// record keeps them under the probe's name, one entry per probe time. Equations and thresholds: docs/probes.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sluice/file/array.hpp"
#include "sluice/probe/axes.hpp"
#include "sluice/probe/snapshot.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/task/task.hpp"

namespace sluice::probe {

class Survey;

/// What makes a probe watch.
enum class When {
  always,  ///< part of the record's contract: whenever what it needs is there, whether asked for or not
  asked,   ///< named by probe.watch
};

/// What a probe looks at; several may be needed at once.
enum Needs : unsigned {
  kFields = 0,            ///< the receptive fields, also those of the probe time before: always there
  kRun = 1U << 0,         ///< what only a running experiment knows
  kRing = 1U << 1,        ///< sites on a ring
  kGabor = 1U << 2,       ///< a number of sites that Gabor functions are fitted on
  kBias = 1U << 3,        ///< biases
  kReadout = 1U << 4,     ///< a learned readout
  kSamples = 1U << 5,     ///< inputs
  kReference = 1U << 6,   ///< another record
  kFiniteSet = 1U << 7,   ///< a training set
  kSquares = 1U << 8,     ///< the half-squared loss
  kLayers = 1U << 9,      ///< a deep network
  kKernels = 1U << 10,    ///< the same with one output
  kSoftGates = 1U << 11,  ///< gates with a slope
  kPlaces = 1U << 12,     ///< fields over all sites of a ring or torus
  kSchedule = 1U << 13,   ///< a rate that changes from step to step
  kPlane = 1U << 14,      ///< sites of a torus or an image
  kGabor2 = 1U << 15,     ///< as many rows and columns as Gabor functions are fitted on
};

/// What a run, a record or a file of weights has to be looked at.
struct Subject {
  Extents extents;
  bool running = false;
  bool bias = false;
  bool readout = false;
  bool samples = false;
  bool reference = false;
  bool finite_set = false;
  bool squares = false;
  bool deep = false;
  std::int64_t outputs = 1;
  bool soft_gates = false;
  bool schedule = false;
};

struct Probe {
  spec::Choice choice;  ///< name and equation
  Axes axes;
  When when;
  unsigned needs;
  file::Array::Data (*empty)();
  void (*measure)(Survey&, file::Array::Data& append_to);
  std::string_view with = {};  ///< also watched when the probe of this name is
};

/// All probes, in the order in which they stand in record.npz.
std::span<const Probe> probes();
spec::Choices probe_choices();
/// Null when there is none of this name.
const Probe* find_probe(std::string_view name);

/// Why it cannot be measured, "needs sites on a ring, task.dim = 1"; empty when it can.
std::string lack(const Probe& probe, const Subject& subject);

}  // namespace sluice::probe
