/// What the engines of this room have in common: refusals, and how training is written down for a device.
#pragma once

#include <string>

#include "sluice/gpu/training_plan.hpp"
#include "sluice/learn/batches.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/learn/options.hpp"

namespace sluice::gpu {

/// Throws InputError: device "gpu": ...
[[noreturn]] void refuse(const std::string& what);

TrainingPlan training_plan(const learn::TrainingOptions& options, const learn::OutputLoss& loss,
                           double midpoint, const learn::Batches& batches);

}  // namespace sluice::gpu
