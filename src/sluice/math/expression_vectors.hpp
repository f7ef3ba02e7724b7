/// The functions of formulas over arrays of floats, in vector code: what units that are typed as formulas are trained with. In double they are
/// the standard library's (expression_functions.cpp); these agree with them to a few units in the last place of a float, erfc and Phi
/// to as much of 1.
#pragma once

#include <cstddef>

namespace sluice::math {

enum class VectorOfOne {
  abs,
  arccos,
  arcsin,
  arctan,
  cos,
  cosh,
  erf,
  erfc,
  exp,
  log,
  normal_below,
  relu,
  sgn,
  sin,
  sinh,
  sqrt,
  step,
  tan,
  tanh
};
enum class VectorOfTwo { plus, minus, times, divided, power, above, larger, smaller };

/// out[i] = f(x[i]). Count: a multiple of kWidestVector (lanes.hpp).
void over_floats(VectorOfOne function, const float* x, float* out, std::size_t count);
/// out[i] = f(x[i], y[i]); a step of 0 takes the first number of an array again and again.
void over_floats(VectorOfTwo function, const float* x, std::size_t step_x, const float* y, std::size_t step_y,
                 float* out, std::size_t count);

}  // namespace sluice::math
