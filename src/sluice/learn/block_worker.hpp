/// What one thread needs to draw a block and push it through the network; reused for every block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sluice/learn/batches.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/net/two_layer.hpp"

namespace sluice::learn {

class BlockWorker {
 public:
  BlockWorker(const Batches& batches, const net::TwoLayer<float>& network, const Loss& loss);

  /// Draws the block's samples of batch `step` and computes their outputs.
  void forward(std::uint64_t step, const Block& block, std::span<const float> parameters);

  /// Adds Σ_samples scale·(dL/dŷ)·∂ŷ/∂parameters of the block that forward() saw last, laid out as
  /// net::TwoLayer::gradient_stride() says.
  void backward(double scale, std::span<float> gradient);

  const math::Lanes& samples() const { return x_; }
  std::span<const float> labels() const {
    return std::span(labels_).first(static_cast<std::size_t>(x_.samples));
  }
  std::span<const float> outputs() const {
    return std::span(outputs_).first(static_cast<std::size_t>(x_.samples));
  }

 private:
  std::unique_ptr<Drawer> drawer_;
  const net::TwoLayer<float>& network_;
  const Loss& loss_;
  math::LanesBuffer<float> samples_;
  math::Lanes x_;  // the current block
  std::vector<float> labels_;
  std::vector<float> outputs_;
  std::vector<float> slopes_;
  net::TwoLayer<float>::Scratch scratch_;
};

}  // namespace sluice::learn
