/// The covariance of one class of a task as a matrix: circulant on a ring, dense (all pairs of sites) on a torus.
#pragma once

#include "sluice/flow/covariance.hpp"
#include "sluice/task/task.hpp"

namespace sluice::flow {

Covariance class_covariance(const task::Task& task, int which_class);

}  // namespace sluice::flow
