/// Many networks with one hidden layer on the device (gpu/ensemble_machine.hpp), of any shape: samples, pre-activations and their slopes lie in memory, products are
/// cuBLAS's, in float. A step is a graph that is launched again and again; the device counts the steps itself.
#pragma once

#include <algorithm>
#include <vector>

#include "buffer.hpp"
#include "ensemble_kernels.cuh"
#include "products.hpp"

namespace sluice::cuda {

class Ensemble final : public gpu::EnsembleMachine {
 public:
  Ensemble(const gpu::EnsemblePlan& plan, std::span<const gpu::MemberPlan> members)
      : plan_(plan),
        shape_{static_cast<std::int64_t>(members.size()),
               plan.inputs,
               plan.units,
               plan.training.batch,
               plan.parameters(),
               plan.learns_bias,
               plan.learns_readout,
               plan.pathway,
               plan.beta},
        rule_{plan.training.momentum, plan.training.decay, plan.training.epsilon, plan.training.weight_decay},
        members_(shape_.members),
        mixes_(2 * shape_.members * shape_.inputs * shape_.inputs),
        parameters_(shape_.members * shape_.parameters),
        first_memory_(plan.training.memories() > 0 ? parameters_.size() : 0),
        second_memory_(plan.training.memories() > 1 ? parameters_.size() : 0),
        z_(shape_.members * shape_.inputs * shape_.rows),
        x_(shape_.members * (shape_.inputs + 1) * shape_.rows),
        h_(shape_.members * shape_.units * shape_.rows),
        values_(plan.learns_readout ? h_.size() : 0),
        slopes_(shape_.members * shape_.rows),
        losses_(slopes_.size()),
        right_(slopes_.size()),
        sums_(shape_.members),
        unit_gradient_(shape_.members * shape_.units * (shape_.inputs + 1)),
        readout_gradient_(plan.learns_readout ? shape_.members * shape_.units : 0),
        along_gradient_(has_along() ? shape_.members * (shape_.inputs + 1) : 0),
        clocks_(2),
        numbers_(kMostSteps) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    check(Blas::get().create(&blas_), "start");
    check(Blas::get().set_stream(blas_, stream_), "stream");
    blas_space_ = Buffer<std::uint8_t>(kBlasSpace);  // of its own: bits do not depend on who else computes
    check(Blas::get().set_workspace(blas_, blas_space_.data(), kBlasSpace), "memory");
    put_members(members);
    launch(fill_ones, shape_.members * shape_.rows, stream_, shape_, x_.data());
  }
  Ensemble(const Ensemble&) = delete;
  Ensemble& operator=(const Ensemble&) = delete;
  ~Ensemble() override {
    cudaStreamSynchronize(stream_);
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    Blas::get().destroy(blas_);
    cudaStreamDestroy(stream_);
  }

  void put(std::span<const float> parameters, std::span<const float> memory) override {
    wait();
    copy_now(parameters_, parameters);
    if (first_memory_.size() > 0) copy_now(first_memory_, memory.first(parameters.size()));
    if (second_memory_.size() > 0) copy_now(second_memory_, memory.subspan(parameters.size()));
  }
  void get(std::span<float> parameters, std::span<float> memory) override {
    fetch(parameters_, parameters);
    if (!memory.empty() && first_memory_.size() > 0) fetch(first_memory_, memory.first(parameters.size()));
    if (!memory.empty() && second_memory_.size() > 0)
      fetch(second_memory_, memory.subspan(parameters.size()));
    wait();
  }

  void move(std::uint64_t first_step, std::span<const gpu::SharedNumbers> steps) override {
    if (graph_ == nullptr) capture();
    for (std::size_t done = 0; done < steps.size(); done += kMostSteps) {
      const auto some = steps.subspan(done, std::min<std::size_t>(kMostSteps, steps.size() - done));
      const Clock clock{first_step + done, first_step + done};
      wait();  // before numbers that are still read are written over
      copy_now(clocks_, std::span(&clock, 1));
      copy_now(numbers_, some);
      for (std::size_t step = 0; step < some.size(); ++step)
        check(cudaGraphLaunch(graph_, stream_), "training");
    }
  }
  void wait() override { check(cudaStreamSynchronize(stream_), "training"); }

  void evaluate(std::span<learn::Evaluation> seen) override {
    check(cudaMemsetAsync(sums_.data(), 0, static_cast<std::size_t>(sums_.size()) * sizeof(learn::Evaluation),
                          stream_),
          "evaluation");
    for (std::int64_t first = 0; first < plan_.looks; first += shape_.rows) {
      const Rows rows{math::Purpose::evaluation, clocks_.data() + 1, first, plan_.looks_of_first};
      forward(rows);
      with_unit([&]<Unit kUnit>() {
        launch(judge_rows<kUnit>, shape_.members * shape_.rows, stream_, shape_, members_.data(),
               plan_.training.loss, rows, parameters_.data(), x_.data(), h_.data(), losses_.data(),
               right_.data());
      });
      launch(add_rows, shape_.members, stream_, shape_.members, std::min(shape_.rows, plan_.looks - first),
             losses_.data(), right_.data(), sums_.data());
    }
    fetch(sums_, seen);
    wait();
    const auto all = static_cast<double>(plan_.looks);
    for (learn::Evaluation& each : seen) each = {each.loss / all, each.accuracy / all};
  }

 private:
  static constexpr std::size_t kMostSteps = 256;
  static constexpr std::size_t kBlasSpace = 32 << 20;

  bool has_along() const { return plan_.learns_readout || plan_.pathway > 0; }

  void put_members(std::span<const gpu::MemberPlan> members) {
    std::vector<MemberNumbers> numbers;
    std::vector<float> mixes;
    mixes.reserve(static_cast<std::size_t>(mixes_.size()));
    for (int c = 0; c < 2; ++c) {
      for (const gpu::MemberPlan& each : members) {
        const std::vector<float>& mix = each.laws[c].mix;
        mixes.insert(mixes.end(), mix.begin(), mix.end());
        mixes.resize(mixes.size() + static_cast<std::size_t>(shape_.inputs * shape_.inputs) - mix.size());
      }
    }
    for (const gpu::MemberPlan& each : members) {
      MemberNumbers& member = numbers.emplace_back();
      member.seed = each.seed;
      member.rate = each.rate;
      member.midpoint = each.midpoint;
      for (int c = 0; c < 2; ++c) {
        const Recipe& law = each.laws[c];
        member.laws[c] = {law.kind,
                          law.radius,
                          law.map,
                          law.on_grid,
                          law.invert,
                          static_cast<int>(law.shortest),
                          static_cast<int>(law.longest),
                          law.gain,
                          law.factor,
                          law.off,
                          each.labels[c],
                          law.spread};
        mixed_ = mixed_ || law.kind == Recipe::Kind::mixed;
        scaled_ = scaled_ || law.radius != Recipe::Radius::none;
        shaped_ = shaped_ || law.map != Recipe::Map::identity;
        pulsed_ = pulsed_ || law.kind == Recipe::Kind::pulse;
      }
    }
    copy_now(members_, std::span<const MemberNumbers>(numbers));
    copy_now(mixes_, std::span<const float>(mixes));
  }

  template <class T>
  void fetch(const Buffer<T>& from, std::span<T> to) {
    check(cudaMemcpyAsync(to.data(), from.data(), to.size_bytes(), cudaMemcpyDeviceToHost, stream_), "copy");
  }

  /// C_e = op(A_e) op(B_e) of every member, columns first, each array a stride behind the one before.
  struct Batch {
    const float* data;
    std::int64_t across, stride;  ///< numbers from a column to the next, from a member to the next
  };
  void multiply(cublasOperation_t left, std::int64_t m, std::int64_t n, std::int64_t k, const Batch& a,
                const Batch& b, float* c, std::int64_t across, std::int64_t stride) const {
    if (m == 0 || n == 0) return;
    const float one = 1, zero = 0;
    const auto number = [](std::int64_t value) { return static_cast<int>(value); };
    check(Blas::get().gemm_batched(blas_, left, CUBLAS_OP_N, number(m), number(n), number(k), &one, a.data,
                                   CUDA_R_32F, number(a.across), a.stride, b.data, CUDA_R_32F,
                                   number(b.across), b.stride, &zero, c, CUDA_R_32F, number(across), stride,
                                   number(shape_.members), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
          "product");
  }

  void draw(const Rows& rows) {
    const std::int64_t all = shape_.members * shape_.rows, n = shape_.inputs;
    if (mixed_) {
      launch(draw_normals, all * ((n + 3) / 4), stream_, shape_, members_.data(), rows, z_.data());
      if (scaled_) launch(scale_normals, all, stream_, shape_, members_.data(), rows, z_.data());
      const std::int64_t split = std::clamp<std::int64_t>(rows.of_first - rows.first, 0, shape_.rows);
      for (int c = 0; c < 2; ++c) {
        const std::int64_t from = c == 0 ? 0 : split, count = c == 0 ? split : shape_.rows - split;
        multiply(CUBLAS_OP_N, count, n, n, {z_.data() + from, shape_.rows, n * shape_.rows},
                 {mixes_.data() + c * shape_.members * n * n, n, n * n}, x_.data() + from, shape_.rows,
                 (n + 1) * shape_.rows);
      }
      if (shaped_) launch(shape_sites, all * n, stream_, shape_, members_.data(), rows, x_.data());
    }
    if (pulsed_) launch(draw_pulses, all, stream_, shape_, members_.data(), rows, x_.data());
  }
  void forward(const Rows& rows) {
    draw(rows);
    multiply(CUBLAS_OP_N, shape_.rows, shape_.units, shape_.inputs, samples(),
             {parameters_.data(), shape_.inputs, shape_.parameters}, h_.data(), shape_.rows,
             shape_.units * shape_.rows);
  }
  Batch samples() const { return {x_.data(), shape_.rows, (shape_.inputs + 1) * shape_.rows}; }

  void one_step() {
    const Rows rows{math::Purpose::training, clocks_.data(), 0, plan_.first_class};
    forward(rows);
    with_unit([&]<Unit kUnit>() {
      launch(learn_rows<kUnit>, shape_.members * shape_.rows, stream_, shape_, members_.data(),
             plan_.training.loss, rows, parameters_.data(), x_.data(), h_.data(), values_.data(),
             slopes_.data());
    });
    const std::int64_t across = shape_.inputs + 1, of_units = shape_.units * shape_.rows;
    multiply(CUBLAS_OP_T, across, shape_.units, shape_.rows, samples(), {h_.data(), shape_.rows, of_units},
             unit_gradient_.data(), across, shape_.units * across);
    const Batch slopes{slopes_.data(), shape_.rows, shape_.rows};
    if (plan_.learns_readout)
      multiply(CUBLAS_OP_T, shape_.units, 1, shape_.rows, {values_.data(), shape_.rows, of_units}, slopes,
               readout_gradient_.data(), shape_.units, shape_.units);
    if (has_along())
      multiply(CUBLAS_OP_T, across, 1, shape_.rows, samples(), slopes, along_gradient_.data(), across,
               across);
    descend();
    launch(tick, 1, stream_, clocks_.data());
  }
  void descend() {
    const auto or_null = [](const Buffer<float>& buffer) {
      return buffer.size() > 0 ? buffer.data() : nullptr;
    };
    const auto move = [&]<Rule kRule>() {
      launch(descend_all<kRule>, parameters_.size(), stream_, shape_, members_.data(), rule_, numbers_.data(),
             clocks_.data(),
             Gradients{unit_gradient_.data(), readout_gradient_.data(), along_gradient_.data()},
             parameters_.data(), or_null(first_memory_), or_null(second_memory_));
    };
    with_rule(plan_.training.rule, move);
  }
  /// Calls one of the kernels that were made for a kind of units.
  template <class Launch>
  void with_unit(const Launch& launch) const {
    switch (plan_.unit) {
      case Unit::relu:
        return launch.template operator()<Unit::relu>();
      case Unit::erf:
        return launch.template operator()<Unit::erf>();
      case Unit::sigmoid:
        return launch.template operator()<Unit::sigmoid>();
      case Unit::tanh:
        return launch.template operator()<Unit::tanh>();
      case Unit::linear:
        return launch.template operator()<Unit::linear>();
      case Unit::soft_relu:
        return launch.template operator()<Unit::soft_relu>();
    }
  }
  void capture() {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "graph");
    one_step();
    check(cudaStreamEndCapture(stream_, &graph), "graph");
    check(cudaGraphInstantiate(&graph_, graph, 0), "graph");
    check(cudaGraphDestroy(graph), "graph");
  }

  gpu::EnsemblePlan plan_;
  EnsembleShape shape_;
  RuleNumbers rule_;
  bool mixed_ = false, scaled_ = false, shaped_ = false, pulsed_ = false;  // whether some law is
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  Buffer<MemberNumbers> members_;
  Buffer<float> mixes_;  // [class, member, site, mode]
  Buffer<float> parameters_, first_memory_, second_memory_;
  Buffer<float> z_, x_;                // ε and, with a row of ones behind, X
  Buffer<float> h_, values_, slopes_;  // of units, and of outputs
  Buffer<float> losses_;
  Buffer<std::uint8_t> right_;
  Buffer<learn::Evaluation> sums_;
  Buffer<float> unit_gradient_, readout_gradient_, along_gradient_;
  Buffer<Clock> clocks_;  // of training; of evaluation, which stands at 0
  Buffer<gpu::SharedNumbers> numbers_;
  Buffer<std::uint8_t> blas_space_;
};

}  // namespace sluice::cuda
