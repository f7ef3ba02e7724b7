/// What one thread needs to draw a block and push it through a network; reused for every block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sluice/learn/batches.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/net/network.hpp"

namespace sluice::learn {

class BlockWorker {
 public:
  BlockWorker(const Batches& batches, const net::Network& network, const OutputLoss& loss,
              std::uint64_t seed);

  /// The parameters that the next blocks meet; they must stay where they are.
  void use(std::span<const float> parameters) { pass_->use(parameters); }

  /// Draws the block's samples of batch `step` and computes their outputs.
  void forward(std::uint64_t step, const Block& block);

  /// Adds Σ_samples scale·(dL/dŷ)·∂ŷ/∂parameters of the block that forward() saw last, laid out as net::Network::trained()
  /// says.
  void backward(double scale, std::span<float> gradient);
  /// With a scale of its own for every sample of the block.
  void backward(std::span<const double> scales, std::span<float> gradient);

  const math::Lanes& samples() const { return x_; }
  std::span<const float> labels() const {
    return std::span(labels_).first(static_cast<std::size_t>(x_.samples));
  }
  /// [C, samples]
  const math::Lanes& outputs() const { return y_; }

 private:
  std::unique_ptr<Drawer> drawer_;
  std::unique_ptr<net::Pass> pass_;
  OutputLoss loss_;
  math::LanesBuffer<float> samples_;
  math::LanesBuffer<float> outputs_;
  math::LanesBuffer<float> slopes_;
  std::vector<float> labels_;
  math::Lanes x_, y_;  // the current block
};

}  // namespace sluice::learn
