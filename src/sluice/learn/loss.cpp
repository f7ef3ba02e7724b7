#include "sluice/learn/loss.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

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

}  // namespace

std::span<const Loss> losses() { return kTable; }
spec::Choices loss_choices() { return kChoices; }

const Loss& loss(std::string_view name) {
  for (const Loss& entry : kTable) {
    if (entry.choice.name == name) return entry;
  }
  throw std::logic_error("no loss named " + std::string(name));
}

}  // namespace sluice::learn
