/// Gram matrices of a deep gated network over the training set of its task.
#pragma once

#include <cstdint>
#include <optional>
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
  std::string from;          // a run folder or its record.npz: its layers instead of the spec's initial ones
  int threads = 1;
};

/// What its eigenvalues say, of at most kMostForSpectrum samples.
struct KernelSpectrum {
  double smallest = 0, largest = 0;
  double condition = 0;
  double alignment = 0;  ///< ν = y'H⁻¹y of H = K/tr K
};
constexpr std::int64_t kMostForSpectrum = 2000;  // eigenvalues of more take minutes

struct KernelMatrix {
  kernel::SampleMatrix<float> matrix;
  std::vector<double> y;     ///< labels of the samples
  double seconds = 0;        ///< of the passage and the matrix
  double mean_diagonal = 0;  ///< tr K/n
  std::optional<KernelSpectrum> spectrum = {};
};

/// At the initial weights of the spec, or at those of another run. Throws InputError when the network is
/// not deep, the task not finite or the network has more than one output.
KernelMatrix kernel_matrix(Experiment experiment, const KernelOptions& options);

}  // namespace sluice::lab
