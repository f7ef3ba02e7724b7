/// Response operators of flow/ on the vectors of the theory.
#pragma once

#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/response.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

inline Vector respond(const flow::Response& response, const Vector& w) {
  Vector f(w.size());
  response.single(view(w), view(f));
  return f;
}
inline Vector respond(const flow::PairResponse& response, const Vector& w, const Vector& v) {
  Vector p(w.size());
  response.pair(view(w), view(v), view(p));
  return p;
}
inline flow::GaussianResponse gaussian_response(const Ring& covariance) {
  return flow::GaussianResponse(flow::Covariance::circulant(view(covariance.row)));
}

}  // namespace sluice::theory
