/// Means over normal variables, by quadrature: a measurement without noise, and without the closed form that it is held against.
#pragma once

#include <functional>

#include "sluice/theory/vector.hpp"

namespace sluice::theory::claims {

/// E h(Z) of a standard normal Z.
double normal_mean(const std::function<double(double)>& h);

/// Second moments of a normal pair (S, T).
struct NormalPair {
  double ss, st, tt;
};
/// Of S = ⟨w,X⟩ and T = ⟨v,X⟩, X with covariance c.
NormalPair pair_of(const Ring& c, const Vector& w, const Vector& v);

using PairFunction = std::function<double(double s, double t)>;

/// E h(S, T), h smooth but for S = 0 and T = 0: in polar coordinates, where both are ends of an interval.
double normal_mean(const NormalPair& law, const PairFunction& h);

/// E[h(⟨w,X⟩, ⟨v,X⟩) X] of normal X with covariance c, w and v not parallel: X is its regression on the two and a rest independent of them.
Vector normal_response(const Ring& c, const Vector& w, const Vector& v, const PairFunction& h);
/// E[h(⟨w,X⟩) X].
Vector normal_response(const Ring& c, const Vector& w, const std::function<double(double)>& h);

}  // namespace sluice::theory::claims
