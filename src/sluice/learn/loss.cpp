#include "sluice/learn/loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "sluice/math/quantile.hpp"

namespace sluice::learn {
namespace {

constexpr std::array kTable{
    Loss{{"half-squared", "½(ŷ-y)²"},
         [](double output, double label) { return 0.5 * (output - label) * (output - label); },
         [](double output, double label) { return output - label; },
         false},
    Loss{{"l1", "|ŷ-y|"},
         [](double output, double label) { return std::abs(output - label); },
         [](double output, double label) {
           return output == label ? 0.0 : std::copysign(1.0, output - label);
         },
         false},
    Loss{{"cross-entropy", "ln(1+e^ŷ) - y ŷ, ŷ the logit of label 1 against label 0"},
         // ln(1+e^ŷ) without overflow: the larger of 0 and ŷ, and what is left
         [](double output, double label) {
           return (output > 0 ? output : 0.0) + std::log1p(std::exp(-std::abs(output))) - label * output;
         },
         [](double output, double label) { return 1 / (1 + std::exp(-output)) - label; },
         true},
};
constexpr auto kChoices = spec::choices_of(kTable);

/// ln Σ_j e^(ŷ_j)
double log_sum(const float* outputs, std::int64_t count, std::int64_t stride) {
  double largest = outputs[0];
  for (std::int64_t j = 1; j < count; ++j) largest = std::max<double>(largest, outputs[j * stride]);
  double sum = 0;
  for (std::int64_t j = 0; j < count; ++j) sum += std::exp(outputs[j * stride] - largest);
  return largest + std::log(sum);
}

double target(std::int64_t output, double label) { return static_cast<double>(output) == label ? 1.0 : 0.0; }

}  // namespace

std::span<const Loss> losses() { return kTable; }
spec::Choices loss_choices() { return kChoices; }

const Loss& loss(std::string_view name) {
  for (const Loss& entry : kTable) {
    if (entry.choice.name == name) return entry;
  }
  throw std::logic_error("no loss named " + std::string(name));
}

OutputLoss::OutputLoss(const Loss& loss, std::int64_t outputs, double midpoint)
    : loss_(loss), outputs_(outputs), midpoint_(midpoint) {}

double OutputLoss::value(const float* outputs, std::int64_t stride, double label) const {
  if (outputs_ == 1) return loss_.value(outputs[0], label);
  if (softmax())
    return log_sum(outputs, outputs_, stride) - outputs[static_cast<std::int64_t>(label) * stride];
  double sum = 0;
  for (std::int64_t j = 0; j < outputs_; ++j) sum += loss_.value(outputs[j * stride], target(j, label));
  return sum;
}

void OutputLoss::slopes(const float* outputs, std::int64_t stride, double label, double scale,
                        float* slopes) const {
  if (outputs_ == 1) {
    slopes[0] = static_cast<float>(scale * loss_.slope(outputs[0], label));
    return;
  }
  const double norm = softmax() ? log_sum(outputs, outputs_, stride) : 0;
  for (std::int64_t j = 0; j < outputs_; ++j) {
    const double output = outputs[j * stride];
    const double slope =
        softmax() ? std::exp(output - norm) - target(j, label) : loss_.slope(output, target(j, label));
    slopes[j * stride] = static_cast<float>(scale * slope);
  }
}

void OutputLoss::slopes_of_block(const float* outputs, std::int64_t stride, std::span<const float> labels,
                                 double scale, float* slopes) const {
  if (outputs_ == 1 && &loss_ == &kTable[0]) {  // ½(ŷ−y)², in a loop that the compiler makes vectors of
    for (std::size_t r = 0; r < labels.size(); ++r)
      slopes[r] =
          static_cast<float>(scale * (static_cast<double>(outputs[r]) - static_cast<double>(labels[r])));
    return;
  }
  for (std::size_t r = 0; r < labels.size(); ++r)
    this->slopes(outputs + r, stride, labels[r], scale, slopes + r);
}

/// The mean of what an output should be: the minimum of squares; of cross-entropies its logarithm (against the rest, or the others); of
/// absolute differences the median instead.
std::vector<float> OutputLoss::best_constant(std::span<const float> labels) const {
  constexpr double kLeast = 1e-12;  // a class without a sample
  std::vector<float> best;
  for (std::int64_t j = 0; j < outputs_; ++j) {
    std::vector<double> wanted;
    for (const float label : labels) wanted.push_back(outputs_ == 1 ? double{label} : target(j, label));
    const double mean =
        std::accumulate(wanted.begin(), wanted.end(), 0.0) / static_cast<double>(wanted.size());
    const double odds = outputs_ == 1 ? mean / std::max(1 - mean, kLeast) : mean;
    const double value = loss_.logit                 ? std::log(std::max(odds, kLeast))
                         : loss_.choice.name == "l1" ? math::median(wanted)
                                                     : mean;
    best.push_back(static_cast<float>(value));
  }
  return best;
}

bool OutputLoss::right(const float* outputs, std::int64_t stride, double label) const {
  if (outputs_ == 1) {
    const double boundary = loss_.logit ? 0.0 : midpoint_;
    return (outputs[0] > boundary) == (label > midpoint_);
  }
  std::int64_t best = 0;
  for (std::int64_t j = 1; j < outputs_; ++j) {
    if (outputs[j * stride] > outputs[best * stride]) best = j;
  }
  return static_cast<double>(best) == label;
}

}  // namespace sluice::learn
