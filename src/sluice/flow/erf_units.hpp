/// Expectations of erf units with biases on Gaussian inputs of covariance C: what a flow of such a network is made of.
///   σ(h) = erf(h/√2),  σ'(h) = √(2/π) e^(−h²/2)
///   S = ⟨w,X⟩, T = ⟨v,X⟩;   a = wᵀCw, t = vᵀCv, ρ = wᵀCv;   b, c the biases of w and v
/// Every vector answer is a combination of Cw and Cv, so scalars are all there is to compute.
#pragma once

namespace sluice::flow {

struct ErfUnit {
  double variance;  ///< a = wᵀCw
  double bias;      ///< b
};

/// E σ(S+b) = erf(b/√(2(1+a)))                                                              ledger: E.5
double erf_value(const ErfUnit& unit);
/// E σ'(S+b) = √(2/π) (1+a)^(−½) e^(−b²/(2(1+a)))                                           ledger: E.1
double erf_slope(const ErfUnit& unit);
/// E[σ'(S+b) X] = this · Cw,   −b/(1+a) · E σ'(S+b)                                         ledger: E.1, E.6
double erf_slope_input(const ErfUnit& unit);

struct ErfPair {
  ErfUnit w;          ///< the unit whose slope is taken
  ErfUnit v;          ///< the unit whose value is taken; may be the same unit (ρ = a = t, c = b)
  double covariance;  ///< ρ = wᵀCv
};

/// H = E[σ(T+c) σ'(S+b)] = E σ'(S+b) · erf(κ),  κ = (c − ρb/(1+a))/√(2(1+u)),  u = t − ρ²/(1+a)      ledger: E.2
double erf_value_slope(const ErfPair& pair);

/// E[σ(T+c) σ'(S+b) X] = with_w · Cw + with_v · Cv                                          ledger: E.3
///   with_w = ∂H/∂b
///   with_v = (2/π) det(I+Ω)^(−½) exp(−½ βᵀ(I+Ω)⁻¹β),  Ω = [[a,ρ],[ρ,t]], β = (b,c)
struct ErfInput {
  double with_w;
  double with_v;
};
ErfInput erf_value_slope_input(const ErfPair& pair);

/// E[σ(S+b) σ(T+c)]; without biases (2/π) arcsin(ρ/√((1+a)(1+t)))                           ledger: E.5
double erf_value_value(const ErfPair& pair);

}  // namespace sluice::flow
