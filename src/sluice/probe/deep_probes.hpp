/// What can be watched of a deep gated network, besides loss and accuracy. Kernels and gates are those of the first
/// probe.kernel_samples training samples (half of them from each class where there are two).
#pragma once

#include "sluice/spec/keys.hpp"

namespace sluice::probe {

spec::Choices deep_probe_choices();

}  // namespace sluice::probe
