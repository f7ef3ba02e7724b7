/// The loss of one sample with one output or several.
///   one output    as learn/loss.hpp
///   C outputs     the label is a class c: cross-entropy −ln softmax(ŷ)_c, others Σ_j L(ŷ_j, 1(j = c))
#pragma once

#include <cstdint>

#include "sluice/learn/loss.hpp"

namespace sluice::learn {

class OutputLoss {
 public:
  /// `midpoint` separates the labels of two classes where there is one output.
  OutputLoss(const Loss& loss, std::int64_t outputs, double midpoint);

  /// Outputs j of the sample stand at outputs[j·stride]; slopes, where asked for, receive scale·∂L/∂ŷ_j in the same places.
  double value(const float* outputs, std::int64_t stride, double label) const;
  void slopes(const float* outputs, std::int64_t stride, double label, double scale, float* slopes) const;
  /// Whether the sample is on its label's side of the boundary, or its class has the largest output.
  bool right(const float* outputs, std::int64_t stride, double label) const;

 private:
  bool softmax() const { return loss_.logit && outputs_ > 1; }

  const Loss& loss_;
  std::int64_t outputs_;
  double midpoint_;
};

}  // namespace sluice::learn
