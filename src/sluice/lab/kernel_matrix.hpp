/// Gram matrices of a deep gated network over the training set of its task.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/kernel/matrix.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/spec/keys.hpp"

namespace sluice::lab {

/// "tangent", "strength", "gates", "paths", "overlap".
spec::Choices kernel_kinds();

struct KernelOptions {
  std::string kind = "tangent";
  std::int64_t samples = 0;  // the first of the training set; 0: all
  int threads = 1;
};

struct KernelMatrix {
  kernel::SampleMatrix<float> matrix;
  std::vector<double> y;  ///< labels of the samples
  double seconds = 0;     ///< of the passage and the matrix
};

/// At the initial weights of the spec (those of a run with network.init.law = "file"). Throws InputError when the network is
/// not deep, the task not finite or the network has more than one output.
KernelMatrix kernel_matrix(const Experiment& experiment, const KernelOptions& options);

}  // namespace sluice::lab
