#include "sluice/theory/cube_gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sluice/file/errors.hpp"
#include "sluice/flow/ising.hpp"
#include "sluice/theory/sign_sums.hpp"

namespace sluice::theory {

double CubeGate::count(std::size_t entry, int sign) const {
  const auto half = static_cast<double>(open) + static_cast<double>(ties) / 2;  // 2^(k−1)
  return half * (1 + sign * chow[entry]) / 2;
}

CubeGate cube_gate(std::span<const double> w, math::Workers& workers) {
  std::vector<double> entries;
  std::ranges::copy_if(w, std::back_inserter(entries), [](double value) { return value != 0; });
  if (entries.size() > CubeGate::kMost)
    throw InputError(fmt::format("weights: expected at most {} entries other than zero, found {}",
                                 CubeGate::kMost, entries.size()));
  CubeGate gate;
  gate.ties = SignSums(entries, workers).ties();
  gate.open = ((std::int64_t{1} << entries.size()) - gate.ties) / 2;
  // Free spins are the uniform law, and f = ½ E[sgn⟨w,x⟩ x]; an entry more that is zero changes nothing.
  constexpr std::size_t kLeastSpins = 4;
  entries.resize(std::max(entries.size(), kLeastSpins));
  std::vector<double> f(entries.size());
  flow::IsingResponse(static_cast<std::int64_t>(entries.size()), 0).single(entries, f);
  gate.chow.assign(w.size(), 0.0);
  for (std::size_t i = 0, k = 0; i < w.size(); ++i)
    if (w[i] != 0) gate.chow[i] = 2 * f[k++];
  return gate;
}

}  // namespace sluice::theory
