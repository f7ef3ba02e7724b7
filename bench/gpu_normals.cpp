/// Are the normals of a GPU as good as those of the CPU?
///   gpu_normals [COUNT]      so many of them, 1e10 unless it is said; prints Markdown, and fails where they are not
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/judged_normals.hpp"

namespace sluice::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kComparedRows = 100'000;
constexpr std::int64_t kCoarse = 10'000'000;

std::int64_t steps_of(double count) {
  return std::max(std::int64_t{1}, static_cast<std::int64_t>(std::ceil(count / kNormalsOfStep)));
}

bool print_findings(double count) {
  const auto began = std::chrono::steady_clock::now();
  const NormalSums drawn = draw_normals(kSeed, steps_of(count));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print("{:.4g} normals in {:.2f} s\n\n", static_cast<double>(drawn.count), seconds);
  fmt::print(
      "| | found | expected | standard error | off by standard errors | seen from an error of |\n"
      "|---|---|---|---|---|---|\n");
  bool all = true;
  for (const Finding& each : judge(drawn)) {
    fmt::print("| {} | {:.8g} | {:.8g} | {:.2g} | {:.2f}{} | {:.2g} {} |\n", each.what, each.found,
               each.expected, each.standard_error, each.off(), each.holds() ? "" : " **fails**",
               each.resolution, each.unit);
    all = all && each.holds();
  }
  return all;
}

bool print_differences() {
  const Differences off = compare_with_cpu({.seed = kSeed}, kComparedRows);
  fmt::print(
      "\nAgainst the CPU at {} addresses, largest differences: {:.3f} last places (0.65 allowed); below 1/16 "
      "{:.2g} (3e-5); in pairs below 1/16 {:.2g} (5e-4){}\n",
      kComparedRows * kCounters, off.last_places, off.small, off.small_radius,
      off.hold() ? "" : " **fails**");
  return off.hold();
}

/// Would worse ones be seen? True: they are.
bool print_power(const char* what, const WordBits& bits) {
  const std::vector<Finding> findings = judge(draw_normals(kSeed, steps_of(kCoarse), bits));
  const auto failing = std::ranges::count_if(findings, [](const Finding& each) { return !each.holds(); });
  fmt::print("With {}, {:.0e} normals: {} of {} fail\n", what, static_cast<double>(kCoarse), failing,
             findings.size());
  return failing > 0;
}

}  // namespace
}  // namespace sluice::bench

int main(int argc, char** argv) {
  using namespace sluice::bench;
  try {
    const double count = argc > 1 ? std::stod(argv[1]) : 1e10;
    const bool normal = print_findings(count), like_the_cpu = print_differences();
    fmt::print("\n");
    const bool coarse_radius = print_power("16 bits of the radius", {.radius = 0xFFFF0000U});
    const bool coarse_angle = print_power("9 bits of the angle", {.angle = 0xFF800000U});
    return normal && like_the_cpu && coarse_radius && coarse_angle ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "gpu_normals: {}\n", failure.what());
    return EXIT_FAILURE;
  }
}
