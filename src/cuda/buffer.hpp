/// Memory on the device.
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
    if (count > 0)
      check(cudaMalloc(&data_, static_cast<std::size_t>(count) * sizeof(T)), "memory for the network");
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

/// Memory of the host that the device reads by itself.
template <class T>
class Pinned {
 public:
  explicit Pinned(std::int64_t count) {
    check(cudaMallocHost(&data_, static_cast<std::size_t>(count) * sizeof(T)), "memory for copies");
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() { cudaFreeHost(data_); }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace sluice::cuda
