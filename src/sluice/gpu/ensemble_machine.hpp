/// What a device does for many networks with one hidden layer: draws the samples of each, moves its weights by steps of training, and says how it does.
///
/// Mathematics and the order of parameters are those of net/two_layer.hpp, laws those of task/recipe.hpp, random numbers at the addresses of math/random.hpp: a member
/// sees the samples that it would see on the CPU, up to rounding. Where there is no recipe, samples are drawn on the CPU and sent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sluice/gpu/training_plan.hpp"
#include "sluice/learn/evaluation.hpp"
#include "sluice/task/recipe.hpp"

namespace sluice::gpu {

/// What all members have in common.
struct EnsemblePlan {
  enum class Unit { relu, erf, sigmoid, tanh, linear, soft_relu };
  std::int64_t inputs = 0, units = 0;
  Unit unit = Unit::relu;
  float beta = 0;  ///< of soft_relu
  bool learns_bias = false, learns_readout = false;
  float pathway = 0;   ///< s; 0: there is none
  bool exact = false;  ///< products of floats, also where those of halves are quicker
  bool alone = false;  ///< one network that has the device to itself: what is quickest for one, not for many
  bool fast = false;   ///< samples by a quicker generator, units in half precision: `precision = "fast"`
  /// What fast networks can be, at most: kernels are made for it. Sums of more samples than that would not stand being rounded to halves.
  static constexpr std::int64_t kFastInputs = 47, kFastUnits = 127, kFastBatch = 4096;
  TrainingPlan training;
  bool sent =
      false;  ///< samples are, each with its label, and looks are elsewhere; else they are drawn there
  std::int64_t first_class = 0;  ///< rows of a batch that are of class 0; of those that are sent, all
  std::int64_t looks = 0, looks_of_first = 0;  ///< samples of the evaluation set, those of class 0

  std::int64_t parameters() const {
    return units * (inputs + 1) + (learns_readout ? units + 1 : 0) + (pathway > 0 ? inputs : 0);
  }
};

struct MemberPlan {
  std::uint64_t seed = 0;              ///< of its samples
  const task::Recipe* laws = nullptr;  ///< of the two classes; null where samples are sent
  float labels[2] = {1, 0};            ///< of the classes
  float midpoint = 0.5F;
  double rate = 0;  ///< a step's is this times the share of the schedule
};

/// Samples that are drawn on the CPU.
class HostSamples {
 public:
  virtual ~HostSamples() = default;
  /// Which of them.
  struct Parcel {
    std::uint64_t first_step;
    std::int64_t steps, first_member, members;
  };
  /// x [step, member, site, row], behind the last site 1; labels [step, member, row].
  virtual void draw(const Parcel& parcel, float* x, float* labels) = 0;
};

/// The numbers of one step that members have in common.
struct SharedNumbers {
  double share = 1;                          ///< of the rate
  double first_share = 1, second_share = 1;  ///< 1 − β₁ᵗ, 1 − β₂ᵗ
};

class EnsembleMachine {
 public:
  virtual ~EnsembleMachine() = default;

  /// [members, parameters] and what the optimiser remembers of them, memory by memory.
  virtual void put(std::span<const float> parameters, std::span<const float> memory) = 0;
  /// Without room for what the optimiser remembers: the parameters alone.
  virtual void get(std::span<float> parameters, std::span<float> memory) = 0;
  /// Goes on by steps.size() steps from `first_step` on. Returns when all are under way; samples that are sent are drawn before.
  virtual void move(std::uint64_t first_step, std::span<const SharedNumbers> steps) = 0;
  virtual void wait() = 0;
  /// Mean loss and accuracy of every member on its evaluation set, which it draws itself.
  virtual void evaluate(std::span<learn::Evaluation> seen) = 0;
};

/// Bytes that a member takes on the device, its laws among them.
double bytes_of_member(const EnsemblePlan& plan);

}  // namespace sluice::gpu
