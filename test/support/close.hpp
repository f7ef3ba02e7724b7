/// A tolerance is a value with a reason; NaN is never close; the margin is printed.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

namespace sluice::test {

struct Tolerance {
  double rel;
  double abs;
  std::string_view why;
};

inline Tolerance relative(double rel, std::string_view why) { return {rel, 0, why}; }
inline Tolerance absolute(double abs, std::string_view why) { return {0, abs, why}; }
inline Tolerance sampling(double standard_error) { return {0, 4 * standard_error, "four standard errors"}; }

inline testing::AssertionResult close(double got, double want, const Tolerance& t) {
  const double off = std::abs(got - want);
  const double allowed = t.abs + t.rel * std::abs(want);
  if (off <= allowed) return testing::AssertionSuccess();  // false for NaN
  return testing::AssertionFailure() << got << " is not " << want << ": off by " << off << ", "
                                     << off / allowed << " times the allowance (" << t.why << ")";
}

}  // namespace sluice::test
