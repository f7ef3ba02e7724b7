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
constexpr double kScale = 1.1774100225154747;  // √(2 ln 2)

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

/// What a thread has of a tile.
struct TileOfStream {
  std::uint32_t words[kWordsOfTile], pairs[kWordsOfTile];
  double z[2 * kWordsOfTile];
};

/// As QuickSamples draws.
class Stream {
 public:
  __device__ Stream(std::uint64_t seed, std::uint64_t step, std::uint32_t thread, const StreamBits& bits)
      : words_(
            cuda::Row{seed, step & bits.step, thread & bits.thread, math::Purpose::training}.words(kCounter),
            static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)),
        used_(bits.word) {}

  __device__ void draw(TileOfStream& tile) {
#pragma unroll
    for (int m = 0; m < kWordsOfTile; m += 4) {
      const cuda::Words& four = words_.next_four();
#pragma unroll
      for (int i = 0; i < 4; ++i) tile.words[m + i] = four.w[i] & used_;
    }
#pragma unroll
    for (int m = 0; m < kWordsOfTile; ++m) {
      tile.pairs[m] = cuda::quicker_normals(tile.words[m], cuda::kOfAngles);
      tile.z[2 * m] = kScale * static_cast<double>(cuda::first_of(tile.pairs[m]));
      tile.z[2 * m + 1] = kScale * static_cast<double>(cuda::second_of(tile.pairs[m]));
    }
  }

 private:
  static constexpr std::uint32_t kCounter = 1U << 30;
  cuda::QuickWords words_;
  std::uint32_t used_;
};

struct SumOfStreams {
  Sum of[kInStream];
  double cosines = 0, sines = 0;

  __device__ void add_within(const TileOfStream& tile) {
#pragma unroll
    for (int a = 0; a < kWordsOfTile; ++a) {
      const double x = tile.z[2 * a], y = tile.z[2 * a + 1], radius = sqrt(x * x + y * y);
      of[static_cast<int>(InStream::in_pair)].add(x, y);
      if (radius > 0) {
        cosines += x / radius;
        sines += y / radius;
      }
#pragma unroll
      for (int b = a + 1; b < kWordsOfTile; ++b)
        for (int i = 0; i < 2; ++i) of[b - a].add(tile.z[2 * a + i], tile.z[2 * b + i]);
    }
  }
  __device__ void add_between(const TileOfStream& a, const TileOfStream& b, InStream where) {
#pragma unroll
    for (int i = 0; i < 2 * kWordsOfTile; ++i) of[static_cast<int>(where)].add(a.z[i], b.z[i]);
  }
};

/// Counts [2, 65536] of halves and of words. A thread goes through whole streams, and through those beside them once more.
__global__ void sum_streams(std::uint64_t seed, std::int64_t streams, std::int64_t threads, StreamBits bits,
                            unsigned long long* halves, unsigned long long* words, SumOfStreams* sums) {
  const std::int64_t thread = cuda::thread_index();
  if (thread >= threads) return;
  SumOfStreams sum;
  for (std::int64_t at = thread; at < streams; at += threads) {
    const auto step = static_cast<std::uint64_t>(at / kStreamsOfStep);
    const auto number = static_cast<std::uint32_t>(at % kStreamsOfStep);
    Stream here(seed, step, number, bits), beside(seed, step, number + 1, bits),
        after(seed, step + 1, number, bits);
    TileOfStream tile, before{}, other;
    for (int t = 0; t < kTilesOfStream; ++t) {
      here.draw(tile);
      for (int m = 0; m < kWordsOfTile; ++m) {
        count_one(halves + (tile.pairs[m] & 0xFFFFU));
        count_one(halves + 65536 + (tile.pairs[m] >> 16));
        if (t == 0 && m == 0) continue;
        const std::uint32_t last = m > 0 ? tile.words[m - 1] : before.words[kWordsOfTile - 1];
        count_one(words + (m % 2 == 0 ? 65536 : 0) + (last >> 24 << 8 | tile.words[m] >> 24));
      }
      sum.add_within(tile);
      if (t > 0) sum.add_between(before, tile, InStream::next_tile);
      beside.draw(other);
      sum.add_between(tile, other, InStream::next_thread);
      after.draw(other);
      sum.add_between(tile, other, InStream::next_step);
      before = tile;
    }
  }
  sums[thread] = sum;
}

__global__ void draw_stream_pairs(math::Address first, std::int64_t streams, std::uint32_t* pairs) {
  const std::int64_t at = cuda::thread_index();
  if (at >= streams) return;
  Stream stream(first.seed, first.step, first.row + static_cast<std::uint32_t>(at), {});
  TileOfStream tile;
  for (int t = 0; t < kTilesOfStream; ++t) {
    stream.draw(tile);
    for (int m = 0; m < kWordsOfTile; ++m)
      pairs[(at * kTilesOfStream + t) * kWordsOfTile + m] = tile.pairs[m];
  }
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

std::array<std::vector<std::uint64_t>, 2> halved(const std::vector<unsigned long long>& counts) {
  return {std::vector<std::uint64_t>(counts.data(), counts.data() + 65536),
          std::vector<std::uint64_t>(counts.data() + 65536, counts.data() + 2 * 65536)};
}
/// Counts [2, 65536] of halves: so many, or the device has done nothing.
std::array<std::vector<std::uint64_t>, 2> counts_of_halves(const Buffer<unsigned long long>& from,
                                                           std::int64_t expected) {
  const std::vector<unsigned long long> counted = copied(from);
  std::uint64_t all = 0;
  for (const unsigned long long count : counted) all += count;
  if (all != static_cast<std::uint64_t>(expected))
    cuda::fail("GPU: nothing was drawn: expected compute capability 9.0");
  return halved(counted);
}

}  // namespace

NormalSums draw_normals(std::uint64_t seed, std::int64_t steps, const WordBits& bits) {
  const std::int64_t strips = steps * kStripsOfStep, threads = std::min(strips, kMostThreads);
  const Buffer<unsigned long long> counts(2 * 65536);
  const Buffer<Sum> sums(threads * kBesides);
  cuda::launch(sum_normals, threads, cudaStreamPerThread, seed, strips, threads, bits, counts.data(),
               sums.data());

  NormalSums drawn{.count = steps * kNormalsOfStep, .counts = {}, .products = {}};
  drawn.counts = counts_of_halves(counts, drawn.count);
  constexpr const char* kWhere[kBesides] = {"in a pair", "in a counter", "of neighbouring counters",
                                            "of neighbouring rows"};
  constexpr std::int64_t kOfRow[kBesides] = {2 * kCounters, 2 * kCounters, 4 * (kCounters - 1),
                                             4 * kCounters};
  const std::vector<Sum> summed = copied(sums);
  for (int b = 0; b < kBesides; ++b) {
    const int rows = b == static_cast<int>(Beside::next_row) ? kStrip - 1 : kStrip;
    drawn.products.push_back({.where = kWhere[b], .count = strips * rows * kOfRow[b]});
    NormalSums::Products& products = drawn.products.back();
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

StreamSums draw_streams(std::uint64_t seed, std::int64_t steps, const StreamBits& bits) {
  const std::int64_t streams = steps * kStreamsOfStep, threads = std::min(streams, kMostThreads);
  const Buffer<unsigned long long> halves(2 * 65536), words(2 * 65536);
  const Buffer<SumOfStreams> sums(threads);
  cuda::launch(sum_streams, threads, cudaStreamPerThread, seed, streams, threads, bits, halves.data(),
               words.data(), sums.data());

  StreamSums drawn{.normals = {.count = steps * kNormalsOfStreams, .counts = {}, .products = {}},
                   .words = {}};
  drawn.normals.counts = counts_of_halves(halves, drawn.normals.count);
  drawn.words = halved(copied(words));
  const std::vector<SumOfStreams> summed = copied(sums);
  for (const SumOfStreams& each : summed) {
    drawn.cosines += each.cosines;
    drawn.sines += each.sines;
  }
  const std::int64_t tiles = streams * kTilesOfStream, of_tile = 2 * kWordsOfTile;
  const auto add = [&](InStream where, const std::string& name, std::int64_t count) {
    drawn.normals.products.push_back({.where = name, .count = count});
    NormalSums::Products& products = drawn.normals.products.back();
    for (const SumOfStreams& each : summed) {
      products.sum += each.of[static_cast<int>(where)].products;
      products.of_squares += each.of[static_cast<int>(where)].of_squares;
    }
  };
  add(InStream::in_pair, "in a pair", tiles * kWordsOfTile);
  for (int apart = 1; apart < kWordsOfTile; ++apart)
    add(static_cast<InStream>(apart), "of words of a tile, " + std::to_string(apart) + " apart",
        tiles * 2 * (kWordsOfTile - apart));
  add(InStream::next_tile, "of neighbouring tiles", (tiles - streams) * of_tile);
  add(InStream::next_thread, "of neighbouring threads", tiles * of_tile);
  add(InStream::next_step, "of neighbouring steps", tiles * of_tile);
  return drawn;
}

std::vector<std::uint32_t> normals_of_streams(const math::Address& first, int streams) {
  const Buffer<std::uint32_t> pairs(std::int64_t{streams} * kTilesOfStream * kWordsOfTile);
  cuda::launch(draw_stream_pairs, std::int64_t{streams}, cudaStreamPerThread, first, std::int64_t{streams},
               pairs.data());
  return copied(pairs);
}

}  // namespace sluice::bench
