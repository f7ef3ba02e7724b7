#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/lab/session.hpp"
#include "sluice/lab/sources.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/net/init.hpp"
#include "sluice/probe/watcher.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// A run of a two-layer network, by training or by its flow.
class TwoLayerSession final : public Session {
 public:
  TwoLayerSession(Experiment& experiment, const std::string& name, const RunOptions& options)
      : Session(experiment, name, options),
        network_(experiment.network.two_layer, task().inputs()),
        start_{.step = 0,
               .parameters = net::initial_parameters(experiment.network.two_layer, task().inputs(), seed())},
        batches_(experiment.dynamics.is_flow() ? nullptr
                                               : training_batches(task(), experiment.dynamics.batch, seed())),
        evaluation_(evaluation_set(task(), experiment.probe.samples, seed())),
        training_set_(whole_training_set(task())),
        evaluator_(*evaluation_, network_, loss(), midpoint(task()), workers()),
        watcher_(experiment.probe, network_.units(), network_.inputs(),
                 {.finite_set = training_set_ != nullptr, .learned_readout = network_.learns_readout()}) {
    if (training_set_)
      training_evaluator_.emplace(*training_set_, network_, loss(), midpoint(task()), workers());
    if (experiment.dynamics.is_flow() || watches_flow())
      require_flow(experiment, experiment.dynamics, task());
    require_fitting_fields();
    require_fitting_labels();
    require_watchable_probes();
    if (watcher_.needs(probe::Needs::samples))
      samples_ = probe_samples(task(), experiment.probe.samples, seed());
  }

 private:
  learn::State start() const override { return start_; }
  std::unique_ptr<Mover> mover(learn::State state) override {
    return experiment().dynamics.is_flow()
               ? make_flow(experiment(), experiment().dynamics, experiment().probe.every, task(),
                           std::move(state), workers())
               : make_trainer(experiment(), *batches_, network_, std::move(state), workers());
  }
  file::NamedArrays watched() const override { return watcher_.arrays(); }
  void restore(const file::NamedArrays& watched) override { watcher_.restore(watched); }
  /// What a flow integrates, weights (or their modes) and the biases of erf units, and the integrator's next step.
  std::size_t exact_numbers() const override {
    const bool biases = experiment().network.two_layer.activation == "erf";
    return static_cast<std::size_t>(network_.units() * (network_.inputs() + (biases ? 1 : 0)) + 1);
  }
  Summary summarize(const file::NamedArrays& record) override {
    return lab::summarize(record, task(), evaluator_.evaluate(start_.parameters).excess_kurtosis);
  }
  void report(record::RunFolder& folder, const file::NamedArrays& record, const Summary& summary) override {
    write_run_report(folder, name(), experiment(), record, summary);
  }
  void name_kept_start() override {
    net::InitOptions& init = experiment().network.two_layer.init;
    if (init.law == "file") init = {.law = "file", .path = "init.npy"};
  }

  bool watches_flow() const {
    const std::vector<std::string>& watch = experiment().probe.watch;
    return std::any_of(watch.begin(), watch.end(),
                       [](const std::string& probe) { return probe.starts_with("flow_"); });
  }
  const learn::Loss& loss() const { return learn::loss(experiment().dynamics.loss); }

  void require_fitting_fields() const {
    const std::string& law = experiment().network.two_layer.init.law;
    if (task().dimensions() == 1 || (law != "bump" && law != "gabor")) return;
    throw InputError(
        fmt::format("network.init.law = \"{}\": expected task.dim = 1, its fields lie on a ring", law));
  }

  void require_fitting_labels() const {
    if (const task::FiniteSet* set = task().training_set(); set != nullptr && set->classes > 2)
      throw InputError(
          fmt::format("network.kind = \"two-layer\": expected \"deep-gated\" for the {} classes of the task",
                      set->classes));
    if (const std::string& unit = experiment().dynamics.rate_unit; unit != "one")
      throw InputError(
          fmt::format("dynamics.rate_unit = \"{}\": expected \"one\" for a two-layer network", unit));
    const std::array<double, 2> labels = task().classes().labels;
    const bool zero_one = std::min(labels[0], labels[1]) == 0 && std::max(labels[0], labels[1]) == 1;
    if (loss().logit && !zero_one) {
      throw InputError(fmt::format("dynamics.loss = \"{}\": expected task.labels of 0 and 1, found [{}, {}]",
                                   experiment().dynamics.loss, labels[0], labels[1]));
    }
  }

  void require_watchable_probes() const {
    for (const std::string& name : experiment().probe.watch) {
      const auto watched = [&](probe::When when) {
        return std::ranges::any_of(probe::probes(), [&](const probe::Probe& probe) {
          return probe.choice.name == name && probe.when == when;
        });
      };
      if (watched(probe::When::finite_set) && !training_set_) {
        throw InputError(fmt::format("probe.watch: {} needs task.kind = \"dataset\"", name));
      }
      if (watched(probe::When::learned_readout) && !network_.learns_readout()) {
        throw InputError(fmt::format("probe.watch: {} needs network.readout = \"learned\"", name));
      }
      require_measurable(*probe::find_probe(name));
    }
  }

  void require_measurable(const probe::Probe& probe) const {
    using probe::GaborFitter, probe::Needs;
    const std::string_view name = probe.choice.name;
    if (probe.needs == Needs::reference) {
      throw InputError(fmt::format(
          "probe.watch: {} is measured after a run, by sluice probe RUN {} --reference OTHER", name, name));
    }
    if ((probe.needs == Needs::ring || probe.needs == Needs::gabor) && task().dimensions() != 1)
      throw InputError(fmt::format("probe.watch: {} needs sites on a ring, task.dim = 1", name));
    const std::int64_t n = task().inputs();
    if (probe.needs == Needs::gabor && (n < GaborFitter::kLeastSites || n > GaborFitter::kMostSites)) {
      throw InputError(fmt::format("probe.watch: {} needs {} to {} sites, found {}", name,
                                   GaborFitter::kLeastSites, GaborFitter::kMostSites, n));
    }
  }

  /// The run folder must reproduce itself, also after the original file is gone or has changed.
  void keep_start(const record::RunFolder& folder) const override {
    if (experiment().network.two_layer.init.law == "file" && !fs::exists(folder.initial_weights()))
      file::write_npy(folder.initial_weights(), start_weights());
  }
  void require_same_start(const record::RunFolder& folder) const override {
    if (experiment().network.two_layer.init.law != "file" || !fs::exists(folder.initial_weights())) return;
    const file::NamedArrays kept = file::read_npz(folder.initial_weights());
    if (kept.size() != 1 || kept.front().second != start_weights()) {
      throw InputError(
          fmt::format("--resume {}: it was begun with other initial weights, kept in its init.npy",
                      folder.path().string()));
    }
  }
  file::Array start_weights() const {
    const auto fields = network_.view(std::span<const float>(start_.parameters)).weights;
    return {{network_.units(), network_.inputs()}, std::vector<float>(fields.begin(), fields.end())};
  }

  bool look(const learn::State& state) override {
    const learn::Evaluation seen = evaluator_.evaluate(state.parameters);
    const learn::Evaluation trained =
        training_evaluator_ ? training_evaluator_->evaluate(state.parameters) : learn::Evaluation{};
    const auto view = network_.view(std::span<const float>(state.parameters));
    std::span<const float> flow;
    if (watches_flow()) flow = network_.view(std::span<const float>(flow_at(state.step).parameters)).weights;
    watcher_.watch({.step = state.step,
                    .units = network_.units(),
                    .inputs = network_.inputs(),
                    .weights = view.weights,
                    .bias = view.bias,
                    .loss = seen.loss,
                    .accuracy = seen.accuracy,
                    .train_loss = trained.loss,
                    .train_accuracy = trained.accuracy,
                    .readout = view.readout,
                    .offset = view.offset,
                    .flow = flow,
                    .samples = samples_.get()});
    // The weights too: a ReLU unit turns a NaN pre-activation into 0, and the loss would look healthy.
    return std::isfinite(seen.loss) && std::all_of(state.parameters.begin(), state.parameters.end(),
                                                   [](float p) { return std::isfinite(p); });
  }

  /// The flow that training is held against. It goes from probe time to probe time, so one that begins again after a resume
  /// comes to the same bits.
  const learn::State& flow_at(std::int64_t step) {
    if (!flow_)
      flow_ =
          make_flow(experiment(), experiment().dynamics, experiment().probe.every, task(), start_, workers());
    while (flow_->state().step < step && !flow_->at_rest() && !flow_->diverged()) flow_->move();
    return flow_->state();
  }

  net::TwoLayer<float> network_;
  learn::State start_;
  std::unique_ptr<learn::Batches> batches_;
  std::unique_ptr<learn::Batches> evaluation_;
  std::unique_ptr<learn::Batches> training_set_;  // null where training draws fresh samples
  learn::Evaluator evaluator_;
  std::optional<learn::Evaluator> training_evaluator_;
  std::unique_ptr<Mover> flow_;  // what training is held against, once it is asked for
  probe::Watcher watcher_;
  std::unique_ptr<probe::Samples> samples_;  // what probes measure on, where one does
};

}  // namespace

std::unique_ptr<Session> two_layer_session(Experiment& experiment, const std::string& name,
                                           const RunOptions& options) {
  return std::make_unique<TwoLayerSession>(experiment, name, options);
}

}  // namespace sluice::lab
