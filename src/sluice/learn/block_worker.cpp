#include "sluice/learn/block_worker.hpp"

namespace sluice::learn {

BlockWorker::BlockWorker(const Batches& batches, const net::TwoLayer<float>& network, const Loss& loss)
    : drawer_(batches.drawer()),
      network_(network),
      loss_(loss),
      samples_(batches.inputs(), BlockPlan::kBlockRows),
      labels_(BlockPlan::kBlockRows),
      outputs_(BlockPlan::kBlockRows),
      slopes_(BlockPlan::kBlockRows),
      scratch_(network.make_scratch(BlockPlan::kBlockRows)) {}

void BlockWorker::forward(std::uint64_t step, const Block& block, std::span<const float> parameters) {
  const auto rows = static_cast<std::size_t>(block.rows);
  x_ = samples_.lanes(block.rows);
  drawer_->draw(step, block, x_, std::span(labels_).first(rows));
  network_.forward(parameters, x_, std::span(outputs_).first(rows), scratch_);
}

void BlockWorker::backward(double scale, std::span<float> gradient) {
  const auto rows = static_cast<std::size_t>(x_.samples);
  for (std::size_t row = 0; row < rows; ++row) {
    slopes_[row] = static_cast<float>(scale * loss_.slope(outputs_[row], labels_[row]));
  }
  network_.backward(x_, std::span(slopes_).first(rows), gradient, scratch_);
}

}  // namespace sluice::learn
