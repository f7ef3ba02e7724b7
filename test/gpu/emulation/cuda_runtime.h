/// As much of CUDA's runtime as src/cuda uses, on the CPU: memory of the device is memory, a launch is a loop over its threads, a stream does at once what it is
/// given, unless it is being captured. With it the sources of the device run in tests where there is no device. Kernels that share no memory and wait for nobody run
/// one thread after the other; those that do, as fibers (block.h).
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __grid_constant__

struct uint4 {
  unsigned x, y, z, w;
};
struct float2 {
  float x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
struct float4 {
  float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline float4 __ldcs(const float4* from) { return *from; }
inline void __stcs(float4* to, const float4& value) { *to = value; }
inline float __expf(float x) { return expf(x); }
inline float __fdividef(float x, float y) { return x / y; }

namespace emulated {

using Work = std::function<void()>;
struct Stream {
  std::unique_ptr<std::vector<Work>> captured;  ///< while it is

  void give(Work work) {
    if (captured)
      captured->push_back(std::move(work));
    else
      work();
  }
};
inline Stream* per_thread() {
  thread_local Stream stream;
  return &stream;
}

inline thread_local std::int64_t thread = 0;
inline void launch(Stream* stream, std::int64_t threads, Work kernel) {
  stream->give([threads, kernel = std::move(kernel)] {
    for (thread = 0; thread < threads; ++thread) kernel();
  });
}

}  // namespace emulated

#include "block.h"

using cudaStream_t = emulated::Stream*;
using cudaEvent_t = void*;
using cudaGraph_t = std::vector<emulated::Work>*;
using cudaGraphExec_t = std::vector<emulated::Work>*;
#define cudaStreamPerThread emulated::per_thread()

enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum { cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal, cudaEventDisableTiming };
struct cudaDeviceProp {
  char name[256] = "emulated device";
  int major = 9, minor = 0;
  int multiProcessorCount = 24;
};

inline const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
inline cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  return cudaSuccess;
}

inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all) {
  *free = *all = std::size_t{1} << 30;
  return cudaSuccess;
}

/// Aligned as on a device, and full of NaN, as memory there may be; exactly as long as was asked for, for the address sanitizer to see who goes beyond.
template <class T>
cudaError_t cudaMalloc(T** data, std::size_t bytes) {
  *data = static_cast<T*>(::operator new(bytes, std::align_val_t(256)));
  std::memset(static_cast<void*>(*data), 0xFF, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaFree(void* data) {
  if (data != nullptr) ::operator delete(data, std::align_val_t(256));
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMallocHost(T** data, std::size_t bytes) {
  return cudaMalloc(data, bytes);
}
inline cudaError_t cudaFreeHost(void* data) { return cudaFree(data); }
inline cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
  stream->give([=] { std::memset(data, value, bytes); });
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                                   cudaStream_t stream) {
  stream->give([=] {
    if (bytes > 0) std::memcpy(to, from, bytes);
  });
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new emulated::Stream;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int) {
  stream->captured = std::make_unique<std::vector<emulated::Work>>();
  return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = stream->captured.release();
  return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  *ready = new std::vector<emulated::Work>(*graph);
  return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete graph;
  return cudaSuccess;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
  for (const emulated::Work& work : *graph) work();
  return cudaSuccess;
}
