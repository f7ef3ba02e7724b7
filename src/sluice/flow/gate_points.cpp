#include "sluice/flow/gate_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/flow/finite_law.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/net/gates.hpp"

namespace sluice::flow {
namespace {

constexpr std::int64_t kWordBits = 64;

GatePoints room_for(std::int64_t inputs, std::int64_t count) {
  GatePoints points{.inputs = inputs, .count = count, .stride = math::whole_vectors(inputs + 1)};
  points.rows.resize(static_cast<std::size_t>(count * points.stride));
  points.root.resize(static_cast<std::size_t>(count));
  return points;
}

void set_point(GatePoints& points, std::int64_t p, double weight, float label) {
  points.rows[static_cast<std::size_t>(p * points.stride + points.inputs)] = label;
  points.root[static_cast<std::size_t>(p)] = static_cast<float>(std::sqrt(weight));
}

GatePoints points_of(const FiniteLaw& law, std::int64_t inputs) {
  GatePoints points = room_for(inputs, static_cast<std::int64_t>(law.weight.size()));
  points.exact = true;
  for (std::int64_t p = 0; p < points.count; ++p) {
    const auto at = static_cast<std::size_t>(p);
    std::copy_n(law.x.begin() + p * inputs, inputs, points.rows.begin() + p * points.stride);
    set_point(points, p, law.weight[at], static_cast<float>(law.label[at]));
    points.label_square += law.weight[at] * law.label[at] * law.label[at];
  }
  return points;
}

}  // namespace

GatePoints draw_points(const task::Section& section, const task::Task& task, PointSet which,
                       std::int64_t draws, std::uint64_t seed, math::Workers& workers) {
  if (task.training_set() != nullptr || task.outputs() != 1)
    throw InputError(fmt::format(
        "task.kind = \"{}\": expected a task of two classes that never runs out of samples", section.kind()));
  if (const auto law = finite_law(section, task); law && which != PointSet::comparison)
    return points_of(*law, task.inputs());
  constexpr std::int64_t kBlock = math::kBlockSamples;
  const std::int64_t n = task.inputs(),
                     blocks = std::max<std::int64_t>(1, (draws + 2 * kBlock - 1) / (2 * kBlock));
  const bool even = section.kind() != "teacher" && task.even();
  const std::int64_t per_draw = even ? 2 : 1;
  GatePoints points = room_for(n, 2 * blocks * kBlock * per_draw);
  points.per_draw = per_draw;
  const std::array<double, 2> shares{task.classes().balance, 1 - task.classes().balance};
  workers.run(2 * blocks, [&](std::int64_t chunk, int) {
    const int which_class = chunk < blocks ? 0 : 1;
    math::LanesBuffer<float> buffer(n, kBlock), scratch(n, kBlock);
    const math::Lanes x = buffer.lanes(kBlock);
    // Steps 0 to 3 are those of response operators and of sampled moments.
    const math::Address address{
        .seed = seed,
        .purpose = math::Purpose::expectation,
        .step = static_cast<std::uint64_t>(4 + 2 * static_cast<int>(which) + which_class),
        .row = static_cast<std::uint32_t>(chunk % blocks * kBlock)};
    task.sample(address, which_class, x, scratch.lanes(kBlock));
    std::array<float, static_cast<std::size_t>(kBlock)> labels{};
    task.labeler()->label(address, which_class, x, labels);
    const double weight =
        shares.at(static_cast<std::size_t>(which_class)) / static_cast<double>(blocks * kBlock * per_draw);
    for (std::int64_t r = 0; r < kBlock; ++r) {
      for (std::int64_t copy = 0; copy < per_draw; ++copy) {
        const std::int64_t p = (chunk * kBlock + r) * per_draw + copy;
        float* to = points.rows.data() + p * points.stride;
        for (std::int64_t i = 0; i < n; ++i) to[i] = copy == 0 ? x.at(i, r) : -x.at(i, r);
        set_point(points, p, weight, labels.at(static_cast<std::size_t>(r)));
      }
    }
  });
  for (std::int64_t p = 0; p < points.count; ++p)
    points.label_square +=
        points.weight(p) * static_cast<double>(points.label(p)) * static_cast<double>(points.label(p));
  return points;
}

OpenBits open_bits(const GatePoints& points, std::span<const float> vectors, math::Workers& workers) {
  const std::int64_t n = points.inputs, gates = static_cast<std::int64_t>(vectors.size()) / n;
  OpenBits open{.gates = gates, .words = (points.count + kWordBits - 1) / kWordBits, .bits = {}};
  open.bits.resize(static_cast<std::size_t>(gates * open.words));
  const net::Gates half_spaces(gates, n, 0, 0);
  constexpr std::int64_t kWords = 16;  // of a chunk
  workers.run((open.words + kWords - 1) / kWords, [&](std::int64_t chunk, int) {
    math::LanesBuffer<float> buffer(n, kWordBits);
    math::Aligned<float> side(static_cast<std::size_t>(gates * kWordBits));
    for (std::int64_t word = chunk * kWords; word < std::min(open.words, (chunk + 1) * kWords); ++word) {
      const std::int64_t first = word * kWordBits;
      const math::Lanes x = buffer.lanes(std::min(kWordBits, points.count - first));
      for (std::int64_t r = 0; r < x.samples; ++r)
        for (std::int64_t i = 0; i < n; ++i) x.at(i, r) = points.row(first + r)[i];
      half_spaces.look(vectors, x, side.data());
      for (std::int64_t k = 0; k < gates; ++k) {
        std::uint64_t bits = 0;
        for (std::int64_t r = 0; r < x.samples; ++r)
          if (side[static_cast<std::size_t>(k * x.stride + r)] > 0) bits |= std::uint64_t{1} << r;
        open.bits[static_cast<std::size_t>(k * open.words + word)] = bits;
      }
    }
  });
  return open;
}

std::vector<double> open_product(const GatePoints& points, std::span<const std::uint64_t> k,
                                 std::span<const std::uint64_t> l) {
  constexpr std::int64_t kAtOnce = 128;
  const std::int64_t n = points.inputs, stride = points.stride;
  std::vector<double> sums(static_cast<std::size_t>(n * stride));
  math::Aligned<float> rows(static_cast<std::size_t>(kAtOnce * stride)), parts(sums.size());
  std::int64_t filled = 0;
  const auto add = [&] {
    math::multiply(math::Product<float>{.m = n,
                                        .n = stride,
                                        .k = filled,
                                        .a = rows.data(),
                                        .a_stride = 1,
                                        .b = rows.data(),
                                        .b_stride = stride,
                                        .c = parts.data(),
                                        .c_stride = stride,
                                        .add = false,
                                        .a_step = stride});
    math::accumulate(parts, sums);
    filled = 0;
  };
  for (std::size_t word = 0; word < k.size(); ++word) {
    for (std::uint64_t both = k[word] & l[word]; both != 0; both &= both - 1) {
      const auto p = static_cast<std::int64_t>(word) * kWordBits + std::countr_zero(both);
      const float root = points.root[static_cast<std::size_t>(p)];
      const float* from = points.row(p);
      float* to = rows.data() + filled * stride;
      for (std::int64_t i = 0; i < stride; ++i) to[i] = root * from[i];
      if (++filled == kAtOnce) add();
    }
  }
  if (filled > 0) add();
  return sums;
}

namespace {

/// Fills A_kl, A_lk and, where k = l, b_k of these pairs.
void fill_blocks(const GatePoints& points, const OpenBits& open,
                 std::span<const std::pair<std::int64_t, std::int64_t>> pairs, GateMoments& moments,
                 math::Workers& workers) {
  const std::int64_t n = points.inputs, size = moments.size();
  workers.run(static_cast<std::int64_t>(pairs.size()), [&](std::int64_t at, int) {
    const auto [k, l] = pairs[static_cast<std::size_t>(at)];
    const std::vector<double> product = open_product(points, open.row(k), open.row(l));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const double value = product[static_cast<std::size_t>(i * points.stride + j)];
        moments.a[static_cast<std::size_t>((k * n + i) * size + l * n + j)] = value;
        moments.a[static_cast<std::size_t>((l * n + j) * size + k * n + i)] = value;
      }
      if (k == l)
        moments.b[static_cast<std::size_t>(k * n + i)] =
            product[static_cast<std::size_t>(i * points.stride + n)];
    }
  });
}

}  // namespace

GateMoments point_moments(const GatePoints& points, const OpenBits& open, math::Workers& workers) {
  const std::int64_t units = open.gates, size = units * points.inputs;
  GateMoments moments{.units = units,
                      .inputs = points.inputs,
                      .b = std::vector<double>(static_cast<std::size_t>(size)),
                      .a = std::vector<double>(static_cast<std::size_t>(size * size)),
                      .label_square = points.label_square,
                      .method = points.exact ? "enumerated" : "sampled",
                      .samples = points.exact ? 0 : points.count};
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t k = 0; k < units; ++k)
    for (std::int64_t l = k; l < units; ++l) pairs.emplace_back(k, l);
  fill_blocks(points, open, pairs, moments, workers);
  return moments;
}

void update_moments(const GatePoints& points, const OpenBits& open, std::int64_t k, GateMoments& moments,
                    math::Workers& workers) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t l = 0; l < open.gates; ++l) pairs.emplace_back(std::min(k, l), std::max(k, l));
  fill_blocks(points, open, pairs, moments, workers);
}

}  // namespace sluice::flow
