/// Which receptive field is best at its best scale, ¼ − R(w)/8, as nlgp data leave the Gaussian.            ledger: C.6
///   flat, Nyquist       the two ends of the Fourier basis, one of which wins on Gaussian data (N0.c6)
///   one site            e_0: κ = E|S|/sd(S) is as large as the data's own site, 1 at gain = inf
///   bumps, a Gabor      exp(−d²/(2s²)), s = 0.7, 1, 2; one of s = 2 with period 6
///   small-bump OLS      (C₀+C₁)⁻¹f(e_0), what a unit with the gate of one site learns (F.3)
///   trained             where the flow takes one unit from a random start (theory/trained_unit.hpp)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/task/nlgp.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

struct NamedShape {
  std::string name;
  Vector weights;
};
/// The last two depend on lengths and gain.
std::vector<NamedShape> landscape_shapes(const task::NlgpOptions& options);
/// Their names alone, which cost nothing.
std::vector<std::string> landscape_names();

struct ShapeLoss {
  double loss;
  double standard_error;
};
/// In the order of landscape_shapes(), from samples of a fixed seed: the same normals at every gain, so that differences
/// between gains are smoother than their errors.
std::vector<ShapeLoss> shape_losses(const task::NlgpOptions& options, std::int64_t samples);

}  // namespace sluice::theory
