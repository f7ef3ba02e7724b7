/// What is done to arrays on the device between products. Arrays are [samples, units], units in the order of net::Volume.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "sluice/gpu/machine.hpp"

namespace sluice::cuda {

constexpr int kThreads = 256;
inline int blocks_for(std::int64_t count) { return static_cast<int>((count + kThreads - 1) / kThreads); }
__device__ inline std::int64_t thread_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline float wide(float value) { return value; }
__device__ inline float wide(__nv_bfloat16 value) { return __bfloat162float(value); }
template <class T>
__device__ inline T narrow(float value);
template <>
__device__ inline float narrow<float>(float value) {
  return value;
}
template <>
__device__ inline __nv_bfloat16 narrow<__nv_bfloat16>(float value) {
  return __float2bfloat16(value);
}

/// Samples of a batch from a set, shifted and mirrored where they are; without `seen` the rows from `first` on.
template <class T>
__global__ void gather(const float* x, const float* y, std::int64_t rows, const learn::Visit* seen,
                       std::int64_t first, int batch, net::Volume input, T* z, float* labels) {
  const std::int64_t at = thread_index();
  const std::int64_t units = input.channels * input.rows * input.columns;
  if (at >= batch * units) return;
  const std::int64_t sample = at / units, unit = at % units;
  learn::Visit how{};
  how.row = static_cast<std::uint32_t>(first + sample < rows ? first + sample : rows - 1);
  if (seen != nullptr) how = seen[sample];
  const std::int64_t c = unit % input.channels, pixel = unit / input.channels;
  const std::int64_t row = pixel / input.columns + how.down;
  const std::int64_t j = pixel % input.columns;
  const std::int64_t column = (how.mirrored != 0 ? input.columns - 1 - j : j) + how.across;
  const bool inside = row >= 0 && row < input.rows && column >= 0 && column < input.columns;
  const float value =
      inside ? x[how.row * units + (row * input.columns + column) * input.channels + c] : 0.0F;
  z[at] = narrow<T>(value);
  if (unit == 0) labels[sample] = y[how.row];
}

struct GateNumbers {
  bool soft;
  float beta, full;  ///< full: 1 + ε

  __device__ float value(float q) const {
    return soft ? full / (1 + __expf(-beta * q)) : q >= 0 ? full : 0.0F;
  }
  __device__ float slope(float gate) const { return soft ? beta * gate * (full - gate) / full : 0.0F; }
};

/// Sixteen bytes at a time: what a thread reads and writes at once.
template <class T>
struct alignas(16) Pack {
  static constexpr int kSize = 16 / sizeof(T);
  T values[kSize];
};
template <class T>
inline int blocks_of_packs(std::int64_t count) {
  return blocks_for((count + Pack<T>::kSize - 1) / Pack<T>::kSize);
}
/// Elements [first, first + kSize) of an array, as far as it goes; a null one is zeros.
template <class T>
__device__ inline Pack<T> read(const T* from, std::int64_t first, std::int64_t count) {
  Pack<T> pack{};
  if (from == nullptr) return pack;
  if (first + Pack<T>::kSize <= count) return *reinterpret_cast<const Pack<T>*>(from + first);
  for (int k = 0; first + k < count; ++k) pack.values[k] = from[first + k];
  return pack;
}
template <class T>
__device__ inline void write(T* to, std::int64_t first, std::int64_t count, const Pack<T>& pack) {
  if (to == nullptr) return;
  if (first + Pack<T>::kSize <= count) {
    *reinterpret_cast<Pack<T>*>(to + first) = pack;
    return;
  }
  for (int k = 0; first + k < count; ++k) to[first + k] = pack.values[k];
}

/// z = q∘G and z^g = q^g∘G, G of q^g (the unit's own where there is no q^g), drawn ones, or 1.
template <class T>
__global__ void open_gates(std::int64_t count, gpu::NetworkPlan::Gates kind, GateNumbers gate, const T* q,
                           const T* gate_q, const std::uint8_t* drawn, T* z, T* gate_z) {
  const std::int64_t first = thread_index() * Pack<T>::kSize;
  if (first >= count) return;
  using Gates = gpu::NetworkPlan::Gates;
  const Pack<T> values = read(q, first, count),
                behind = read(kind == Gates::network ? gate_q : nullptr, first, count);
  Pack<T> out, gate_out;
#pragma unroll
  for (int k = 0; k < Pack<T>::kSize; ++k) {
    const float value = wide(values.values[k]);
    float open = 1;
    if (kind == Gates::own) open = gate.value(value);
    if (kind == Gates::random && first + k < count) open = drawn[first + k];
    if (kind == Gates::network) {
      const float other = wide(behind.values[k]);
      open = gate.value(other);
      gate_out.values[k] = narrow<T>(other * open);
    }
    out.values[k] = narrow<T>(value * open);
  }
  write(z, first, count, out);
  if (kind == Gates::network) write(gate_z, first, count, gate_out);
}

/// The way back through the gates. With own gates delta is D + η = (G + qG')∘P, all that training needs; with a gating network D = G∘P and
/// η = G'∘q∘P + (G + q^gG')∘ζ where eta is given (ζ = 0 without zeta).
template <class T>
__global__ void close_gates(std::int64_t count, gpu::NetworkPlan::Gates kind, GateNumbers gate, const T* q,
                            const T* gate_q, const std::uint8_t* drawn, const T* back, const T* zeta,
                            T* delta, T* eta) {
  const std::int64_t first = thread_index() * Pack<T>::kSize;
  if (first >= count) return;
  using Gates = gpu::NetworkPlan::Gates;
  const bool network = kind == Gates::network;
  const Pack<T> backs = read(back, first, count), zetas = read(zeta, first, count);
  const Pack<T> values = read(kind == Gates::own || eta != nullptr ? q : nullptr, first, count);
  const Pack<T> behind = read(network ? gate_q : nullptr, first, count);
  Pack<T> out, eta_out;
#pragma unroll
  for (int k = 0; k < Pack<T>::kSize; ++k) {
    const float p = wide(backs.values[k]), value = wide(values.values[k]);
    float open = 1;
    if (kind == Gates::own) {
      open = gate.value(value);
      open += value * gate.slope(open);
    }
    if (kind == Gates::random && first + k < count) open = drawn[first + k];
    if (network) {
      const float other = wide(behind.values[k]);
      open = gate.value(other);
      const float slope = gate.slope(open);
      eta_out.values[k] = narrow<T>(slope * value * p + (open + other * slope) * wide(zetas.values[k]));
    }
    out.values[k] = narrow<T>(open * p);
  }
  write(delta, first, count, out);
  if (network) write(eta, first, count, eta_out);
}

/// The mean over windows beside each other, and its way back.
template <class T>
__global__ void average(std::int64_t count, net::Volume from, net::Volume to, int rows, int columns,
                        const T* in, T* out) {
  const std::int64_t at = thread_index();
  if (at >= count) return;
  const std::int64_t units = to.channels * to.rows * to.columns;
  const std::int64_t sample = at / units, unit = at % units;
  const std::int64_t c = unit % to.channels, pixel = unit / to.channels;
  const std::int64_t y = pixel / to.columns * rows, x = pixel % to.columns * columns;
  const T* image = in + sample * from.channels * from.rows * from.columns;
  float sum = 0;
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < columns; ++b)
      sum += wide(image[((y + a) * from.columns + x + b) * from.channels + c]);
  }
  out[at] = narrow<T>(sum / static_cast<float>(rows * columns));
}
template <class T>
__global__ void average_back(std::int64_t count, net::Volume from, net::Volume to, int rows, int columns,
                             const T* slopes, T* back) {
  const std::int64_t at = thread_index();
  if (at >= count) return;
  const std::int64_t units = from.channels * from.rows * from.columns;
  const std::int64_t sample = at / units, unit = at % units;
  const std::int64_t c = unit % from.channels, pixel = unit / from.channels;
  const std::int64_t y = pixel / from.columns / rows, x = pixel % from.columns / columns;
  const bool seen = y < to.rows && x < to.columns;
  const float slope =
      seen
          ? wide(slopes[sample * to.channels * to.rows * to.columns + (y * to.columns + x) * to.channels + c])
          : 0.0F;
  back[at] = narrow<T>(slope / static_cast<float>(rows * columns));
}

/// Every window of every sample as a row: [samples·windows, rows·columns·channels and zeros up to `stride`].
template <class T>
__global__ void windows_of(std::int64_t count, int stride, net::Volume from, net::Window window, const T* in,
                           T* out) {
  const std::int64_t at = thread_index();
  if (at >= count) return;
  const std::int64_t width = window.rows * window.columns * from.channels;
  const std::int64_t place = at / stride, k = at % stride;
  const std::int64_t c = k % from.channels, tap = k / from.channels;
  const std::int64_t windows = window.to_rows * window.to_columns;
  const std::int64_t sample = place / windows, pixel = place % windows;
  std::int64_t y = pixel / window.to_columns * window.stride + tap / window.columns - window.top;
  std::int64_t x = pixel % window.to_columns * window.stride + tap % window.columns - window.left;
  if (window.wraps) {
    y = (y + from.rows) % from.rows;
    x = (x + from.columns) % from.columns;
  }
  const bool inside = k < width && y >= 0 && y < from.rows && x >= 0 && x < from.columns;
  out[at] = inside ? in[((sample * from.rows + y) * from.columns + x) * from.channels + c] : narrow<T>(0.0F);
}
/// Back from rows of windows to pixels: each adds what the windows that see it have, in one order.
template <class T>
__global__ void from_windows(std::int64_t count, int stride, net::Volume from, net::Window window,
                             const T* rows, T* back) {
  const std::int64_t at = thread_index();
  if (at >= count) return;
  const std::int64_t units = from.channels * from.rows * from.columns;
  const std::int64_t sample = at / units, unit = at % units;
  const std::int64_t c = unit % from.channels, pixel = unit / from.channels;
  float sum = 0;
  for (std::int64_t a = 0; a < window.rows; ++a) {
    std::int64_t y = pixel / from.columns + window.top - a;
    if (window.wraps) y = (y + from.rows) % from.rows;
    if (y < 0 || y % window.stride != 0 || y / window.stride >= window.to_rows) continue;
    for (std::int64_t b = 0; b < window.columns; ++b) {
      std::int64_t x = pixel % from.columns + window.left - b;
      if (window.wraps) x = (x + from.columns) % from.columns;
      if (x < 0 || x % window.stride != 0 || x / window.stride >= window.to_columns) continue;
      const std::int64_t place =
          (sample * window.to_rows + y / window.stride) * window.to_columns + x / window.stride;
      sum += wide(rows[place * stride + (a * window.columns + b) * from.channels + c]);
    }
  }
  back[at] = narrow<T>(sum);
}

/// learn/loss.hpp of one output or several.
struct LossNumbers {
  gpu::TrainingPlan::Loss kind;
  int outputs;
  float midpoint;

  using Kind = gpu::TrainingPlan::Loss;
  __device__ float target(int j, float label) const {
    return outputs == 1 ? label : (static_cast<float>(j) == label ? 1.0F : 0.0F);
  }
  __device__ float log_sum(const float* y) const {
    float largest = y[0];
    for (int j = 1; j < outputs; ++j) largest = fmaxf(largest, y[j]);
    float sum = 0;
    for (int j = 0; j < outputs; ++j) sum += expf(y[j] - largest);
    return largest + logf(sum);
  }
  __device__ float value(const float* y, float label) const {
    if (kind == Kind::cross_entropy && outputs > 1) return log_sum(y) - y[static_cast<int>(label)];
    float sum = 0;
    for (int j = 0; j < outputs; ++j) {
      const float t = target(j, label), off = y[j] - t;
      if (kind == Kind::half_squared) sum += 0.5F * off * off;
      if (kind == Kind::l1) sum += fabsf(off);
      if (kind == Kind::cross_entropy) sum += fmaxf(y[j], 0.0F) + log1pf(expf(-fabsf(y[j]))) - t * y[j];
    }
    return sum;
  }
  __device__ float slope(const float* y, int j, float label, float norm) const {
    const float t = target(j, label), off = y[j] - t;
    if (kind == Kind::half_squared) return off;
    if (kind == Kind::l1) return off == 0 ? 0.0F : copysignf(1.0F, off);
    return outputs > 1 ? expf(y[j] - norm) - t : 1 / (1 + expf(-y[j])) - t;
  }
  __device__ bool right(const float* y, float label) const {
    if (outputs == 1) return (y[0] > (kind == Kind::cross_entropy ? 0.0F : midpoint)) == (label > midpoint);
    int best = 0;
    for (int j = 1; j < outputs; ++j) {
      if (y[j] > y[best]) best = j;
    }
    return static_cast<float>(best) == label;
  }
};

template <class T>
__global__ void loss_slopes(int batch, LossNumbers loss, const float* outputs, const float* labels,
                            T* delta) {
  const std::int64_t s = thread_index();
  if (s >= batch) return;
  const float* y = outputs + s * loss.outputs;
  const float norm =
      loss.kind == LossNumbers::Kind::cross_entropy && loss.outputs > 1 ? loss.log_sum(y) : 0.0F;
  for (int j = 0; j < loss.outputs; ++j)
    delta[s * loss.outputs + j] = narrow<T>(loss.slope(y, j, labels[s], norm) / static_cast<float>(batch));
}

static __global__ void judge(int count, LossNumbers loss, const float* outputs, const float* labels,
                             float* values, std::uint8_t* right) {
  const std::int64_t s = thread_index();
  if (s >= count) return;
  values[s] = loss.value(outputs + s * loss.outputs, labels[s]);
  right[s] = loss.right(outputs + s * loss.outputs, labels[s]) ? 1 : 0;
}

/// learn/optimizer.hpp: arithmetic in double, what is kept in float; `low` is the copy that products read.
struct RuleNumbers {
  gpu::TrainingPlan::Rule rule;
  double momentum, decay, epsilon, weight_decay;
};
template <class T>
__global__ void descend(std::int64_t count, RuleNumbers rule, const gpu::StepNumbers* numbers,
                        const float* gradient, float* parameters, float* first_memory, float* second_memory,
                        T* low) {
  const std::int64_t first = thread_index() * 4;
  if (first >= count) return;
  using Rule = gpu::TrainingPlan::Rule;
  const gpu::StepNumbers now = *numbers;
  const double shrink = 1 - now.rate * rule.weight_decay, first_scale = 1 / now.first_share,
               second_scale = 1 / now.second_share;
  const Pack<float> slopes = read(gradient, first, count);
  Pack<float> theta = read(parameters, first, count),
              v = read(static_cast<const float*>(first_memory), first, count),
              s = read(static_cast<const float*>(second_memory), first, count);
  const auto remember = [](float& memory, double keep, double add) {
    memory = static_cast<float>(fma(keep, static_cast<double>(memory), add));
    return static_cast<double>(memory);
  };
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const double g = slopes.values[k];
    double moved = shrink * theta.values[k];
    if (rule.rule == Rule::sgd) moved -= now.rate * g;
    if (rule.rule == Rule::momentum) moved -= now.rate * remember(v.values[k], rule.momentum, g);
    if (rule.rule == Rule::rmsprop)
      moved -=
          now.rate * g / (sqrt(remember(v.values[k], rule.decay, (1 - rule.decay) * g * g)) + rule.epsilon);
    if (rule.rule == Rule::adam) {
      const double mean = remember(v.values[k], rule.momentum, (1 - rule.momentum) * g) * first_scale;
      const double square = remember(s.values[k], rule.decay, (1 - rule.decay) * g * g) * second_scale;
      moved -= now.rate * mean / (sqrt(square) + rule.epsilon);
    }
    theta.values[k] = static_cast<float>(moved);
  }
  write(parameters, first, count, theta);
  write(first_memory, first, count, v);
  write(second_memory, first, count, s);
  if (low != nullptr) {
    for (int k = 0; k < 4 && first + k < count; ++k) low[first + k] = narrow<T>(theta.values[k]);
  }
}

/// Rows of `from_stride` numbers into rows of `to_stride`: the first `width` of each, zeros behind them.
template <class From, class To>
__global__ void copy_rows(std::int64_t count, int width, int from_stride, int to_stride, const From* from,
                          To* to) {
  const std::int64_t at = thread_index();
  if (at >= count) return;
  const std::int64_t row = at / to_stride, k = at % to_stride;
  to[at] = narrow<To>(k < width ? wide(from[row * from_stride + k]) : 0.0F);
}

template <class From, class To>
__global__ void convert(std::int64_t count, const From* from, To* to) {
  const std::int64_t i = thread_index();
  if (i < count) to[i] = narrow<To>(wide(from[i]));
}

}  // namespace sluice::cuda
