/// task.kind = "function": samples made by the program around the library (spec/given.hpp), `import sluice` in Python for one. The law
/// is not ours to know:
///   moments   measured, on moment_samples(n) samples of each class
///   labels    those of the classes, unless the function writes others; then what the spec states only divides right from wrong
/// A function makes kBlockSamples rows at a time, those of an address whose row is a multiple of it, so that a sample is a function of its address
/// alone however batches are cut, as of any task.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sluice/spec/given.hpp"
#include "sluice/task/options.hpp"

namespace sluice::task {

/// Fills x [math::kBlockSamples, n], which holds zeros, and may change y [math::kBlockSamples], which holds the label of the class.
/// Everything random belongs to the address of the first row. Called by several threads at once.
using SampleFunction =
    std::function<void(const math::Address& first, int which_class, std::span<float> x, std::span<float> y)>;
using GivenSamples = spec::Given<SampleFunction>;

/// 12288, or as many as a second allows where inputs are many: their pairs are n².
std::int64_t moment_samples(std::int64_t inputs);

struct FunctionOptions final : SiteOptions {
  std::string sites = "ring";
  std::int64_t rows = 1;  // of a torus or an image
  std::string source;

  void describe(spec::Keys& keys) override;
  std::unique_ptr<Task> make() const override;
  std::int64_t dimensions() const override { return sites == "torus" ? 2 : 1; }
};

}  // namespace sluice::task
