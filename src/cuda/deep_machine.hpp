/// A deep gated network on the device (gpu/machine.hpp). A step of training is a graph that is launched again and again: what changes from step to step, the
/// samples and the numbers of the optimiser, is copied before it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "convolution.hpp"
#include "parameters.hpp"

namespace sluice::cuda {

class Set final : public gpu::DeviceSet {
 public:
  /// Room for samples that are drawn elsewhere.
  Set(std::int64_t rows, const net::Volume& input) : x_(rows * input.size()), y_(rows) {}
  /// x plane by plane, turned on the device.
  Set(std::span<const float> x, std::span<const float> y, const net::Volume& input)
      : x_(static_cast<std::int64_t>(x.size())), y_(static_cast<std::int64_t>(y.size())) {
    copy_now(y_, y);
    if (input.channels == 1) {
      copy_now(x_, x);
      return;
    }
    const Buffer<float> planes(x_.size());
    copy_now(planes, x);
    launch(turn, x_.size(), cudaStreamPerThread, x_.size(), input, planes.data(), x_.data());
    check(cudaStreamSynchronize(cudaStreamPerThread), "the data");
  }
  std::int64_t rows() const { return y_.size(); }
  float* x() const { return x_.data(); }
  float* y() const { return y_.data(); }

 private:
  Buffer<float> x_, y_;
};

template <class T>
class DeepMachine final : public gpu::Machine {
 public:
  DeepMachine(const gpu::NetworkPlan& network, const gpu::TrainingPlan& training, gpu::Precision precision)
      : network_(network),
        training_(training),
        gate_{network.beta, 1 + network.epsilon},
        loss_{training.loss, static_cast<int>(network.layers.back().to.size()),
              static_cast<float>(training.midpoint)},
        layers_(network.layers.size() + 1),
        parameters_(network, training),
        labels_(training.batch),
        seen_(training.batch),
        numbers_(1),
        outputs_(training.batch * network.layers.back().to.size()),
        drawn_(training.drawn ? training.batch : 0, network.input),
        places_(training.drawn ? kDrawnPlaces : kPlaces),
        pinned_seen_(training.drawn ? 0 : kPlaces * training.batch),
        pinned_x_(training.drawn ? kDrawnPlaces * training.batch * network.input.size() : 0),
        pinned_y_(training.drawn ? kDrawnPlaces * training.batch : 0),
        pinned_numbers_(kPlaces) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    check(Blas::get().create(&products_.handle), "start");
    products_.stream = stream_;
    products_.compute = precision == gpu::Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    check(Blas::get().set_stream(products_.handle, stream_), "stream");
    blas_space_ = Buffer<std::uint8_t>(kBlasSpace);  // of its own: bits do not depend on who else computes
    check(Blas::get().set_workspace(products_.handle, blas_space_.data(), kBlasSpace), "memory");
    if (const Dnn* dnn = Dnn::get()) {
      check_dnn(dnn->create(&dnn_), "start");
      check_dnn(dnn->set_stream(dnn_, stream_), "stream");
    }
    make_layers(precision);
  }
  DeepMachine(const DeepMachine&) = delete;
  DeepMachine& operator=(const DeepMachine&) = delete;
  ~DeepMachine() override {
    cudaStreamSynchronize(stream_);
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    layers_.clear();  // their descriptors, before the handles
    if (dnn_ != nullptr) Dnn::get()->destroy(dnn_);
    Blas::get().destroy(products_.handle);
    cudaStreamDestroy(stream_);
  }

  void put(std::span<const float> parameters, std::span<const float> memory) override {
    parameters_.put(stream_, parameters, memory);
  }
  void get(std::span<float> parameters, std::span<float> memory) override {
    parameters_.get(stream_, parameters, memory);
  }
  void put_gates(std::int64_t layer, std::span<const std::uint8_t> gates) override {
    Buffer<std::uint8_t>& drawn = layers_[static_cast<std::size_t>(layer)].drawn;
    drawn = Buffer<std::uint8_t>(count(gates.size()));
    copy_now(drawn, gates);
  }

  void move(const gpu::DeviceSet& set, std::span<const learn::Visit> seen,
            const gpu::StepNumbers& step) override {
    const std::int64_t place = places_.next();
    send(seen, pinned_seen_, place, seen_.data());
    go(dynamic_cast<const Set&>(set), place, step);
  }
  void move(std::span<const float> x, std::span<const float> y, const gpu::StepNumbers& step) override {
    const std::int64_t place = places_.next();
    send(x, pinned_x_, place, drawn_.x());
    send(y, pinned_y_, place, drawn_.y());
    go(drawn_, place, step);
  }

  void wait() override { check(cudaStreamSynchronize(stream_), "training"); }

  void evaluate(const gpu::DeviceSet& set, std::span<float> losses, std::span<std::uint8_t> right) override {
    const auto& samples = dynamic_cast<const Set&>(set);
    if (values_.size() < samples.rows()) {
      values_ = Buffer<float>(samples.rows());
      right_ = Buffer<std::uint8_t>(samples.rows());
    }
    for (std::int64_t first = 0; first < samples.rows(); first += training_.batch) {
      const std::int64_t rows = std::min(training_.batch, samples.rows() - first);
      look(samples, nullptr, first);
      forward();
      launch(judge, rows, stream_, static_cast<int>(rows), loss_, outputs_.data(), labels_.data(),
             values_.data() + first, right_.data() + first);
    }
    check(
        cudaMemcpyAsync(losses.data(), values_.data(), losses.size_bytes(), cudaMemcpyDeviceToHost, stream_),
        "copy");
    check(cudaMemcpyAsync(right.data(), right_.data(), right.size_bytes(), cudaMemcpyDeviceToHost, stream_),
          "copy");
    wait();
  }

 private:
  static constexpr std::int64_t kPlaces = 64, kDrawnPlaces = 4;
  static constexpr std::size_t kBlasSpace = 32 << 20;

  struct Units {
    gpu::LayerPlan plan;
    std::unique_ptr<Convolution<T>> convolution, gate_convolution;
    Buffer<T> q, z, delta, gate_q, gate_z, eta;
    Buffer<std::uint8_t> drawn;
  };

  static std::int64_t count(std::size_t size) { return static_cast<std::int64_t>(size); }
  bool gated_by_network() const { return network_.gates == gpu::NetworkPlan::Gates::network; }
  bool adapts() const { return gated_by_network() && network_.soft && network_.trains_gates; }
  std::size_t depth() const { return network_.layers.size(); }

  void make_layers(gpu::Precision precision) {
    const std::int64_t batch = training_.batch;
    layers_[0].z = Buffer<T>(batch * network_.input.size());
    std::int64_t pooled = 0;
    for (std::size_t l = 1; l <= depth(); ++l) {
      Units& units = layers_[l];
      units.plan = network_.layers[l - 1];
      const std::int64_t size = batch * units.plan.to.size();
      const bool hidden = l < depth();
      if (units.plan.kind == gpu::LayerPlan::Kind::convolution) {
        units.convolution = std::make_unique<Convolution<T>>(units.plan, batch, precision, dnn_);
        if (gated_by_network() && hidden)
          units.gate_convolution = std::make_unique<Convolution<T>>(units.plan, batch, precision, dnn_);
      }
      units.delta = Buffer<T>(size);
      if (!hidden) continue;
      const bool pools = units.plan.pool.rows > 0;
      if (pools) pooled = std::max(pooled, size);
      const std::int64_t seen = pools ? batch * units.plan.pooled.size() : size;
      units.q = Buffer<T>(size);
      units.z = Buffer<T>(seen);
      if (gated_by_network()) units.gate_q = Buffer<T>(size);
      if (gated_by_network()) units.gate_z = Buffer<T>(seen);
      if (adapts()) units.eta = Buffer<T>(size);
    }
    pooling_ = Buffer<T>(pooled);
    gate_pooling_ = Buffer<T>(gated_by_network() ? pooled : 0);
    if constexpr (sizeof(T) != 4) low_outputs_ = Buffer<T>(outputs_.size());
  }

  void look(const Set& set, const learn::Visit* seen, std::int64_t first) {
    const std::int64_t all = layers_[0].z.size();
    launch(gather<T>, all, stream_, set.x(), set.y(), set.rows(), seen, first,
           static_cast<int>(training_.batch), network_.input, layers_[0].z.data(), labels_.data());
  }

  /// out = L(θ) in, of layer l; the outputs of the network in float.
  void apply(std::size_t l, bool gating, const T* in, T* out) {
    Units& units = layers_[l];
    const T* theta = parameters_.weights(l, gating);
    switch (units.plan.kind) {
      case gpu::LayerPlan::Kind::dense:
        if (l == depth())
          products_.forward(training_.batch, units.plan.from.size(), units.plan.to.size(), theta, in,
                            outputs_.data());
        else
          products_.forward(training_.batch, units.plan.from.size(), units.plan.to.size(), theta, in, out);
        break;
      case gpu::LayerPlan::Kind::convolution:
        (gating ? units.gate_convolution : units.convolution)->forward(products_, theta, in, out);
        break;
      case gpu::LayerPlan::Kind::average: {  // the last layer of circular networks
        T* to = out;
        if constexpr (sizeof(T) == 4)
          to = outputs_.data();
        else
          to = low_outputs_.data();
        average_of(units.plan.from, units.plan.to, units.plan.window, in, to);
        if constexpr (sizeof(T) != 4)
          launch(convert<T, float>, outputs_.size(), stream_, outputs_.size(), low_outputs_.data(),
                 outputs_.data());
      }
    }
  }
  /// back = Pool' L(θ)' slopes, of layer l + 1, at the units of layer l.
  void pull_back(std::size_t l, bool gating, const T* slopes, T* pooling, T* back) {
    Units& above = layers_[l + 1];
    const gpu::LayerPlan& here = layers_[l].plan;
    T* out = here.pool.rows > 0 ? pooling : back;
    const T* theta = parameters_.weights(l + 1, gating);
    switch (above.plan.kind) {
      case gpu::LayerPlan::Kind::dense:
        products_.backward(training_.batch, above.plan.from.size(), above.plan.to.size(), theta, slopes, out);
        break;
      case gpu::LayerPlan::Kind::convolution:
        (gating ? above.gate_convolution : above.convolution)->backward(products_, theta, slopes, out);
        break;
      case gpu::LayerPlan::Kind::average:
        average_way_back(above.plan.from, above.plan.to, above.plan.window, slopes, out);
    }
    if (here.pool.rows > 0) average_way_back(here.to, here.pooled, here.pool, out, back);
  }
  void average_of(const net::Volume& from, const net::Volume& to, const net::Window& window, const T* in,
                  T* out) {
    const std::int64_t all = training_.batch * to.size();
    launch(average<T>, all, stream_, all, from, to, static_cast<int>(window.rows),
           static_cast<int>(window.columns), in, out);
  }
  void average_way_back(const net::Volume& from, const net::Volume& to, const net::Window& window,
                        const T* slopes, T* back) {
    const std::int64_t all = training_.batch * from.size();
    launch(average_back<T>, all, stream_, all, from, to, static_cast<int>(window.rows),
           static_cast<int>(window.columns), slopes, back);
  }

  void forward() {
    for (std::size_t l = 1; l <= depth(); ++l) {
      Units& here = layers_[l];
      Units& before = layers_[l - 1];
      apply(l, false, before.z.data(), here.q.data());
      if (l == depth()) return;
      if (gated_by_network()) apply(l, true, (l == 1 ? before.z : before.gate_z).data(), here.gate_q.data());
      const bool pools = here.plan.pool.rows > 0;
      T* z = pools ? pooling_.data() : here.z.data();
      T* gate_z = pools ? gate_pooling_.data() : here.gate_z.data();
      with_gates([&]<Gates kKind, bool kSoft>() {
        launch(open_gates<T, kKind, kSoft>, packs(here.q), stream_, packs(here.q), gate_, here.q.data(),
               here.gate_q.data(), here.drawn.data(), z, gate_z);
      });
      if (!pools) continue;
      average_of(here.plan.to, here.plan.pooled, here.plan.pool, z, here.z.data());
      if (gated_by_network())
        average_of(here.plan.to, here.plan.pooled, here.plan.pool, gate_z, here.gate_z.data());
    }
  }

  void backward() {
    launch(loss_slopes<T>, training_.batch, stream_, static_cast<int>(training_.batch), loss_,
           outputs_.data(), labels_.data(), layers_[depth()].delta.data());
    for (std::size_t l = depth(); l >= 1; --l) {
      Units& here = layers_[l];
      Units& before = layers_[l - 1];
      if (network_.trains_weights) gradient(l, false, before.z.data(), here.delta.data());
      if (adapts() && l < depth())
        gradient(l, true, (l == 1 ? before.z : before.gate_z).data(), here.eta.data());
      if (l > 1) close(l);
    }
  }
  /// Slopes of the units of layer l − 1 from those of layer l.
  void close(std::size_t l) {
    Units& here = layers_[l];
    Units& before = layers_[l - 1];
    pull_back(l - 1, false, here.delta.data(), pooling_.data(), before.delta.data());
    const bool top = l == depth();
    if (adapts() && !top) pull_back(l - 1, true, here.eta.data(), gate_pooling_.data(), before.eta.data());
    with_gates([&]<Gates kKind, bool kSoft>() {
      launch(close_gates<T, kKind, kSoft>, packs(before.q), stream_, packs(before.q), gate_, before.q.data(),
             before.gate_q.data(), before.drawn.data(), adapts() && !top, before.delta.data(),
             adapts() ? before.eta.data() : nullptr);
    });
  }
  void gradient(std::size_t l, bool gating, const T* z, const T* slopes) {
    Units& here = layers_[l];
    T* out = parameters_.gradient(l, gating);
    if (here.plan.kind == gpu::LayerPlan::Kind::dense)
      products_.gradient(training_.batch, here.plan.from.size(), here.plan.to.size(), z, slopes, out);
    if (here.plan.kind == gpu::LayerPlan::Kind::convolution)
      (gating ? here.gate_convolution : here.convolution)->gradient(products_, z, slopes, out);
  }
  static std::int64_t packs(const Buffer<T>& units) {
    return (units.size() + Pack<T>::kSize - 1) / Pack<T>::kSize;
  }
  /// Calls one of the kernels that were made for a kind of gates.
  template <class Launch>
  void with_gates(const Launch& launch) const {
    const bool soft = network_.soft;
    switch (network_.gates) {
      case Gates::open:
        return launch.template operator()<Gates::open, false>();
      case Gates::random:
        return launch.template operator()<Gates::random, false>();
      case Gates::own:
        return soft ? launch.template operator()<Gates::own, true>()
                    : launch.template operator()<Gates::own, false>();
      case Gates::network:
        return soft ? launch.template operator()<Gates::network, true>()
                    : launch.template operator()<Gates::network, false>();
    }
  }
  void one_step(const Set& set) {
    look(set, training_.drawn ? nullptr : seen_.data(), 0);
    forward();
    backward();
    parameters_.descend(stream_, numbers_.data(), network_.trains_weights, adapts());
  }
  /// Numbers to the device, by way of a place in pinned memory.
  template <class Number>
  void send(std::span<const Number> from, const Pinned<Number>& pinned, std::int64_t place, Number* to) {
    Number* here = pinned.data() + place * count(from.size());
    std::copy(from.begin(), from.end(), here);
    check(cudaMemcpyAsync(to, here, from.size_bytes(), cudaMemcpyHostToDevice, stream_), "copy");
  }
  /// One step on a set, when what it sees of it has been sent from a place.
  void go(const Set& set, std::int64_t place, const gpu::StepNumbers& step) {
    send(std::span(&step, 1), pinned_numbers_, place, numbers_.data());
    places_.leave(stream_);
    if (graph_ == nullptr || graph_of_ != &set) capture(set);
    check(cudaGraphLaunch(graph_, stream_), "training");
  }
  void capture(const Set& set) {
    if (graph_ != nullptr) check(cudaGraphExecDestroy(graph_), "graph");
    graph_ = nullptr;
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "graph");
    one_step(set);
    check(cudaStreamEndCapture(stream_, &graph), "graph");
    check(cudaGraphInstantiate(&graph_, graph, 0), "graph");
    check(cudaGraphDestroy(graph), "graph");
    graph_of_ = &set;
  }

  gpu::NetworkPlan network_;
  gpu::TrainingPlan training_;
  GateNumbers gate_;
  LossNumbers loss_;
  cudaStream_t stream_ = nullptr;
  Products products_;
  Dnn::Handle dnn_ = nullptr;
  std::vector<Units> layers_;  // [0, d]
  Parameters<T> parameters_;
  Buffer<T> pooling_, gate_pooling_, low_outputs_;
  Buffer<float> labels_;
  Buffer<float> values_;  // of a set that is evaluated, sample by sample
  Buffer<std::uint8_t> right_;
  Buffer<learn::Visit> seen_;
  Buffer<gpu::StepNumbers> numbers_;
  Buffer<float> outputs_;
  Buffer<std::uint8_t> blas_space_;
  Set drawn_;
  Places places_;
  Pinned<learn::Visit> pinned_seen_;
  Pinned<float> pinned_x_, pinned_y_;
  Pinned<gpu::StepNumbers> pinned_numbers_;
  cudaGraphExec_t graph_ = nullptr;
  const Set* graph_of_ = nullptr;
};

}  // namespace sluice::cuda
