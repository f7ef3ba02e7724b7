/// Kernels on their way to the device. Where there is none, tests compile the same sources for the CPU (test/gpu/emulation), and a launch is a loop over its threads.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace sluice::cuda {

constexpr int kThreads = 256;

#ifdef __CUDACC__

__device__ inline std::int64_t thread_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// At least so many threads; those behind have nothing to do.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::int64_t threads, cudaStream_t stream,
            Arguments... arguments) {
  const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  kernel<<<blocks, kThreads, 0, stream>>>(static_cast<Parameters>(arguments)...);
}

#else

inline std::int64_t thread_index() { return emulated::thread; }

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::int64_t threads, cudaStream_t stream,
            Arguments... arguments) {
  const std::int64_t all = (threads + kThreads - 1) / kThreads * kThreads;
  emulated::launch(stream, all, [=] { kernel(static_cast<Parameters>(arguments)...); });
}

#endif

}  // namespace sluice::cuda
