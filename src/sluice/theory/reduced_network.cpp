#include "sluice/theory/reduced_network.hpp"

#include <cmath>
#include <numbers>

#include "sluice/math/assert.hpp"
#include "sluice/math/statistics.hpp"

namespace sluice::theory {

std::string_view to_string(Reduction reduction) {
  constexpr std::array<std::string_view, kReductions.size()> kNames{
      "full", "one bias each", "tiled", "tiled, as printed", "folded", "folded, as printed"};
  return kNames.at(static_cast<std::size_t>(reduction));
}

std::optional<ReducedNetwork::Sigmoid> ReducedNetwork::sigmoid(std::string_view activation) {
  if (activation == "erf") return Sigmoid{[](double h) { return std::erf(h / std::numbers::sqrt2); }, -1, 1};
  if (activation == "tanh") return Sigmoid{[](double h) { return std::tanh(h); }, -1, 1};
  if (activation == "sigmoid") return Sigmoid{[](double h) { return 1 / (1 + std::exp(-h)); }, 0, 1};
  return std::nullopt;
}

bool ReducedNetwork::saturates(std::string_view activation) { return sigmoid(activation).has_value(); }

ReducedNetwork::ReducedNetwork(std::string_view activation, std::span<const float> weights,
                               std::span<const float> biases)
    : sigmoid_(sigmoid(activation).value()),
      n_(weights.size() / biases.size()),
      weights_(weights.begin(), weights.end()),
      biases_(biases.begin(), biases.end()) {
  SLUICE_ASSERT(weights.size() == n_ * biases.size());
  for (std::size_t k = 0; k < biases_.size(); ++k) populations_[biases_[k] < 0 ? 0 : 1].units.push_back(k);
  for (UnitPopulation& population : populations_) {
    if (population.units.empty()) continue;
    std::vector<double> fields, own;
    for (const std::size_t k : population.units) {
      const auto field = std::span(weights_).subspan(k * n_, n_);
      fields.insert(fields.end(), field.begin(), field.end());
      own.push_back(biases_[k]);
    }
    const math::Statistics statistics(own);
    population.bias = statistics.mean();
    population.bias_spread = statistics.deviation();
    population.tiling = tile(fields, inputs());
  }
}

double ReducedNetwork::by_units(std::span<const float> x, bool own_biases) const {
  double sum = 0;
  for (const UnitPopulation& population : populations_)
    for (const std::size_t k : population.units) {
      double h = own_biases ? biases_[k] : population.bias;
      for (std::size_t i = 0; i < n_; ++i) h += weights_[k * n_ + i] * static_cast<double>(x[i]);
      sum += sigmoid_.value(h);
    }
  return sum / static_cast<double>(biases_.size());
}

double ReducedNetwork::by_filters(Reduction reduction, std::span<const float> x) const {
  double sum = 0;
  for (const UnitPopulation& population : populations_) {
    if (!population.tiling) continue;
    const std::vector<double>& filter = population.tiling->filter;
    const double b = population.bias;
    double integral = 0;
    for (std::size_t shift = 0; shift < n_; ++shift) {
      double h = 0;
      for (std::size_t i = 0; i < n_; ++i) h += filter[i] * static_cast<double>(x[(i + shift) % n_]);
      const double size = std::abs(h);
      switch (reduction) {
        case Reduction::folded:
          integral +=
              b < 0 ? sigmoid_.value(size + b) + sigmoid_.low : sigmoid_.high + sigmoid_.value(b - size);
          break;
        case Reduction::folded_as_printed:
          integral += 2 * sigmoid_.value(size + b);
          break;
        default:
          integral += sigmoid_.value(h + b) + sigmoid_.value(-h + b);
      }
    }
    const bool printed =
        reduction == Reduction::tiled_as_printed || reduction == Reduction::folded_as_printed;
    const double share =
        printed ? 0.5 : static_cast<double>(population.units.size()) / static_cast<double>(biases_.size());
    sum += share / 2 * integral / static_cast<double>(n_);
  }
  return sum;
}

double ReducedNetwork::output(Reduction reduction, std::span<const float> x) const {
  switch (reduction) {
    case Reduction::full:
      return by_units(x, true);
    case Reduction::biases:
      return by_units(x, false);
    default:
      return by_filters(reduction, x);
  }
}

}  // namespace sluice::theory
