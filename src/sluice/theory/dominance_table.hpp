/// Which receptive field makes the two classes easiest to tell by how strongly a unit answers? The best of every family of shapes, by the
/// probability for one position and for the average over positions (dominance.hpp), and where a free field climbs to; as tables.  ledger: N2.7, N2.c5
#pragma once

#include <string>
#include <vector>

#include "sluice/theory/dominance.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::theory {

/// A field with ½w'(C₁+C₀)w = 1.
struct DominantShape {
  std::string name;
  Vector weights;
  Probability single;    ///< P(|⟨w,X₁⟩| > |⟨w,X₀⟩|)
  Probability averaged;  ///< P(∫σ(|w∗X₁|+b) > ∫σ(|w∗X₀|+b)), b = −1
};

/// Constant, waves, bumps, Gabors, one site; of each family the best by either probability, the two being one row where they agree.
std::vector<DominantShape> dominant_shapes(const Sampler& sampler, const Data& data);

/// Climbs P(|⟨w,X₁⟩| > |⟨w,X₀⟩|) over all fields from the given one: ascent on pairs of draws with the step 1(u > 0) smoothed to a logistic
/// function that becomes steeper; the result is judged on other draws by whoever asks.
Vector climb_dominance(const Sampler& sampler, const Data& data, const Vector& start);

/// Of every unit, beside what it would be for Gaussian data of the same covariances.                              ledger: G.1
Table dominance_of_units(const Request& request);
/// The best shapes, then where free fields climb to from the best of them.
Table dominance_of_shapes(const Request& request);

}  // namespace sluice::theory
