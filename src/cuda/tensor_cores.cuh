/// Products of half-precision tiles by the tensor cores of a warpgroup (128 threads), summed in float: D[64, N] (+)= A[64, 16·k] B[16·k, N]. Instructions of compute capability 9.0
/// (wgmma): operands lie in shared memory, A also in registers, and are read there while the threads go on.
///
/// Of D a thread has d[4j + 2r + i], row 16·warp + lane/4 + 8r, column 8j + 2(lane%4) + i; of a step of A, a[r + 2c]: the pair at row 16·warp + lane/4 + 8r, columns
/// 8c + 2(lane%4) and the next. So D of one product, rounded, is A of the next.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "half.cuh"

namespace sluice::cuda {

/// A tile in shared memory: cores of 8 rows × 8 columns, 128 bytes each, `across` bytes from one to its right neighbour and `down` to the one below.
struct Tile {
  std::uint8_t* data;
  int across, down;

  __device__ Tile down_by(int rows) const { return {data + rows / 8 * down, across, down}; }
  /// The pair that a thread has of the core at these rows and columns, in the order of D.
  __device__ std::uint32_t& pair(int row, int column, int lane) const {
    return reinterpret_cast<std::uint32_t*>(data + row / 8 * down + column / 8 * across)[lane];
  }
  __device__ std::uint16_t& at(int row, int column) const {
    return reinterpret_cast<std::uint16_t*>(data + row / 8 * down +
                                            column / 8 * across)[row % 8 * 8 + column % 8];
  }
};
/// Rows of so many columns, cores side by side, then the next eight rows.
__device__ inline Tile tile_of(std::uint8_t* data, int columns) { return {data, 128, columns / 8 * 128}; }

#ifdef __CUDACC__

// Other devices have no such instructions: kernels are empty for them (SLUICE_TENSOR_CORES), and never launched.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define SLUICE_TENSOR_CORES 1
#define SLUICE_WGMMA(...) asm volatile(__VA_ARGS__)
#else
#define SLUICE_WGMMA(...) static_cast<void>(0)
#endif

__device__ inline std::uint64_t descriptor(const std::uint8_t* data, int lead, int stride) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(data));
  return static_cast<std::uint64_t>((address & 0x3FFFFU) >> 4) | static_cast<std::uint64_t>(lead >> 4) << 16 |
         static_cast<std::uint64_t>(stride >> 4) << 32;
}
/// Before a product, when registers or shared memory that it reads were written; behind it, it is under way. Instructions of a warpgroup want whole warps: threads that went
/// other ways before come together first.
__device__ inline void begin_products() {
  __syncwarp();
  SLUICE_WGMMA("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void end_products() { SLUICE_WGMMA("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Until all but so many of those that were begun and ended are done.
template <int kLeft>
__device__ void wait_for_products() {
  __syncwarp();
  SLUICE_WGMMA("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}
/// Shared memory that this thread wrote may be read by products of others behind the next barrier.
__device__ inline void show_to_products() { SLUICE_WGMMA("fence.proxy.async.shared::cta;" ::: "memory"); }

/// The same of what it wrote into other blocks of its cluster.
__device__ inline void show_cluster_to_products() { SLUICE_WGMMA("fence.proxy.async;" ::: "memory"); }

// clang-format off
#define SLUICE_D4(c, o) c(d[o]), c(d[(o) + 1]), c(d[(o) + 2]), c(d[(o) + 3])
#define SLUICE_D8(c) SLUICE_D4(c, 0), SLUICE_D4(c, 4)
#define SLUICE_D16(c) SLUICE_D8(c), SLUICE_D4(c, 8), SLUICE_D4(c, 12)
#define SLUICE_D24(c) SLUICE_D16(c), SLUICE_D4(c, 16), SLUICE_D4(c, 20)
#define SLUICE_D32(c) SLUICE_D24(c), SLUICE_D4(c, 24), SLUICE_D4(c, 28)
#define SLUICE_WGMMA_48(c, scale, kTransposed) \
  SLUICE_WGMMA("{.reg .pred p; setp.ne.b32 p, %30, 0;\n" \
               "wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23}, " \
               "{%24, %25, %26, %27}, %28, p, 1, 1, %29;}" \
               : SLUICE_D24(c) \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(kTransposed ? 1 : 0), "r"(scale))
#define SLUICE_WGMMA_64(c, scale, kTransposed) \
  SLUICE_WGMMA("{.reg .pred p; setp.ne.b32 p, %38, 0;\n" \
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, " \
               "{%32, %33, %34, %35}, %36, p, 1, 1, %37;}" \
               : SLUICE_D32(c) \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(kTransposed ? 1 : 0), "r"(scale))
#define SLUICE_WGMMA_SHARED(c, scale) \
  SLUICE_WGMMA("{.reg .pred p; setp.ne.b32 p, %34, 0;\n" \
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 0;}" \
               : SLUICE_D32(c) \
               : "l"(a), "l"(b), "r"(scale))
#define SLUICE_WGMMA_HALVES(c, scale) \
  SLUICE_WGMMA("{.reg .pred p; setp.ne.b32 p, %18, 0;\n" \
               "wgmma.mma_async.sync.aligned.m64n64k16.f16.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, 1, 1, 0, 0;}" \
               : SLUICE_D16(c) \
               : "l"(a), "l"(b), "r"(scale))
// clang-format on

/// One step of sixteen. Where it is the first, D is only written: the assembler would wait for what D held before.
template <int kColumns, bool kFirst, bool kTransposed>
__device__ void step_of_registers(float* d, const std::uint32_t* a, std::uint64_t b,
                                  int add = kFirst ? 0 : 1) {
  if constexpr (kColumns == 48) {
    if constexpr (kFirst)
      SLUICE_WGMMA_48("=f", add, kTransposed);
    else
      SLUICE_WGMMA_48("+f", add, kTransposed);
  } else {
    static_assert(kColumns == 64);
    if constexpr (kFirst)
      SLUICE_WGMMA_64("=f", add, kTransposed);
    else
      SLUICE_WGMMA_64("+f", add, kTransposed);
  }
}
template <bool kFirst>
__device__ void step_of_shared(float* d, std::uint64_t a, std::uint64_t b) {
  if constexpr (kFirst)
    SLUICE_WGMMA_SHARED("=f", 0);
  else
    SLUICE_WGMMA_SHARED("+f", 1);
}
template <bool kFirst>
__device__ void step_of_shared(std::uint32_t* d, std::uint64_t a, std::uint64_t b) {
  if constexpr (kFirst)
    SLUICE_WGMMA_HALVES("=r", 0);
  else
    SLUICE_WGMMA_HALVES("+r", 1);
}

/// D = A B', rows of B being its columns: B[kColumns, 16 kSteps].
template <int kColumns, int kSteps>
__device__ void multiply(float* d, const std::uint32_t* a, const Tile& b) {
  const std::uint64_t first = descriptor(b.data, b.across, b.down);
  step_of_registers<kColumns, true, false>(d, a, first);
#pragma unroll
  for (int s = 1; s < kSteps; ++s)
    step_of_registers<kColumns, false, false>(d, a + 4 * s, first + s * (2 * b.across >> 4));
}
/// The same of A in shared memory, and 64 columns; of D as pairs of halves, summed as such, d[2j + r].
template <int kSteps, class D>
__device__ void multiply(D* d, const Tile& a, const Tile& b) {
  const std::uint64_t left = descriptor(a.data, a.across, a.down),
                      right = descriptor(b.data, b.across, b.down);
  step_of_shared<true>(d, left, right);
#pragma unroll
  for (int s = 1; s < kSteps; ++s)
    step_of_shared<false>(d, left + s * (2 * a.across >> 4), right + s * (2 * b.across >> 4));
}
/// D = A B, or D += A B, B[16 kSteps, kColumns].
template <int kColumns, int kSteps>
__device__ void add_product(float* d, const std::uint32_t* a, const Tile& b, bool add) {
  const std::uint64_t first = descriptor(b.data, b.down, b.across);
#pragma unroll
  for (int s = 0; s < kSteps; ++s)
    step_of_registers<kColumns, false, true>(d, a + 4 * s, first + s * (2 * b.down >> 4),
                                             s == 0 && !add ? 0 : 1);
}

#else
#define SLUICE_TENSOR_CORES 1

inline void begin_products() {}
inline void end_products() {}
template <int>
void wait_for_products() {
  emulated::Team::current->wait_for_group();  // as others may write over what it reads
}
inline void show_to_products() {}
inline void show_cluster_to_products() {}

/// Where a thread stands in D.
struct OfThread {
  int row, column;
  static OfThread get() {
    const int t = emulated::Team::current->thread() % 128;
    return {t / 32 * 16 + t % 32 / 4, t % 4 * 2};
  }
};
/// The two rows of A that a thread's part of D needs, of what four threads have in registers.
template <int kSteps>
void rows_of(const std::uint32_t* a, float (*rows)[16 * kSteps]) {
  emulated::Team& team = *emulated::Team::current;
  const int first = team.thread() % 32 / 4 * 4;
  team.exchange(a, 4 * kSteps, [&](const auto& of) {
    for (int s = 0; s < kSteps; ++s)
      for (int e = 0; e < 4; ++e)
        for (int q = 0; q < 4; ++q) {
          const std::uint32_t pair = of(first + q)[4 * s + e];
          const int column = 16 * s + e / 2 * 8 + 2 * q;
          rows[e % 2][column] = first_of(pair);
          rows[e % 2][column + 1] = second_of(pair);
        }
  });
}
template <int kColumns, int kSteps>
void multiply(float* d, const std::uint32_t* a, const Tile& b) {
  float rows[2][16 * kSteps];
  rows_of<kSteps>(a, rows);
  for (int e = 0; e < kColumns / 2; ++e) {
    const int column = e / 4 * 8 + OfThread::get().column + e % 2;
    d[e] = 0;
    for (int k = 0; k < 16 * kSteps; ++k) d[e] += rows[e / 2 % 2][k] * of_half(b.at(column, k));
  }
}
template <int kSteps>
void multiply(float* d, const Tile& a, const Tile& b) {
  const OfThread here = OfThread::get();
  for (int e = 0; e < 32; ++e) {
    const int column = e / 4 * 8 + here.column + e % 2, row = here.row + e / 2 % 2 * 8;
    d[e] = 0;
    for (int k = 0; k < 16 * kSteps; ++k) d[e] += of_half(a.at(row, k)) * of_half(b.at(column, k));
  }
}
template <int kSteps>
void multiply(std::uint32_t* d, const Tile& a, const Tile& b) {
  float sums[32];
  multiply<kSteps>(sums, a, b);
  for (int i = 0; i < 16; ++i) d[i] = pack(sums[2 * i], sums[2 * i + 1]);
}
template <int kColumns, int kSteps>
void add_product(float* d, const std::uint32_t* a, const Tile& b, bool add) {
  float rows[2][16 * kSteps];
  rows_of<kSteps>(a, rows);
  for (int e = 0; e < kColumns / 2; ++e) {
    const int column = e / 4 * 8 + OfThread::get().column + e % 2;
    if (!add) d[e] = 0;
    for (int k = 0; k < 16 * kSteps; ++k) d[e] += rows[e / 2 % 2][k] * of_half(b.at(k, column));
  }
}

#endif

}  // namespace sluice::cuda
