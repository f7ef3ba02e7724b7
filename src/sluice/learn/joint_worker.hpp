/// Blocks of one stream of samples through many networks: what one thread needs for it, reused for every block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sluice/learn/batches.hpp"
#include "sluice/learn/loss.hpp"
#include "sluice/net/joint_pass.hpp"

namespace sluice::learn {

/// One network among others; the seed is that of what it draws for each sample of a set.
struct Companion {
  const net::Network* network;
  std::uint64_t seed;
};

class JointWorker {
 public:
  /// Everything must outlive the worker. The members have as many outputs and gradients of one size.
  JointWorker(const Batches& batches, std::span<const Companion> members, const OutputLoss& loss);

  void use(std::span<const std::span<const float>> parameters) { pass_->use(parameters); }
  void forward(std::uint64_t step, const Block& block);
  /// Adds scale·(dL/dŷ)·∂ŷ/∂parameters of the last block for every member, [E, whole vectors of gradient_size()].
  void backward(double scale, std::span<float> gradient);

  std::span<const float> labels() const {
    return std::span(labels_).first(static_cast<std::size_t>(x_.samples));
  }
  /// Of one member, [C, samples].
  math::Lanes outputs(std::size_t member) const {
    return {y_.data + static_cast<std::int64_t>(member) * outputs_of_one_ * y_.stride, outputs_of_one_,
            y_.samples, y_.stride};
  }

 private:
  std::int64_t outputs_of_one_;
  std::int64_t members_;
  std::unique_ptr<Drawer> drawer_;
  std::unique_ptr<net::JointPass> pass_;
  OutputLoss loss_;
  math::LanesBuffer<float> samples_, outputs_, slopes_;
  std::vector<float> labels_;
  math::Lanes x_, y_;  // the current block
};

}  // namespace sluice::learn
