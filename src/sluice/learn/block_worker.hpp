/// What one thread needs to sample a block and push it through the network; reused for every block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/learn/blocks.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/math/random.hpp"
#include "sluice/net/two_layer.hpp"
#include "sluice/task/task.hpp"

namespace sluice::learn {

class BlockWorker {
 public:
  BlockWorker(const task::Task& task, const net::TwoLayer<float>& network, const Loss& loss);

  /// Draws the block's samples and computes their outputs. `batch` is the address of the batch's row 0.
  void forward(const math::Address& batch, const Block& block, std::span<const float> parameters);

  /// Adds Σ_samples scale·(dL/dŷ)·∂ŷ/∂parameters of the block that forward() saw last, laid out as
  /// net::TwoLayer::gradient_stride() says.
  void backward(double label, double scale, std::span<float> gradient);

  const math::Lanes& samples() const { return x_; }
  std::span<const float> outputs() const {
    return std::span(outputs_).first(static_cast<std::size_t>(x_.samples));
  }

 private:
  const task::Task& task_;
  const net::TwoLayer<float>& network_;
  const Loss& loss_;
  math::LanesBuffer<float> samples_;
  math::LanesBuffer<float> sampling_scratch_;
  math::Lanes x_;  // the current block
  std::vector<float> outputs_;
  std::vector<float> slopes_;
  net::TwoLayer<float>::Scratch scratch_;
};

}  // namespace sluice::learn
