/// Several networks on the same samples: a block of inputs meets all of them at once. Outputs and gradients have the bits of each network's own
/// Pass (network.hpp), whoever else is there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sluice/math/lanes.hpp"
#include "sluice/net/network.hpp"

namespace sluice::net {

/// One thread's way through E networks that have as many outputs C and gradients of the same size.
class JointPass {
 public:
  virtual ~JointPass() = default;

  /// The parameters of every member that the next blocks meet; they must stay where they are.
  virtual void use(std::span<const std::span<const float>> parameters) = 0;
  /// Outputs [E·C, samples] of a block, member after member.
  virtual void forward(const math::Lanes& x, std::int64_t first_row, const math::Lanes& outputs) = 0;
  /// Adds to `gradient`, [E, whole vectors of gradient_size()], what each member's own pass would.
  virtual void backward(const math::Lanes& x, const math::Lanes& slopes, std::span<float> gradient) = 0;
};

/// Units of two-layer networks with the mean readout are stacked, so that one matrix product has those of all members; other networks take
/// turns. `seeds`: of what each draws for the samples of a set. The networks must outlive the pass.
std::unique_ptr<JointPass> joint_pass(std::span<const Network* const> networks, std::int64_t samples,
                                      std::span<const std::uint64_t> seeds);

}  // namespace sluice::net
