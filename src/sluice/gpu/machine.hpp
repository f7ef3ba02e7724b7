/// What a device does for a deep network: keeps its weights, moves them by steps of training, and says how it does on a set.
///
/// A machine lives in a module of its own (src/cuda/module.cu), loaded when one is asked for; this header is all that both sides know. Mathematics, order of
/// parameters and optimisers are those of net/deep_gated.hpp and learn/optimizer.hpp; sums run in another order, always the same one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sluice/gpu/ensemble_machine.hpp"
#include "sluice/gpu/training_plan.hpp"
#include "sluice/learn/visit.hpp"
#include "sluice/net/layer.hpp"
#include "sluice/net/volume.hpp"

namespace sluice::gpu {

/// How products are computed. Weights, what the optimiser remembers, and its arithmetic are the same in all of them.
///   usual      what the engine is made for: of deep networks single; of one hidden layer numbers with 10 bits after the point in 16, summed in float, where the
///              device and the shape allow it
///   single     float
///   tf32       float in memory, products of numbers with 10 bits after the point, summed in float
///   bfloat16   units and weights of products with 7 bits after the point, summed in float
enum class Precision { usual, single, tf32, bfloat16 };

struct LayerPlan {
  enum class Kind { dense, convolution, average };
  Kind kind = Kind::dense;
  net::Volume from, to;
  net::Window window = {};       ///< of convolutions and averages
  std::size_t weights = 0;       ///< where Θ_l and
  std::size_t gate_weights = 0;  ///< Θ^g_l begin among the parameters
  std::size_t weight_count = 0;
  net::Volume pooled = {};  ///< behind the gates, where they are averaged
  net::Window pool = {};    ///< rows 0: they are not
};

struct NetworkPlan {
  enum class Gates { open, own, network, random };
  std::vector<LayerPlan> layers;
  Gates gates = Gates::own;
  bool soft = false;
  float beta = 0, epsilon = 0;
  bool trains_weights = true, trains_gates = false;
  std::size_t parameters = 0;
  net::Volume input;  ///< as convolutions see it
};

/// The numbers of one step.
struct StepNumbers {
  double rate = 0;
  double first_share = 1, second_share = 1;  ///< 1 − β₁ᵗ, 1 − β₂ᵗ
};

/// Samples on the device, in the order of net::Volume.
class DeviceSet {
 public:
  virtual ~DeviceSet() = default;
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual void put(std::span<const float> parameters, std::span<const float> memory) = 0;
  /// Without room for what the optimiser remembers: the parameters alone.
  virtual void get(std::span<float> parameters, std::span<float> memory) = 0;
  /// Random gates of layer l, [rows of a batch, units] of 0 and 1.
  virtual void put_gates(std::int64_t layer, std::span<const std::uint8_t> gates) = 0;
  /// Goes on by one step on these samples of a set. Returns when it is under way.
  virtual void move(const DeviceSet& set, std::span<const learn::Visit> seen, const StepNumbers& step) = 0;
  /// The same on samples that were drawn for it: x [batch, inputs] in the order of net::Volume.
  virtual void move(std::span<const float> x, std::span<const float> y, const StepNumbers& step) = 0;
  virtual void wait() = 0;
  /// Loss of every sample of the set, and whether it is on its label's side.
  virtual void evaluate(const DeviceSet& set, std::span<float> losses, std::span<std::uint8_t> right) = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  /// Which libraries it uses, for the record: "cuBLAS 13.1, cuDNN 9.14".
  virtual std::string libraries() const = 0;
  /// x [rows, inputs] plane by plane, as tasks have them.
  virtual std::shared_ptr<DeviceSet> keep(std::span<const float> x, std::span<const float> y,
                                          const net::Volume& input) = 0;
  /// Throws std::runtime_error when there is too little memory.
  virtual std::unique_ptr<Machine> machine(const NetworkPlan& network, const TrainingPlan& training,
                                           Precision precision) = 0;
  /// Networks with one hidden layer, each with its own law and seed, or with samples that are sent; who draws those must outlive the machine. Throws std::runtime_error
  /// when there is too little memory.
  virtual std::unique_ptr<EnsembleMachine> ensemble(const EnsemblePlan& plan,
                                                    std::span<const MemberPlan> members,
                                                    HostSamples* samples) = 0;
  /// Bytes of memory that nobody has taken.
  virtual double free_bytes() const = 0;
};

/// The device of this process. Throws InputError, in one line, where there is none.
Device& device();

}  // namespace sluice::gpu
