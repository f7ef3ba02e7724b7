/// A block of threads that wait for each other and share memory, or a cluster of such blocks, on the CPU: every thread is a fiber, which runs until it has to wait. What
/// tensor cores do is in src/cuda/tensor_cores.cuh, beside the true instructions.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace emulated {

class Team;

/// Whoever arrives waits until all have.
class Barrier {
 public:
  void expect(int count) { count_ = count; }
  inline void wait(Team& team);

 private:
  int count_ = 0, arrived_ = 0, rounds_ = 0;
};

/// The threads of a cluster, one after the other, each up to where it waits.
class Team {
 public:
  Team(int blocks, int threads, std::size_t shared_bytes, const std::function<void()>& kernel)
      : blocks_(blocks),
        threads_(threads),
        kernel_(kernel),
        barriers_(blocks),
        warps_(blocks * threads / 32),
        groups_((blocks * threads + 127) / 128),
        slots_(static_cast<std::size_t>(blocks * threads) * kSlots) {
    all_.expect(blocks * threads);
    for (Barrier& each : barriers_) each.expect(threads);
    for (Barrier& each : warps_) each.expect(32);
    for (Barrier& each : groups_) each.expect(128);
    for (int b = 0; b < blocks; ++b) {
      // Aligned as on a device, full of NaN, exactly as long as was asked for.
      shared_.emplace_back(static_cast<std::uint8_t*>(::operator new(shared_bytes, std::align_val_t(1024))));
      std::memset(shared_.back().get(), 0xFF, shared_bytes);
    }
  }

  void run() {
    fibers_.resize(static_cast<std::size_t>(blocks_ * threads_));
    for (Fiber& fiber : fibers_) {
      if (stacks.empty()) stacks.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(kStack));
      fiber.stack = std::move(stacks.back());
      stacks.pop_back();
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.get();
      fiber.context.uc_stack.ss_size = kStack;
      fiber.context.uc_link = &scheduler_;
      makecontext(&fiber.context, &Team::begin, 0);
    }
    Team* before = current;
    current = this;
    for (bool some = true; some;) {
      some = false;
      for (now_ = 0; now_ < blocks_ * threads_; ++now_) {
        if (fibers_[static_cast<std::size_t>(now_)].ended) continue;
        some = true;
        swapcontext(&scheduler_, &fibers_[static_cast<std::size_t>(now_)].context);
      }
    }
    current = before;
    for (Fiber& fiber : fibers_) stacks.push_back(std::move(fiber.stack));
  }
  void yield() { swapcontext(&fibers_[static_cast<std::size_t>(now_)].context, &scheduler_); }

  int thread() const { return now_ % threads_; }
  int rank() const { return now_ / threads_; }
  std::uint8_t* shared(int block) { return shared_[static_cast<std::size_t>(block)].get(); }
  void wait_for_block() { barriers_[static_cast<std::size_t>(rank())].wait(*this); }
  void wait_for_cluster() { all_.wait(*this); }
  void wait_for_warp() { warps_[static_cast<std::size_t>(now_ / 32)].wait(*this); }
  void wait_for_group() { groups_[static_cast<std::size_t>(now_ / 128)].wait(*this); }

  /// What the threads of a warp have at the same place of the program, as many words of each, is looked at by all of them.
  template <class Look>
  void exchange(const std::uint32_t* words, int count, const Look& look) {
    std::uint32_t* slots = slots_.data() + static_cast<std::ptrdiff_t>(now_ / 32 * 32) * kSlots;
    std::copy_n(words, count, slots + now_ % 32 * kSlots);
    wait_for_warp();
    look([slots](int lane) { return slots + lane * kSlots; });
    wait_for_warp();
  }
  std::uint32_t exchange(std::uint32_t value, int lane) {
    std::uint32_t there = 0;
    exchange(&value, 1, [&](const auto& of) { there = *of(lane); });
    return there;
  }

  inline static thread_local Team* current = nullptr;
  inline static thread_local std::vector<std::unique_ptr<std::uint8_t[]>> stacks;  // of teams that have ended

 private:
  static constexpr std::size_t kStack = 256 << 10;
  static constexpr int kSlots = 64;  // words of a thread that others may see
  struct Fiber {
    ucontext_t context;
    std::unique_ptr<std::uint8_t[]> stack;
    bool ended = false;
  };
  struct Free {
    void operator()(std::uint8_t* data) const { ::operator delete(data, std::align_val_t(1024)); }
  };
  static void begin() {
    Team& team = *current;
    team.kernel_();
    team.fibers_[static_cast<std::size_t>(team.now_)].ended = true;
  }

  int blocks_, threads_, now_ = 0;
  const std::function<void()>& kernel_;
  ucontext_t scheduler_{};
  std::vector<Fiber> fibers_;
  std::vector<std::unique_ptr<std::uint8_t, Free>> shared_;
  Barrier all_;
  std::vector<Barrier> barriers_, warps_, groups_;
  std::vector<std::uint32_t> slots_;
};

void Barrier::wait(Team& team) {
  const int round = rounds_;
  if (++arrived_ == count_) {
    arrived_ = 0;
    ++rounds_;
    return;
  }
  while (rounds_ == round) team.yield();
}

inline thread_local std::int64_t cluster = 0;
inline void launch_clusters(Stream* stream, std::int64_t clusters, int blocks, int threads,
                            std::size_t shared_bytes, std::function<void()> kernel) {
  stream->give([=, kernel = std::move(kernel)] {
    for (cluster = 0; cluster < clusters; ++cluster) Team(blocks, threads, shared_bytes, kernel).run();
  });
}

}  // namespace emulated
