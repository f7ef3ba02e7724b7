#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/kernel/gate_counts.hpp"
#include "sluice/kernel/spectrum.hpp"
#include "sluice/kernel/tangent.hpp"
#include "sluice/lab/deep_report.hpp"
#include "sluice/lab/session.hpp"
#include "sluice/lab/sources.hpp"
#include "sluice/learn/deep_evaluate.hpp"
#include "sluice/learn/deep_trainer.hpp"
#include "sluice/net/deep_init.hpp"
#include "sluice/probe/series.hpp"

namespace sluice::lab {
namespace {

class DeepTraining final : public Mover {
 public:
  DeepTraining(const learn::Batches& batches, const net::DeepGated<float>& network,
               const learn::OutputLoss& loss, const learn::TrainingOptions& options, std::uint64_t seed,
               learn::State start, math::Workers& workers)
      : trainer_(batches, network, loss, options, seed, std::move(start), workers) {}

  const learn::State& state() const override { return trainer_.state(); }
  void move() override { trainer_.step(); }

 private:
  learn::DeepTrainer trainer_;
};

std::int64_t outputs_of(const task::Task& task) {
  const task::FiniteSet* set = task.training_set();
  return set != nullptr && set->classes > 2 ? set->classes : 1;
}

/// The training samples on which kernels and gates are watched: the first ones, half of them from each class where there
/// are two and gates do not hang on a sample's place.
task::FiniteSet kernel_set(const task::FiniteSet& all, std::int64_t count, bool balanced) {
  task::FiniteSet some{.inputs = all.inputs, .x = {}, .y = {}};
  std::array<std::int64_t, 2> room{count, count};
  if (balanced) {  // a class that is too small leaves its room to the other
    const auto of_second = std::ranges::count(all.which_class, 1);
    const std::int64_t second = std::min<std::int64_t>(of_second, count - count / 2);
    room[0] = std::min(all.size() - of_second, count - second);
    room[1] = count - room[0];
  }
  for (std::int64_t row = 0; row < all.size() && some.size() < count; ++row) {
    std::int64_t& left = room.at(all.which_class[static_cast<std::size_t>(row)]);
    if (left-- <= 0) continue;
    const auto begin = all.x.begin() + row * all.inputs;
    some.x.insert(some.x.end(), begin, begin + all.inputs);
    some.y.push_back(all.y[static_cast<std::size_t>(row)]);
  }
  return some;
}

std::vector<double> doubles(std::span<const float> values) { return {values.begin(), values.end()}; }

/// A run of a deep gated network.
class DeepSession final : public Session {
 public:
  DeepSession(Experiment& experiment, const std::string& name, const RunOptions& options)
      : Session(experiment, name, options),
        network_(experiment.network.deep, task().inputs(), outputs_of(task())),
        exact_(experiment.network.deep, task().inputs(), outputs_of(task())),
        start_{.step = 0, .parameters = net::initial_parameters(network_, seed())},
        batches_(training_batches(task(), experiment.dynamics.batch, seed())),
        loss_(learn::loss(experiment.dynamics.loss), network_.outputs(), midpoint(task())),
        evaluation_(random_gates() ? whole_training_set(task())
                                   : evaluation_set(task(), experiment.probe.samples, seed())),
        training_set_(whole_training_set(task())),
        series_(columns()) {
    require_fitting_options();
    evaluator_.emplace(*evaluation_, network_, loss_, seed(), workers());
    if (training_set_) training_evaluator_.emplace(*training_set_, network_, loss_, seed(), workers());
    if (const task::FiniteSet* set = task().training_set()) {
      const bool two_classes = set->classes == 0 && !random_gates();
      kernel_set_ = kernel_set(*set, std::min(experiment.probe.kernel_samples, set->size()), two_classes);
    }
  }

 private:
  bool random_gates() const { return experiment().network.deep.random_gates(); }
  bool watches(const std::string& probe) const {
    return std::ranges::find(experiment().probe.watch, probe) != experiment().probe.watch.end();
  }
  bool squares() const { return experiment().dynamics.loss == "half-squared"; }

  void require_fitting_options() const {
    const DynamicsOptions& dynamics = experiment().dynamics;
    if (dynamics.is_flow())
      throw InputError("dynamics.kind = \"flow\": expected an optimiser for a deep network");
    if (random_gates() && !training_set_)
      throw InputError(
          "network.gates = \"random\": expected a finite task (points, dataset, mnist): gates belong to "
          "samples");
    if (random_gates() && dynamics.batch != learn::kFullBatch)
      throw InputError(
          "network.gates = \"random\": expected dynamics.batch = \"full\": gates belong to samples");
    const learn::Loss& loss = learn::loss(dynamics.loss);
    const std::array<double, 2> labels = task().classes().labels;
    if (loss.logit && network_.outputs() == 1 &&
        (std::min(labels[0], labels[1]) != 0 || std::max(labels[0], labels[1]) != 1))
      throw InputError(fmt::format(
          "dynamics.loss = \"{}\": expected labels of 0 and 1 where there is one output, found [{}, {}]",
          dynamics.loss, labels[0], labels[1]));
    const bool kernel_rate = dynamics.rate_unit == "kernel";
    for (const std::string& probe : experiment().probe.watch) {
      const bool tangent = probe.starts_with("tangent") || probe.starts_with("nu_");
      if (!training_set_ && probe != "weight_norms")
        throw InputError(fmt::format("probe.watch: {} needs a finite task", probe));
      if (tangent && network_.outputs() != 1)
        throw InputError(
            fmt::format("probe.watch: {} needs a network with one output, the task has {} classes", probe,
                        network_.outputs()));
      if (probe.starts_with("nu_gates") && !network_.adapts_gates())
        throw InputError(fmt::format("probe.watch: {} needs soft gates, network.beta below inf", probe));
    }
    if (kernel_rate && (!training_set_ || network_.outputs() != 1))
      throw InputError("dynamics.rate_unit = \"kernel\": expected a finite task and one output");
  }

  std::vector<probe::Series::Column> columns() const {
    std::vector<probe::Series::Column> all{{"loss"}, {"accuracy"}};
    if (training_set_) all.insert(all.end(), {{"train_loss"}, {"train_accuracy"}});
    if (training_set_ && squares()) all.push_back({"error"});
    for (const std::string& name : experiment().probe.watch) {
      const std::int64_t samples =
          training_set_ ? std::min(experiment().probe.kernel_samples, training_set_->rows()) : 0;
      all.push_back({name, name == "weight_norms"       ? network_.depth()
                           : name == "tangent_spectrum" ? samples
                                                        : 0});
      if (name == "active_gates") all.push_back({"active_paths"});
      if (name == "sensitive_gates") all.push_back({"sensitive_paths"});
    }
    return all;
  }

  learn::State start() const override { return start_; }

  std::unique_ptr<Mover> mover(learn::State state) override {
    learn::TrainingOptions options = experiment().dynamics;
    if (experiment().dynamics.rate_unit == "kernel") {
      const task::FiniteSet& set = *task().training_set();
      options.optimizer.rate *=
          static_cast<double>(set.size()) / kernel::eigenvalues(tangent(set, start_.parameters)).back();
    }
    if (experiment().dynamics.rate_unit == "depth")
      options.optimizer.rate /= static_cast<double>(network_.depth());
    return std::make_unique<DeepTraining>(*batches_, network_, loss_, options, seed(), std::move(state),
                                          workers());
  }

  kernel::Passage<double> passage(const task::FiniteSet& set, const std::vector<float>& parameters,
                                  bool back = true) {
    const std::vector<double> theta = doubles(parameters);
    return {exact_, theta, doubles(set.x), seed(), workers(), back};
  }
  kernel::SampleMatrix<double> tangent(const task::FiniteSet& set, const std::vector<float>& parameters) {
    return passage(set, parameters).tangent();
  }

  bool look(const learn::State& state) override {
    const learn::Evaluation seen = evaluator_->evaluate(state.parameters);
    series_.begin(state.step);
    series_.put("loss", seen.loss);
    series_.put("accuracy", seen.accuracy);
    if (training_evaluator_) {
      const learn::Evaluation trained = training_evaluator_->evaluate(state.parameters);
      series_.put("train_loss", trained.loss);
      series_.put("train_accuracy", trained.accuracy);
      if (squares()) {
        if (state.step == 0) first_loss_ = trained.loss;
        series_.put("error", std::sqrt(trained.loss / first_loss_));
      }
    }
    if (watches("weight_norms")) series_.put("weight_norms", weight_norms(state.parameters));
    look_at_kernels(state.parameters);
    look_at_gates(state.parameters);
    return std::isfinite(seen.loss) &&
           std::ranges::all_of(state.parameters, [](float p) { return std::isfinite(p); });
  }

  std::vector<double> weight_norms(const std::vector<float>& parameters) const {
    std::vector<double> norms;
    for (std::int64_t l = 1; l <= network_.depth(); ++l) {
      const auto layer = network_.weights(l).of(std::span<const float>(parameters));
      norms.push_back(std::sqrt(std::inner_product(layer.begin(), layer.end(), layer.begin(), 0.0)));
    }
    return norms;
  }

  void look_at_kernels(const std::vector<float>& parameters) {
    const bool spectra = watches("tangent_trace") || watches("tangent_spectrum") || watches("nu_tangent");
    const bool gates = watches("nu_gates") || watches("nu_gates_raw");
    if (!spectra && !gates && !watches("nu_paths")) return;
    const std::vector<double> y = doubles(kernel_set_.y);
    const kernel::Passage<double> way = passage(kernel_set_, parameters);
    if (spectra) {
      const kernel::SampleMatrix<double> tangent = way.tangent();
      double trace = 0;
      for (std::int64_t s = 0; s < tangent.n; ++s) trace += tangent.at(s, s);
      if (watches("tangent_trace")) series_.put("tangent_trace", trace / static_cast<double>(tangent.n));
      if (watches("tangent_spectrum")) series_.put("tangent_spectrum", kernel::eigenvalues(tangent));
      if (watches("nu_tangent")) series_.put("nu_tangent", alignment(kernel::trace_normalised(tangent), y));
    }
    if (gates) {
      const kernel::SampleMatrix<double> adaptation = way.tangent(kernel::Passage<double>::gates);
      if (watches("nu_gates")) series_.put("nu_gates", alignment(kernel::trace_normalised(adaptation), y));
      if (watches("nu_gates_raw")) series_.put("nu_gates_raw", alignment(adaptation, y));
    }
    if (watches("nu_paths")) series_.put("nu_paths", alignment(kernel::trace_normalised(way.paths()), y));
  }

  void look_at_gates(const std::vector<float>& parameters) {
    const bool counts = watches("active_gates") || watches("sensitive_gates");
    if (!counts && !watches("changed_gates") && !watches("gate_overlap")) return;
    const kernel::Passage<float> now(network_, parameters, kernel_set_.x, seed(), workers(), false);
    if (counts) {
      const kernel::GateCounts gates = kernel::count_gates(
          now, parameters, {experiment().probe.tau_active, experiment().probe.tau_sensitive});
      if (watches("active_gates")) series_.put("active_gates", gates.active);
      if (watches("active_gates")) series_.put("active_paths", gates.active_paths);
      if (watches("sensitive_gates")) series_.put("sensitive_gates", gates.sensitive);
      if (watches("sensitive_gates")) series_.put("sensitive_paths", gates.sensitive_paths);
    }
    if (watches("changed_gates")) {
      const kernel::Passage<float> before(network_, start_.parameters, kernel_set_.x, seed(), workers(),
                                          false);
      series_.put("changed_gates", kernel::changed_gates(now, before));
    }
    if (watches("gate_overlap")) series_.put("gate_overlap", mean_overlap(now.overlap()));
  }

  static double mean_overlap(const kernel::SampleMatrix<float>& lambda) {
    double sum = 0;
    for (std::int64_t s = 0; s < lambda.n; ++s) {
      for (std::int64_t t = 0; t < s; ++t) {
        const double both =
            std::sqrt(static_cast<double>(lambda.at(s, s)) * static_cast<double>(lambda.at(t, t)));
        if (both > 0) sum += lambda.at(s, t) / both;
      }
    }
    return 2 * sum / static_cast<double>(lambda.n * std::max<std::int64_t>(lambda.n - 1, 1));
  }

  file::NamedArrays watched() const override { return series_.arrays(); }
  void restore(const file::NamedArrays& watched) override {
    series_.restore(watched);
    if (const file::Array* trained = file::find(watched, "train_loss"))
      first_loss_ = trained->as<double>().front();
  }

  /// layer1, …, and gate1, … of a gating network: what another run can start from.
  file::NamedArrays layers(const std::vector<float>& parameters, bool weights, bool gates) const {
    file::NamedArrays arrays;
    const auto add = [&](const std::string& name, const net::MatrixPlace& place) {
      if (place.size() == 0) return;
      const auto values = place.of(std::span<const float>(parameters));
      arrays.emplace_back(
          name, file::Array{{place.rows, place.columns}, std::vector<float>(values.begin(), values.end())});
    };
    for (std::int64_t l = 1; weights && l <= network_.depth(); ++l)
      add(net::layer_name(l), network_.weights(l));
    for (std::int64_t l = 1; gates && experiment().network.deep.gated_by_network() && l < network_.depth();
         ++l)
      add(net::gate_layer_name(l), network_.gate_weights(l));
    return arrays;
  }
  file::NamedArrays kept(const learn::State& state) const override {
    return layers(state.parameters, true, true);
  }

  /// A run folder must reproduce itself, also after the run it started from is gone.
  void name_kept_start() override {
    net::DeepOptions& deep = experiment().network.deep;
    keeps_weights_ = deep.init.law == "file";
    keeps_gates_ = deep.gated_by_network() && deep.gate_init.law == "file";
    if (keeps_weights_) deep.init.path = "init.npz";
    if (keeps_gates_) deep.gate_init.path = "init.npz";
  }
  void keep_start(const record::RunFolder& folder) const override {
    const file::NamedArrays start = layers(start_.parameters, keeps_weights_, keeps_gates_);
    if (!start.empty() && !std::filesystem::exists(folder.initial_layers()))
      file::write_npz(folder.initial_layers(), start, file::Packing::stored);
  }
  void require_same_start(const record::RunFolder& folder) const override {
    const file::NamedArrays start = layers(start_.parameters, keeps_weights_, keeps_gates_);
    if (start.empty() || !std::filesystem::exists(folder.initial_layers())) return;
    if (file::read_npz(folder.initial_layers()) != start) {
      throw InputError(
          fmt::format("--resume {}: it was begun with other initial layers, kept in its init.npz",
                      folder.path().string()));
    }
  }

  Summary summarize(const file::NamedArrays& record) override { return summarize_deep(record); }
  void report(record::RunFolder& folder, const file::NamedArrays& record, const Summary& summary) override {
    write_deep_report(folder, name(), experiment(), record, summary);
  }

  net::DeepGated<float> network_;
  net::DeepGated<double> exact_;
  learn::State start_;
  std::unique_ptr<learn::Batches> batches_;
  learn::OutputLoss loss_;
  std::unique_ptr<learn::Batches> evaluation_;
  std::unique_ptr<learn::Batches> training_set_;  // null where training draws fresh samples
  probe::Series series_;
  std::optional<learn::DeepEvaluator> evaluator_;
  std::optional<learn::DeepEvaluator> training_evaluator_;
  task::FiniteSet kernel_set_;
  double first_loss_ = 0;
  bool keeps_weights_ = false;
  bool keeps_gates_ = false;
};

}  // namespace

std::unique_ptr<Session> deep_session(Experiment& experiment, const std::string& name,
                                      const RunOptions& options) {
  return std::make_unique<DeepSession>(experiment, name, options);
}

}  // namespace sluice::lab
