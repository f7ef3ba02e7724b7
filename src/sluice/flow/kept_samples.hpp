/// Samples that stand for the law of a task, drawn once and kept: what an expected loss is an average over.
///   E L(ŷ(X), Y) ≈ Σ_m weight_m L(ŷ(x_m), y_m),     Σ_m weight_m = 1
/// Of a finite law (dataset, points, mnist, cifar10, pulse, block) they are all its points, and nothing is estimated. Otherwise they are
/// draws at addresses of the seed, so many of each class that its share is exact by weight, and
///   signs     where X ~ −X a draw stands beside its negative,
///   shifts    on a ring or torus beside shifts of itself, evenly spread: up to ten are as good as further draws, without their
///             memory,
///   weights   draws are weighted such that their power at every frequency is exactly that of the class (calibration.hpp).
/// A draw, its negative and their shifts have one power at every frequency, hence one weight; labels are asked for each of them,
/// because a teacher's differ. Memory 4 n bytes per draw.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sluice/flow/finite_law.hpp"
#include "sluice/flow/shifts.hpp"
#include "sluice/learn/batches.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/task/task.hpp"

namespace sluice::flow {

struct KeptOptions {
  /// Draws, each of which stands for its negative and its shifts; rounded up to whole blocks of each class.
  std::int64_t samples = 1 << 14;
  std::uint64_t seed = 1;
  bool use_signs = true;
  std::int64_t most_shifts = 8;      ///< 1: none
  std::int64_t most_rows = 1 << 20;  ///< fewer shifts rather than more rows
  bool use_weights = true;
};

class KeptSamples final : public learn::Batches {
 public:
  /// All points of a law.
  KeptSamples(const FiniteLaw& law, std::int64_t inputs);
  /// Draws from a task.
  KeptSamples(const task::Task& task, const KeptOptions& options, math::Workers& workers);

  std::int64_t inputs() const override { return inputs_; }
  std::int64_t rows() const override { return static_cast<std::int64_t>(labels_.size()); }
  std::int64_t rows_of_first_class() const override { return rows(); }
  /// Of the one batch there is, whatever its step.
  std::unique_ptr<learn::Drawer> drawer() const override;

  /// Of the rows from `first` on; they must lie within one block.
  std::span<const double> weights(std::int64_t first, std::int64_t count) const {
    return std::span(weights_).subspan(static_cast<std::size_t>(first % draws()),
                                       static_cast<std::size_t>(count));
  }
  /// How many of them were drawn.
  std::int64_t draws() const { return static_cast<std::int64_t>(weights_.size()); }

 private:
  static constexpr std::int64_t kBlock = math::kBlockSamples;

  /// One way of looking at all draws.
  struct View {
    float sign = 1;
    std::size_t shift = 0;
  };
  class Copies;
  void weigh(const task::Task& task, int which_class, std::int64_t first, std::int64_t count);
  void copy(std::int64_t draw, const View& view, const math::Lanes& x) const;

  std::int64_t inputs_;
  Shifts moves_;
  std::vector<View> views_;
  math::Aligned<float> x_;       // [draws in blocks, n, kBlock]
  std::vector<double> weights_;  // [draws]
  std::vector<float> labels_;    // [views, draws]
};

}  // namespace sluice::flow
