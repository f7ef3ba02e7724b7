/// Any smooth response with its derivative by central differences. The step is 3·10⁻⁵ of the largest weight: the error of a response in closed
/// form, to the last digits, is then some 10⁻⁹ of the derivative. Two responses for every weight.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sluice/flow/curved.hpp"

namespace sluice::flow {

class DifferencedResponse final : public CurvedResponse {
 public:
  explicit DifferencedResponse(std::unique_ptr<const Response> response) : response_(std::move(response)) {}

  std::int64_t inputs() const override { return response_->inputs(); }
  void single(std::span<const double> w, std::span<double> f) const override { response_->single(w, f); }
  void derivative(std::span<const double> w, std::span<double> out) const override;

 private:
  std::unique_ptr<const Response> response_;
};

}  // namespace sluice::flow
