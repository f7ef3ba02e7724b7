/// What is done to the samples and units of many networks between products. Arrays are [member, site or unit, row], rows being samples of a batch.
#pragma once

#include <cstdint>

#include "kernels.cuh"
#include "random.cuh"
#include "sluice/gpu/ensemble_machine.hpp"

namespace sluice::cuda {

using Unit = gpu::EnsemblePlan::Unit;
using task::Recipe;

/// How many of everything, and where the parts of a member's parameters begin (net/two_layer.hpp).
struct EnsembleShape {
  std::int64_t members, inputs, units, rows, parameters;
  bool learns_bias, learns_readout;
  float pathway, beta;

  __device__ std::int64_t bias() const { return units * inputs; }
  __device__ std::int64_t readout() const { return units * (inputs + 1); }
  __device__ std::int64_t offset() const { return readout() + units; }
  __device__ std::int64_t path() const { return readout() + (learns_readout ? units + 1 : 0); }
};

/// A class of a member.
struct Law {
  Recipe::Kind kind;
  Recipe::Radius radius;
  Recipe::Map map;
  bool on_grid, invert;
  int shortest, longest;
  float gain, factor, off, label;
  double spread;
};
struct MemberNumbers {
  std::uint64_t seed;
  double rate;
  float midpoint;
  Law laws[2];
};

/// Which samples: rows from `first` on, those before `of_first` of class 0, of the step that the clock shows. Those that were sent have labels of their own.
struct Clock {
  std::uint64_t step;   ///< now
  std::uint64_t begun;  ///< when the numbers of steps were sent
};
struct Rows {
  math::Purpose purpose;
  const Clock* clock;
  std::int64_t first, of_first;
  const float* labels = nullptr;  ///< [member, row]; null: each has that of its class

  __device__ int which_class(std::int64_t r) const { return first + r < of_first ? 0 : 1; }
  __device__ Row of(const MemberNumbers& member, std::int64_t r) const {
    return {member.seed, clock->step, static_cast<std::uint32_t>(first + r), purpose};
  }
  __device__ float label(const EnsembleShape& shape, const MemberNumbers* members, std::int64_t e,
                         std::int64_t r) const {
    return labels == nullptr ? members[e].laws[which_class(r)].label : labels[e * shape.rows + r];
  }
};

/// ε: site 4j + k is the k-th normal of counter j.
static __global__ void draw_normals(EnsembleShape shape, const MemberNumbers* members, Rows rows, float* z) {
  const std::int64_t at = thread_index(), counters = (shape.inputs + 3) / 4;
  const std::int64_t r = at % shape.rows, j = at / shape.rows % counters, e = at / shape.rows / counters;
  if (e >= shape.members) return;
  const Words words = rows.of(members[e], r).words(static_cast<std::uint32_t>(j));
  float normals[4];
  box_muller(words.w[0], words.w[1], normals[0], normals[1]);
  box_muller(words.w[2], words.w[3], normals[2], normals[3]);
  float* out = z + (e * shape.inputs + 4 * j) * shape.rows + r;
  for (int k = 0; k < 4 && 4 * j + k < shape.inputs; ++k) out[k * shape.rows] = normals[k];
}

/// V of the elliptical laws that draw it (task/elliptical.hpp).
__device__ inline double square_of_radius(const Law& law, OwnNumbers& own) {
  switch (law.radius) {
    case Recipe::Radius::none:
    case Recipe::Radius::shell:
      return 1;
    case Recipe::Radius::student_t:
      return (law.spread - 2) / (2 * own.gamma(law.spread / 2));
    case Recipe::Radius::lognormal:
      return exp(law.spread * own.normal() - law.spread * law.spread / 2);
    case Recipe::Radius::exponential:
      return -log(own.uniform());
    case Recipe::Radius::two_point:
      return own.uniform() < 0.5 ? 1 - law.spread : 1 + law.spread;
  }
  return 1;
}
/// ε ← √V ε
static __global__ void scale_normals(EnsembleShape shape, const MemberNumbers* members, Rows rows, float* z) {
  const std::int64_t at = thread_index(), r = at % shape.rows, e = at / shape.rows;
  if (e >= shape.members) return;
  const Law& law = members[e].laws[rows.which_class(r)];
  if (law.radius == Recipe::Radius::none) return;
  float* here = z + e * shape.inputs * shape.rows + r;
  OwnNumbers own(rows.of(members[e], r));
  double square = square_of_radius(law, own);
  if (law.radius == Recipe::Radius::shell) {
    float sum = 0;
    for (std::int64_t i = 0; i < shape.inputs; ++i) sum += here[i * shape.rows] * here[i * shape.rows];
    square = static_cast<float>(shape.inputs) / sum;
  }
  const auto radius = static_cast<float>(sqrt(square));
  for (std::int64_t i = 0; i < shape.inputs; ++i) here[i * shape.rows] *= radius;
}

/// x(z) of every site. The row behind the last site is 1 and stays so: its weights are the biases.
static __global__ void shape_sites(EnsembleShape shape, const MemberNumbers* members, Rows rows, float* x) {
  const std::int64_t at = thread_index();
  const std::int64_t r = at % shape.rows, i = at / shape.rows % shape.inputs,
                     e = at / shape.rows / shape.inputs;
  if (e >= shape.members) return;
  const Law& law = members[e].laws[rows.which_class(r)];
  if (law.kind == Recipe::Kind::pulse || law.map == Recipe::Map::identity) return;
  float& value = x[(e * (shape.inputs + 1) + i) * shape.rows + r];
  value = law.map == Recipe::Map::sign ? copysignf(law.factor, value) : law.factor * erff(law.gain * value);
}

/// A pulse of task/pulse.hpp, also as one word.
struct Pulse {
  int start, length;
  bool inverted;

  __device__ Pulse(const Law& law, int n, OwnNumbers& own) {
    length = law.shortest + own.below(law.longest - law.shortest + 1);
    start = law.on_grid ? length * own.below(n / length) : own.below(n);
    inverted = law.invert && own.below(2) == 1;
  }
  __device__ explicit Pulse(std::uint32_t word)
      : start(static_cast<int>(word & 0x7FFFU)),
        length(static_cast<int>(word >> 15 & 0x7FFFU)),
        inverted(word >> 30 != 0) {}
  __device__ std::uint32_t word() const {
    return static_cast<std::uint32_t>(start) | static_cast<std::uint32_t>(length) << 15 |
           (inverted ? 1U << 30 : 0U);
  }
  __device__ float at(int site, int n, float off) const {
    const bool inside = (site >= start ? site - start : site - start + n) < length;
    return inside != inverted ? 1.0F : off;
  }
};
static __global__ void draw_pulses(EnsembleShape shape, const MemberNumbers* members, Rows rows, float* x) {
  const std::int64_t at = thread_index(), r = at % shape.rows, e = at / shape.rows;
  if (e >= shape.members) return;
  const Law& law = members[e].laws[rows.which_class(r)];
  if (law.kind != Recipe::Kind::pulse) return;
  OwnNumbers own(rows.of(members[e], r));
  const int n = static_cast<int>(shape.inputs);
  const Pulse pulse(law, n, own);
  float* out = x + e * (shape.inputs + 1) * shape.rows + r;
  for (int i = 0; i < n; ++i) out[i * shape.rows] = pulse.at(i, n, law.off);
}

/// net/activation.hpp: σ(h) and σ'(h).
struct ValueAndSlope {
  float value, slope;
};
template <Unit kUnit>
__device__ ValueAndSlope activated(float h, float beta) {
  if constexpr (kUnit == Unit::relu) return {fmaxf(h, 0.0F), h >= 0 ? 1.0F : 0.0F};
  if constexpr (kUnit == Unit::linear) return {h, 1.0F};
  if constexpr (kUnit == Unit::erf)
    return {erff(0.70710678118654752F * h), 0.79788456080286536F * expf(-0.5F * h * h)};
  if constexpr (kUnit == Unit::tanh) {
    const float value = tanhf(h);
    return {value, fmaf(-value, value, 1.0F)};
  }
  const float sharp = kUnit == Unit::soft_relu ? beta * h : h;
  const float gate = 1 / (1 + expf(-sharp)), change = gate * (1 - gate);
  if constexpr (kUnit == Unit::sigmoid) return {gate, change};
  return {h * gate, fmaf(sharp, change, gate)};
}

/// A row of a member, its units at h = ⟨w, x⟩ without their biases.
template <Unit kUnit>
struct Passage {
  const EnsembleShape& shape;
  const float* parameters;  ///< of the member
  const float* x;           ///< at the row
  float* h;                 ///< at the row

  __device__ ValueAndSlope unit(std::int64_t k) const {
    return activated<kUnit>(h[k * shape.rows] + parameters[shape.bias() + k], shape.beta);
  }
  __device__ float share() const {
    return shape.learns_readout ? 1.0F : 1.0F / static_cast<float>(shape.units);
  }
  __device__ float weight(std::int64_t k) const {
    return shape.learns_readout ? parameters[shape.readout() + k] : 1.0F;
  }
  __device__ float output() const {
    float sum = 0;
    for (std::int64_t k = 0; k < shape.units; ++k) sum = fmaf(weight(k), unit(k).value, sum);
    sum *= share();
    if (shape.learns_readout) sum += parameters[shape.offset()];
    if (shape.pathway > 0)
      for (std::int64_t i = 0; i < shape.inputs; ++i)
        sum = fmaf(shape.pathway * parameters[shape.path() + i], x[i * shape.rows], sum);
    return sum;
  }
};
template <Unit kUnit>
__device__ Passage<kUnit> passage(const EnsembleShape& shape, const float* parameters, const float* x,
                                  float* h, std::int64_t e, std::int64_t r) {
  return {shape, parameters + e * shape.parameters, x + e * (shape.inputs + 1) * shape.rows + r,
          h + e * shape.units * shape.rows + r};
}

/// ∂L/∂h of every unit in place of h, dL/dŷ of every row, σ(h) where the readout learns.
template <Unit kUnit>
__global__ void learn_rows(EnsembleShape shape, const MemberNumbers* members, gpu::TrainingPlan::Loss kind,
                           Rows rows, const float* parameters, const float* x, float* h, float* values,
                           float* slopes) {
  const std::int64_t at = thread_index(), r = at % shape.rows, e = at / shape.rows;
  if (e >= shape.members) return;
  const Passage<kUnit> here = passage<kUnit>(shape, parameters, x, h, e, r);
  const float output = here.output();
  const LossNumbers loss{kind, 1, members[e].midpoint};
  const float slope =
      loss.slope(&output, 0, rows.label(shape, members, e, r), 0.0F) / static_cast<float>(shape.rows);
  slopes[at] = slope;
  const float common = here.share() * slope;
  for (std::int64_t k = 0; k < shape.units; ++k) {
    const ValueAndSlope unit = here.unit(k);
    if (shape.learns_readout) values[(e * shape.units + k) * shape.rows + r] = unit.value;
    here.h[k * shape.rows] = common * here.weight(k) * unit.slope;
  }
}

/// Loss of every row and whether it is right, rows by members.
template <Unit kUnit>
__global__ void judge_rows(EnsembleShape shape, const MemberNumbers* members, gpu::TrainingPlan::Loss kind,
                           Rows rows, const float* parameters, const float* x, float* h, float* losses,
                           std::uint8_t* right) {
  const std::int64_t at = thread_index(), r = at % shape.rows, e = at / shape.rows;
  if (e >= shape.members) return;
  const float output = passage<kUnit>(shape, parameters, x, h, e, r).output();
  const LossNumbers loss{kind, 1, members[e].midpoint};
  const float label = rows.label(shape, members, e, r);
  losses[r * shape.members + e] = loss.value(&output, label);
  right[r * shape.members + e] = loss.right(&output, label) ? 1 : 0;
}
/// Their sums over the first rows, in order and in double.
static __global__ void add_rows(std::int64_t members, std::int64_t rows, const float* losses,
                                const std::uint8_t* right, learn::Evaluation* sums) {
  const std::int64_t e = thread_index();
  if (e >= members) return;
  double loss = 0, share = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    loss += static_cast<double>(losses[r * members + e]);
    share += right[r * members + e];
  }
  sums[e].loss += loss;
  sums[e].accuracy += share;
}

/// Where products leave derivatives: of units [member, unit, inputs + 1], of the readout [member, unit], and along x with its 1 [member, inputs + 1].
struct Gradients {
  const float *units, *readout, *along;
};
/// Every parameter of every member along its derivative.
template <Rule kRule>
__global__ void descend_all(EnsembleShape shape, const MemberNumbers* members, RuleNumbers rule,
                            const gpu::SharedNumbers* numbers, const Clock* clock, Gradients gradients,
                            float* parameters, float* first_memory, float* second_memory) {
  const std::int64_t at = thread_index(), e = at / shape.parameters, p = at % shape.parameters;
  if (e >= shape.members) return;
  const std::int64_t across = shape.inputs + 1;
  float g = 0;
  if (p < shape.bias()) {
    g = gradients.units[(e * shape.units + p / shape.inputs) * across + p % shape.inputs];
  } else if (p < shape.readout()) {
    if (!shape.learns_bias) return;
    g = gradients.units[(e * shape.units + p - shape.bias()) * across + shape.inputs];
  } else if (shape.learns_readout && p < shape.offset()) {
    g = gradients.readout[e * shape.units + p - shape.readout()];
  } else if (shape.learns_readout && p == shape.offset()) {
    g = gradients.along[e * across + shape.inputs];
  } else {
    g = shape.pathway * gradients.along[e * across + p - shape.path()];
  }
  const gpu::SharedNumbers& now = numbers[clock->step - clock->begun];
  const Descent<kRule> step(rule, {members[e].rate * now.share, now.first_share, now.second_share});
  float none = 0;
  step.move(g, parameters[at], first_memory == nullptr ? none : first_memory[at],
            second_memory == nullptr ? none : second_memory[at]);
}

static __global__ void tick(Clock* clock) {
  if (thread_index() == 0) ++clock->step;
}
static __global__ void fill_ones(EnsembleShape shape, float* x) {
  const std::int64_t at = thread_index(), r = at % shape.rows, e = at / shape.rows;
  if (e < shape.members) x[(e * (shape.inputs + 1) + shape.inputs) * shape.rows + r] = 1;
}

}  // namespace sluice::cuda
