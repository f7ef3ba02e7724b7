/// The parameters of a network on the device, what an optimiser remembers of them, and how they move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.hpp"
#include "kernels.cuh"

namespace sluice::cuda {

/// Every layer begins on 256 bytes of its own, for products to read and write whole packs: weights first, then the weights of the gating network.
template <class T>
class Parameters {
 public:
  Parameters(const gpu::NetworkPlan& network, const gpu::TrainingPlan& training)
      : training_(training),
        rule_{training.momentum, training.decay, training.epsilon, training.weight_decay} {
    std::int64_t size = 0;
    const auto add = [&](std::size_t host, std::size_t count) {
      runs_.push_back({host, count, size});
      constexpr std::int64_t kWhole = 64;  // numbers
      size += (static_cast<std::int64_t>(count) + kWhole - 1) / kWhole * kWhole;
    };
    for (const gpu::LayerPlan& layer : network.layers) add(layer.weights, layer.weight_count);
    weights_end_ = size;
    if (network.gates == Gates::network)
      for (const gpu::LayerPlan& layer : std::span(network.layers).first(network.layers.size() - 1))
        add(layer.gate_weights, layer.weight_count);
    layers_ = network.layers.size();
    parameters_ = Buffer<float>(size);
    if (memories() > 0) first_ = Buffer<float>(size);
    if (memories() > 1) second_ = Buffer<float>(size);
    gradient_ = Buffer<T>(size);
    if (sizeof(T) != 4) low_ = Buffer<T>(size);
  }

  /// Of layer l, 1 … d, or of the gating network's, 1 … d − 1: as products read them, and where they write the gradient.
  const T* weights(std::size_t l, bool gating) const {
    if constexpr (sizeof(T) == 4)
      return parameters_.data() + place(l, gating);
    else
      return low_.data() + place(l, gating);
  }
  T* gradient(std::size_t l, bool gating) const { return gradient_.data() + place(l, gating); }

  /// In the order of the host, all of them; waits until they are there.
  void put(cudaStream_t stream, std::span<const float> parameters, std::span<const float> memory) {
    each_run(
        parameters.size(), memory.size(), [&](const Buffer<float>& device, const Run& run, std::size_t from) {
          const float* host =
              from < parameters.size() ? parameters.data() + from : memory.data() + from - parameters.size();
          check(cudaMemcpyAsync(device.data() + run.device, host, run.count * sizeof(float),
                                cudaMemcpyHostToDevice, stream),
                "copy");
        });
    if constexpr (sizeof(T) != 4)
      launch(convert<float, T>, low_.size(), stream, low_.size(), parameters_.data(), low_.data());
    check(cudaStreamSynchronize(stream), "copy");
  }
  /// Without room for what is remembered: the parameters alone.
  void get(cudaStream_t stream, std::span<float> parameters, std::span<float> memory) const {
    each_run(parameters.size(), memory.size(),
             [&](const Buffer<float>& device, const Run& run, std::size_t to) {
               float* host =
                   to < parameters.size() ? parameters.data() + to : memory.data() + to - parameters.size();
               check(cudaMemcpyAsync(host, device.data() + run.device, run.count * sizeof(float),
                                     cudaMemcpyDeviceToHost, stream),
                     "copy");
             });
    check(cudaStreamSynchronize(stream), "copy");
  }

  /// A step along the gradient, of the weights, of the gating network's, or of both.
  void descend(cudaStream_t stream, const gpu::StepNumbers* numbers, bool weights, bool gates) const {
    const std::int64_t begin = weights ? 0 : weights_end_, end = gates ? parameters_.size() : weights_end_;
    if (begin == end) return;
    const auto move = [&]<Rule kRule>() {
      const auto from = [&](const auto& buffer) {
        return buffer.size() > 0 ? buffer.data() + begin : nullptr;
      };
      const std::int64_t packs = (end - begin) / 4;
      launch(cuda::descend<T, kRule>, packs, stream, packs, rule_, numbers, from(gradient_),
             Moving<T>{from(parameters_), from(first_), from(second_), from(low_)});
    };
    with_rule(training_.rule, move);
  }

 private:
  /// Parameters that follow each other, here and on the host.
  struct Run {
    std::size_t host, count;
    std::int64_t device;
  };

  int memories() const { return training_.memories(); }
  std::int64_t place(std::size_t l, bool gating) const {
    return runs_[(gating ? layers_ : 0) + l - 1].device;
  }
  /// The host has the parameters, then a memory of each, then the other.
  template <class Copy>
  void each_run(std::size_t parameters, std::size_t memory, const Copy& copy) const {
    for (const Run& run : runs_) {
      copy(parameters_, run, run.host);
      if (memory > 0) copy(first_, run, parameters + run.host);
      if (memory > parameters) copy(second_, run, 2 * parameters + run.host);
    }
  }

  gpu::TrainingPlan training_;
  RuleNumbers rule_;
  std::size_t layers_ = 0;
  std::vector<Run> runs_;  // layer by layer, then those of the gates
  std::int64_t weights_end_ = 0;
  Buffer<float> parameters_, first_, second_;
  Buffer<T> gradient_;  // as products write it
  Buffer<T> low_;       // parameters as products read them, where they do not read floats
};

}  // namespace sluice::cuda
