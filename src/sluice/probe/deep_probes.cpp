#include "sluice/probe/deep_probes.hpp"

#include <array>

namespace sluice::probe {
namespace {

constexpr std::array<spec::Choice, 11> kChoices{{
    {"weight_norms", "‖Θ_l‖ of every layer"},
    {"tangent_trace", "tr K/n, the mean of K(s,s)"},
    {"tangent_spectrum", "eigenvalues of the tangent kernel K, ascending"},
    {"nu_tangent", "ν = y'H⁻¹y of H = K/tr K"},
    {"nu_gates", "ν of H = K^a/tr K^a, soft gates"},
    {"nu_gates_raw", "ν of H = K^a, soft gates"},
    {"nu_paths", "ν of H = M/tr M, M = (x'x)∘λ"},
    {"active_gates", "share of gates above τ_A, and log10 of the paths through them: active_paths"},
    {"sensitive_gates", "share of gates with a slope above τ_S, and log10 of their paths: sensitive_paths"},
    {"changed_gates", "share of gates that are not where they were at the start"},
    {"gate_overlap", "mean of λ(s,t)/√(λ(s,s)λ(t,t)) over pairs"},
}};

}  // namespace

spec::Choices deep_probe_choices() { return kChoices; }

}  // namespace sluice::probe
