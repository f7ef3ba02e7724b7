#include "sluice/learn/trainer.hpp"

#include <algorithm>
#include <utility>

#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/ranks.hpp"
#include "sluice/math/stopping.hpp"

namespace sluice::learn {
namespace {

std::size_t padded(std::size_t count) {
  return static_cast<std::size_t>(math::whole_vectors(static_cast<std::int64_t>(count)));
}

}  // namespace

std::vector<Trainer::Group> Trainer::groups_of(const net::Network& network) {
  constexpr std::size_t kMostGroups = 8;
  constexpr auto kVector = static_cast<std::size_t>(math::kWidestVector);
  const std::size_t vectors = padded(network.gradient_size()) / kVector;
  const std::size_t count = std::min(kMostGroups, vectors);
  std::vector<Group> groups;
  for (std::size_t g = 0; g < count; ++g) {
    Group group{g * vectors / count * kVector, (g + 1) * vectors / count * kVector};
    for (const net::Stretch& whole : network.trained()) {
      const std::size_t from = std::max(whole.gradient, group.from);
      const std::size_t to = std::min(whole.gradient + whole.count, group.to);
      SLUICE_ASSERT(whole.gradient + whole.count <= network.gradient_size());
      SLUICE_ASSERT(whole.parameter + whole.count <= network.parameter_count());
      if (from < to) group.stretches.push_back({from, whole.parameter + from - whole.gradient, to - from});
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

Trainer::Trainer(const Batches& batches, const net::Network& network, const OutputLoss& loss,
                 const TrainingOptions& options, std::uint64_t seed, State start, math::Workers& workers)
    : options_(options),
      optimizer_(optimizer(options.kind)),
      groups_(groups_of(network)),
      plan_(batches.rows(), batches.rows_of_first_class(), network.gradient_size()),
      per_sample_(1.0 / static_cast<double>(batches.rows())),
      state_(std::move(start)),
      workers_(workers),
      row_(padded(network.gradient_size())),
      chunk_gradients_(static_cast<std::size_t>(plan_.chunks) * row_),
      first_chunk_(0),
      last_chunk_(plan_.chunks),
      gradient_(row_) {
  if (const math::Ranks* ranks = workers.ranks()) {
    const auto end_of = [&](int rank) { return plan_.chunks * (rank + 1) / ranks->count(); };
    for (int rank = 0; rank < ranks->count(); ++rank)
      rank_ends_.push_back(static_cast<std::size_t>(end_of(rank)) * row_);
    first_chunk_ = end_of(ranks->rank() - 1);
    last_chunk_ = end_of(ranks->rank());
  }
  for (int thread = 0; thread < workers.threads(); ++thread)
    block_workers_.emplace_back(batches, network, loss, seed);
  SLUICE_ASSERT(state_.parameters.size() == network.parameter_count());
  // A fresh state remembers nothing; a restored one brings its memory.
  const std::size_t memory = state_.parameters.size() * static_cast<std::size_t>(optimizer_.memories);
  SLUICE_ASSERT(state_.memory.empty() || state_.memory.size() == memory);
  state_.memory.resize(memory);
}

void Trainer::move() {
  moving_ = options_.at(state_.step);
  for (BlockWorker& worker : block_workers_) worker.use(state_.parameters);
  workers_.run(last_chunk_ - first_chunk_, [&](std::int64_t i, int thread) {
    const std::int64_t chunk = first_chunk_ + i;
    BlockWorker& worker = block_workers_[static_cast<std::size_t>(thread)];
    const auto gradient = std::span(chunk_gradients_).subspan(static_cast<std::size_t>(chunk) * row_, row_);
    std::fill(gradient.begin(), gradient.end(), 0.0F);
    for (std::int64_t b = plan_.first(chunk); b < plan_.last(chunk); ++b) {
      worker.forward(static_cast<std::uint64_t>(state_.step), plan_.blocks[static_cast<std::size_t>(b)]);
      worker.backward(per_sample_, gradient);
    }
  });
  if (!rank_ends_.empty()) workers_.ranks()->gather(chunk_gradients_, rank_ends_);

  const math::Unstoppable whole;
  workers_.run(static_cast<std::int64_t>(groups_.size()),
               [&](std::int64_t group, int) { descend(groups_[static_cast<std::size_t>(group)]); });
  ++state_.step;
}

/// The optimiser's step, chunks of the gradient added in order and in double. Parameters are independent of each other,
/// so groups of them can be shared by the threads without touching the order of any sum.
void Trainer::descend(const Group& group) {
  const auto sums = std::span(gradient_).subspan(group.from, group.to - group.from);
  std::fill(sums.begin(), sums.end(), 0.0);
  for (std::size_t chunk = 0; chunk < chunk_gradients_.size(); chunk += row_)
    math::accumulate(std::span(chunk_gradients_).subspan(chunk + group.from, sums.size()), sums);
  for (const net::Stretch& stretch : group.stretches) {
    Stretch moved = optimizer_.stretch(state_.parameters, state_.memory, stretch.parameter, stretch.count);
    moved.gradient64 = gradient_.data() + stretch.gradient;
    optimizer_.move(moving_, state_.step + 1 - state_.memory_from, moved);
  }
}

}  // namespace sluice::learn
