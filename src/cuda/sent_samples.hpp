/// Samples that are drawn on the CPU (gpu::HostSamples) and sent, each with its label: the next are drawn while those
/// before are on their way and trained on.
#pragma once

#include <algorithm>
#include <cstdint>

#include "buffer.hpp"
#include "ensemble_kernels.cuh"
#include "tiles.cuh"

namespace sluice::cuda {

class SentSamples {
 public:
  using Parcel = gpu::HostSamples::Parcel;

  /// So many batches at once, each of a step of a member, or as many as there is room for. Who draws them must outlive
  /// this.
  SentSamples(gpu::HostSamples& samples, const EnsembleShape& shape, std::int64_t wanted)
      : samples_(samples),
        of_x_((shape.inputs + 1) * shape.rows),
        rows_(shape.rows),
        most_(std::clamp<std::int64_t>(kPlaceBytes / ((of_x_ + rows_) * 4), 1, wanted)),
        places_(kPlaces),
        x_(kPlaces * most_ * of_x_),
        labels_(kPlaces * most_ * rows_) {}

  /// Batches of a parcel, at most.
  std::int64_t most() const { return most_; }

  /// Drawn when this returns, and on the way to the device. The stream has done before what reads what was there.
  void send(const Parcel& parcel, float* x, float* labels, cudaStream_t stream) {
    const std::int64_t place = places_.next(), batches = parcel.steps * parcel.members;
    float *drawn = x_.data() + place * most_ * of_x_, *drawn_labels = labels_.data() + place * most_ * rows_;
    samples_.draw(parcel, drawn, drawn_labels);
    copy(drawn, batches * of_x_, x, stream);
    copy(drawn_labels, batches * rows_, labels, stream);
    places_.leave(stream);
  }

 private:
  static constexpr std::int64_t kPlaces = 2;
  static constexpr std::int64_t kPlaceBytes = 64 << 20;  // or one batch

  static void copy(const float* from, std::int64_t count, float* to, cudaStream_t stream) {
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(count) * sizeof(float), cudaMemcpyHostToDevice,
                          stream),
          "copy");
  }

  gpu::HostSamples& samples_;
  std::int64_t of_x_, rows_, most_;
  Places places_;
  Pinned<float> x_, labels_;  // [place, batch, …]
};

/// So many batches that were sent as tiles of one class, a word of two sites after the other: numbers too large for
/// halves are the largest of them, rows behind the last are 0.
static __global__ void tile_samples(EnsembleShape shape, std::int64_t batches, const float* x, int sites,
                                    std::uint8_t* tiles) {
#ifdef SLUICE_TENSOR_CORES
  const int words = tile_bytes(sites) / 4, rows = static_cast<int>(shape.rows),
            n = static_cast<int>(shape.inputs);
  const int of_batch = Batch::tiles_of(rows);
  const std::int64_t at = thread_index(), tile = at / words, batch = tile / of_batch;
  if (batch >= batches) return;
  // As in tile_of: cores of eight rows and sites, four words a row.
  const int word = static_cast<int>(at % words), core = word / 32, across = sites / 8;
  const int row = static_cast<int>(tile % of_batch) * kTileRows + core / across * 8 + word % 32 / 4;
  const int site = core % across * 8 + word % 4 * 2;
  const float* here = x + batch * (n + 1) * shape.rows + row;
  const auto value = [&](int i) {
    if (i == sites - 1) return 1.0F;
    return i < n && row < rows ? fminf(fmaxf(here[i * shape.rows], -kLargestHalf), kLargestHalf) : 0.0F;
  };
  reinterpret_cast<std::uint32_t*>(tiles)[at] = pack(value(site), value(site + 1));
#endif
}

}  // namespace sluice::cuda
