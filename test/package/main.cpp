// Samples the NLGP and compares its variance with the closed form, through the installed headers alone.
#include <cmath>
#include <cstdio>
#include <sluice/task/nlgp.hpp>
#include <sluice/version.hpp>
#include <vector>

int main() {
  sluice::task::NlgpOptions options;
  options.gain = 3.0;
  const auto task = options.make();
  std::vector<float> rows(40 * 10'000);
  std::vector<float> scratch(rows.size());
  task->sample({.seed = 7}, 0, rows, scratch);
  double second = 0;
  for (const float x : rows) second += static_cast<double>(x) * x;
  second /= static_cast<double>(rows.size());
  std::printf("sluice %s: variance %.4f, exact %.4f\n", sluice::version().data(), second,
              task->moments(0).covariance[0]);
  return std::abs(second - 1) < 0.02 ? 0 : 1;
}
