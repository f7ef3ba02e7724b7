#include "sluice/learn/block_worker.hpp"

namespace sluice::learn {

BlockWorker::BlockWorker(const task::Task& task, const net::TwoLayer<float>& network, const Loss& loss)
    : task_(task),
      network_(network),
      loss_(loss),
      samples_(task.inputs(), BlockPlan::kBlockRows),
      sampling_scratch_(task.inputs(), BlockPlan::kBlockRows),
      outputs_(BlockPlan::kBlockRows),
      slopes_(BlockPlan::kBlockRows),
      scratch_(network.make_scratch(BlockPlan::kBlockRows)) {}

void BlockWorker::forward(const math::Address& batch, const Block& block, std::span<const float> parameters) {
  math::Address first = batch;
  first.row += static_cast<std::uint32_t>(block.first_row);
  x_ = samples_.lanes(block.rows);
  task_.sample(first, block.which_class, x_, sampling_scratch_.lanes(block.rows));
  network_.forward(parameters, x_, std::span(outputs_).first(static_cast<std::size_t>(block.rows)), scratch_);
}

void BlockWorker::backward(double label, double scale, std::span<float> gradient) {
  const auto rows = static_cast<std::size_t>(x_.samples);
  for (std::size_t row = 0; row < rows; ++row) {
    slopes_[row] = static_cast<float>(scale * loss_.slope(outputs_[row], label));
  }
  network_.backward(x_, std::span(slopes_).first(rows), gradient, scratch_);
}

}  // namespace sluice::learn
