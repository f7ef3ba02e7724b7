#include "sluice/kernel/tangent.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "sluice/math/kernels.hpp"

namespace sluice::kernel {
namespace {

/// One tile of a matrix over samples, [kBlock, stride].
template <class Real>
using Tile = math::Aligned<Real>;

/// A'B of two blocks of samples: a is [units, a_samples lanes], b is [units, b_samples lanes].
template <class Real>
void gram(const math::Aligned<Real>& a, std::int64_t a_stride, const math::Aligned<Real>& b,
          std::int64_t b_stride, Tile<Real>& out) {
  math::multiply(math::Product<Real>{.m = a_stride,
                                     .n = b_stride,
                                     .k = static_cast<std::int64_t>(b.size()) / b_stride,
                                     .a = a.data(),
                                     .a_stride = 1,
                                     .b = b.data(),
                                     .b_stride = b_stride,
                                     .c = out.data(),
                                     .c_stride = b_stride,
                                     .add = false,
                                     .a_step = a_stride});
}

template <class Real>
struct Scratch {
  Tile<Real> sum, first, second;
};

/// Makes the tiles on and above the diagonal, `fill(a, b, scratch)` leaving tile [a, b] in scratch.sum, and mirrors them.
template <class Real, class Fill>
SampleMatrix<Real> by_tiles(const std::vector<net::Trace<Real>>& blocks, std::int64_t samples,
                            math::Workers& workers, const Fill& fill) {
  constexpr std::int64_t kBlock = Passage<Real>::kBlock;
  SampleMatrix<Real> matrix(samples);
  const auto count = static_cast<std::int64_t>(blocks.size());
  std::vector<Scratch<Real>> scratch(static_cast<std::size_t>(workers.threads()));
  for (Scratch<Real>& s : scratch) {
    for (Tile<Real>* tile : {&s.sum, &s.first, &s.second})
      tile->resize(static_cast<std::size_t>(kBlock * kBlock));
  }
  // Pairs (a, b ≥ a), numbered row by row.
  workers.run(count * (count + 1) / 2, [&](std::int64_t pair, int thread) {
    std::int64_t a = 0;
    for (std::int64_t row = count; pair >= row; --row, ++a) pair -= row;
    const std::int64_t b = a + pair;
    Scratch<Real>& own = scratch[static_cast<std::size_t>(thread)];
    const net::Trace<Real>& top = blocks[static_cast<std::size_t>(a)];
    const net::Trace<Real>& side = blocks[static_cast<std::size_t>(b)];
    fill(top, side, own);
    for (std::int64_t s = 0; s < top.samples; ++s) {
      const Real* row = own.sum.data() + s * side.stride;
      std::copy(row, row + side.samples, &matrix.at(a * kBlock + s, b * kBlock));
    }
    // The lower triangle mirrors the upper one, also within a tile on the diagonal: the matrix is symmetric to the last bit.
    for (std::int64_t t = 0; t < side.samples; ++t) {
      const std::int64_t end = a == b ? t : top.samples;
      for (std::int64_t s = 0; s < end; ++s)
        matrix.at(b * kBlock + t, a * kBlock + s) = own.sum[static_cast<std::size_t>(s * side.stride + t)];
    }
  });
  return matrix;
}

/// sum (+)= first∘second
template <class Real>
void add_product(Scratch<Real>& scratch, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) scratch.sum[i] += scratch.first[i] * scratch.second[i];
}

/// Gradients of the kernels of a circular layer, sample by sample: [ŵ, lanes], Σ_i D(i) z(i+j).
template <class Real>
math::Aligned<Real> shared_gradients(const math::Aligned<Real>& delta, const math::Aligned<Real>& z,
                                     std::int64_t sites, std::int64_t kernel, std::int64_t stride) {
  math::Aligned<Real> out(static_cast<std::size_t>(kernel * stride));
  for (std::int64_t j = 0; j < kernel; ++j) {
    for (std::int64_t i = 0; i < sites; ++i) {
      const Real* d = delta.data() + i * stride;
      const Real* x = z.data() + (i + j) % sites * stride;
      Real* sum = out.data() + j * stride;
      for (std::int64_t s = 0; s < stride; ++s) sum[s] += d[s] * x[s];
    }
  }
  return out;
}

}  // namespace

template <class Real>
Passage<Real>::Passage(const net::DeepGated<Real>& network, std::span<const Real> parameters,
                       std::span<const Real> x, std::uint64_t gate_seed, math::Workers& workers,
                       bool backward)
    : network_(network), workers_(workers), samples_(static_cast<std::int64_t>(x.size()) / network.inputs()) {
  if (backward && network.outputs() != 1) throw std::logic_error("a tangent kernel is that of one output");
  std::vector<Real> storage;
  const std::span<const Real> matrices = network.matrices(parameters, storage);
  blocks_.resize(static_cast<std::size_t>((samples_ + kBlock - 1) / kBlock));
  workers.run(static_cast<std::int64_t>(blocks_.size()), [&](std::int64_t block, int) {
    const std::int64_t first = block * kBlock;
    net::Trace<Real>& trace = blocks_[static_cast<std::size_t>(block)];
    trace = network.make_trace(std::min(kBlock, samples_ - first));
    const math::LanesOf<Real> in = trace.input();
    const std::int64_t n = network.inputs();
    for (std::int64_t s = 0; s < trace.samples; ++s) {
      for (std::int64_t i = 0; i < n; ++i) in.at(i, s) = x[static_cast<std::size_t>((first + s) * n + i)];
    }
    network.set_gates(gate_seed, first, trace);
    network.forward(matrices, trace);
    if (!backward) return;
    std::ranges::fill(trace.layers.back().delta, Real{1});
    network.backward(matrices, trace);
  });
}

template <class Real>
std::vector<Real> Passage<Real>::outputs() const {
  std::vector<Real> out;
  for (const net::Trace<Real>& trace : blocks_)
    out.insert(out.end(), trace.layers.back().q.begin(), trace.layers.back().q.begin() + trace.samples);
  return out;
}

template <class Real>
SampleMatrix<Real> Passage<Real>::tangent(unsigned parts) const {
  const net::DeepOptions& options = network_.options();
  const bool own = options.own_gates();
  const bool circular = options.circular();
  const bool adapts = network_.adapts_gates();
  return by_tiles(
      blocks_, samples_, workers_,
      [&](const net::Trace<Real>& a, const net::Trace<Real>& b, Scratch<Real>& scratch) {
        const auto size = static_cast<std::size_t>(a.stride * b.stride);
        std::fill(scratch.sum.begin(), scratch.sum.begin() + static_cast<std::ptrdiff_t>(size), Real{0});
        /// Σ over the parameters of a layer: (z_a'z_b)∘(u_a'v_b), or with shared weights the product of summed gradients.
        const auto add_layer = [&](const auto& z_a, const auto& z_b, const auto& u_a, const auto& v_b) {
          if (circular) {
            gram(shared_gradients(u_a, z_a, network_.inputs(), options.kernel, a.stride), a.stride,
                 shared_gradients(v_b, z_b, network_.inputs(), options.kernel, b.stride), b.stride,
                 scratch.first);
            std::fill(scratch.second.begin(), scratch.second.end(), Real{1});
          } else {
            gram(z_a, a.stride, z_b, b.stride, scratch.first);
            gram(u_a, a.stride, v_b, b.stride, scratch.second);
          }
          add_product(scratch, size);
        };
        for (std::int64_t l = 1; l <= network_.depth(); ++l) {
          const auto at = static_cast<std::size_t>(l);
          const net::LayerTrace<Real>&here_a = a.layers[at], &here_b = b.layers[at];
          const net::LayerTrace<Real>&in_a = a.layers[at - 1], &in_b = b.layers[at - 1];
          const bool hidden = l < network_.depth();
          if ((parts & strength) != 0 && (hidden || !circular))
            add_layer(in_a.z, in_b.z, here_a.delta, here_b.delta);
          if (!adapts || !hidden) continue;
          const bool twin = !own && l > 1;  // the gating network sees its own layer; layer 1 sees x
          if ((parts & gates) != 0)
            add_layer(twin ? in_a.gate_z : in_a.z, twin ? in_b.gate_z : in_b.z, here_a.eta, here_b.eta);
          if ((parts & cross) != 0 && own) {
            add_layer(in_a.z, in_b.z, here_a.delta, here_b.eta);
            add_layer(in_a.z, in_b.z, here_a.eta, here_b.delta);
          }
        }
      });
}

template <class Real>
SampleMatrix<Real> Passage<Real>::overlap() const {
  return by_tiles(blocks_, samples_, workers_,
                  [&](const net::Trace<Real>& a, const net::Trace<Real>& b, Scratch<Real>& scratch) {
                    std::fill(scratch.sum.begin(), scratch.sum.end(), Real{1});
                    for (std::size_t l = 1; l + 1 < a.layers.size(); ++l) {
                      gram(a.layers[l].gate, a.stride, b.layers[l].gate, b.stride, scratch.first);
                      for (std::size_t i = 0; i < scratch.sum.size(); ++i) scratch.sum[i] *= scratch.first[i];
                    }
                  });
}

template <class Real>
SampleMatrix<Real> Passage<Real>::paths() const {
  SampleMatrix<Real> matrix = overlap();
  const SampleMatrix<Real> inputs =
      by_tiles(blocks_, samples_, workers_,
               [&](const net::Trace<Real>& a, const net::Trace<Real>& b, Scratch<Real>& scratch) {
                 gram(a.layers[0].z, a.stride, b.layers[0].z, b.stride, scratch.sum);
               });
  std::ranges::transform(matrix.values, inputs.values, matrix.values.begin(), std::multiplies<>());
  return matrix;
}

template class Passage<float>;
template class Passage<double>;

}  // namespace sluice::kernel
