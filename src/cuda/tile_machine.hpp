/// Stretches of training on tiles: samples of some steps are drawn ahead on a stream of their own (drawn_tiles.cuh), or drawn on the CPU and sent (sent_samples.hpp), while the steps before
/// them are trained on (tile_training.cuh).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "buffer.hpp"
#include "launch.hpp"
#include "sent_samples.hpp"
#include "tile_choice.hpp"

namespace sluice::cuda {

/// Of two streams, blocks of the first one come first.
inline cudaStream_t stream_of_rank(bool first) {
  int last_rank = 0, first_rank = 0;
  cudaStream_t stream = nullptr;
  check(cudaDeviceGetStreamPriorityRange(&last_rank, &first_rank), "stream");
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first ? first_rank : last_rank),
        "stream");
  return stream;
}

/// Where an ensemble lies.
struct EnsembleArrays {
  const MemberNumbers* members;
  float *parameters, *first_memory, *second_memory;

  EnsembleArrays from(const EnsembleShape& shape, std::int64_t e) const {
    const auto behind = [e](auto* array, std::int64_t stride) {
      return array == nullptr ? nullptr : array + e * stride;
    };
    return {members + e, behind(parameters, shape.parameters), behind(first_memory, shape.parameters),
            behind(second_memory, shape.parameters)};
  }
};

class TileMachine {
 public:
  /// Whether some law has numbers of its own beside ε; C of the classes, [member, site, mode]. Of samples that are sent (not null) none of them.
  TileMachine(const TileChoice& choice, const gpu::EnsemblePlan& plan, const EnsembleShape& shape,
              const RuleNumbers& rule, bool own, int processors, const MemberNumbers* members,
              const float* first_mixes, const float* second_mixes, gpu::HostSamples* samples)
      : choice_(choice),
        plan_(plan),
        shape_(shape),
        rule_(rule),
        batch_(
            Batch::of(static_cast<int>(plan.first_class), static_cast<int>(shape.rows - plan.first_class))),
        processors_(processors),
        sent_(sent_by(samples, shape)),
        together_(std::min({shape.members, kTogether, sent_ ? sent_->most() : kTogether})),
        moving_kinds_(1 + plan.training.memories()),
        moving_(shape.members * moving_kinds_ * choice.moving()),
        mixes_(sent_ ? 0 : shape.members * mix_bytes()) {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "memory");
    const std::int64_t ahead_bytes = std::min(kAheadBytes, static_cast<std::int64_t>(free / 8));
    const std::int64_t of_step = together_ * batch_.tiles() * tile_bytes(choice.memory.sites);
    most_steps_ =
        std::clamp<std::int64_t>(ahead_bytes / of_step, 1, sent_ ? sent_->most() / together_ : kMostSteps);
    drawing_ = stream_of_rank(false);
    if (sent_)
      came_ = Buffer<float>(most_steps_ * together_ * (shape.inputs + 1) * shape.rows);
    else
      launch(tile_mixes, shape.members * mix_bytes() / 2, drawing_, shape, members, first_mixes, second_mixes,
             choice.memory.sites, choice.memory.fast, mixes_.data());
    if (choice.memory.fast) check(cudaStreamSynchronize(drawing_), "start");
    for (Ahead& ahead : ahead_) {
      if (choice.memory.fast) break;  // who trains draws
      ahead.tiles = Buffer<std::uint8_t>(most_steps_ * of_step);
      if (sent_) ahead.labels = Buffer<float>(most_steps_ * together_ * shape.rows);
      if (own) ahead.own = Buffer<std::uint32_t>(most_steps_ * together_ * shape.rows);
      check(cudaEventCreateWithFlags(&ahead.drawn, cudaEventDisableTiming), "event");
      check(cudaEventCreateWithFlags(&ahead.seen, cudaEventDisableTiming), "event");
    }
  }
  TileMachine(const TileMachine&) = delete;
  TileMachine& operator=(const TileMachine&) = delete;
  ~TileMachine() {
    cudaStreamSynchronize(drawing_);
    for (const Ahead& ahead : ahead_) {
      if (ahead.drawn != nullptr) cudaEventDestroy(ahead.drawn);
      if (ahead.seen != nullptr) cudaEventDestroy(ahead.seen);
    }
    cudaStreamDestroy(drawing_);
  }

  /// Some steps of some members, then of others.
  void move(const EnsembleArrays& all, std::uint64_t first_step, const gpu::SharedNumbers* steps, int count,
            cudaStream_t training) {
    if (choice_.memory.fast) return train({}, shape_, all, 0, first_step, steps, count, true, true, training);
    for (std::int64_t done = 0; done < count; done += most_steps_) {
      const auto some = static_cast<int>(std::min(most_steps_, count - done));
      for (std::int64_t from = 0; from < shape_.members; from += together_) {
        EnsembleShape shape = shape_;
        shape.members = std::min(together_, shape_.members - from);
        Ahead& ahead = ahead_[turn_++ % ahead_.size()];
        const EnsembleArrays arrays = all.from(shape_, from);
        check(cudaStreamWaitEvent(drawing_, ahead.seen, 0), "event");
        if (sent_)
          take({first_step + static_cast<std::uint64_t>(done), some, from, shape.members}, ahead);
        else
          draw(ahead, shape, arrays, from, first_step + static_cast<std::uint64_t>(done), some);
        check(cudaEventRecord(ahead.drawn, drawing_), "event");
        check(cudaStreamWaitEvent(training, ahead.drawn, 0), "event");
        train(ahead, shape, arrays, from, first_step + static_cast<std::uint64_t>(done), steps + done, some,
              done == 0, done + some == count, training);
        check(cudaEventRecord(ahead.seen, training), "event");
      }
    }
  }

 private:
  static constexpr std::int64_t kMostSteps = 256;
  static constexpr std::int64_t kTogether = 1056;         // members, some for every block that runs at once
  static constexpr std::int64_t kAheadBytes = 1LL << 30;  // of samples, at most
  static constexpr std::int64_t kBlocksOfProcessor = 96;  // that draw
  static constexpr std::int64_t kSentSteps = 32;          // that are sent at once, at most

  /// Samples that are drawn while others are seen.
  struct Ahead {
    Buffer<std::uint8_t> tiles;
    Buffer<std::uint32_t> own;
    Buffer<float> labels;
    cudaEvent_t drawn = nullptr, seen = nullptr;
  };

  /// Of both classes of a member.
  std::int64_t mix_bytes() const { return 2 * static_cast<std::int64_t>(choice_.drawing_bytes()); }

  static std::optional<SentSamples> sent_by(gpu::HostSamples* samples, const EnsembleShape& shape) {
    if (samples == nullptr) return std::nullopt;
    return std::optional<SentSamples>(std::in_place, *samples, shape,
                                      std::min(shape.members, kTogether) * kSentSteps);
  }
  void take(const SentSamples::Parcel& parcel, const Ahead& ahead) {
    sent_->send(parcel, came_.data(), ahead.labels.data(), drawing_);
    const std::int64_t batches = parcel.steps * parcel.members;
    launch(tile_samples, batches * batch_.tiles() * (tile_bytes(choice_.memory.sites) / 4), drawing_, shape_,
           batches, came_.data(), choice_.memory.sites, ahead.tiles.data());
  }
  void draw(const Ahead& ahead, const EnsembleShape& shape, const EnsembleArrays& arrays, std::int64_t from,
            std::uint64_t first_step, int steps) const {
    if (ahead.own.size() > 0)
      launch(own_numbers, steps * shape.members * shape.rows, drawing_, shape, arrays.members, first_step,
             steps, plan_.first_class, ahead.own.data());
    // Some steps for a block, which reads C; but all multiprocessors have something to do to the end.
    const auto pieces =
        std::clamp<std::int64_t>(kBlocksOfProcessor * processors_ / (2 * shape.members), 1, steps);
    const DrawingNumbers numbers{.shape = shape,
                                 .members = arrays.members,
                                 .mixes = mixes_.data() + from * mix_bytes(),
                                 .first_step = first_step,
                                 .step_count = steps,
                                 .steps_of_block = static_cast<int>((steps + pieces - 1) / pieces),
                                 .batch = batch_,
                                 .own = ahead.own.data(),
                                 .tiles = ahead.tiles.data()};
    launch_clusters(choice_.draw, numbers.blocks(), 1, kGroup, choice_.drawing_bytes(), drawing_, numbers);
  }
  void train(const Ahead& ahead, const EnsembleShape& shape, const EnsembleArrays& arrays, std::int64_t from,
             std::uint64_t first_step, const gpu::SharedNumbers* numbers_of_steps, int steps, bool begins,
             bool ends, cudaStream_t stream) const {
    const TrainingNumbers numbers{.shape = shape,
                                  .unit = plan_.unit,
                                  .loss = plan_.training.loss,
                                  .rule = plan_.training.rule,
                                  .rule_numbers = rule_,
                                  .members = arrays.members,
                                  .tiles = ahead.tiles.data(),
                                  .labels = ahead.labels.data(),
                                  .parameters = arrays.parameters,
                                  .first_memory = arrays.first_memory,
                                  .second_memory = arrays.second_memory,
                                  .moving = moving_.data() + from * moving_kinds_ * choice_.moving(),
                                  .moving_kinds = moving_kinds_,
                                  .begins = begins,
                                  .ends = ends,
                                  .steps = numbers_of_steps,
                                  .step_count = steps,
                                  .first_step = first_step,
                                  .mixes = mixes_.data() + from * mix_bytes(),
                                  .batch = batch_,
                                  .workers = choice_.workers,
                                  .parts = choice_.parts,
                                  .log_of_workers = std::countr_zero(static_cast<unsigned>(choice_.workers)),
                                  .cores_of_part = choice_.cores_of_part};
    launch_clusters(choice_.train, shape.members, choice_.workers * choice_.parts, choice_.memory.threads(),
                    choice_.training_bytes(), stream, numbers);
  }

  TileChoice choice_;
  gpu::EnsemblePlan plan_;
  EnsembleShape shape_;
  RuleNumbers rule_;
  Batch batch_;
  int processors_;
  std::optional<SentSamples> sent_;
  std::int64_t together_;  // members whose samples are drawn at once
  int moving_kinds_;
  Buffer<float4> moving_;
  Buffer<std::uint8_t> mixes_;
  Buffer<float> came_;           // as they were sent
  std::int64_t most_steps_ = 1;  // whose samples are drawn at once
  cudaStream_t drawing_ = nullptr;
  std::array<Ahead, 2> ahead_;
  std::size_t turn_ = 0;
};

}  // namespace sluice::cuda
