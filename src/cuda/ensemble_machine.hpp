/// Many networks with one hidden layer on the device (gpu/ensemble_machine.hpp). Those of a shape that tile_choice.hpp knows train on tensor cores. Others, of any shape, go the plain way:
/// samples, pre-activations and their slopes lie in memory, products are cuBLAS's, in float; a step is a graph that is launched again and again, and the device counts the
/// steps itself. Looks go that way for all that draw their samples there, the same number of members at a time: cuBLAS chooses by it how it sums.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "buffer.hpp"
#include "ensemble_kernels.cuh"
#include "products.hpp"
#include "sent_samples.hpp"
#include "tile_machine.hpp"

namespace sluice::cuda {

class Ensemble final : public gpu::EnsembleMachine {
 public:
  Ensemble(const gpu::EnsemblePlan& plan, std::span<const gpu::MemberPlan> members, gpu::HostSamples* samples,
           bool tensor_cores, int processors)
      : plan_(plan),
        choice_(tensor_cores ? choose_tiles(plan) : std::nullopt),
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
        members_(padded()),
        mixes_(plan.sent ? 0 : 2 * padded() * shape_.inputs * shape_.inputs),
        parameters_(padded() * shape_.parameters),
        first_memory_(plan.training.memories() > 0 ? shape_.members * shape_.parameters : 0),
        second_memory_(plan.training.memories() > 1 ? shape_.members * shape_.parameters : 0),
        z_(plan.sent ? 0 : plain() * shape_.inputs * shape_.rows),
        x_(plain() * (shape_.inputs + 1) * shape_.rows),
        labels_(plan.sent ? plain() * shape_.rows : 0),
        h_(plain() * shape_.units * shape_.rows),
        values_(plan.learns_readout && !choice_ ? h_.size() : 0),
        slopes_(plain() * shape_.rows),
        losses_(slopes_.size()),
        right_(slopes_.size()),
        sums_(padded()),
        unit_gradient_(choice_ ? 0 : shape_.members * shape_.units * (shape_.inputs + 1)),
        readout_gradient_(plan.learns_readout && !choice_ ? shape_.members * shape_.units : 0),
        along_gradient_(has_along() && !choice_ ? shape_.members * (shape_.inputs + 1) : 0),
        clocks_(2),
        numbers_(2 * kMostSteps) {
    if (plan.fast && !choice_)
      fail("dynamics.precision = \"fast\": expected a device of compute capability 9.0");
    stream_ = stream_of_rank(true);
    for (cudaEvent_t& each : read_) check(cudaEventCreateWithFlags(&each, cudaEventDisableTiming), "event");
    check(Blas::get().create(&blas_), "start");
    check(Blas::get().set_stream(blas_, stream_), "stream");
    blas_space_ = Buffer<std::uint8_t>(kBlasSpace);  // of its own: bits do not depend on who else computes
    check(Blas::get().set_workspace(blas_, blas_space_.data(), kBlasSpace), "memory");
    put_members(members);
    if (choice_)
      tiled_.emplace(*choice_, plan_, shape_, rule_, scaled_ || pulsed_, processors, members_.data(),
                     mix_of(0, 0), mix_of(1, 0), samples);
    else if (plan.sent)
      sent_.emplace(*samples, shape_, shape_.members);
    if (plan.sent) return;
    EnsembleShape all = shape_;
    all.members = plain();
    launch(fill_ones, plain() * shape_.rows, stream_, all, x_.data());
  }
  Ensemble(const Ensemble&) = delete;
  Ensemble& operator=(const Ensemble&) = delete;
  ~Ensemble() override {
    cudaStreamSynchronize(stream_);
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    for (const cudaEvent_t each : read_) cudaEventDestroy(each);
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
    for (std::size_t done = 0; done < steps.size(); done += kMostSteps) {
      const auto some = steps.subspan(done, std::min(kMostSteps, steps.size() - done));
      if (tiled_) {
        // In turns, so that samples of the next steps are drawn while these are trained on.
        const std::size_t turn = turn_++ % read_.size();
        gpu::SharedNumbers* numbers = numbers_.data() + turn * kMostSteps;
        check(cudaEventSynchronize(read_[turn]), "training");  // before what is still read is written over
        copy_now(numbers, some);
        tiled_->move(arrays(), first_step + done, numbers, static_cast<int>(some.size()), stream_);
        check(cudaEventRecord(read_[turn], stream_), "event");
      } else {
        wait();
        copy_now(numbers_, some);
        move_plainly(first_step + done, some.size());
      }
    }
  }
  void wait() override { check(cudaStreamSynchronize(stream_), "training"); }

  void evaluate(std::span<learn::Evaluation> seen) override {
    check(cudaMemsetAsync(sums_.data(), 0, static_cast<std::size_t>(sums_.size()) * sizeof(learn::Evaluation),
                          stream_),
          "evaluation");
    for (std::int64_t from = 0; from < shape_.members; from += kLook) {
      const Some some = these(from, kLook);
      for (std::int64_t first = 0; first < plan_.looks; first += shape_.rows) {
        const Rows rows{math::Purpose::evaluation, clocks_.data() + 1, first, plan_.looks_of_first};
        forward(some, rows);
        with_unit([&]<Unit kUnit>() {
          launch(judge_rows<kUnit>, kLook * shape_.rows, stream_, some.shape, some.members,
                 plan_.training.loss, rows, some.parameters, x_.data(), h_.data(), losses_.data(),
                 right_.data());
        });
        launch(add_rows, kLook, stream_, kLook, std::min(shape_.rows, plan_.looks - first), losses_.data(),
               right_.data(), sums_.data() + from);
      }
    }
    fetch(sums_, seen);
    wait();
    const auto all = static_cast<double>(plan_.looks);
    for (learn::Evaluation& each : seen) each = {each.loss / all, each.accuracy / all};
  }

 private:
  static constexpr std::size_t kMostSteps = 256;
  static constexpr std::size_t kBlasSpace = 32 << 20;
  static constexpr std::int64_t kLook = 16;  // members that are looked at together

  /// Members, and as many behind them that looks are at whole groups.
  std::int64_t padded() const { return (shape_.members + kLook - 1) / kLook * kLook; }
  /// Whose samples and units lie in memory at once.
  std::int64_t plain() const { return !choice_ ? padded() : plan_.sent ? 0 : kLook; }

  bool has_along() const { return plan_.learns_readout || plan_.pathway > 0; }

  void put_members(std::span<const gpu::MemberPlan> members) {
    std::vector<MemberNumbers> numbers;
    std::vector<float> mixes(static_cast<std::size_t>(mixes_.size()));
    for (int c = 0; c < 2 && !plan_.sent; ++c)
      for (std::size_t e = 0; e < members.size(); ++e)
        std::ranges::copy(members[e].laws[c].mix,
                          mixes.begin() + (mix_of(c, static_cast<std::int64_t>(e)) - mixes_.data()));
    for (const gpu::MemberPlan& each : members) {
      MemberNumbers& member = numbers.emplace_back();
      member.seed = each.seed;
      member.rate = each.rate;
      member.midpoint = each.midpoint;
      for (int c = 0; c < 2 && !plan_.sent; ++c) {
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
    numbers.resize(static_cast<std::size_t>(padded()));
    copy_now(members_, std::span<const MemberNumbers>(numbers));
    if (!plan_.sent) copy_now(mixes_, std::span<const float>(mixes));
  }

  template <class T>
  void fetch(const Buffer<T>& from, std::span<T> to) {
    check(cudaMemcpyAsync(to.data(), from.data(), to.size_bytes(), cudaMemcpyDeviceToHost, stream_), "copy");
  }

  float* mix_of(int c, std::int64_t e) const {
    return mixes_.data() + (c * padded() + e) * shape_.inputs * shape_.inputs;
  }
  EnsembleArrays arrays() const {
    return {members_.data(), parameters_.data(), first_memory_.data(), second_memory_.data()};
  }
  /// Members that go the plain way together.
  struct Some {
    std::int64_t from;
    EnsembleShape shape;
    const MemberNumbers* members;
    float* parameters;
  };
  Some these(std::int64_t from, std::int64_t count) const {
    Some some{from, shape_, members_.data() + from, parameters_.data() + from * shape_.parameters};
    some.shape.members = count;
    return some;
  }

  void move_plainly(std::uint64_t first_step, std::size_t steps) {
    if (graph_ == nullptr) capture();
    const Clock clock{first_step, first_step};
    copy_now(clocks_, std::span(&clock, 1));
    for (std::size_t step = 0; step < steps; ++step) {
      if (sent_) take(first_step + step);
      check(cudaGraphLaunch(graph_, stream_), "training");
    }
  }
  /// The batches of a step, as many members' at once as there is room for.
  void take(std::uint64_t step) {
    for (std::int64_t from = 0; from < shape_.members; from += sent_->most())
      sent_->send({step, 1, from, std::min(sent_->most(), shape_.members - from)},
                  x_.data() + from * (shape_.inputs + 1) * shape_.rows, labels_.data() + from * shape_.rows,
                  stream_);
  }

  /// C_e = op(A_e) op(B_e) of every member, columns first, each array a stride behind the one before.
  struct Matrices {
    const float* data;
    std::int64_t across, stride;  ///< numbers from a column to the next, from a member to the next
  };
  void multiply(const Some& some, cublasOperation_t left, std::int64_t m, std::int64_t n, std::int64_t k,
                const Matrices& a, const Matrices& b, float* c, std::int64_t across,
                std::int64_t stride) const {
    if (m == 0 || n == 0) return;
    const float one = 1, zero = 0;
    const auto number = [](std::int64_t value) { return static_cast<int>(value); };
    check(Blas::get().gemm_batched(blas_, left, CUBLAS_OP_N, number(m), number(n), number(k), &one, a.data,
                                   CUDA_R_32F, number(a.across), a.stride, b.data, CUDA_R_32F,
                                   number(b.across), b.stride, &zero, c, CUDA_R_32F, number(across), stride,
                                   number(some.shape.members), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
          "product");
  }

  void draw(const Some& some, const Rows& rows) {
    const std::int64_t all = some.shape.members * shape_.rows, n = shape_.inputs;
    if (mixed_) {
      launch(draw_normals, all * ((n + 3) / 4), stream_, some.shape, some.members, rows, z_.data());
      if (scaled_) launch(scale_normals, all, stream_, some.shape, some.members, rows, z_.data());
      const std::int64_t split = std::clamp<std::int64_t>(rows.of_first - rows.first, 0, shape_.rows);
      for (int c = 0; c < 2; ++c) {
        const std::int64_t from = c == 0 ? 0 : split, count = c == 0 ? split : shape_.rows - split;
        multiply(some, CUBLAS_OP_N, count, n, n, {z_.data() + from, shape_.rows, n * shape_.rows},
                 {mix_of(c, some.from), n, n * n}, x_.data() + from, shape_.rows, (n + 1) * shape_.rows);
      }
      if (shaped_) launch(shape_sites, all * n, stream_, some.shape, some.members, rows, x_.data());
    }
    if (pulsed_) launch(draw_pulses, all, stream_, some.shape, some.members, rows, x_.data());
  }
  void forward(const Some& some, const Rows& rows) {
    if (!plan_.sent) draw(some, rows);
    multiply(some, CUBLAS_OP_N, shape_.rows, shape_.units, shape_.inputs, samples(),
             {some.parameters, shape_.inputs, shape_.parameters}, h_.data(), shape_.rows,
             shape_.units * shape_.rows);
  }
  Matrices samples() const { return {x_.data(), shape_.rows, (shape_.inputs + 1) * shape_.rows}; }

  void one_step() {
    const Rows rows{math::Purpose::training, clocks_.data(), 0, plan_.first_class, labels_.data()};
    const Some all = these(0, shape_.members);
    forward(all, rows);
    with_unit([&]<Unit kUnit>() {
      launch(learn_rows<kUnit>, shape_.members * shape_.rows, stream_, shape_, members_.data(),
             plan_.training.loss, rows, parameters_.data(), x_.data(), h_.data(), values_.data(),
             slopes_.data());
    });
    const std::int64_t across = shape_.inputs + 1, of_units = shape_.units * shape_.rows;
    multiply(all, CUBLAS_OP_T, across, shape_.units, shape_.rows, samples(),
             {h_.data(), shape_.rows, of_units}, unit_gradient_.data(), across, shape_.units * across);
    const Matrices slopes{slopes_.data(), shape_.rows, shape_.rows};
    if (plan_.learns_readout)
      multiply(all, CUBLAS_OP_T, shape_.units, 1, shape_.rows, {values_.data(), shape_.rows, of_units},
               slopes, readout_gradient_.data(), shape_.units, shape_.units);
    if (has_along())
      multiply(all, CUBLAS_OP_T, across, 1, shape_.rows, samples(), slopes, along_gradient_.data(), across,
               across);
    descend();
    launch(tick, 1, stream_, clocks_.data());
  }
  void descend() {
    const auto or_null = [](const Buffer<float>& buffer) {
      return buffer.size() > 0 ? buffer.data() : nullptr;
    };
    const auto move = [&]<Rule kRule>() {
      launch(descend_all<kRule>, shape_.members * shape_.parameters, stream_, shape_, members_.data(), rule_,
             numbers_.data(), clocks_.data(),
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
  std::optional<TileChoice> choice_;  // none: plainly
  EnsembleShape shape_;
  RuleNumbers rule_;
  bool mixed_ = false, scaled_ = false, shaped_ = false, pulsed_ = false;  // whether some law is
  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
  Buffer<MemberNumbers> members_;
  Buffer<float> mixes_;  // [class, member and those behind, site, mode]
  Buffer<float> parameters_, first_memory_, second_memory_;
  Buffer<float> z_, x_;                // ε and, with a row of ones behind, X
  Buffer<float> labels_;               // of samples that are sent
  Buffer<float> h_, values_, slopes_;  // of units, and of outputs
  Buffer<float> losses_;
  Buffer<std::uint8_t> right_;
  Buffer<learn::Evaluation> sums_;
  Buffer<float> unit_gradient_, readout_gradient_, along_gradient_;
  Buffer<Clock> clocks_;                // of training; of evaluation, which stands at 0
  Buffer<gpu::SharedNumbers> numbers_;  // of steps, twice as many as move at once
  std::array<cudaEvent_t, 2> read_{};
  std::size_t turn_ = 0;
  Buffer<std::uint8_t> blas_space_;
  std::optional<SentSamples> sent_;  // where they go the plain way
  std::optional<TileMachine> tiled_;
};

}  // namespace sluice::cuda
