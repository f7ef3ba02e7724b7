/// Losses of one sample, given output ŷ and label y, and their derivative in ŷ.
///   half-squared   ½(ŷ−y)²                 ŷ − y                    ledger: N0.3
///   l1             |ŷ−y|                   sgn(ŷ−y)                 ledger: N2.28
///   cross-entropy  ln(1+e^ŷ) − y ŷ         1/(1+e^(−ŷ)) − y         ŷ is the logit of P(y = 1); labels are 1 and 0
/// With C > 1 outputs the label is a class c: cross-entropy is −ln softmax(ŷ)_c, the others Σ_j L(ŷ_j, 1(j = c)).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sluice/spec/keys.hpp"

namespace sluice::learn {

struct Loss {
  spec::Choice choice;  ///< name and formula
  double (*value)(double output, double label);
  double (*slope)(double output, double label);
  bool logit;  ///< the output is a logit: the decision boundary is 0, not the labels' midpoint
};

std::span<const Loss> losses();
spec::Choices loss_choices();
const Loss& loss(std::string_view name);

/// The loss of a sample with one output or several.
class OutputLoss {
 public:
  /// `midpoint` separates the labels of two classes where there is one output.
  OutputLoss(const Loss& loss, std::int64_t outputs, double midpoint);

  std::string_view name() const { return loss_.choice.name; }

  /// Outputs j of the sample stand at outputs[j·stride]; slopes, where asked for, receive scale·∂L/∂ŷ_j in the same places.
  double value(const float* outputs, std::int64_t stride, double label) const;
  void slopes(const float* outputs, std::int64_t stride, double label, double scale, float* slopes) const;
  /// The same of a block [C, samples], one lane after the other.
  void slopes_of_block(const float* outputs, std::int64_t stride, std::span<const float> labels, double scale,
                       float* slopes) const;
  /// Whether the sample is on its label's side of the boundary, or its class has the largest output.
  bool right(const float* outputs, std::int64_t stride, double label) const;

  /// Outputs that do not depend on the sample and have the smallest mean loss on these labels.
  std::vector<float> best_constant(std::span<const float> labels) const;

 private:
  bool softmax() const { return loss_.logit && outputs_ > 1; }

  const Loss& loss_;
  std::int64_t outputs_;
  double midpoint_;
};

}  // namespace sluice::learn
