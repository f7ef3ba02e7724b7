/// What is done to arrays on the device between products. Arrays are [samples, units], units in the order of net::Volume.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "launch.hpp"
#include "sluice/gpu/machine.hpp"

namespace sluice::cuda {

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

/// Samples plane by plane, as tasks have them, in the order of net::Volume.
static __global__ void turn(std::int64_t count, net::Volume input, const float* planes, float* out) {
  const std::int64_t at = thread_index();
  if (at >= count) return;
  const std::int64_t pixels = input.rows * input.columns, units = pixels * input.channels;
  const std::int64_t unit = at % units;
  out[at] = planes[at - unit + unit % input.channels * pixels + unit / input.channels];
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

using Gates = gpu::NetworkPlan::Gates;

struct GateNumbers {
  float beta, full;  ///< full: 1 + ε

  template <bool kSoft>
  __device__ float value(float q) const {
    if constexpr (kSoft) return __fdividef(full, 1 + __expf(-beta * q));
    return q >= 0 ? full : 0.0F;
  }
  __device__ float slope(float gate) const { return beta * gate * (1 - gate / full); }  ///< of soft ones
};

/// Sixteen bytes at a time: what a thread reads and writes at once. Buffers are whole packs (buffer.hpp): behind the end of an array there is room for the last one.
template <class T>
struct alignas(16) Pack {
  static constexpr int kSize = 16 / sizeof(T);
  T values[kSize];

  __device__ float operator[](int k) const { return wide(values[k]); }
  __device__ void set(int k, float value) { values[k] = narrow<T>(value); }
};
template <class T>
__device__ inline Pack<T> read(const T* from, std::int64_t pack) {
  return reinterpret_cast<const Pack<T>*>(from)[pack];
}
template <class T>
__device__ inline void write(T* to, std::int64_t pack, const Pack<T>& values) {
  reinterpret_cast<Pack<T>*>(to)[pack] = values;
}
/// Gates that were drawn, one byte each, as many as a pack has numbers.
template <class T>
struct alignas(16 / sizeof(T)) Drawn {
  std::uint8_t open[Pack<T>::kSize];
};

/// z = q∘G and z^g = q^g∘G, G of q^g (the unit's own where there is no q^g), drawn ones, or 1.
template <class T, Gates kKind, bool kSoft>
__global__ void open_gates(std::int64_t packs, GateNumbers gate, const T* q, const T* gate_q,
                           const std::uint8_t* drawn, T* z, T* gate_z) {
  const std::int64_t pack = thread_index();
  if (pack >= packs) return;
  const Pack<T> values = read(q, pack);
  Pack<T> behind, out, gate_out;
  Drawn<T> coins;
  if constexpr (kKind == Gates::network) behind = read(gate_q, pack);
  if constexpr (kKind == Gates::random) coins = reinterpret_cast<const Drawn<T>*>(drawn)[pack];
#pragma unroll
  for (int k = 0; k < Pack<T>::kSize; ++k) {
    float open = 1;
    if constexpr (kKind == Gates::own) open = gate.value<kSoft>(values[k]);
    if constexpr (kKind == Gates::random) open = coins.open[k];
    if constexpr (kKind == Gates::network) {
      open = gate.value<kSoft>(behind[k]);
      gate_out.set(k, behind[k] * open);
    }
    out.set(k, values[k] * open);
  }
  write(z, pack, out);
  if constexpr (kKind == Gates::network) write(gate_z, pack, gate_out);
}

/// The way back through the gates, in place: delta comes as P and eta, where it is given, as ζ (0 unless `zeta`). With own gates delta becomes D + η = (G + qG')∘P,
/// all that training needs; with a gating network D = G∘P, and eta η = G'∘q∘P + (G + q^gG')∘ζ.
template <class T, Gates kKind, bool kSoft>
__global__ void close_gates(std::int64_t packs, GateNumbers gate, const T* q, const T* gate_q,
                            const std::uint8_t* drawn, bool zeta, T* delta, T* eta) {
  const std::int64_t pack = thread_index();
  if (pack >= packs) return;
  const Pack<T> backs = read(delta, pack);
  Pack<T> values, behind, zetas{}, out, eta_out;
  Drawn<T> coins;
  if (kKind == Gates::own || (kKind == Gates::network && eta != nullptr)) values = read(q, pack);
  if constexpr (kKind == Gates::network) behind = read(gate_q, pack);
  if constexpr (kKind == Gates::random) coins = reinterpret_cast<const Drawn<T>*>(drawn)[pack];
  if (kKind == Gates::network && zeta) zetas = read(eta, pack);
#pragma unroll
  for (int k = 0; k < Pack<T>::kSize; ++k) {
    float open = 1;
    if constexpr (kKind == Gates::own) {
      open = gate.value<kSoft>(values[k]);
      if constexpr (kSoft) open += values[k] * gate.slope(open);
    }
    if constexpr (kKind == Gates::random) open = coins.open[k];
    if constexpr (kKind == Gates::network) {
      open = gate.value<kSoft>(behind[k]);
      const float slope = kSoft ? gate.slope(open) : 0.0F;
      if (eta != nullptr)
        eta_out.set(k, slope * values[k] * backs[k] + (open + behind[k] * slope) * zetas[k]);
    }
    out.set(k, open * backs[k]);
  }
  write(delta, pack, out);
  if (kKind == Gates::network && eta != nullptr) write(eta, pack, eta_out);
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

/// Every window of every sample as a row: [samples·windows, rows·columns·channels and zeros up to `stride`, whole packs].
template <class T>
__global__ void windows_of(std::int64_t packs, int stride, net::Volume from, net::Window window, const T* in,
                           T* out) {
  const std::int64_t pack = thread_index();
  if (pack >= packs) return;
  const int rows = static_cast<int>(from.rows), columns = static_cast<int>(from.columns);
  const int channels = static_cast<int>(from.channels), taps = static_cast<int>(window.columns);
  const int width = static_cast<int>(window.rows) * taps * channels;
  const int packs_of_row = stride / Pack<T>::kSize;
  const int windows = static_cast<int>(window.to_rows * window.to_columns);
  const std::int64_t place = pack / packs_of_row;
  const int first = static_cast<int>(pack % packs_of_row) * Pack<T>::kSize;
  const std::int64_t sample = place / windows;
  const int pixel = static_cast<int>(place % windows);
  const int wide_by = static_cast<int>(window.to_columns), step = static_cast<int>(window.stride);
  const int top = pixel / wide_by * step - static_cast<int>(window.top);
  const int left = pixel % wide_by * step - static_cast<int>(window.left);
  const T* image = in + sample * (static_cast<std::int64_t>(rows) * columns * channels);
  Pack<T> seen;
#pragma unroll
  for (int k = 0; k < Pack<T>::kSize; ++k) {
    const int c = (first + k) % channels, tap = (first + k) / channels;
    int y = top + tap / taps, x = left + tap % taps;
    if (window.wraps) {
      y = (y + rows) % rows;
      x = (x + columns) % columns;
    }
    const bool inside = first + k < width && y >= 0 && y < rows && x >= 0 && x < columns;
    seen.values[k] = inside ? image[(y * columns + x) * channels + c] : narrow<T>(0.0F);
  }
  write(out, pack, seen);
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

using Rule = gpu::TrainingPlan::Rule;

struct RuleNumbers {
  double momentum, decay, epsilon, weight_decay;
};
/// learn/optimizer.hpp in float: one number of the parameters and what is remembered of it. Shares and rates are made in double; what is added to a parameter is
/// so much smaller than it that a root and a quotient good to their last bits are good enough.
template <Rule kRule>
struct Descent {
  float rate, shrink, keep_first, add_first, keep_second, add_second, first_scale, second_scale, epsilon;

  __device__ Descent(const RuleNumbers& numbers, const gpu::StepNumbers& now)
      : rate(static_cast<float>(now.rate)),
        shrink(static_cast<float>(now.rate * numbers.weight_decay)),
        keep_first(static_cast<float>(numbers.momentum)),
        add_first(static_cast<float>(1 - numbers.momentum)),
        keep_second(static_cast<float>(numbers.decay)),
        add_second(static_cast<float>(1 - numbers.decay)),
        first_scale(static_cast<float>(now.rate / now.first_share)),
        second_scale(static_cast<float>(1 / now.second_share)),
        epsilon(static_cast<float>(numbers.epsilon)) {}

  __device__ static float root(float value) {
#ifdef __CUDACC__
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(value));
    return root;
#else
    return sqrtf(value);
#endif
  }
  __device__ void move(float g, float& theta, float& first, float& second) const {
    float by = rate * g;
    if constexpr (kRule == Rule::momentum) {
      first = fmaf(keep_first, first, g);
      by = rate * first;
    }
    if constexpr (kRule == Rule::rmsprop) {
      first = fmaf(keep_second, first, add_second * g * g);
      by = __fdividef(rate * g, root(first) + epsilon);
    }
    if constexpr (kRule == Rule::adam) {
      first = fmaf(keep_first, first, add_first * g);
      second = fmaf(keep_second, second, add_second * g * g);
      by = __fdividef(first_scale * first, root(second * second_scale) + epsilon);
    }
    theta = fmaf(-shrink, theta, theta) - by;
  }
};
/// Calls the one that was made for a rule.
template <class Launch>
void with_rule(Rule rule, const Launch& launch) {
  switch (rule) {
    case Rule::sgd:
      return launch.template operator()<Rule::sgd>();
    case Rule::momentum:
      return launch.template operator()<Rule::momentum>();
    case Rule::rmsprop:
      return launch.template operator()<Rule::rmsprop>();
    case Rule::adam:
      return launch.template operator()<Rule::adam>();
  }
}
template <Rule kRule>
constexpr int kMemories = kRule == Rule::sgd    ? 0
                          : kRule == Rule::adam ? 2
                                                : 1;

/// Parameters and what is remembered of them; memories that the rule has not are null. `low` is the copy that products read, where they do not read the parameters.
template <class T>
struct Moving {
  float *parameters, *first_memory, *second_memory;
  T* low;
};
template <class T>
struct alignas(4 * sizeof(T)) Four {
  T values[4];
};
/// Parameters along their gradient, in packs of four. They are read once and written once in a step, past what products keep in the cache.
template <class T, Rule kRule>
__global__ void descend(std::int64_t packs, RuleNumbers rule, const gpu::StepNumbers* numbers,
                        const T* gradient, Moving<T> moving) {
  const std::int64_t pack = thread_index();
  if (pack >= packs) return;
  const auto read_once = [&](const float* from) {
    const float4 four = __ldcs(reinterpret_cast<const float4*>(from) + pack);
    return Four<float>{four.x, four.y, four.z, four.w};
  };
  const auto write_once = [&](float* to, const Four<float>& four) {
    __stcs(reinterpret_cast<float4*>(to) + pack,
           make_float4(four.values[0], four.values[1], four.values[2], four.values[3]));
  };
  const Four<T> slopes = reinterpret_cast<const Four<T>*>(gradient)[pack];
  Four<float> theta = read_once(moving.parameters), first{}, second{};
  if constexpr (kMemories < kRule >> 0) first = read_once(moving.first_memory);
  if constexpr (kMemories < kRule >> 1) second = read_once(moving.second_memory);
  const Descent<kRule> step(rule, *numbers);
  Four<T> low;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    step.move(wide(slopes.values[k]), theta.values[k], first.values[k], second.values[k]);
    low.values[k] = narrow<T>(theta.values[k]);
  }
  write_once(moving.parameters, theta);
  if constexpr (kMemories < kRule >> 0) write_once(moving.first_memory, first);
  if constexpr (kMemories < kRule >> 1) write_once(moving.second_memory, second);
  if constexpr (sizeof(T) == 2) reinterpret_cast<Four<T>*>(moving.low)[pack] = low;
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
