/// dynamics.kind = "flow", "exact": what moves a state in expectation, dθ/dt = −∂L/∂θ, in place of training. Flows of two-layer networks
/// are integrated; gated linear units have a solution (gated_solution.hpp).
///
/// Time is t = rate × step of SGD, so the same spec with the kind changed gives records that can be held against each other
/// step by step. Which flow it is follows from the family of the network, its units, the task and the loss.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sluice/learn/engine.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/network.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/task/registry.hpp"

namespace sluice::flow {

struct MomentOptions {
  std::string method = "auto";
  std::int64_t samples = 1 << 17;  // of the sampled ones
  std::uint64_t seed = 1;
};

/// The keys of [dynamics] that only a flow or a solution has.
struct EngineOptions {
  std::string response = "auto";   // key "operator": how f(w) is computed
  std::string pairs = "auto";      // how units answer together, where there are several
  std::int64_t samples = 1 << 14;  // of sampled expectations; at least 16 for every weight of a network
  double tolerance = 1e-4;         // error per step of the integrator
  double steady = 0;               // the flow ends when max |dθ/dt| falls below; 0: never

  // Of kind = "exact".
  bool exact = false;
  MomentOptions moments;      // key "moments", "samples": how the moments behind gates are computed
  std::string pace = "flow";  // continuous time, or steps of sgd

  void describe(spec::Keys& keys);
  void describe_exact(spec::Keys& keys);
};

/// What EngineOptions::moments.method and ::pace can name.
spec::Choices moment_methods();
spec::Choices paces();

/// What EngineOptions::response and ::pairs can name.
spec::Choices engine_operators();
spec::Choices engine_pairs();

/// Where a flow stops: at every `every` steps, and at the last; one step is `rate` of time.
struct Timetable {
  double rate = 1;
  std::int64_t steps = 0;
  std::int64_t every = 1;
};

/// What a flow is the flow of. Everything must outlive the engine.
struct Subject {
  const net::Network& network;
  const task::Section& section;
  const task::Task& task;
  std::span<const float> start;  ///< parameters of step 0
  const learn::OutputLoss& loss;
};

/// Throws InputError when no such flow is known of the task and network.
void require_flow(const Subject& subject, const EngineOptions& options);

/// Length of learn::State::exact once the flow has moved.
std::size_t exact_numbers(const Subject& subject, const EngineOptions& options);

/// `seed` is that of sampled expectations.
std::unique_ptr<learn::Engine> make_flow(const Subject& subject, const EngineOptions& options,
                                         const Timetable& times, std::uint64_t seed, learn::State start,
                                         math::Workers& workers);

}  // namespace sluice::flow
