#include "sluice/lab/pair_covariance.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "sluice/flow/gate_moments.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/task/nlgp.hpp"
#include "sluice/theory/bump_gates.hpp"

namespace sluice::lab {
namespace {

/// The one site that v sees with weight 1; n where there is none.
std::size_t site_of(std::span<const float> v) {
  const auto at = std::ranges::find(v, 1.0F);
  const auto others = v.size() - static_cast<std::size_t>(std::ranges::count(v, 0.0F));
  return at == v.end() || others != 1 ? v.size() : static_cast<std::size_t>(at - v.begin());
}

}  // namespace

std::string no_bump_pair(const record::Recording& run) {
  std::string lack = "needs two gated linear units behind opposite small-bump gates on nlgp data (note 003)";
  const file::Array* gates = file::find(run.arrays, "gates");
  if (gates == nullptr || gates->shape.size() != 2 || gates->shape[0] != 2 || !run.layout.on_ring())
    return lack;
  const std::vector<float>& v = gates->as<float>();
  const std::size_t n = v.size() / 2;
  if (site_of(std::span(v).first(n)) == n) return lack;
  for (std::size_t i = 0; i < n; ++i)
    if (v[n + i] != -v[i]) return lack;
  const Experiment experiment = parse_spec(run.spec, run.name);
  const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&experiment.task.options());
  const auto* family = dynamic_cast<const net::GatedLinearFamily*>(&experiment.network.options());
  if (family == nullptr || !family->gate.half_spaces()) return lack;
  return nlgp != nullptr && std::isfinite(nlgp->gain) ? "" : lack;
}

figure::PairCovarianceView pair_covariance(const record::Recording& run) {
  const Experiment experiment = parse_spec(run.spec, run.name);
  const auto& nlgp = dynamic_cast<const task::NlgpOptions&>(experiment.task.options());
  const std::vector<float>& gates = file::find(run.arrays, "gates")->as<float>();
  const std::size_t n = gates.size() / 2;
  const std::size_t site = site_of(std::span(gates).first(n));
  const std::unique_ptr<task::Task> task = experiment.task.make();
  const auto network = experiment.network.make({.inputs = task->inputs(), .dimensions = task->dimensions()});
  math::Workers alone(1);
  const flow::GateMoments moments =
      flow::gate_moments(dynamic_cast<const net::GatedLinearNetwork&>(*network), gates, experiment.task,
                         *task, {.method = "closed"}, alone);
  const theory::Ring latent = theory::latent_covariance(nlgp.n, nlgp.xi[0]);
  figure::PairCovarianceView view{.title = run.name, .sites = n, .corrected = {}, .printed = {}};
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l) {
      view.corrected.push_back(
          moments.block(0, 0, static_cast<std::int64_t>(k), static_cast<std::int64_t>(l)));
      view.printed.push_back(theory::printed_gate_covariance(latent, nlgp.gain, site, k, l));
    }
  }
  return view;
}

}  // namespace sluice::lab
