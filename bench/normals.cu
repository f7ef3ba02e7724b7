#include "bench/normals.hpp"

#include <algorithm>

#include "cuda/buffer.hpp"
#include "cuda/launch.hpp"
#include "cuda/quick.cuh"

namespace sluice::bench {
namespace {

using cuda::Buffer, cuda::check;

constexpr int kStrip = 8;  // rows, one after the other, that a thread draws
constexpr std::int64_t kStripsOfStep = kRowsOfStep / kStrip;
constexpr std::int64_t kMostThreads = 1 << 18;

#ifdef __CUDACC__
__device__ inline void count_one(unsigned long long* at) { atomicAdd(at, 1ULL); }
#else
inline void count_one(unsigned long long* at) { ++*at; }
#endif

/// Four normals of one counter.
struct Four {
  std::uint32_t pairs[2];

  __device__ Four() : pairs{} {}
  /// As TileDrawing draws them.
  __device__ Four(const cuda::Row& row, int counter, const WordBits& bits) : pairs{} {
    cuda::Words words[1] = {row.address(static_cast<std::uint32_t>(counter))};
    cuda::philox(words, static_cast<std::uint32_t>(row.seed), static_cast<std::uint32_t>(row.seed >> 32));
    for (int p = 0; p < 2; ++p)
      pairs[p] = cuda::quick_normals(words[0].w[2 * p] & bits.radius, words[0].w[2 * p + 1] & bits.angle);
  }
  __device__ double at(int i) const {
    constexpr double kScale = 1.1774100225154747;  // √(2 ln 2)
    return kScale *
           static_cast<double>(i % 2 == 0 ? cuda::first_of(pairs[i / 2]) : cuda::second_of(pairs[i / 2]));
  }
};

struct Sum {
  double products = 0, of_squares = 0;

  __device__ void add(double a, double b) {
    products += a * b;
    of_squares += (a * a - 1) * (b * b - 1);
  }
  __device__ void add(const Four& a, const Four& b) {
    for (int i = 0; i < 4; ++i) add(a.at(i), b.at(i));
  }
};

/// Counts [2, 65536]; sums [thread, Beside]. A thread draws strips of rows, whose neighbours it remembers.
__global__ void sum_normals(std::uint64_t seed, std::int64_t strips, std::int64_t threads, WordBits bits,
                            unsigned long long* counts, Sum* sums) {
  const std::int64_t thread = cuda::thread_index();
  if (thread >= threads) return;
  Sum of[kBesides];
  for (std::int64_t strip = thread; strip < strips; strip += threads) {
    Four above[kCounters];
    for (int r = 0; r < kStrip; ++r) {
      const cuda::Row row{seed, static_cast<std::uint64_t>(strip / kStripsOfStep),
                          static_cast<std::uint32_t>(strip % kStripsOfStep * kStrip + r),
                          math::Purpose::training};
      Four before;
#pragma unroll
      for (int c = 0; c < kCounters; ++c) {
        const Four four(row, c, bits);
        for (const std::uint32_t pair : four.pairs) {
          count_one(counts + (pair & 0xFFFFU));
          count_one(counts + 65536 + (pair >> 16));
        }
        for (const int i : {0, 2}) of[static_cast<int>(Beside::in_pair)].add(four.at(i), four.at(i + 1));
        for (const int i : {0, 1}) of[static_cast<int>(Beside::in_counter)].add(four.at(i), four.at(i + 2));
        if (c > 0) of[static_cast<int>(Beside::next_counter)].add(before, four);
        if (r > 0) of[static_cast<int>(Beside::next_row)].add(above[c], four);
        before = above[c] = four;
      }
    }
  }
  for (int b = 0; b < kBesides; ++b) sums[thread * kBesides + b] = of[b];
}

__global__ void draw_rows(math::Address first, std::int64_t rows, std::uint32_t* pairs) {
  const std::int64_t at = cuda::thread_index(), r = at / kCounters;
  if (r >= rows) return;
  const Four four({first.seed, first.step, first.row + static_cast<std::uint32_t>(r), first.purpose},
                  static_cast<int>(at % kCounters), {});
  for (int p = 0; p < 2; ++p) pairs[2 * at + p] = four.pairs[p];
}

template <class T>
std::vector<T> copied(const Buffer<T>& from) {
  std::vector<T> here(static_cast<std::size_t>(from.size()));
  check(cudaMemcpyAsync(here.data(), from.data(), here.size() * sizeof(T), cudaMemcpyDeviceToHost,
                        cudaStreamPerThread),
        "copy");
  check(cudaStreamSynchronize(cudaStreamPerThread), "copy");
  return here;
}

}  // namespace

NormalSums draw_normals(std::uint64_t seed, std::int64_t steps, const WordBits& bits) {
  const std::int64_t strips = steps * kStripsOfStep, threads = std::min(strips, kMostThreads);
  const Buffer<unsigned long long> counts(2 * 65536);
  const Buffer<Sum> sums(threads * kBesides);
  cuda::launch(sum_normals, threads, cudaStreamPerThread, seed, strips, threads, bits, counts.data(),
               sums.data());
  const std::vector<unsigned long long> counted = copied(counts);

  NormalSums drawn{.count = steps * kNormalsOfStep, .counts = {}, .products = {}};
  std::uint64_t all = 0;
  for (const unsigned long long count : counted) all += count;
  if (all != static_cast<std::uint64_t>(drawn.count))
    cuda::fail("GPU: nothing was drawn: expected compute capability 9.0");
  for (std::size_t i = 0; i < 2; ++i)
    drawn.counts[i].assign(counted.data() + i * 65536, counted.data() + (i + 1) * 65536);
  constexpr std::int64_t kOfRow[kBesides] = {2 * kCounters, 2 * kCounters, 4 * (kCounters - 1),
                                             4 * kCounters};
  const std::vector<Sum> summed = copied(sums);
  for (int b = 0; b < kBesides; ++b) {
    NormalSums::Products& products = drawn.products[static_cast<std::size_t>(b)];
    const int rows = b == static_cast<int>(Beside::next_row) ? kStrip - 1 : kStrip;
    products.count = strips * rows * kOfRow[b];
    for (std::size_t at = static_cast<std::size_t>(b); at < summed.size(); at += kBesides) {
      products.sum += summed[at].products;
      products.of_squares += summed[at].of_squares;
    }
  }
  return drawn;
}

std::vector<std::uint32_t> normals_of_rows(const math::Address& first, int rows) {
  const Buffer<std::uint32_t> pairs(std::int64_t{rows} * kCounters * 2);
  cuda::launch(draw_rows, std::int64_t{rows} * kCounters, cudaStreamPerThread, first, std::int64_t{rows},
               pairs.data());
  return copied(pairs);
}

}  // namespace sluice::bench
