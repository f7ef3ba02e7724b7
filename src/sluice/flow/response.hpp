/// How ReLU units answer one class of inputs, in expectation. X is a sample of the class; ties ⟨w,X⟩ = 0 open the gate
/// by half (J.2), so that f is odd also where ties have weight.
///   f(w)       = E[1(⟨w,X⟩ ≥ 0) X]                          ledger: N1.5, C.3
///   p(w, v)    = E[1(⟨w,X⟩ ≥ 0) ReLU(⟨v,X⟩) X]              ledger: N0.16, D.1
/// f is scale invariant, odd (X ~ −X), shift equivariant on a ring, and its Jacobian is orthogonal to w; it is the gradient
/// of E ReLU(⟨w,X⟩). p(w, w) = ½ E[XX'] w for every law with X ~ −X (N0.14).
#pragma once

#include <cstdint>
#include <span>

namespace sluice::flow {

class Response {
 public:
  virtual ~Response() = default;

  virtual std::int64_t inputs() const = 0;
  /// f(w). Safe to call from several threads with separate outputs.
  virtual void single(std::span<const double> w, std::span<double> f) const = 0;
};

/// What a flow of more than one unit needs besides f.
class PairResponse {
 public:
  virtual ~PairResponse() = default;

  virtual std::int64_t inputs() const = 0;
  /// p(w, v).
  virtual void pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const = 0;
};

}  // namespace sluice::flow
