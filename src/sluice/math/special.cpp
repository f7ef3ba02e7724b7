#include "sluice/math/special.hpp"

#include <Eigen/Core>
#include <cmath>
#include <unsupported/Eigen/SpecialFunctions>

namespace sluice::math {

void erf_in_place(std::span<float> values, float factor) {
  Eigen::Map<Eigen::ArrayXf> x(values.data(), static_cast<Eigen::Index>(values.size()));
  x = (factor * x).erf();
}

void erf_in_place(std::span<double> values, double factor) {
  for (double& x : values) x = std::erf(factor * x);
}

}  // namespace sluice::math
