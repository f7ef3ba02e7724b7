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
  __device__ Tile right_by(int columns) const { return {data + columns / 8 * across, across, down}; }
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

/// The four cores at these rows and columns and right below and behind them, of what a warp has of D or A in order, go there by one instruction, to which every lane says a place.
__device__ inline int place_of_cores(const Tile& to, int row, int column, int lane) {
  return (row / 8 + (lane >> 3 & 1)) * to.down + (column / 8 + (lane >> 4)) * to.across + (lane & 7) * 16;
}
__device__ void store_cores_at(const Tile& to, int place, const std::uint32_t* cores);
__device__ inline void store_cores(const Tile& to, int row, int column, int lane,
                                   const std::uint32_t* cores) {
  store_cores_at(to, place_of_cores(to, row, column, lane), cores);
}

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

__device__ inline void store_cores_at(const Tile& to, int place, const std::uint32_t* cores) {
  [[maybe_unused]] const std::uint8_t* there = to.data + place;
  SLUICE_WGMMA("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(there))),
               "r"(cores[0]), "r"(cores[1]), "r"(cores[2]), "r"(cores[3])
               : "memory");
}

// clang-format off
#define SLUICE_D4(c, o) c(d[o]), c(d[(o) + 1]), c(d[(o) + 2]), c(d[(o) + 3])
#define SLUICE_D8(c, o) SLUICE_D4(c, o), SLUICE_D4(c, (o) + 4)
#define SLUICE_D16(c, o) SLUICE_D8(c, o), SLUICE_D8(c, (o) + 8)
#define SLUICE_D20(c) SLUICE_D16(c, 0), SLUICE_D4(c, 16)
#define SLUICE_D24(c) SLUICE_D16(c, 0), SLUICE_D8(c, 16)
#define SLUICE_D28(c) SLUICE_D24(c), SLUICE_D4(c, 24)
#define SLUICE_D32(c) SLUICE_D16(c, 0), SLUICE_D16(c, 16)
#define SLUICE_D64(c) SLUICE_D32(c), SLUICE_D16(c, 32), SLUICE_D16(c, 48)
#define SLUICE_D56(c) SLUICE_D32(c), SLUICE_D16(c, 32), SLUICE_D8(c, 48)
#define SLUICE_D12(c) SLUICE_D8(c, 0), SLUICE_D4(c, 8)
#define SLUICE_D14(c) SLUICE_D12(c), c(d[12]), c(d[13])
#define SLUICE_P4 "%0, %1, %2, %3"
#define SLUICE_P12 SLUICE_P4 ", %4, %5, %6, %7, %8, %9, %10, %11"
#define SLUICE_P14 SLUICE_P12 ", %12, %13"
#define SLUICE_P16 SLUICE_P14 ", %14, %15"
#define SLUICE_P20 SLUICE_P16 ", %16, %17, %18, %19"
#define SLUICE_P24 SLUICE_P20 ", %20, %21, %22, %23"
#define SLUICE_P28 SLUICE_P24 ", %24, %25, %26, %27"
#define SLUICE_P32 SLUICE_P28 ", %28, %29, %30, %31"
#define SLUICE_P56 SLUICE_P32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55"
#define SLUICE_P64 SLUICE_P56 ", %56, %57, %58, %59, %60, %61, %62, %63"
/// Columns of D, its registers, and numbers of the operands behind them.
#define SLUICE_N8(use, c) use("8", SLUICE_P4, "%4", "%5", "%6", "%7", "%8", "%9", SLUICE_D4(c, 0))
#define SLUICE_N40(use, c) use("40", SLUICE_P20, "%20", "%21", "%22", "%23", "%24", "%25", SLUICE_D20(c))
#define SLUICE_N48(use, c) use("48", SLUICE_P24, "%24", "%25", "%26", "%27", "%28", "%29", SLUICE_D24(c))
#define SLUICE_N56(use, c) use("56", SLUICE_P28, "%28", "%29", "%30", "%31", "%32", "%33", SLUICE_D28(c))
#define SLUICE_N64(use, c) use("64", SLUICE_P32, "%32", "%33", "%34", "%35", "%36", "%37", SLUICE_D32(c))
#define SLUICE_N112(use, c) use("112", SLUICE_P56, "%56", "%57", "%58", "%59", "%60", "%61", SLUICE_D56(c))
#define SLUICE_N128(use, c) use("128", SLUICE_P64, "%64", "%65", "%66", "%67", "%68", "%69", SLUICE_D64(c))
/// The same with D in halves, two columns a register.
#define SLUICE_H48(use, c) use("48", SLUICE_P12, "%12", "%13", "%14", "%15", "%16", "%17", SLUICE_D12(c))
#define SLUICE_H56(use, c) use("56", SLUICE_P14, "%14", "%15", "%16", "%17", "%18", "%19", SLUICE_D14(c))
#define SLUICE_H64(use, c) use("64", SLUICE_P16, "%16", "%17", "%18", "%19", "%20", "%21", SLUICE_D16(c, 0))
#define SLUICE_BEGIN_AS(type, columns, places, if_added) \
  "{.reg .pred p; setp.ne.b32 p, " if_added ", 0;\nwgmma.mma_async.sync.aligned.m64n" columns "k16." type ".f16.f16 {" places "}, "
#define SLUICE_BEGIN(columns, places, if_added) SLUICE_BEGIN_AS("f32", columns, places, if_added)
/// A in registers, B' in shared memory.
#define SLUICE_OF_REGISTERS(columns, places, a0, a1, a2, a3, b0, if_added, ...) \
  SLUICE_WGMMA(SLUICE_BEGIN(columns, places, if_added) "{" a0 ", " a1 ", " a2 ", " a3 "}, " b0 ", p, 1, 1, 0;}" \
               : __VA_ARGS__ : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add))
#define SLUICE_HALVES_OF_REGISTERS(columns, places, a0, a1, a2, a3, b0, if_added, ...) \
  SLUICE_WGMMA(SLUICE_BEGIN_AS("f16", columns, places, if_added) "{" a0 ", " a1 ", " a2 ", " a3 "}, " b0 ", p, 1, 1, 0;}" \
               : __VA_ARGS__ : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add))
/// A in registers, B.
#define SLUICE_HALVES_BEHIND_REGISTERS(columns, places, a0, a1, a2, a3, b0, if_added, ...) \
  SLUICE_WGMMA(SLUICE_BEGIN_AS("f16", columns, places, if_added) "{" a0 ", " a1 ", " a2 ", " a3 "}, " b0 ", p, 1, 1, 1;}" \
               : __VA_ARGS__ : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add))
/// A and B' in shared memory; A' and B.
#define SLUICE_HALVES_OF_SHARED(columns, places, a0, b0, if_added, x3, x4, x5, ...) \
  SLUICE_WGMMA(SLUICE_BEGIN_AS("f16", columns, places, if_added) a0 ", " b0 ", p, 1, 1, 0, 0;}" : __VA_ARGS__ : "l"(a), "l"(b), "r"(add))
#define SLUICE_OF_SHARED(columns, places, a0, b0, if_added, x3, x4, x5, ...) \
  SLUICE_WGMMA(SLUICE_BEGIN(columns, places, if_added) a0 ", " b0 ", p, 1, 1, 0, 0;}" : __VA_ARGS__ : "l"(a), "l"(b), "r"(add))
#define SLUICE_ACROSS(columns, places, a0, b0, if_added, x3, x4, x5, ...) \
  SLUICE_WGMMA(SLUICE_BEGIN(columns, places, if_added) a0 ", " b0 ", p, 1, 1, 1, 1;}" : __VA_ARGS__ : "l"(a), "l"(b), "r"(add))
/// The instruction of these columns.
#define SLUICE_OF_COLUMNS(use, c) \
  if constexpr (kColumns == 8) SLUICE_N8(use, c); \
  else if constexpr (kColumns == 40) SLUICE_N40(use, c); \
  else if constexpr (kColumns == 48) SLUICE_N48(use, c); \
  else if constexpr (kColumns == 56) SLUICE_N56(use, c); \
  else if constexpr (kColumns == 64) SLUICE_N64(use, c); \
  else if constexpr (kColumns == 112) SLUICE_N112(use, c); \
  else if constexpr (kColumns == 128) SLUICE_N128(use, c)
#define SLUICE_HALVES_OF_COLUMNS(use, c) \
  if constexpr (kColumns == 48) SLUICE_H48(use, c); \
  else if constexpr (kColumns == 56) SLUICE_H56(use, c); \
  else if constexpr (kColumns == 64) SLUICE_H64(use, c)
// clang-format on
__device__ __host__ constexpr bool has_columns(int count) {
  return count == 8 || count == 40 || count == 48 || count == 56 || count == 64 || count == 112 ||
         count == 128;
}
__device__ __host__ constexpr bool has_columns_of_halves(int count) {
  return count == 48 || count == 56 || count == 64;
}

/// One step of sixteen. Where it is the first, D is only written: the assembler would wait for what D held before.
template <int kColumns, bool kFirst>
__device__ void step_of_registers(float* d, const std::uint32_t* a, std::uint64_t b) {
  [[maybe_unused]] constexpr int add = kFirst ? 0 : 1;
  if constexpr (kFirst) {
    SLUICE_OF_COLUMNS(SLUICE_OF_REGISTERS, "=f");
  } else {
    SLUICE_OF_COLUMNS(SLUICE_OF_REGISTERS, "+f");
  }
}
template <int kColumns, bool kFirst>
__device__ void step_of_shared(float* d, std::uint64_t a, std::uint64_t b) {
  [[maybe_unused]] constexpr int add = kFirst ? 0 : 1;
  if constexpr (kFirst) {
    SLUICE_OF_COLUMNS(SLUICE_OF_SHARED, "=f");
  } else {
    SLUICE_OF_COLUMNS(SLUICE_OF_SHARED, "+f");
  }
}
template <int kColumns>
__device__ void step_across(float* d, std::uint64_t a, std::uint64_t b, [[maybe_unused]] int add) {
  SLUICE_OF_COLUMNS(SLUICE_ACROSS, "+f");
}

template <int kColumns, bool kFirst>
__device__ void step_of_registers(std::uint32_t* d, const std::uint32_t* a, std::uint64_t b) {
  [[maybe_unused]] constexpr int add = kFirst ? 0 : 1;
  if constexpr (kFirst) {
    SLUICE_HALVES_OF_COLUMNS(SLUICE_HALVES_OF_REGISTERS, "=r");
  } else {
    SLUICE_HALVES_OF_COLUMNS(SLUICE_HALVES_OF_REGISTERS, "+r");
  }
}
template <int kColumns, bool kFirst>
__device__ void step_of_shared(std::uint32_t* d, std::uint64_t a, std::uint64_t b) {
  [[maybe_unused]] constexpr int add = kFirst ? 0 : 1;
  if constexpr (kFirst) {
    SLUICE_HALVES_OF_COLUMNS(SLUICE_HALVES_OF_SHARED, "=r");
  } else {
    SLUICE_HALVES_OF_COLUMNS(SLUICE_HALVES_OF_SHARED, "+r");
  }
}
template <int kColumns>
__device__ void step_behind_registers(std::uint32_t* d, const std::uint32_t* a, std::uint64_t b,
                                      [[maybe_unused]] int add) {
  SLUICE_HALVES_OF_COLUMNS(SLUICE_HALVES_BEHIND_REGISTERS, "+r");
}

/// D = A B', A in registers, rows of B being D's columns: B[kColumns, 16 kSteps]. D as floats, or as halves: [2j + r], the pair of d[4j + 2r] and the next.
template <int kColumns, int kSteps, class Sum>
__device__ void multiply(Sum* d, const std::uint32_t* a, const Tile& b) {
  static_assert(sizeof(Sum) == 4 && (has_columns(kColumns) || has_columns_of_halves(kColumns)));
  const std::uint64_t first = descriptor(b.data, b.across, b.down);
  step_of_registers<kColumns, true>(d, a, first);
#pragma unroll
  for (int s = 1; s < kSteps; ++s)
    step_of_registers<kColumns, false>(d, a + 4 * s, first + s * (2 * b.across >> 4));
}
/// D = A B', A in shared memory: A[64, 16 kSteps].
template <int kColumns, int kSteps, class Sum>
__device__ void multiply(Sum* d, const Tile& a, const Tile& b) {
  static_assert(sizeof(Sum) == 4 && (has_columns(kColumns) || has_columns_of_halves(kColumns)));
  const std::uint64_t left = descriptor(a.data, a.across, a.down),
                      right = descriptor(b.data, b.across, b.down);
  step_of_shared<kColumns, true>(d, left, right);
#pragma unroll
  for (int s = 1; s < kSteps; ++s)
    step_of_shared<kColumns, false>(d, left + s * (2 * a.across >> 4), right + s * (2 * b.across >> 4));
}
/// D = A B, or D += A B, in halves, A in registers, B[16 kSteps, kColumns].
template <int kColumns, int kSteps>
__device__ void multiply_behind(std::uint32_t* d, const std::uint32_t* a, const Tile& b, bool add) {
  static_assert(has_columns_of_halves(kColumns));
  const std::uint64_t right = descriptor(b.data, b.down, b.across);
#pragma unroll
  for (int s = 0; s < kSteps; ++s)
    step_behind_registers<kColumns>(d, a + 4 * s, right + s * (2 * b.down >> 4), s == 0 && !add ? 0 : 1);
}
/// D = A' B, or D += A' B, A[16 kSteps, 64], B[16 kSteps, kColumns].
template <int kColumns, int kSteps>
__device__ void multiply_across(float* d, const Tile& a, const Tile& b, bool add) {
  if constexpr (kColumns > 128) {  // half by half: an instruction has no more operands
    multiply_across<kColumns / 2, kSteps>(d, a, b, add);
    return multiply_across<kColumns / 2, kSteps>(d + kColumns / 4, a, b.right_by(kColumns / 2), add);
  }
  static_assert(kColumns > 128 || has_columns(kColumns));
  const std::uint64_t left = descriptor(a.data, a.down, a.across),
                      right = descriptor(b.data, b.down, b.across);
#pragma unroll
  for (int s = 0; s < kSteps; ++s)
    step_across<kColumns>(d, left + s * (2 * a.down >> 4), right + s * (2 * b.down >> 4),
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
/// D in halves, rounded behind every step.
template <int kColumns, int kSteps, class Of>
void multiply_in_halves(std::uint32_t* d, bool add, const Of& product) {
  for (int e = 0; e < kColumns / 4; ++e) {
    float sums[2] = {add ? first_of(d[e]) : 0, add ? second_of(d[e]) : 0};
    for (int k = 0; k < 16 * kSteps; ++k)
      for (int i = 0; i < 2; ++i) {
        sums[i] += product(e % 2, e / 2 * 8 + OfThread::get().column + i, k);
        if (k % 16 == 15) sums[i] = of_half(to_half(sums[i]));
      }
    d[e] = pack(sums[0], sums[1]);
  }
}
template <int kColumns, int kSteps>
void multiply(std::uint32_t* d, const std::uint32_t* a, const Tile& b) {
  float rows[2][16 * kSteps];
  rows_of<kSteps>(a, rows);
  multiply_in_halves<kColumns, kSteps>(
      d, false, [&](int r, int column, int k) { return rows[r][k] * of_half(b.at(column, k)); });
}
template <int kColumns, int kSteps>
void multiply(std::uint32_t* d, const Tile& a, const Tile& b) {
  multiply_in_halves<kColumns, kSteps>(d, false, [&](int r, int column, int k) {
    return of_half(a.at(OfThread::get().row + 8 * r, k)) * of_half(b.at(column, k));
  });
}
template <int kColumns, int kSteps>
void multiply_behind(std::uint32_t* d, const std::uint32_t* a, const Tile& b, bool add) {
  float rows[2][16 * kSteps];
  rows_of<kSteps>(a, rows);
  multiply_in_halves<kColumns, kSteps>(
      d, add, [&](int r, int column, int k) { return rows[r][k] * of_half(b.at(k, column)); });
}
template <int kColumns, int kSteps>
void multiply(float* d, const Tile& a, const Tile& b) {
  const OfThread here = OfThread::get();
  for (int e = 0; e < kColumns / 2; ++e) {
    const int column = e / 4 * 8 + here.column + e % 2, row = here.row + e / 2 % 2 * 8;
    d[e] = 0;
    for (int k = 0; k < 16 * kSteps; ++k) d[e] += of_half(a.at(row, k)) * of_half(b.at(column, k));
  }
}
template <int kColumns, int kSteps>
void multiply_across(float* d, const Tile& a, const Tile& b, bool add) {
  const OfThread here = OfThread::get();
  for (int e = 0; e < kColumns / 2; ++e) {
    const int column = e / 4 * 8 + here.column + e % 2, row = here.row + e / 2 % 2 * 8;
    if (!add) d[e] = 0;
    for (int k = 0; k < 16 * kSteps; ++k) d[e] += of_half(a.at(k, row)) * of_half(b.at(k, column));
  }
}
inline void store_cores_at(const Tile& to, int place, const std::uint32_t* cores) {
  const int lane = emulated::Team::current->thread() % 32;
  const Tile here{to.data + place - place_of_cores(to, 0, 0, lane), to.across, to.down};
  for (int i = 0; i < 4; ++i) here.pair(i % 2 * 8, i / 2 * 8, lane) = cores[i];
}

#endif

}  // namespace sluice::cuda
