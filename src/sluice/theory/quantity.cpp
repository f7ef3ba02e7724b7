#include "sluice/theory/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "sluice/file/errors.hpp"
#include "sluice/flow/bumps.hpp"
#include "sluice/flow/elliptical.hpp"
#include "sluice/flow/mean_field.hpp"
#include "sluice/spec/suggest.hpp"
#include "sluice/task/gaussian.hpp"
#include "sluice/task/gaussian_clone.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/task/norta.hpp"
#include "sluice/theory/fourier.hpp"
#include "sluice/theory/initial_loss.hpp"
#include "sluice/theory/operators.hpp"
#include "sluice/theory/respond.hpp"

namespace sluice::theory {
namespace {

std::vector<std::string> numbered(const std::string& name, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{} {}", name, i));
  return names;
}
std::vector<double> row_of(const Vector& v) { return {std::begin(v), std::end(v)}; }

Ring covariance_of(const Request& request, int which_class) {
  return {vector_of(request.task.make()->moments(which_class).covariance)};
}

Table covariance(const Request& request) {
  const Ring c = covariance_of(request, request.which_class);
  Table table{{"distance", "covariance"}, {}};
  for (std::size_t d = 0; d < c.size(); ++d) table.rows.push_back({static_cast<double>(d), c.row[d]});
  return table;
}

Table spectrum(const Request& request) {
  const Vector lambda = eigenvalues(covariance_of(request, request.which_class));
  Table table{{"frequency", "eigenvalue"}, {}};
  for (std::size_t k = 0; k < lambda.size(); ++k) table.rows.push_back({static_cast<double>(k), lambda[k]});
  return table;
}

/// The operator's own refusal (bumps, ising) as the user's to mend.
template <class Answer>
Vector answered(const Request& request, std::size_t unit, const Answer& answer) {
  try {
    return answer();
  } catch (const std::invalid_argument&) {
    throw InputError(
        fmt::format("unit {}: no exact response of {} is known for these weights; choose --operator "
                    "mean-field or gaussian",
                    unit, request.task.kind()));
  }
}

Table response(const Request& request) {
  const std::unique_ptr<flow::Response> f =
      make_operator(request.response, request.task, request.which_class);
  const std::size_t sites = request.weights.front().size();
  Table table{numbered("site", sites), {}, numbered("unit", request.weights.size())};
  for (std::size_t k = 0; k < request.weights.size(); ++k) {
    table.rows.push_back(row_of(answered(request, k, [&] { return respond(*f, request.weights[k]); })));
  }
  return table;
}

Table pair_response(const Request& request) {
  const std::unique_ptr<flow::Response> f =
      make_operator(request.response, request.task, request.which_class);
  const auto* pair = dynamic_cast<const flow::PairResponse*>(f.get());
  if (pair == nullptr) {
    throw InputError(fmt::format(
        "pair-response: none is known for task.kind = {}; choose --operator gaussian", request.task.kind()));
  }
  Table table{numbered("site", request.weights.front().size()), {}};
  for (std::size_t k = 0; k < request.weights.size(); ++k) {
    for (std::size_t l = 0; l < request.weights.size(); ++l) {
      table.labels.push_back(fmt::format("units {}, {}", k, l));
      table.rows.push_back(row_of(
          answered(request, k, [&] { return respond(*pair, request.weights[k], request.weights[l]); })));
    }
  }
  return table;
}

/// φ(a) on 201 points of [−1, 1], beside the Gaussian's line a/√(2π).
Table amplifier(const Request& request) {
  const auto of_task = [&] {
    if (const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&request.task.options()))
      return flow::nlgp_amplifier(nlgp->gain);
    if (const auto* norta = dynamic_cast<const task::NortaOptions*>(&request.task.options()))
      return flow::norta_amplifier(norta->marginal, norta->order);
    throw InputError(fmt::format("amplifier: task.kind = {}: expected nlgp or norta", request.task.kind()));
  };
  const flow::Amplifier phi = of_task();
  Table table{{"a", "amplifier", "gaussian"}, {}};
  for (int i = -100; i <= 100; ++i) {
    const double a = i / 100.0;
    table.rows.push_back({a, phi(a), kGaussianScale * a});
  }
  return table;
}

Table normalisation(const Request& request) {
  const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&request.task.options());
  if (nlgp == nullptr) {
    throw InputError(fmt::format("normalisation: task.kind = {}: expected nlgp", request.task.kind()));
  }
  return {{"gain", "q", "Z_g", "excess kurtosis"},
          {{nlgp->gain, task::nlgp_q(nlgp->gain), task::nlgp_variance(nlgp->gain),
            task::nlgp_excess_kurtosis(nlgp->gain)}}};
}

/// c of N1.E for laws with a closed network loss; nothing for the others.
double elliptical_scale(const task::Options& options) {
  if (const auto* student = dynamic_cast<const task::StudentTOptions*>(&options))
    return flow::elliptical_constant(*student);
  if (const auto* shell = dynamic_cast<const task::ShellOptions*>(&options))
    return flow::elliptical_constant(*shell);
  if (const auto* mixture = dynamic_cast<const task::ScaleMixtureOptions*>(&options))
    return flow::elliptical_constant(*mixture);
  const bool gaussian = dynamic_cast<const task::GaussianOptions*>(&options) != nullptr ||
                        dynamic_cast<const task::GaussianCloneOptions*>(&options) != nullptr;
  return gaussian ? kGaussianScale : 0;
}

/// ŷ of one class.
OutputMoments output_moments(const Request& request, int which_class) {
  const std::string& kind = request.task.kind();
  if (kind == "teacher" || kind == "dataset")
    throw InputError(fmt::format("initial-loss: task.kind = {}: expected classes with a label each", kind));
  if (request.network.learns_readout() && request.network.readout_init.law != "mean")
    throw InputError("initial-loss: network.readout_init.law: expected \"mean\"");
  const Ring c = covariance_of(request, which_class);
  const double scale = elliptical_scale(request.task.options());
  const std::string& activation = request.network.activation;
  const bool biased =
      std::any_of(request.biases.begin(), request.biases.end(), [](double b) { return b != 0; });
  if (activation == "erf" && scale == kGaussianScale) return erf_output(c, request.weights, request.biases);
  if (activation == "relu" && !biased && scale != 0) return relu_output(c, request.weights, scale);
  if (activation == "relu" && !biased &&
      request.weights.size() == 1) {  // C.2: E|S| = 2⟨w,f⟩, E ReLU² = ½w'Cw
    const std::unique_ptr<flow::Response> f = make_operator(request.response, request.task, which_class);
    const Vector& w = request.weights.front();
    const double mean = dot(w, answered(request, 0, [&] { return respond(*f, w); }));
    return {mean, form(w, c, w) / 2};
  }
  throw InputError(fmt::format(
      "initial-loss: no closed form for {} units{} on {} data; expected relu without bias on elliptical "
      "data (or one unit whose response is known), or erf on Gaussian data",
      activation, biased ? " with bias" : "", request.task.kind()));
}

Table initial_loss(const Request& request) {
  const OutputMoments one = output_moments(request, 0);
  const OutputMoments zero = output_moments(request, 1);
  return {{"loss", "mean output 1", "mean output 0", "mean square 1", "mean square 0"},
          {{half_squared_loss(one, zero, request.task.make()->classes()), one.mean, zero.mean, one.square,
            zero.square}}};
}

constexpr std::array<Quantity, 7> kQuantities{{
    {{"covariance", "first row of Cov X of one class"}, false, covariance},
    {{"spectrum", "its eigenvalues λ_k, k = 0 … n−1"}, false, spectrum},
    {{"response", "f(w) = E[1(⟨w,X⟩ ≥ 0)X] of one class, one row per unit"}, true, response},
    {{"pair-response", "E[1(⟨w_k,X⟩ ≥ 0) ReLU⟨w_l,X⟩ X] of one class, one row per pair (k, l)"},
     true,
     pair_response},
    {{"amplifier", "φ(a) = E[x Φ(ax/√(1−a²))] of the mean field, beside the Gaussian's line"},
     false,
     amplifier},
    {{"normalisation", "q, Z_g and excess kurtosis of nlgp data"}, false, normalisation},
    {{"initial-loss", "½E(ŷ−Y)² at the given weights, where it is closed"}, true, initial_loss},
}};

}  // namespace

std::span<const Quantity> quantities() { return kQuantities; }

const Quantity& quantity(const std::string& name) {
  std::vector<std::string> names;
  for (const Quantity& each : kQuantities) {
    if (each.choice.name == name) return each;
    names.emplace_back(each.choice.name);
  }
  throw InputError(fmt::format("{}: no such quantity{}", name, spec::hint(name, names)));
}

}  // namespace sluice::theory
