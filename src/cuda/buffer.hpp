/// Memory on the device, in whole packs of sixteen bytes, zero at first: what reads and writes packs may go over the end of an array.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "libraries.hpp"

namespace sluice::cuda {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::int64_t count) : count_(count) {
    if (count == 0) return;
    const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + 15) / 16 * 16;
    check(cudaMalloc(&data_, bytes), "memory for the network");
    // On a stream of this thread and waited for: the networks' own streams wait for no other.
    check(cudaMemsetAsync(data_, 0, bytes, cudaStreamPerThread), "memory for the network");
    check(cudaStreamSynchronize(cudaStreamPerThread), "memory for the network");
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer() { cudaFree(data_); }

  T* data() const { return data_; }
  std::int64_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::int64_t count_ = 0;
};

/// To the device; it is there when this returns.
template <class T>
void copy_now(T* to, std::span<const T> from) {
  check(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, cudaStreamPerThread),
        "copy");
  check(cudaStreamSynchronize(cudaStreamPerThread), "copy");
}
template <class T>
void copy_now(const Buffer<T>& to, std::span<const T> from) {
  copy_now(to.data(), from);
}

/// Memory of the host that the device reads by itself.
template <class T>
class Pinned {
 public:
  explicit Pinned(std::int64_t count) {
    if (count == 0) return;
    check(cudaMallocHost(&data_, static_cast<std::size_t>(count) * sizeof(T)), "memory for copies");
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() {
    if (data_ != nullptr) cudaFreeHost(data_);
  }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// Places in pinned memory that copies leave from, in turn: one is filled again when what was there has gone.
class Places {
 public:
  explicit Places(std::int64_t count) : gone_(static_cast<std::size_t>(count)) {
    for (cudaEvent_t& event : gone_) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() {
    for (cudaEvent_t event : gone_) cudaEventDestroy(event);
  }
  /// The one to be filled now.
  std::int64_t next() {
    const std::size_t place = taken_ % gone_.size();
    if (taken_ >= gone_.size()) check(cudaEventSynchronize(gone_[place]), "training");
    return static_cast<std::int64_t>(place);
  }
  /// All copies out of it are under way.
  void leave(cudaStream_t stream) { check(cudaEventRecord(gone_[taken_++ % gone_.size()], stream), "event"); }

 private:
  std::vector<cudaEvent_t> gone_;
  std::size_t taken_ = 0;
};

}  // namespace sluice::cuda
