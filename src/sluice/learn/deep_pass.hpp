/// A batch on its way through a deep gated network: drawn, forward, loss, backward, in parts of kRows samples.
///
/// Every sample is a lane and sees the same operations whatever part it is in, so bits do not depend on threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sluice/learn/batches.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/deep_gated.hpp"

namespace sluice::learn {

class DeepPass {
 public:
  /// Four AVX-512 vectors: a batch of 128 is two parts, one for each of two threads.
  static constexpr std::int64_t kRows = 64;

  /// Keeps the traces of all parts where `keep` says so, of one part per thread otherwise. Random gates are those of the
  /// rows of the batch, so they need batches that are the whole set in its order.
  DeepPass(const Batches& batches, const net::DeepGated<float>& network, const OutputLoss& loss,
           std::uint64_t gate_seed, math::Workers& workers, bool keep);

  std::int64_t rows() const { return rows_; }
  std::int64_t parts() const { return (rows_ + kRows - 1) / kRows; }

  /// Draws part `part` of batch `step` and computes its outputs.
  void forward(std::uint64_t step, std::int64_t part, int thread, const net::Prepared<float>& prepared);
  /// Goes back from scale·∂L/∂ŷ to what training needs (net::DeepGated::backward_at_once).
  void backward(std::int64_t part, int thread, double scale, const net::Prepared<float>& prepared);

  net::Trace<float>& trace(std::int64_t part, int thread) {
    return traces_[static_cast<std::size_t>(keep_ ? part : thread)];
  }
  /// Of the part that the thread saw last.
  std::span<const float> labels(int thread) const {
    return workers_of_[static_cast<std::size_t>(thread)].labels;
  }

 private:
  struct Own {  // of one thread
    std::unique_ptr<Drawer> drawer;
    math::LanesBuffer<float> block;
    std::vector<float> labels;
  };

  const Batches& batches_;
  const net::DeepGated<float>& network_;
  OutputLoss loss_;
  std::uint64_t gate_seed_;
  std::int64_t rows_;
  bool keep_;
  std::vector<net::Trace<float>> traces_;
  std::vector<Own> workers_of_;
};

}  // namespace sluice::learn
