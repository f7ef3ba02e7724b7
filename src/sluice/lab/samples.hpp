/// Samples of an experiment's task, as arrays for other programs or as a picture.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sluice/figure/style.hpp"
#include "sluice/file/array.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/lab/listeners.hpp"
#include "sluice/probe/kurtosis.hpp"
#include "sluice/task/task.hpp"

namespace sluice::lab {

struct SampleOptions {
  std::filesystem::path out;  ///< .npz: arrays; .svg, .pdf or .png: the picture
  bool overwrite = false;
  double dpi = 200;                   ///< of a .png
  figure::Style style = {};           ///< of the picture
  std::optional<std::int64_t> count;  ///< 1000 when left out; a dataset has its own number and takes none
  Remark remark = say_nothing;
};

struct Sampled {
  std::array<std::int64_t, 2> samples;  ///< of each class
  std::int64_t inputs;
  std::string caption;  ///< of the picture; empty for arrays
};

/// Draws, then writes options.out whole or not at all. All checks that can fail on the user's input come first.
/// Throws InputError, IoError.
Sampled sample(Experiment& experiment, const SampleOptions& options);

/// What training would see: the training set of a finite task; of an endless one the first batch, if it had `count` samples,
/// the share `balance` of them (rounded) from the first class.
task::FiniteSet draw_samples(const task::Task& task, std::uint64_t seed, std::optional<std::int64_t> count);

/// What probes that need inputs are measured on: a finite task's training set; of an endless one its first `samples`, at most
/// kMostProbeSamples however many a run evaluates on.
constexpr std::int64_t kMostProbeSamples = 10'000;
std::unique_ptr<probe::Samples> probe_samples(const task::Task& task, std::int64_t samples,
                                              std::uint64_t seed);

/// x [N, n] and y [N] as float32, class [N] as int64: what kind = "dataset" reads.
file::NamedArrays arrays_of(const task::FiniteSet& set);

}  // namespace sluice::lab
