// Samples the NLGP and compares its variance with the closed form, through the installed headers alone.
#include <cmath>
#include <cstdio>
#include <sluice/task/nlgp.hpp>
#include <sluice/version.hpp>

int main() {
  sluice::task::NlgpOptions options;
  options.gain = 3.0;
  const auto task = options.make();
  sluice::math::LanesBuffer<float> x(40, 10'000);
  sluice::math::LanesBuffer<float> scratch(40, 10'000);
  task->sample({.seed = 7}, 0, x.lanes(10'000), scratch.lanes(10'000));
  double second = 0;
  for (const float value : x.lanes(10'000).all())
    second += static_cast<double>(value) * value / (40 * 10'000);
  std::printf("sluice %s: variance %.4f, exact %.4f\n", sluice::version().data(), second,
              task->moments(0).covariance[0]);
  return std::abs(second - 1) < 0.02 ? 0 : 1;
}
