/// A deep gated network as its definition says it, unit by unit and sample by sample, with derivatives carried along as dual numbers: what
/// layers, passes and kernels are held against. Shares with them the options, the order of the weights, and the gate as a function.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sluice/net/deep_gated.hpp"

namespace sluice::test {

/// v + d·ε, ε² = 0.
struct Dual {
  double v = 0, d = 0;
  friend Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  friend Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
};

class PlainNetwork {
 public:
  /// What is done to a gate's derivative: a part of a tangent kernel holds gates fixed.
  enum class Gates { moving, held };

  PlainNetwork(const net::DeepOptions& options, const net::Volume& input, std::int64_t outputs)
      : options_(options), input_(input), outputs_(outputs), gate_(options.gate()) {}

  /// Connections of every layer: for each unit, which units it sees through which weight. −1: a fixed weight.
  struct Connection {
    std::int64_t from, weight;
    double fixed = 1;
  };
  using Map = std::vector<std::vector<Connection>>;

  /// Units are numbered plane by plane here, as tasks number their sites.
  struct Stage {
    Map map;
    std::int64_t weights = 0;
    Map pool;  // empty: none
  };

  std::vector<Stage> stages() const {
    std::vector<Stage> all;
    net::Volume seen = options_.convolutional() ? input_ : net::Volume{.columns = input_.size()};
    const auto dense = [&](std::int64_t units) {
      Stage stage{Map(static_cast<std::size_t>(units)), units * seen.size(), {}};
      for (std::int64_t i = 0; i < units; ++i) {
        for (std::int64_t j = 0; j < seen.size(); ++j)
          stage.map[static_cast<std::size_t>(i)].push_back({j, i * seen.size() + seen.place_of(j)});
      }
      seen = {.channels = units};
      all.push_back(stage);
    };
    if (options_.circular()) {
      const std::int64_t n = input_.size();
      for (std::int64_t l = 1; l < options_.depth; ++l) {
        Stage stage{Map(static_cast<std::size_t>(n)), options_.kernel, {}};
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t j = 0; j < options_.kernel; ++j)
            stage.map[static_cast<std::size_t>(i)].push_back({(i + j) % n, j});
        }
        all.push_back(stage);
      }
      all.push_back({average(seen, n, n), 0, {}});
      return all;
    }
    for (std::size_t c = 0; c < options_.channels.size(); ++c) {
      const std::int64_t stride = options_.strides.empty() ? 1 : options_.strides[c];
      const std::int64_t kr = seen.rows == 1 ? 1 : options_.kernel, kc = options_.kernel;
      const bool same = options_.padding != "none";
      const auto count = [&](std::int64_t size, std::int64_t k) {
        return same ? (size + stride - 1) / stride : (size - k) / stride + 1;
      };
      const net::Volume to{options_.channels[c], count(seen.rows, kr), count(seen.columns, kc)};
      const auto before = [&](std::int64_t size, std::int64_t k, std::int64_t windows) -> std::int64_t {
        if (options_.padding == "circular") return (k - 1) / 2;
        return same ? std::max<std::int64_t>((windows - 1) * stride + k - size, 0) / 2 : 0;
      };
      const std::int64_t top = before(seen.rows, kr, to.rows), left = before(seen.columns, kc, to.columns);
      Stage stage{Map(static_cast<std::size_t>(to.size())), to.channels * kr * kc * seen.channels, {}};
      for (std::int64_t o = 0; o < to.channels; ++o) {
        for (std::int64_t y = 0; y < to.rows; ++y) {
          for (std::int64_t x = 0; x < to.columns; ++x) {
            for (std::int64_t a = 0; a < kr; ++a) {
              for (std::int64_t b = 0; b < kc; ++b) {
                std::int64_t iy = y * stride + a - top, ix = x * stride + b - left;
                if (options_.padding == "circular") {
                  iy = (iy + seen.rows) % seen.rows;
                  ix = (ix + seen.columns) % seen.columns;
                }
                if (iy < 0 || iy >= seen.rows || ix < 0 || ix >= seen.columns) continue;
                for (std::int64_t i = 0; i < seen.channels; ++i)
                  stage.map[static_cast<std::size_t>((o * to.rows + y) * to.columns + x)].push_back(
                      {(i * seen.rows + iy) * seen.columns + ix,
                       ((o * kr + a) * kc + b) * seen.channels + i});
              }
            }
          }
        }
      }
      seen = to;
      const std::int64_t side = options_.pools.empty() ? 1 : options_.pools[c];
      if (c + 1 == options_.channels.size() && options_.averages()) {
        stage.pool = average(seen, seen.rows, seen.columns);
        seen = {.channels = seen.channels};
      } else if (side > 1) {
        const std::int64_t high = seen.rows == 1 ? 1 : side;
        stage.pool = average(seen, high, side);
        seen = {seen.channels, seen.rows / high, seen.columns / side};
      }
      all.push_back(stage);
    }
    for (const std::int64_t units : options_.hidden()) dense(units);
    dense(outputs_);
    return all;
  }

  /// Outputs of one sample; `moved` is the parameter that derivatives are taken in. `drawn`(layer, unit) are random gates, units numbered plane by plane.
  std::vector<Dual> outputs(std::span<const double> theta, std::span<const double> x, std::size_t moved,
                            const std::function<double(std::size_t, std::size_t)>& drawn,
                            Gates how = Gates::moving) const {
    const std::vector<Stage> all = stages();
    const auto weight = [&](std::size_t at) { return Dual{theta[at], at == moved ? 1.0 : 0.0}; };
    std::size_t first = 0, gate_first = 0;
    for (const Stage& stage : all) gate_first += static_cast<std::size_t>(stage.weights);
    std::vector<Dual> z, gate_z;
    for (const double value : x) z.push_back({value, 0});
    gate_z = z;
    for (std::size_t l = 0; l < all.size(); ++l) {
      const auto apply = [&](const Map& map, const std::vector<Dual>& in, std::size_t begin) {
        std::vector<Dual> out(map.size());
        for (std::size_t i = 0; i < map.size(); ++i) {
          for (const Connection& c : map[i]) {
            const Dual w =
                c.weight < 0 ? Dual{c.fixed, 0} : weight(begin + static_cast<std::size_t>(c.weight));
            out[i] = out[i] + w * in[static_cast<std::size_t>(c.from)];
          }
        }
        return out;
      };
      std::vector<Dual> q = apply(all[l].map, z, first);
      first += static_cast<std::size_t>(all[l].weights);
      if (l + 1 == all.size()) return q;
      std::vector<Dual> gate_q = q;
      if (options_.gated_by_network()) {
        gate_q = apply(all[l].map, gate_z, gate_first);
        gate_first += static_cast<std::size_t>(all[l].weights);
      }
      for (std::size_t i = 0; i < q.size(); ++i) {
        Dual gate{1, 0};
        if (options_.random_gates()) gate.v = drawn(l + 1, i);
        if (options_.own_gates() || options_.gated_by_network()) {
          std::vector<double> at(16, gate_q[i].v), value(16), slope(16);
          gate_.open<double>(at, value, slope);
          gate = {value[0], how == Gates::held ? 0 : slope[0] * gate_q[i].d};
        }
        q[i] = q[i] * gate;
        gate_q[i] = gate_q[i] * gate;
      }
      z = all[l].pool.empty() ? q : apply(all[l].pool, q, 0);
      gate_z = all[l].pool.empty() ? gate_q : apply(all[l].pool, gate_q, 0);
    }
    return z;
  }

 private:
  static Map average(const net::Volume& from, std::int64_t rows, std::int64_t columns) {
    if (from.rows == 1) rows = 1;
    const std::int64_t high = from.rows / rows, wide = from.columns / columns;
    Map map(static_cast<std::size_t>(from.channels * high * wide));
    for (std::int64_t c = 0; c < from.channels; ++c) {
      for (std::int64_t y = 0; y < high * rows; ++y) {
        for (std::int64_t x = 0; x < wide * columns; ++x)
          map[static_cast<std::size_t>((c * high + y / rows) * wide + x / columns)].push_back(
              {(c * from.rows + y) * from.columns + x, -1, 1.0 / static_cast<double>(rows * columns)});
      }
    }
    return map;
  }

  net::DeepOptions options_;
  net::Volume input_;
  std::int64_t outputs_;
  net::GateFunction gate_;
};

}  // namespace sluice::test
