/// Receptive fields by construction, on which the criterion of localized.hpp is tried: kinds that must count as localized and kinds
/// that must not, on rings and tori. Every field is a function of its kind, size and number; noise is white and has a tenth of the
/// field's norm. docs/theory/localized.md has the results.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sluice/math/random.hpp"

namespace sluice::theory {

struct PanelKind {
  std::string name;
  bool counts;  ///< must count as localized
  /// On n sites of a ring, or n × n of a torus.
  std::function<std::vector<double>(std::int64_t n, math::RowNumbers& random)> draw;
};

/// Widths up to which fields must count: bumps exp(−d²/2σ²) to n/12, Gabor functions to n/10.
std::span<const PanelKind> ring_panel();
/// Blobs to n/6, Gabor functions to n/8.
std::span<const PanelKind> torus_panel();

/// The number-th field of a kind.
std::vector<float> panel_field(const PanelKind& kind, std::int64_t n, std::uint32_t number);

/// The same with its phases drawn at random: every |ŵ_k| stays, so it must not count. `side` = 0: a ring.
std::vector<float> phase_shuffled(std::span<const float> field, std::int64_t side, std::uint32_t number);

/// How many of the first `count` fields are localized, and of these with phases at random.
struct PanelShare {
  double share;
  double shuffled;  ///< NaN for kinds that must not count
};
PanelShare panel_share(const PanelKind& kind, std::int64_t n, bool torus, std::uint32_t count);

}  // namespace sluice::theory
