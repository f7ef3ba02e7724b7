#include "sluice/learn/block_worker.hpp"

#include "sluice/learn/loss.hpp"

namespace sluice::learn {

BlockWorker::BlockWorker(const task::Task& task, const net::TwoLayer<float>& network)
    : task_(task),
      network_(network),
      inputs_(static_cast<std::size_t>(task.inputs())),
      samples_(BlockPlan::kBlockRows * inputs_),
      sampling_scratch_(samples_.size()),
      outputs_(BlockPlan::kBlockRows),
      slopes_(BlockPlan::kBlockRows),
      scratch_(network.make_scratch(BlockPlan::kBlockRows)) {}

void BlockWorker::forward(const math::Address& batch, const Block& block, std::span<const float> parameters) {
  used_ = static_cast<std::size_t>(block.rows);
  math::Address first = batch;
  first.row += static_cast<std::uint32_t>(block.first_row);
  const std::size_t size = used_ * inputs_;
  task_.sample(first, block.which_class, std::span(samples_).first(size),
               std::span(sampling_scratch_).first(size));
  network_.forward(parameters, samples(), std::span(outputs_).first(used_), scratch_);
}

void BlockWorker::backward(float label, float scale, std::span<float> gradient) {
  for (std::size_t row = 0; row < used_; ++row) {
    slopes_[row] = scale * half_squared_error_slope(outputs_[row], label);
  }
  network_.backward(samples(), std::span(slopes_).first(used_), gradient, scratch_);
}

}  // namespace sluice::learn
