#include "sluice/gpu/plans.hpp"

#include <map>
#include <string_view>

#include "sluice/file/errors.hpp"

namespace sluice::gpu {

void refuse(const std::string& what) { throw InputError("device \"gpu\": " + what); }

TrainingPlan training_plan(const learn::TrainingOptions& options, const learn::OutputLoss& loss,
                           double midpoint, const learn::Batches& batches) {
  using Rule = TrainingPlan::Rule;
  using Loss = TrainingPlan::Loss;
  const std::map<std::string_view, Rule> rules{
      {"sgd", Rule::sgd}, {"momentum", Rule::momentum}, {"rmsprop", Rule::rmsprop}, {"adam", Rule::adam}};
  const std::map<std::string_view, Loss> losses{
      {"half-squared", Loss::half_squared}, {"l1", Loss::l1}, {"cross-entropy", Loss::cross_entropy}};
  return {.batch = batches.rows(),
          .drawn = batches.set() == nullptr,
          .rule = rules.at(options.kind),
          .loss = losses.at(loss.name()),
          .momentum = options.optimizer.momentum,
          .decay = options.optimizer.decay,
          .epsilon = options.optimizer.epsilon,
          .weight_decay = options.optimizer.weight_decay,
          .midpoint = midpoint};
}

}  // namespace sluice::gpu
