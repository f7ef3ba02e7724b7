/// Are the normals of a GPU as good as those of the CPU?
///   gpu_normals [COUNT]      so many of them, and so many of `precision = "fast"`, 1e10 unless it is said; prints Markdown, and fails where they are not
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
constexpr double kCoarse = 1e7;

std::int64_t steps_of(double count, std::int64_t normals_of_step) {
  return std::max(std::int64_t{1},
                  static_cast<std::int64_t>(std::ceil(count / static_cast<double>(normals_of_step))));
}
NormalSums draw(double count, const WordBits& bits) {
  return draw_normals(kSeed, steps_of(count, kNormalsOfStep), bits);
}
StreamSums draw(double count, const StreamBits& bits) {
  return draw_streams(kSeed, steps_of(count, kNormalsOfStreams), bits);
}

std::int64_t count_of(const NormalSums& drawn) { return drawn.count; }
std::int64_t count_of(const StreamSums& drawn) { return drawn.normals.count; }

template <class Bits>
bool print_findings(const char* what, double count) {
  const auto began = std::chrono::steady_clock::now();
  const auto drawn = draw(count, Bits{});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print("{:.4g} {} in {:.2f} s\n\n", static_cast<double>(count_of(drawn)), what, seconds);
  fmt::print(
      "| | found | expected | standard error | off by standard errors | seen from an error of |\n"
      "|---|---|---|---|---|---|\n");
  bool all = true;
  for (const Finding& each : judge(drawn)) {
    const std::string known = each.known > 0 ? fmt::format(" ± {:.2g}", each.known) : "";
    fmt::print("| {} | {:.8g} | {:.8g}{} | {:.2g} | {:.2f}{} | {:.2g} {} |\n", each.what, each.found,
               each.expected, known, each.standard_error, each.off(), each.holds() ? "" : " **fails**",
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
bool print_power(const char* what, const auto& bits) {
  const std::vector<Finding> findings = judge(draw(kCoarse, bits));
  const auto failing = std::ranges::count_if(findings, [](const Finding& each) { return !each.holds(); });
  fmt::print("With {}, {:.0e} normals: {} of {} fail\n", what, kCoarse, failing, findings.size());
  return failing > 0;
}

}  // namespace
}  // namespace sluice::bench

int main(int argc, char** argv) {
  using namespace sluice::bench;
  try {
    const double count = argc > 1 ? std::stod(argv[1]) : 1e10;
    bool all = print_findings<WordBits>("normals", count);
    all &= print_differences();
    fmt::print("\n");
    all &= print_power("16 bits of the radius", WordBits{.radius = 0xFFFF0000U});
    all &= print_power("9 bits of the angle", WordBits{.angle = 0xFF800000U});
    fmt::print("\n");
    all &= print_findings<StreamBits>("normals of precision = \"fast\"", count);
    fmt::print("\n");
    all &= print_power("9 bits of the angle", StreamBits{.word = 0xFFFFFF80U});
    all &= print_power("a stream for two threads", StreamBits{.thread = ~1U});
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "gpu_normals: {}\n", failure.what());
    return EXIT_FAILURE;
  }
}
