/// Blocks of threads that wait for each other and share memory, and clusters of blocks that see each other's: what kernels say of themselves, and their launch. On the
/// emulated device (test/gpu/emulation) threads are fibers.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "libraries.hpp"

namespace sluice::cuda {

#ifdef __CUDACC__

__device__ inline int block_index() { return static_cast<int>(blockIdx.x); }
__device__ inline int cluster_index(int blocks) { return static_cast<int>(blockIdx.x) / blocks; }
__device__ inline int rank_in_cluster(int blocks) { return static_cast<int>(blockIdx.x) % blocks; }
__device__ inline int thread_in_block() { return static_cast<int>(threadIdx.x); }
__device__ inline std::uint8_t* shared_memory() {
  extern __shared__ __align__(1024) std::uint8_t memory[];
  return memory;
}
__device__ inline void wait_for_block() { __syncthreads(); }
/// The threads of one of several warpgroups of a block.
__device__ inline void wait_for_group(int group) {
  __syncwarp();
  asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
}
/// What was written by any block of the cluster before is seen behind.
__device__ inline void wait_for_cluster() {
  __syncwarp();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
/// The same place in the memory of another block of the cluster.
template <class T>
__device__ T* in_block(T* here, [[maybe_unused]] int rank) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  std::uint64_t there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(here), "r"(rank));
  return reinterpret_cast<T*>(there);
#else
  return here;
#endif
}
/// Bytes that come into shared memory while threads go on, round by round: `arrival` is a word there, which one thread prepares. Every round one thread says how many
/// bytes are expected; whoever waits, how many rounds there were before.
__device__ inline std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define SLUICE_ARRIVAL(...) asm volatile(__VA_ARGS__ : "memory")
#else
#define SLUICE_ARRIVAL(...) static_cast<void>(0)
#endif
__device__ inline void prepare_arrival([[maybe_unused]] std::uint64_t* arrival) {
  SLUICE_ARRIVAL("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(
      shared_address(arrival)));
}
__device__ inline void expect([[maybe_unused]] std::uint64_t* arrival, [[maybe_unused]] int bytes) {
  SLUICE_ARRIVAL("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(arrival)),
                 "r"(bytes));
}
__device__ inline void wait_for_arrival([[maybe_unused]] std::uint64_t* arrival,
                                        [[maybe_unused]] int before) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  std::uint32_t came = 0;
  while (came == 0)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(came)
                 : "r"(shared_address(arrival)), "r"(before & 1)
                 : "memory");
#endif
  __syncwarp();
}
/// From the device's memory, which is read once: the cache rather keeps something else.
__device__ inline void fetch([[maybe_unused]] std::uint64_t* arrival, [[maybe_unused]] std::uint8_t* to,
                             [[maybe_unused]] const std::uint8_t* from, [[maybe_unused]] int bytes) {
  expect(arrival, bytes);
  SLUICE_ARRIVAL(
      "{.reg .b64 once; createpolicy.fractional.L2::evict_first.b64 once, 1.0;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
      "[%3], "
      "once;}" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(arrival)));
}
/// To the same place of a block of the cluster, which may be this one; of several blocks.
#define SLUICE_PUSH(form, numbers, ...)                                                                \
  SLUICE_ARRIVAL(                                                                                      \
      "{.reg .b32 to, at; mapa.shared::cluster.u32 to, %0, %2; mapa.shared::cluster.u32 at, %1, %2;\n" \
      "st.async.shared::cluster.mbarrier::complete_tx::bytes" form " [to], " numbers                   \
      ", [at];}" ::"r"(shared_address(place)),                                                         \
      "r"(shared_address(arrival)), "r"(rank), __VA_ARGS__)
__device__ inline void push([[maybe_unused]] std::uint64_t* arrival, [[maybe_unused]] float2* place,
                            [[maybe_unused]] const float2& value, [[maybe_unused]] int rank) {
  SLUICE_PUSH(".v2.f32", "{%3, %4}", "f"(value.x), "f"(value.y));
}
__device__ inline void push([[maybe_unused]] std::uint64_t* arrival, [[maybe_unused]] float4* place,
                            [[maybe_unused]] const float4& value, [[maybe_unused]] int rank) {
  SLUICE_PUSH(".v4.f32", "{%3, %4, %5, %6}", "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w));
}
/// The same of many bytes, which threads have shown to products before.
__device__ inline void send([[maybe_unused]] std::uint64_t* arrival,
                            [[maybe_unused]] const std::uint8_t* place, [[maybe_unused]] int bytes,
                            [[maybe_unused]] int rank) {
  SLUICE_ARRIVAL(
      "{.reg .b32 to, at; mapa.shared::cluster.u32 to, %0, %3; mapa.shared::cluster.u32 at, %1, %3;\n"
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%0], %2, [at];}" ::"r"(
          shared_address(place)),
      "r"(shared_address(arrival)), "r"(bytes), "r"(rank));
}
__device__ inline std::uint32_t of_lane(std::uint32_t value, int lane) {
  return __shfl_sync(~0U, value, lane);
}
/// Of the lane of the j-th four that stands where this one stands in its four.
__device__ inline std::uint32_t of_four(std::uint32_t value, int j) {
  std::uint32_t there;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x31F, -1;" : "=r"(there) : "r"(value), "r"(4 * j));
  return there;
}
__device__ inline float of_lane_across(float value, int mask) { return __shfl_xor_sync(~0U, value, mask); }
__device__ inline std::uint32_t of_lane_across(std::uint32_t value, int mask) {
  return __shfl_xor_sync(~0U, value, mask);
}

/// Clusters of so many blocks each.
template <class... Parameters>
void launch_clusters(void (*kernel)(Parameters...), std::int64_t clusters, int blocks, int threads,
                     std::size_t shared_bytes, cudaStream_t stream, Parameters... parameters) {
  const auto* function = reinterpret_cast<const void*>(kernel);
  check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared_bytes)),
        "shared memory");
  if (blocks > 8)
    check(cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(clusters * blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = blocks > 1 ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, parameters...), "training");
}

#else

inline int block_index() { return static_cast<int>(emulated::cluster); }  // of blocks that are no clusters
inline int cluster_index(int) { return static_cast<int>(emulated::cluster); }
inline int rank_in_cluster(int) { return emulated::Team::current->rank(); }
inline int thread_in_block() { return emulated::Team::current->thread(); }
inline std::uint8_t* shared_memory() {
  emulated::Team& team = *emulated::Team::current;
  return team.shared(team.rank());
}
inline void wait_for_block() { emulated::Team::current->wait_for_block(); }
inline void wait_for_group(int) { emulated::Team::current->wait_for_group(); }
inline void wait_for_cluster() { emulated::Team::current->wait_for_cluster(); }
template <class T>
T* in_block(T* here, int rank) {
  emulated::Team& team = *emulated::Team::current;
  const std::ptrdiff_t offset = reinterpret_cast<std::uint8_t*>(here) - team.shared(team.rank());
  return reinterpret_cast<T*>(team.shared(rank) + offset);
}
/// Rounds that have ended, and of the one that has not, whether bytes are expected, and how many more than have come.
struct ArrivalWord {
  std::uint32_t rounds : 31, expecting : 1;
  std::int32_t missing;

  static ArrivalWord& of(std::uint64_t* arrival) { return *reinterpret_cast<ArrivalWord*>(arrival); }
  void add(int bytes) {
    missing += bytes;
    if (expecting == 0 || missing != 0) return;
    rounds = (rounds + 1) & 0x7FFFFFFFU;
    expecting = 0;
  }
};
inline void prepare_arrival(std::uint64_t* arrival) { *arrival = 0; }
inline void expect(std::uint64_t* arrival, int bytes) {
  ArrivalWord::of(arrival).expecting = 1;
  ArrivalWord::of(arrival).add(bytes);
}
inline void wait_for_arrival(std::uint64_t* arrival, int before) {
  while (ArrivalWord::of(arrival).rounds <= static_cast<std::uint32_t>(before))
    emulated::Team::current->yield();
}
inline void fetch(std::uint64_t* arrival, std::uint8_t* to, const std::uint8_t* from, int bytes) {
  expect(arrival, bytes);
  std::copy_n(from, bytes, to);
  ArrivalWord::of(arrival).add(-bytes);
}
template <class T>
void push(std::uint64_t* arrival, T* place, const T& value, int rank) {
  *in_block(place, rank) = value;
  ArrivalWord::of(in_block(arrival, rank)).add(-static_cast<int>(sizeof(T)));
}
inline void send(std::uint64_t* arrival, const std::uint8_t* place, int bytes, int rank) {
  std::copy_n(place, bytes, in_block(const_cast<std::uint8_t*>(place), rank));
  ArrivalWord::of(in_block(arrival, rank)).add(-bytes);
}
inline std::uint32_t of_lane(std::uint32_t value, int lane) {
  return emulated::Team::current->exchange(value, lane);
}
inline std::uint32_t of_four(std::uint32_t value, int j) {
  emulated::Team& team = *emulated::Team::current;
  return team.exchange(value, 4 * j + team.thread() % 4);
}
inline std::uint32_t of_lane_across(std::uint32_t value, int mask) {
  emulated::Team& team = *emulated::Team::current;
  return team.exchange(value, (team.thread() % 32) ^ mask);
}
inline float of_lane_across(float value, int mask) {
  return std::bit_cast<float>(of_lane_across(std::bit_cast<std::uint32_t>(value), mask));
}

template <class... Parameters>
void launch_clusters(void (*kernel)(Parameters...), std::int64_t clusters, int blocks, int threads,
                     std::size_t shared_bytes, cudaStream_t stream, Parameters... parameters) {
  emulated::launch_clusters(stream, clusters, blocks, threads, shared_bytes, [=] { kernel(parameters...); });
}

#endif

}  // namespace sluice::cuda
