#include "sluice/learn/joint_worker.hpp"

#include "sluice/math/assert.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::learn {
namespace {

std::unique_ptr<net::JointPass> pass_of(std::span<const Companion> members) {
  std::vector<const net::Network*> networks;
  std::vector<std::uint64_t> seeds;
  for (const Companion& each : members) {
    networks.push_back(each.network);
    seeds.push_back(each.seed);
  }
  return net::joint_pass(networks, BlockPlan::kBlockRows, seeds);
}

}  // namespace

JointWorker::JointWorker(const Batches& batches, std::span<const Companion> members, const OutputLoss& loss)
    : outputs_of_one_(members.front().network->outputs()),
      members_(static_cast<std::int64_t>(members.size())),
      drawer_(batches.drawer()),
      pass_(pass_of(members)),
      loss_(loss),
      samples_(batches.inputs(), BlockPlan::kBlockRows),
      outputs_(members_ * outputs_of_one_, BlockPlan::kBlockRows),
      slopes_(members_ * outputs_of_one_, BlockPlan::kBlockRows),
      labels_(BlockPlan::kBlockRows) {}

void JointWorker::forward(std::uint64_t step, const Block& block) {
  math::stop_if_asked();
  SLUICE_ASSERT(block.rows > 0 && block.rows <= BlockPlan::kBlockRows);
  x_ = samples_.lanes(block.rows);
  y_ = outputs_.lanes(block.rows);
  drawer_->draw(step, block, x_, std::span(labels_).first(static_cast<std::size_t>(block.rows)));
  pass_->forward(x_, block.first_row, y_);
}

void JointWorker::backward(double scale, std::span<float> gradient) {
  const math::Lanes slopes = slopes_.lanes(x_.samples);
  for (std::int64_t e = 0; e < members_; ++e) {
    const std::int64_t row = e * outputs_of_one_;
    loss_.slopes_of_block(&y_.at(row, 0), y_.stride, labels(), scale, &slopes.at(row, 0));
  }
  pass_->backward(x_, slopes, gradient);
}

}  // namespace sluice::learn
