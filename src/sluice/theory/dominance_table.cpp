#include "sluice/theory/dominance_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/task/dataset.hpp"
#include "sluice/theory/shapes.hpp"

namespace sluice::theory {
namespace {

constexpr double kBias = -1;

Vector at_unit_spread(const Vector& w, const Data& data) {
  return w / std::sqrt((form(w, data.one, w) + form(w, data.zero, w)) / 2);
}

struct ShapeFamily {
  std::vector<std::pair<std::string, Vector>> shapes;
};

std::vector<ShapeFamily> shape_families(std::size_t n) {
  std::vector<ShapeFamily> families{{{{"constant", flat(n)}}}, {{{"one site", unit(n, 0)}}}, {}, {}, {}};
  for (std::size_t k = 1; k <= n / 2; ++k) {
    Vector wave(n);
    for (std::size_t i = 0; i < n; ++i)
      wave[i] = std::cos(2 * std::numbers::pi * static_cast<double>(k * i) / static_cast<double>(n));
    families[2].shapes.emplace_back(fmt::format("wave, {} periods", k), wave);
  }
  for (const double s : {0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6})
    families[3].shapes.emplace_back(fmt::format("bump, sd {}", s), bump(n, s));
  for (const double s : {1.4, 2.0, 4.0})
    for (const double period : {4.0, 8.0, 16.0})
      families[4].shapes.emplace_back(fmt::format("Gabor, sd {}, period {}", s, period), gabor(n, s, period));
  return families;
}

Data two_classes_on_a_ring(const Request& request, const char* quantity) {
  std::shared_ptr<const task::Task> task = request.task.make();
  if (!task->layout().on_ring() || task->training_set() != nullptr)
    throw InputError(fmt::format("{}: task.kind = {}: expected samples without end on a ring", quantity,
                                 request.task.kind()));
  return data_of(std::move(task));
}

}  // namespace

std::vector<DominantShape> dominant_shapes(const Sampler& sampler, const Data& data) {
  std::vector<DominantShape> best;
  for (const ShapeFamily& family : shape_families(data.n())) {
    std::vector<DominantShape> all;
    for (const auto& [name, shape] : family.shapes) {
      const Vector w = at_unit_spread(shape, data);
      all.push_back({name, w, dominance(sampler, data, w), averaged_dominance(sampler, data, w, kBias)});
    }
    const auto by = [&](Probability DominantShape::*which) {
      return std::ranges::max_element(all, {},
                                      [which](const DominantShape& shape) { return (shape.*which).value; });
    };
    const auto single = by(&DominantShape::single), averaged = by(&DominantShape::averaged);
    best.push_back(*single);
    if (averaged != single) best.push_back(*averaged);
  }
  return best;
}

Vector climb_dominance(const Sampler& sampler, const Data& data, const Vector& start) {
  const std::size_t n = data.n();
  const task::FiniteSet set =
      task::draw_set(*data.task, sampler.samples(), sampler.seed(), math::Purpose::training);
  std::vector<std::size_t> rows[2];
  for (std::size_t s = 0; s < set.which_class.size(); ++s) rows[set.which_class[s]].push_back(s);
  const std::size_t pairs = std::min(rows[0].size(), rows[1].size());
  const auto x = [&](int which, std::size_t pair) {
    return std::span(set.x).subspan(rows[which][pair] * n, n);
  };
  Vector w = at_unit_spread(start, data);
  constexpr int kSteps = 200;
  for (int step = 0; step < kSteps; ++step) {
    const double progress = static_cast<double>(step) / kSteps;
    const double softness = 0.3 * std::pow(0.1, progress), length = 0.1 * std::pow(0.05, progress);
    Vector slope(n);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto one = x(0, pair), zero = x(1, pair);
      double s1 = 0, s0 = 0;
      for (std::size_t i = 0; i < n; ++i) {
        s1 += w[i] * static_cast<double>(one[i]);
        s0 += w[i] * static_cast<double>(zero[i]);
      }
      const double half = 1 / std::cosh((std::abs(s1) - std::abs(s0)) / (2 * softness));
      const double weight = half * half;  // of the logistic function's slope, up to a constant
      const double a = s1 < 0 ? -weight : weight, b = s0 < 0 ? -weight : weight;
      for (std::size_t i = 0; i < n; ++i)
        slope[i] += a * static_cast<double>(one[i]) - b * static_cast<double>(zero[i]);
    }
    w = at_unit_spread(w + length * norm(w) / norm(slope) * slope, data);
  }
  return w;
}

Table dominance_of_units(const Request& request) {
  constexpr std::int64_t kSamples = 100'000;
  const Data data = two_classes_on_a_ring(request, "dominance");
  math::Workers workers(math::hardware_threads());
  const Sampler sampler(kSamples, request.seed, workers);
  Table table{{"one position", "± one position", "as if Gaussian", "average", "± average"}, {}};
  for (std::size_t k = 0; k < request.weights.size(); ++k) {
    const Vector& w = request.weights[k];
    table.labels.push_back(fmt::format("unit {}", k));
    const Probability single = dominance(sampler, data, w);
    const Probability average = averaged_dominance(sampler, data, w, request.biases[k]);
    table.rows.push_back({single.value, single.standard_error, gaussian_dominance(w, data.one, data.zero),
                          average.value, average.standard_error});
  }
  return table;
}

Table dominance_of_shapes(const Request& request) {
  constexpr std::int64_t kSamples = 20'000;
  const Data data = two_classes_on_a_ring(request, "dominance-shapes");
  math::Workers workers(math::hardware_threads());
  const Sampler sampler(kSamples, request.seed, workers);
  std::vector<DominantShape> shapes = dominant_shapes(sampler, data);
  const auto start =
      std::ranges::max_element(shapes, {}, [](const DominantShape& shape) { return shape.single.value; });
  const Vector free = climb_dominance(sampler, data, start->weights);
  shapes.push_back({"free field, from " + start->name, free, dominance(sampler, data, free),
                    averaged_dominance(sampler, data, free, kBias)});
  Table table{{"one position", "± one position", "average", "± average", "IPR"}, {}};
  for (const DominantShape& shape : shapes) {
    table.labels.push_back(shape.name);
    table.rows.push_back({shape.single.value, shape.single.standard_error, shape.averaged.value,
                          shape.averaged.standard_error, participation(shape.weights)});
  }
  return table;
}

}  // namespace sluice::theory
