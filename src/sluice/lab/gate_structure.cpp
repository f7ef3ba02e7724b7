#include "sluice/lab/gate_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "sluice/flow/gated_solution.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/math/symmetric.hpp"
#include "sluice/net/gated_linear.hpp"
#include "sluice/probe/ipr.hpp"
#include "sluice/task/nlgp.hpp"

namespace sluice::lab {
namespace {

constexpr double kGains[] = {0.01, 1, 3, 10, std::numeric_limits<double>::infinity()};

/// A⁺ = Σ_i p_i p_iᵀ/λ_i over the λ_i that are not 0.
std::vector<double> pseudo_inverse(const std::vector<double>& matrix, std::size_t n) {
  const math::SymmetricEigen eigen = math::symmetric_eigen(matrix, static_cast<std::int64_t>(n));
  const double null = flow::GatedSolution::kNull * static_cast<double>(n) * eigen.values.back();
  std::vector<double> inverse(n * n);
  for (std::size_t k = 0; k < n; ++k) {
    if (eigen.values[k] <= null) continue;
    const double* p = eigen.vectors.data() + k * n;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) inverse[i * n + j] += p[i] * p[j] / eigen.values[k];
  }
  return inverse;
}

/// One gate in front of a task.
class Behind {
 public:
  Behind(const Experiment& experiment, std::span<const float> gate)
      : experiment_(experiment), gate_(gate), workers_(math::hardware_threads()) {}

  flow::GateMoments moments(const task::Section& section) {
    const std::unique_ptr<task::Task> task = section.make();
    const auto network =
        experiment_.network.make({.inputs = task->inputs(), .dimensions = task->dimensions()});
    flow::MomentOptions how = experiment_.dynamics.flow.moments;
    how.seed = static_cast<std::uint64_t>(experiment_.seed);
    return flow::gate_moments(dynamic_cast<const net::GatedLinearNetwork&>(*network), gate_, section, *task,
                              how, workers_);
  }

 private:
  const Experiment& experiment_;
  std::span<const float> gate_;
  math::Workers workers_;
};

figure::GateStructureView::Case case_of(const flow::GateMoments& moments, std::string label) {
  const flow::GatedSolution solution(moments, std::vector<double>(moments.b.size()), moments.inputs, 1);
  std::vector<double> limit = solution.limit();
  const double ipr = probe::ipr(std::vector<float>(limit.begin(), limit.end()));
  return {std::move(label), moments.b, std::move(limit), ipr};
}

std::string gain_label(double gain) { return std::isinf(gain) ? "gain ∞" : fmt::format("gain {}", gain); }

}  // namespace

figure::GateStructureView gate_structure(const record::Recording& run) {
  Experiment experiment = parse_spec(run.spec, run.name);
  experiment.task.resolve(run.folder);
  const std::vector<float>& gate = file::find(run.arrays, "gates")->as<float>();
  Behind behind(experiment, gate);
  figure::GateStructureView view{.title = run.name, .gate = {gate.begin(), gate.end()}};
  const auto add = [&](const task::Section& section, const std::string& label, bool own) {
    const flow::GateMoments moments = behind.moments(section);
    if (own) {
      view.own = view.cases.size();
      view.covariance = moments.a;
      view.inverse = pseudo_inverse(moments.a, gate.size());
    }
    view.cases.push_back(case_of(moments, label));
  };
  const auto* nlgp = dynamic_cast<const task::NlgpOptions*>(&experiment.task.options());
  if (nlgp == nullptr) {
    add(experiment.task, "", true);
    return view;
  }
  std::vector<double> gains(std::begin(kGains), std::end(kGains));
  if (std::ranges::find(gains, nlgp->gain) == gains.end()) gains.push_back(nlgp->gain);
  std::ranges::sort(gains);
  for (const double gain : gains) {
    auto options = std::make_unique<task::NlgpOptions>(*nlgp);
    options->gain = gain;
    add(task::Section("nlgp", std::move(options)), gain_label(gain), gain == nlgp->gain);
  }
  return view;
}

}  // namespace sluice::lab
