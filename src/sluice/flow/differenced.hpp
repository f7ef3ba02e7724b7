/// Derivatives by central differences. The step is 3·10⁻⁵ of the largest weight: the error of a function in closed form, to the last
/// digits, is then some 10⁻⁹ of the derivative. Two values for every weight.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "sluice/flow/curved.hpp"

namespace sluice::flow {

/// out = ∂f_i/∂w_j, [n, n], of a map of fields to fields of the same size.
void central_differences(const std::function<void(std::span<const double>, std::span<double>)>& f,
                         std::span<const double> w, std::span<double> out);

/// Any smooth response with its derivative.
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
