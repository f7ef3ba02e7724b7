#include "sluice/probe/kernel_bench.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sluice/kernel/memory.hpp"

namespace sluice::probe {
namespace {

std::vector<std::int64_t> chosen_rows(const task::FiniteSet& all, std::int64_t count, bool balanced) {
  std::array<std::int64_t, 2> room{count, count};
  if (balanced) {  // a class that is too small leaves its room to the other
    const auto of_second = std::ranges::count(all.which_class, 1);
    const std::int64_t second = std::min<std::int64_t>(of_second, count - count / 2);
    room[0] = std::min(all.size() - of_second, count - second);
    room[1] = count - room[0];
  }
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < all.size() && static_cast<std::int64_t>(rows.size()) < count; ++row) {
    if (room.at(all.which_class[static_cast<std::size_t>(row)])-- > 0) rows.push_back(row);
  }
  return rows;
}

std::vector<double> doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace

double bench_bytes(std::string_view probe, const net::DeepGated<float>& layers, std::int64_t samples) {
  const double exact = kernel::passage_bytes(layers, samples, sizeof(double));
  const double gates = kernel::passage_bytes(layers, samples, sizeof(float));
  if (probe == "nu_paths") return exact + kernel::paths_bytes(samples, sizeof(double));
  if (probe.starts_with("tangent_") || probe.starts_with("nu_"))
    return exact + kernel::tangent_bytes(layers, samples, sizeof(double));
  if (probe.starts_with("active_")) return gates;
  if (probe.starts_with("sensitive_")) return gates + kernel::sensitivity_bytes(layers);
  if (probe == "changed_gates") return 2 * gates;
  if (probe == "gate_overlap") return gates + kernel::paths_bytes(samples, sizeof(float));
  return 0;
}

KernelBench::KernelBench(const net::DeepNetwork& network, const task::FiniteSet* set, std::int64_t samples,
                         std::uint64_t seed, std::vector<float> start,
                         const kernel::GateThresholds& thresholds, math::Workers& workers)
    : network_(network),
      exact_(network.layers().options(), network.layers().input(), network.outputs()),
      seed_(seed),
      start_(std::move(start)),
      thresholds_(thresholds),
      workers_(workers) {
  if (set == nullptr) return;
  const bool balanced = set->classes == 0 && network.belongs_to_samples().empty();
  for (const std::int64_t row : chosen_rows(*set, std::min(samples, set->size()), balanced)) {
    const auto begin = set->x.begin() + row * set->inputs;
    x_.insert(x_.end(), begin, begin + set->inputs);
    y_.push_back(set->y[static_cast<std::size_t>(row)]);
  }
}

kernel::Passage<double> KernelBench::passage(std::span<const float> parameters) const {
  return {exact_, doubles(parameters), doubles(x_), seed_, workers_, true};
}

kernel::Passage<float> KernelBench::gates(std::span<const float> parameters) const {
  return {network_.layers(), parameters, x_, seed_, workers_, false};
}

}  // namespace sluice::probe
