/// The response operators of flow/ by name, for the task of a spec.
///   gaussian     as if X were Gaussian with the task's covariance; exact for gaussian, gaussian-clone
///   elliptical   exact for student-t, shell, scale-mixture
///   bumps        exact for nlgp where the gate sees few sites
///   exact        sums over the points of pulse and block, and over the samples of a dataset
///   ising        exact for ising up to 40 sites
///   conditioned  a better approximation for nlgp, usually 1 % to 3 % off
///   mean-field   an approximation for nlgp and norta, 2 % to 30 % off
///   sampled      averages over 65,536 samples of any task
#pragma once

#include <memory>
#include <string>

#include "sluice/flow/response.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/task/registry.hpp"

namespace sluice::flow {

spec::Choices operator_choices();

/// The operator of that name for one class (0: the first ξ). Empty name: the exact one of the task. Throws InputError when
/// there is none of that name, or none that fits the task.
std::unique_ptr<Response> make_operator(const std::string& name, const task::Section& task, int which_class);

}  // namespace sluice::flow
