/// The expected loss of any network, any loss and any labels, as a weighted average over kept samples:
///   L(θ) = Σ_m weight_m L(ŷ(x_m; θ), y_m),     −∂L/∂θ by the pass that training uses                  ledger: N0.3, N0.4
/// Over all points of a finite set it is the loss of full-batch training, exactly; else kept_samples.hpp says what is
/// estimated, and how well.
///
/// Parameters come in double and are rounded to float on their way through the network. Blocks are summed in float, eight at
/// a time, from there on in double, in an order that does not depend on the threads: off by some 1e-7 of the largest block.
/// Parameters that are not trained (fixed biases) have no slope and stay.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "sluice/flow/kept_samples.hpp"
#include "sluice/flow/landscape.hpp"
#include "sluice/learn/block_worker.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::flow {

class SampledLandscape final : public Landscape {
 public:
  /// Network and workers must outlive the landscape. Calls take turns: the team is shared.
  SampledLandscape(const net::Network& network, const learn::OutputLoss& loss, KeptSamples samples,
                   math::Workers& workers);

  std::size_t size() const override { return network_.parameter_count(); }
  void downhill(std::span<const double> parameters, std::span<double> out) const override;
  double loss(std::span<const double> parameters) const override;

  const KeptSamples& samples() const { return samples_; }

 private:
  void use(std::span<const double> parameters) const;

  const net::Network& network_;
  learn::OutputLoss loss_;
  KeptSamples samples_;
  learn::BlockPlan plan_;
  math::Workers& workers_;
  // scratch, whose turn it is
  mutable std::mutex turn_;
  mutable std::vector<float> parameters_;
  mutable std::vector<learn::BlockWorker> block_workers_;       // one per thread
  mutable std::vector<math::Aligned<float>> thread_gradients_;  // of a few blocks
  mutable std::vector<math::Aligned<double>> chunk_gradients_;
};

}  // namespace sluice::flow
