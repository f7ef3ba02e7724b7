#include "sluice/learn/block_worker.hpp"

#include "sluice/math/assert.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::learn {

BlockWorker::BlockWorker(const Batches& batches, const net::Network& network, const OutputLoss& loss,
                         std::uint64_t seed)
    : drawer_(batches.drawer()),
      pass_(network.pass(BlockPlan::kBlockRows, seed)),
      loss_(loss),
      samples_(batches.inputs(), BlockPlan::kBlockRows),
      outputs_(network.outputs(), BlockPlan::kBlockRows),
      slopes_(network.outputs(), BlockPlan::kBlockRows),
      labels_(BlockPlan::kBlockRows) {
  SLUICE_ASSERT(batches.inputs() == network.inputs());
  math::stop_if_asked();  // of a million sites the rooms of one take half a second
}

void BlockWorker::forward(std::uint64_t step, const Block& block) {
  math::stop_if_asked();
  SLUICE_ASSERT(block.rows > 0 && block.rows <= BlockPlan::kBlockRows);
  x_ = samples_.lanes(block.rows);
  y_ = outputs_.lanes(block.rows);
  drawer_->draw(step, block, x_, std::span(labels_).first(static_cast<std::size_t>(block.rows)));
  pass_->forward(x_, block.first_row, y_);
}

void BlockWorker::backward(double scale, std::span<float> gradient) {
  SLUICE_ASSERT(x_.samples > 0);  // forward() first
  const math::Lanes slopes = slopes_.lanes(x_.samples);
  loss_.slopes_of_block(y_.data, y_.stride, labels(), scale, slopes.data);
  pass_->backward(x_, slopes, gradient);
}

void BlockWorker::backward(std::span<const double> scales, std::span<float> gradient) {
  SLUICE_ASSERT(x_.samples > 0);  // forward() first
  SLUICE_ASSERT(scales.size() >= static_cast<std::size_t>(x_.samples));
  const math::Lanes slopes = slopes_.lanes(x_.samples);
  for (std::int64_t r = 0; r < x_.samples; ++r) {
    const auto at = static_cast<std::size_t>(r);
    loss_.slopes(&y_.at(0, r), y_.stride, labels_[at], scales[at], &slopes.at(0, r));
  }
  pass_->backward(x_, slopes, gradient);
}

}  // namespace sluice::learn
