#include "sluice/learn/engine.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "sluice/learn/deep_trainer.hpp"
#include "sluice/learn/trainer.hpp"
#include "sluice/net/deep_network.hpp"

namespace sluice::learn {
namespace {

using Made = std::unique_ptr<Engine>;

/// What a trainer is made of.
struct Work {
  const Batches& batches;
  const net::Network& network;
  const OutputLoss& loss;
  const TrainingOptions& options;
  std::uint64_t seed;
  math::Workers& workers;
};

/// Whole-batch tiles that feed the optimiser: no gradient of a large network ever exists.
Made deep_trainer(const Work& work, State& start) {
  const auto* deep = dynamic_cast<const net::DeepNetwork*>(&work.network);
  if (deep == nullptr) return nullptr;
  return std::make_unique<DeepTrainer>(work.batches, deep->layers(), work.loss, work.options, work.seed,
                                       std::move(start), work.workers);
}

/// Gradients of chunks, added in double: any network.
Made any_trainer(const Work& work, State& start) {
  return std::make_unique<Trainer>(work.batches, work.network, work.loss, work.options, work.seed,
                                   std::move(start), work.workers);
}

// The first that takes the network.
constexpr std::array kTrainers{deep_trainer, any_trainer};

}  // namespace

std::unique_ptr<Engine> make_trainer(const Batches& batches, const net::Network& network,
                                     const OutputLoss& loss, const TrainingOptions& options,
                                     std::uint64_t seed, State start, math::Workers& workers) {
  const Work work{batches, network, loss, options, seed, workers};
  for (const auto make : kTrainers) {
    if (Made made = make(work, start)) return made;
  }
  throw std::logic_error("learn: no engine trains this network");
}

}  // namespace sluice::learn
