/// Losses of one sample, given output ŷ and label y, and their derivative in ŷ.
///   half-squared   ½(ŷ−y)²                 ŷ − y                    ledger: N0.3
///   l1             |ŷ−y|                   sgn(ŷ−y)                 ledger: N2.28
///   cross-entropy  ln(1+e^ŷ) − y ŷ         1/(1+e^(−ŷ)) − y         ŷ is the logit of P(y = 1); labels are 1 and 0
#pragma once

#include <span>
#include <string_view>

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

}  // namespace sluice::learn
