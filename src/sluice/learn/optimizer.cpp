#include "sluice/learn/optimizer.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace sluice::learn {
namespace {

/// memory ← keep·memory + add, stored as float; returns what is stored.
double remember(float& memory, double keep, double add) {
  memory = static_cast<float>(keep * static_cast<double>(memory) + add);
  return memory;
}

double sgd(const OptimizerOptions& o, std::int64_t, double parameter, double gradient, const Memory&) {
  return parameter - o.rate * gradient;
}

double momentum(const OptimizerOptions& o, std::int64_t, double parameter, double gradient,
                const Memory& memory) {
  return parameter - o.rate * remember(*memory.first, o.momentum, gradient);
}

double rmsprop(const OptimizerOptions& o, std::int64_t, double parameter, double gradient,
               const Memory& memory) {
  const double second = remember(*memory.first, o.decay, (1 - o.decay) * gradient * gradient);
  return parameter - o.rate * gradient / (std::sqrt(second) + o.epsilon);
}

double adam(const OptimizerOptions& o, std::int64_t t, double parameter, double gradient,
            const Memory& memory) {
  const auto step = static_cast<double>(t);
  const double first = remember(*memory.first, o.momentum, (1 - o.momentum) * gradient);
  const double second = remember(*memory.second, o.decay, (1 - o.decay) * gradient * gradient);
  const double mean = first / (1 - std::pow(o.momentum, step));
  const double spread = std::sqrt(second / (1 - std::pow(o.decay, step)));
  return parameter - o.rate * mean / (spread + o.epsilon);
}

constexpr std::array kTable{
    Optimizer{{"sgd", "stochastic gradient descent, fresh samples every step"}, 0, false, false, sgd},
    Optimizer{{"momentum", "gradient descent with momentum"}, 1, true, false, momentum},
    Optimizer{{"rmsprop", "gradients divided by their running root mean square"}, 1, false, true, rmsprop},
    Optimizer{{"adam", "momentum and running root mean square, both bias-corrected"}, 2, true, true, adam},
};
constexpr auto kChoices = spec::choices_of(kTable);

}  // namespace

std::span<const Optimizer> optimizers() { return kTable; }
spec::Choices optimizer_choices() { return kChoices; }

const Optimizer& optimizer(std::string_view name) {
  for (const Optimizer& entry : kTable) {
    if (entry.choice.name == name) return entry;
  }
  throw std::logic_error("no optimizer named " + std::string(name));
}

}  // namespace sluice::learn
