#include "sluice/kernel/tangent.hpp"

#include <algorithm>
#include <array>
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

/// Which arrays of a layer its gradients are made of: those of the weights, or those of the gates.
struct Choice {
  bool gates;
  bool own;

  template <class Real>
  const math::Aligned<Real>& z(const net::Trace<Real>& trace, std::int64_t l) const {
    const net::LayerTrace<Real>& in = trace.layers[static_cast<std::size_t>(l - 1)];
    return gates && !own && l > 1 ? in.gate_z : in.z;  // a gating network sees its own layer; layer 1 sees x
  }
  template <class Real>
  const math::Aligned<Real>& slopes(const net::Trace<Real>& trace, std::int64_t l) const {
    const net::LayerTrace<Real>& here = trace.layers[static_cast<std::size_t>(l)];
    return gates ? here.eta : here.delta;
  }
};

/// Σ over pairs of choices of ⟨∂_θ by the first of one sample, ∂_θ by the second of another⟩.
using Pairs = std::vector<std::array<Choice, 2>>;

}  // namespace

template <class Real>
Passage<Real>::Passage(const net::DeepGated<Real>& network, std::span<const Real> parameters,
                       std::span<const Real> x, std::uint64_t gate_seed, math::Workers& workers,
                       bool backward)
    : network_(network), workers_(workers), samples_(static_cast<std::int64_t>(x.size()) / network.inputs()) {
  if (backward && network.outputs() != 1) throw std::logic_error("a tangent kernel is that of one output");
  std::vector<Real> storage;
  const net::Prepared<Real> prepared = network.prepare(parameters, storage);
  blocks_.resize(static_cast<std::size_t>((samples_ + kBlock - 1) / kBlock));
  workers.run(static_cast<std::int64_t>(blocks_.size()), [&](std::int64_t block, int) {
    const std::int64_t first = block * kBlock;
    net::Trace<Real>& trace = blocks_[static_cast<std::size_t>(block)];
    trace = network.make_trace(std::min(kBlock, samples_ - first));
    const math::LanesOf<Real> in = trace.input();
    const std::int64_t n = network.inputs();
    for (std::int64_t s = 0; s < trace.samples; ++s) {
      for (std::int64_t i = 0; i < n; ++i)
        in.at(network.place_of(i), s) = x[static_cast<std::size_t>((first + s) * n + i)];
    }
    network.set_gates(gate_seed, first, trace);
    network.forward(prepared, trace);
    if (!backward) return;
    std::ranges::fill(trace.layers.back().delta, Real{1});
    network.backward(prepared, trace);
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
  const bool own = network_.options().own_gates();
  const auto pairs_of = [&](std::int64_t l) {
    const Choice weights{.gates = false, .own = own}, gating{.gates = true, .own = own};
    const bool adapts = network_.adapts_gates() && l < network_.depth();
    Pairs pairs;
    if (network_.weights(l).size() == 0) return pairs;
    if ((parts & strength) != 0) pairs.push_back({weights, weights});
    if ((parts & gates) != 0 && adapts) pairs.push_back({gating, gating});
    if ((parts & cross) != 0 && adapts && own) {
      pairs.push_back({weights, gating});
      pairs.push_back({gating, weights});
    }
    return pairs;
  };
  SampleMatrix<Real> matrix = by_tiles(
      blocks_, samples_, workers_,
      [&](const net::Trace<Real>& a, const net::Trace<Real>& b, Scratch<Real>& scratch) {
        const auto size = static_cast<std::size_t>(a.stride * b.stride);
        std::fill(scratch.sum.begin(), scratch.sum.begin() + static_cast<std::ptrdiff_t>(size), Real{0});
        for (std::int64_t l = 1; l <= network_.depth(); ++l) {
          if (network_.layer(l).shared()) continue;
          for (const auto& [left, right] : pairs_of(l)) {  // (z_a'z_b)∘(u_a'v_b)
            gram(left.z(a, l), a.stride, right.z(b, l), b.stride, scratch.first);
            gram(left.slopes(a, l), a.stride, right.slopes(b, l), b.stride, scratch.second);
            add_product(scratch, size);
          }
        }
      });
  for (std::int64_t l = 1; l <= network_.depth(); ++l) {
    if (network_.layer(l).shared()) add_shared(l, pairs_of(l), matrix);
  }
  return matrix;
}

/// Where pairs of units share weights, the gradients of every sample are summed first.
template <class Real>
template <class Terms>
void Passage<Real>::add_shared(std::int64_t l, const Terms& pairs, SampleMatrix<Real>& matrix) const {
  const net::Layer<Real>& layer = network_.layer(l);
  std::array<std::vector<math::Aligned<Real>>, 2>
      gradients;  // by the weights, by the gates: [block][weights, lanes]
  for (const bool by_gates : {false, true}) {
    const auto needed = std::ranges::find_if(
        pairs, [&](const auto& pair) { return pair[0].gates == by_gates || pair[1].gates == by_gates; });
    if (needed == pairs.end()) continue;
    const Choice choice = (*needed)[0].gates == by_gates ? (*needed)[0] : (*needed)[1];
    auto& of_blocks = gradients[by_gates ? 1 : 0];
    of_blocks.resize(blocks_.size());
    workers_.run(static_cast<std::int64_t>(blocks_.size()), [&](std::int64_t block, int) {
      const net::Trace<Real>& trace = blocks_[static_cast<std::size_t>(block)];
      math::Aligned<Real>& out = of_blocks[static_cast<std::size_t>(block)];
      out.resize(static_cast<std::size_t>(layer.rows() * layer.columns() * trace.stride));
      layer.sample_gradients(choice.z(trace, l).data(), choice.slopes(trace, l).data(), trace.stride,
                             out.data());
    });
  }
  const SampleMatrix<Real> more =
      by_tiles(blocks_, samples_, workers_,
               [&](const net::Trace<Real>& a, const net::Trace<Real>& b, Scratch<Real>& scratch) {
                 std::ranges::fill(scratch.sum, Real{0});
                 const auto of = [&](const Choice& choice,
                                     const net::Trace<Real>& trace) -> const math::Aligned<Real>& {
                   return gradients[choice.gates ? 1 : 0][static_cast<std::size_t>(&trace - blocks_.data())];
                 };
                 for (const auto& [left, right] : pairs) {
                   gram(of(left, a), a.stride, of(right, b), b.stride, scratch.first);
                   std::ranges::transform(scratch.sum, scratch.first, scratch.sum.begin(), std::plus<>());
                 }
               });
  std::ranges::transform(matrix.values, more.values, matrix.values.begin(), std::plus<>());
}

/// Σ over paths of start(i, s, t) · Π_l G_s G_t, by a pass forward with all weights 1: lanes are the samples t.
template <class Real>
template <class Start>
SampleMatrix<Real> Passage<Real>::over_paths(int power, const Start& start) const {
  return by_tiles(blocks_, samples_, workers_,
                  [&](const net::Trace<Real>& a, const net::Trace<Real>& b, Scratch<Real>& scratch) {
                    math::Aligned<Real> now, next;
                    for (std::int64_t s = 0; s < a.samples; ++s) {
                      now.resize(static_cast<std::size_t>(network_.inputs() * b.stride));
                      for (std::int64_t i = 0; i < network_.inputs(); ++i) {
                        for (std::int64_t t = 0; t < b.stride; ++t)
                          now[static_cast<std::size_t>(i * b.stride + t)] =
                              start(a.layers[0].z[static_cast<std::size_t>(i * a.stride + s)],
                                    b.layers[0].z[static_cast<std::size_t>(i * b.stride + t)]);
                      }
                      const auto pass = [&](const net::Layer<Real>& layer) {
                        next.resize(static_cast<std::size_t>(layer.units() * b.stride));
                        layer.join(now.data(), b.stride, power, next.data());
                        now.swap(next);
                      };
                      for (std::int64_t l = 1; l < network_.depth(); ++l) {
                        pass(network_.layer(l));
                        const auto at = static_cast<std::size_t>(l);
                        for (std::int64_t i = 0; i < network_.width(l); ++i) {
                          const Real gate = a.layers[at].gate[static_cast<std::size_t>(i * a.stride + s)];
                          for (std::int64_t t = 0; t < b.stride; ++t) {
                            const auto here = static_cast<std::size_t>(i * b.stride + t);
                            now[here] *= gate * b.layers[at].gate[here];
                          }
                        }
                        if (network_.pool(l) != nullptr) pass(*network_.pool(l));
                      }
                      pass(network_.layer(network_.depth()));
                      std::copy_n(now.data(), b.stride, scratch.sum.data() + s * b.stride);
                    }
                  });
}

template <class Real>
SampleMatrix<Real> Passage<Real>::overlap() const {
  if (network_.shares_weights()) {
    const auto share = Real{1} / static_cast<Real>(network_.inputs());
    return over_paths(0, [share](Real, Real) { return share; });
  }
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
  if (network_.shares_weights()) return over_paths(2, [](Real x, Real y) { return x * y; });
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
