#include "sluice/flow/gate_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sluice/math/assert.hpp"

namespace sluice::flow {
namespace {

/// A candidate beside the gates that were chosen.
struct Candidate {
  std::vector<double> variance;  // [n]: the diagonal of A_cc
  std::vector<double> schur;     // [n, n]: S_c
  std::vector<double> rest;      // [n]: r
  std::vector<double> above;     // [rounds n, n]: L⁻¹ A_Sc, a block of n rows per chosen gate
};

Candidate alone(const GatePoints& points, std::span<const std::uint64_t> open) {
  const auto n = static_cast<std::size_t>(points.inputs), stride = static_cast<std::size_t>(points.stride);
  const std::vector<double> product = open_product(points, open, open);
  Candidate candidate;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) candidate.schur.push_back(product[i * stride + j]);
    candidate.rest.push_back(product[i * stride + n]);
    candidate.variance.push_back(product[i * stride + i]);
  }
  return candidate;
}

/// The gate that was chosen last: its triangle, L⁻¹ r, and its own L⁻¹ A_Ss.
struct Chosen {
  Triangle triangle;
  std::vector<double> explained;
  std::vector<double> above;
};

/// What is left of a candidate when `last` stands before it; `product` is A_sc, [n, stride].
void stand_behind(Candidate& candidate, const Chosen& last, std::vector<double> product, std::size_t stride) {
  const std::size_t n = candidate.rest.size(), before = last.above.size() / n;
  for (std::size_t t = 0; t < before; ++t) {
    const double* own = &candidate.above[t * n];
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = last.above[t * n + i];
      for (std::size_t j = 0; j < n; ++j) product[i * stride + j] -= factor * own[j];
    }
  }
  candidate.above.resize((before + n) * n);
  double* rows = &candidate.above[before * n];
  for (std::size_t i = 0; i < n; ++i) {
    if (!last.triangle.kept(i)) continue;  // a row of zeros
    double* row = rows + i * n;
    std::copy_n(&product[i * stride], n, row);
    for (std::size_t t = 0; t < i; ++t)
      for (std::size_t j = 0; j < n; ++j) row[j] -= last.triangle.at(i, t) * rows[t * n + j];
    for (std::size_t j = 0; j < n; ++j) row[j] /= last.triangle.at(i, i);
    for (std::size_t a = 0; a < n; ++a) {
      candidate.rest[a] -= row[a] * last.explained[i];
      for (std::size_t j = 0; j < n; ++j) candidate.schur[a * n + j] -= row[a] * row[j];
    }
  }
}

/// Half-spaces with their metric, for steps that are angles.
class Border {
 public:
  Border(const GatePoints& points, math::Workers& workers)
      : points_(points),
        workers_(workers),
        metric_(second_moments(points, workers)),
        root_(metric_, diagonal(metric_)) {}

  /// ⟨a, C b⟩
  double product(std::span<const double> a, std::span<const double> b) const {
    const std::size_t n = a.size();
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) sum += a[i] * metric_[i * n + j] * b[j];
    return sum;
  }
  /// v/√⟨v,Cv⟩; a gate that is always open stays so.
  void normalise(std::span<float> v) const {
    const std::vector<double> wide(v.begin(), v.end());
    const double length = std::sqrt(product(wide, wide));
    if (!(length > 0)) return;
    for (float& value : v) value = static_cast<float>(static_cast<double>(value) / length);
  }

  /// C⁻¹ ∂J/∂v_k of all gates, [K, n]; the border of gate k reaches as far to either side as its next step.
  std::vector<double> ascent(std::span<const float> gates, const GateFit& fit,
                             std::span<const double> steps) const {
    constexpr double kNarrowest = 0.05;  // enough points
    std::vector<double> widths;
    for (const double step : steps) widths.push_back(std::max(step, kNarrowest));
    const std::vector<double> all = objective_gradient(points_, gates, fit, widths, workers_);
    const auto n = static_cast<std::size_t>(points_.inputs);
    std::vector<double> turned;
    for (std::size_t k = 0; k * n < all.size(); ++k) {
      const auto own = std::span(all).subspan(k * n, n);
      const std::vector<double> natural = root_.backward(root_.forward({own.begin(), own.end()}));
      turned.insert(turned.end(), natural.begin(), natural.end());
    }
    return turned;
  }

 private:
  /// C: behind a gate that is always open.
  static std::vector<double> second_moments(const GatePoints& points, math::Workers& workers) {
    const OpenBits open =
        open_bits(points, std::vector<float>(static_cast<std::size_t>(points.inputs)), workers);
    return point_moments(points, open, workers).a;
  }
  static std::vector<double> diagonal(const std::vector<double>& matrix) {
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(matrix[i * n + i]);
    return values;
  }

  const GatePoints& points_;
  math::Workers& workers_;
  std::vector<double> metric_;  // C, [n, n]
  Triangle root_;
};

}  // namespace

double greedy_memory(std::int64_t candidates, std::int64_t units, std::int64_t inputs) {
  return 8.0 * static_cast<double>(candidates) * static_cast<double>(units + 1) *
         static_cast<double>(inputs * inputs);
}

Greedy greedy_gates(const GatePoints& points, const OpenBits& candidates, std::int64_t units,
                    math::Workers& workers) {
  SLUICE_ASSERT(units <= candidates.gates);
  const auto count = static_cast<std::size_t>(candidates.gates);
  const auto stride = static_cast<std::size_t>(points.stride);
  std::vector<Candidate> all(count);
  std::vector<bool> taken(count);
  Greedy greedy;
  double objective = 0;
  for (std::int64_t round = 0; round < units; ++round) {
    std::vector<double> gains(count, -1);
    std::vector<Chosen> last;  // none or one
    if (round > 0) {
      Candidate& chosen = all[static_cast<std::size_t>(greedy.chosen.back())];
      Triangle triangle(std::move(chosen.schur), chosen.variance);
      std::vector<double> explained = triangle.forward(std::move(chosen.rest));
      last.push_back({std::move(triangle), std::move(explained), std::move(chosen.above)});
    }
    workers.run(candidates.gates, [&](std::int64_t index, int) {
      const auto c = static_cast<std::size_t>(index);
      if (taken[c]) return;
      if (last.empty())
        all[c] = alone(points, candidates.row(index));
      else
        stand_behind(all[c], last.front(),
                     open_product(points, candidates.row(greedy.chosen.back()), candidates.row(index)),
                     stride);
      gains[c] = Triangle(all[c].schur, all[c].variance).form(all[c].rest);
    });
    const auto best = std::ranges::max_element(gains) - gains.begin();
    greedy.evaluations += candidates.gates - round;
    greedy.chosen.push_back(best);
    taken[static_cast<std::size_t>(best)] = true;
    objective += gains[static_cast<std::size_t>(best)];
    greedy.objective.push_back(objective);
  }
  return greedy;
}

std::vector<double> objective_gradient(const GatePoints& points, std::span<const float> gates,
                                       const GateFit& fit, std::span<const double> widths,
                                       math::Workers& workers) {
  const auto n = static_cast<std::size_t>(points.inputs);
  const std::size_t units = gates.size() / n;
  constexpr std::int64_t kChunks = 32;  // added in order
  std::vector<std::vector<double>> parts(static_cast<std::size_t>(kChunks));
  workers.run(kChunks, [&](std::int64_t chunk, int) {
    std::vector<double>& part = parts[static_cast<std::size_t>(chunk)];
    part.resize(gates.size());
    std::vector<double> height(units), response(units);
    for (std::int64_t p = points.count * chunk / kChunks; p < points.count * (chunk + 1) / kChunks; ++p) {
      const float* x = points.row(p);
      double error = static_cast<double>(points.label(p));
      for (std::size_t k = 0; k < units; ++k) {
        float h = 0;
        double f = 0;
        for (std::size_t i = 0; i < n; ++i) {
          h += gates[k * n + i] * x[i];
          f += fit.weights[k * n + i] * static_cast<double>(x[i]);
        }
        height[k] = static_cast<double>(h);
        response[k] = f;
        if (h >= 0) error -= f;
      }
      for (std::size_t k = 0; k < units; ++k) {
        const double off = std::abs(height[k]) / widths[k];
        if (off >= 1) continue;
        const double between = error + (height[k] >= 0 ? 0.5 : -0.5) * response[k];
        const double factor = 2 * points.weight(p) * (1 - off) / widths[k] * response[k] * between;
        for (std::size_t i = 0; i < n; ++i) part[k * n + i] += factor * static_cast<double>(x[i]);
      }
    }
  });
  std::vector<double> all(gates.size());
  for (const std::vector<double>& part : parts)
    for (std::size_t at = 0; at < all.size(); ++at) all[at] += part[at];
  return all;
}

Refined refine_gates(const GatePoints& points, std::span<const float> gates, const RefineOptions& options,
                     math::Workers& workers) {
  const Border border(points, workers);
  const auto n = static_cast<std::size_t>(points.inputs);
  const std::size_t units = gates.size() / n;
  Refined now{.gates = {gates.begin(), gates.end()}, .objective = 0, .evaluations = 1};
  const auto own = [n](auto& all, std::size_t k) { return std::span(all).subspan(k * n, n); };
  for (std::size_t k = 0; k < units; ++k) border.normalise(own(now.gates, k));
  OpenBits open = open_bits(points, now.gates, workers);
  GateMoments moments = point_moments(points, open, workers);
  GateFit best = fit_gates(moments);
  std::vector<double> steps(units, options.first_step);
  std::vector<float> trial(n);
  for (std::int64_t sweep = 0; sweep < options.sweeps; ++sweep) {
    const std::vector<double> directions = border.ascent(now.gates, best, steps);
    for (std::size_t k = 0; k < units; ++k) {
      const auto direction = own(directions, k);
      const double length = std::sqrt(border.product(direction, direction));
      if (!(length > 0) || steps[k] < options.last_step) continue;
      for (std::size_t i = 0; i < n; ++i)
        trial[i] = now.gates[k * n + i] + static_cast<float>(steps[k] / length * direction[i]);
      border.normalise(trial);
      OpenBits moved = open;
      std::ranges::copy(open_bits(points, trial, workers).bits,
                        moved.bits.begin() + static_cast<std::ptrdiff_t>(k) * open.words);
      GateMoments there = moments;
      update_moments(points, moved, static_cast<std::int64_t>(k), there, workers);
      GateFit fit = fit_gates(there);
      ++now.evaluations;
      if (fit.objective > best.objective) {
        std::ranges::copy(trial, own(now.gates, k).begin());
        open = std::move(moved);
        moments = std::move(there);
        best = std::move(fit);
        steps[k] = std::min(1.5 * steps[k], options.first_step);
      } else {
        steps[k] /= 2;
      }
    }
    if (std::ranges::all_of(steps, [&](double step) { return step < options.last_step; })) break;
  }
  now.objective = best.objective;
  return now;
}

}  // namespace sluice::flow
