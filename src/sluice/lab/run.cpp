#include "sluice/lab/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/mover.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/samples.hpp"
#include "sluice/lab/sources.hpp"
#include "sluice/learn/evaluate.hpp"
#include "sluice/learn/trainer.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/net/init.hpp"
#include "sluice/probe/watcher.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/metrics.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    line.resize(std::min(line.find("  #"), line.size()));
    line.resize(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

/// A folder may be continued only by the experiment that began it; says which key differs.
void require_same_spec(const record::RunFolder& folder, const std::string& resolved) {
  if (!fs::exists(folder.spec())) return;
  Experiment begun;
  spec::Document::from_file(folder.spec()).read([&](spec::Keys& keys) { begun.describe(keys); });
  const std::vector<std::string> before = lines_of(to_toml(begun));
  const std::vector<std::string> now = lines_of(resolved);
  const auto [old_line, new_line] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  if (old_line == before.end() && new_line == now.end()) return;
  const std::string none = "nothing";
  throw InputError(fmt::format("--resume {}: it was begun with '{}', not '{}'", folder.path().string(),
                               old_line == before.end() ? none : *old_line,
                               new_line == now.end() ? none : *new_line));
}

double midpoint(const task::Task& task) { return (task.classes().labels[0] + task.classes().labels[1]) / 2; }

/// The pieces of a running experiment, and the loop over them.
class Session {
 public:
  Session(Experiment& experiment, std::string name, const RunOptions& options)
      : experiment_(experiment),
        name_(std::move(name)),
        options_(options),
        task_(experiment.task.make()),
        network_(experiment.network, task_->inputs()),
        start_{.step = 0, .parameters = net::initial_parameters(experiment.network, task_->inputs(), seed())},
        workers_(options.threads),
        batches_(experiment.dynamics.is_flow() ? nullptr
                                               : training_batches(*task_, experiment.dynamics.batch, seed())),
        evaluation_(evaluation_set(*task_, experiment.probe.samples, seed())),
        training_set_(whole_training_set(*task_)),
        evaluator_(*evaluation_, network_, loss(), midpoint(*task_), workers_),
        watcher_(experiment.probe, network_.units(), network_.inputs(),
                 {.finite_set = training_set_ != nullptr, .learned_readout = network_.learns_readout()}) {
    if (training_set_)
      training_evaluator_.emplace(*training_set_, network_, loss(), midpoint(*task_), workers_);
    if (experiment.dynamics.is_flow() || watches_flow())
      require_flow(experiment, experiment.dynamics, *task_);
    require_fitting_fields();
    require_fitting_labels();
    require_watchable_probes();
    if (watcher_.needs(probe::Needs::samples))
      samples_ = probe_samples(*task_, experiment.probe.samples, seed());
  }

  Outcome run() {
    const bool weights_from_file = experiment_.network.init.law == "file";
    if (weights_from_file) experiment_.network.init = {.law = "file", .path = "init.npy"};
    const std::string resolved = to_toml(experiment_);
    spec_ =
        record::fingerprint(fmt::format("{}", fmt::join(lines_of(resolved), "\n")));  // comments may change
    folder_ = record::RunFolder::open(options_.out, options_.existing);
    if (options_.existing == record::Existing::resume) {
      require_same_spec(*folder_, resolved);
      if (const auto outcome = concluded_before()) return *outcome;
    }
    file::write_atomically(folder_->spec(), resolved);
    if (weights_from_file) keep_initial_weights();
    for (const std::string& remark : task_->remarks()) note(remark);
    learn::State state = resume_or_begin();
    begun_at_ = state.step;
    const auto mover = experiment_.dynamics.is_flow()
                           ? make_flow(experiment_, experiment_.dynamics, experiment_.probe.every, *task_,
                                       std::move(state), workers_)
                           : make_trainer(experiment_, *batches_, network_, std::move(state), workers_);
    return go_on(*mover);
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(experiment_.seed); }
  bool watches_flow() const {
    const std::vector<std::string>& watch = experiment_.probe.watch;
    return std::any_of(watch.begin(), watch.end(),
                       [](const std::string& name) { return name.starts_with("flow_"); });
  }
  const learn::Loss& loss() const { return learn::loss(experiment_.dynamics.loss); }

  void require_fitting_fields() const {
    const std::string& law = experiment_.network.init.law;
    if (task_->dimensions() == 1 || (law != "bump" && law != "gabor")) return;
    throw InputError(
        fmt::format("network.init.law = \"{}\": expected task.dim = 1, its fields lie on a ring", law));
  }

  void require_fitting_labels() const {
    const std::array<double, 2> labels = task_->classes().labels;
    const bool zero_one = std::min(labels[0], labels[1]) == 0 && std::max(labels[0], labels[1]) == 1;
    if (loss().logit && !zero_one) {
      throw InputError(fmt::format("dynamics.loss = \"{}\": expected task.labels of 0 and 1, found [{}, {}]",
                                   experiment_.dynamics.loss, labels[0], labels[1]));
    }
  }

  void require_watchable_probes() const {
    for (const std::string& name : experiment_.probe.watch) {
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
    if ((probe.needs == Needs::ring || probe.needs == Needs::gabor) && task_->dimensions() != 1)
      throw InputError(fmt::format("probe.watch: {} needs sites on a ring, task.dim = 1", name));
    const std::int64_t n = task_->inputs();
    if (probe.needs == Needs::gabor && (n < GaborFitter::kLeastSites || n > GaborFitter::kMostSites)) {
      throw InputError(fmt::format("probe.watch: {} needs {} to {} sites, found {}", name,
                                   GaborFitter::kLeastSites, GaborFitter::kMostSites, n));
    }
  }

  void note(const std::string& remark) {
    options_.remark(remark);
    folder_->log(remark);
  }

  /// A finished or diverged run is left as it is.
  std::optional<Outcome> concluded_before() {
    const record::Conclusion before = folder_->conclusion();
    const bool diverged = before.status == to_string(Ending::diverged);
    if (before.status != to_string(Ending::finished) && !diverged) return std::nullopt;
    if (before.spec != spec_text()) {
      throw InputError(fmt::format("--resume {}: its spec.toml is not the one that made its record",
                                   folder_->path().string()));
    }
    const file::NamedArrays record = file::read_npz(folder_->record());
    if (!watcher_.restore(record)) {
      throw InputError(fmt::format("{}: not the record of this spec; use --overwrite to run it again",
                                   folder_->record().string()));
    }
    fs::remove(folder_->checkpoint());  // a kill may have come between run.json and this
    return outcome(diverged ? Ending::diverged : Ending::already_finished, begun_at_, record);
  }

  /// The run folder must reproduce itself, also after the original file is gone or has changed.
  void keep_initial_weights() const {
    const auto fields = network_.view(std::span<const float>(start_.parameters)).weights;
    const file::Array weights{{network_.units(), network_.inputs()},
                              std::vector<float>(fields.begin(), fields.end())};
    if (!fs::exists(folder_->initial_weights())) {
      file::write_npy(folder_->initial_weights(), weights);
    } else if (file::read_npz(folder_->initial_weights()).front().second != weights) {
      throw InputError(
          fmt::format("--resume {}: it was begun with other initial weights, kept in its init.npy",
                      folder_->path().string()));
    }
  }

  learn::State resume_or_begin() {
    if (!fs::exists(folder_->checkpoint())) {
      folder_->log(fmt::format("sluice {}: {} begins", version(), name_));
      return start_;
    }
    record::Checkpoint checkpoint = record::load_checkpoint(folder_->checkpoint());
    if (checkpoint.spec != spec_ || checkpoint.state.parameters.size() != start_.parameters.size() ||
        !watcher_.restore(checkpoint.watched)) {
      throw InputError(fmt::format("{}: made by another spec; use --overwrite to begin again",
                                   folder_->checkpoint().string()));
    }
    watched_step_ = file::find(checkpoint.watched, "step")->as<std::int64_t>().back();
    note(fmt::format("resumed at step {}", checkpoint.state.step));
    return checkpoint.state;
  }

  Outcome go_on(Mover& mover) {
    const std::int64_t steps = experiment_.dynamics.steps;
    Clock::time_point saved = Clock::now();
    for (;;) {
      const learn::State& state = mover.state();
      if (probe::is_probe_time(experiment_.probe, state.step, steps) && state.step != watched_step_) {
        if (!look(state) || mover.diverged())
          return conclude(Ending::diverged, state.step, watcher_.arrays());
      }
      options_.progress(state.step, steps);
      if (state.step >= steps || mover.at_rest())
        return conclude(Ending::finished, state.step, watcher_.arrays());
      if (options_.stop_requested()) {
        save_if_possible(state);
        return conclude(Ending::interrupted, state.step, watcher_.arrays());
      }
      if (seconds_since(saved) >= options_.checkpoint_every) {
        save_if_possible(state);
        saved = Clock::now();
      }
      mover.move();
    }
  }

  /// Probes the network; false when it has left the finite numbers.
  bool look(const learn::State& state) {
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
    watched_step_ = state.step;
    // The weights too: a ReLU unit turns a NaN pre-activation into 0, and the loss would look healthy.
    return std::isfinite(seen.loss) && std::all_of(state.parameters.begin(), state.parameters.end(),
                                                   [](float p) { return std::isfinite(p); });
  }

  /// The flow that training is held against. It goes from probe time to probe time, so one that begins again after a resume
  /// comes to the same bits.
  const learn::State& flow_at(std::int64_t step) {
    if (!flow_)
      flow_ = make_flow(experiment_, experiment_.dynamics, experiment_.probe.every, *task_, start_, workers_);
    while (flow_->state().step < step && !flow_->at_rest() && !flow_->diverged()) flow_->move();
    return flow_->state();
  }

  void save(const learn::State& state) const {
    record::save({.spec = spec_, .state = state, .watched = watcher_.arrays()}, folder_->checkpoint());
  }

  /// A full disk must not end a run that may still finish: the record itself is tried at the end.
  void save_if_possible(const learn::State& state) {
    try {
      save(state);
    } catch (const IoError& failure) {
      if (!std::exchange(told_of_failed_save_, true)) {
        options_.remark(fmt::format("checkpoint not saved, going on: {}", failure.what()));
      }
    }
  }

  std::string spec_text() const { return fmt::format("{:016x}", static_cast<std::uint64_t>(spec_)); }

  Outcome outcome(Ending ending, std::int64_t step, const file::NamedArrays& record) {
    const double kurtosis = evaluator_.evaluate(start_.parameters).excess_kurtosis;
    return {.ending = ending,
            .summary = summarize(record, *task_, kurtosis),
            .spec = spec_text(),
            .seed = experiment_.seed,
            .seconds = seconds_since(began_),
            .steps_done = step - begun_at_,
            .folder = folder_->path()};
  }

  Outcome conclude(Ending ending, std::int64_t step, const file::NamedArrays& record) {
    const Outcome result = outcome(ending, step, record);
    file::write_npz(folder_->record(), record,
                    experiment_.record.compress ? file::Packing::compressed : file::Packing::stored);
    file::write_atomically(folder_->metrics(), record::metrics_csv(record));
    fs::remove(folder_->probes());  // measured on an earlier record
    if (ending != Ending::interrupted) write_run_report(*folder_, name_, experiment_, record, result.summary);
    folder_->log(fmt::format("{} at step {} after {:.1f} s", to_string(ending), step, result.seconds));
    // Last: from here on the run counts as concluded.
    file::write_atomically(folder_->manifest(), to_json(result, name_, options_.threads));
    if (ending != Ending::interrupted) fs::remove(folder_->checkpoint());
    return result;
  }

  Clock::time_point began_ = Clock::now();
  Experiment& experiment_;
  std::string name_;
  const RunOptions& options_;
  std::unique_ptr<task::Task> task_;
  net::TwoLayer<float> network_;
  learn::State start_;
  math::Workers workers_;
  std::unique_ptr<learn::Batches> batches_;
  std::unique_ptr<learn::Batches> evaluation_;
  std::unique_ptr<learn::Batches> training_set_;  // null where training draws fresh samples
  learn::Evaluator evaluator_;
  std::optional<learn::Evaluator> training_evaluator_;
  std::unique_ptr<Mover> flow_;  // what training is held against, once it is asked for
  probe::Watcher watcher_;
  std::unique_ptr<probe::Samples> samples_;  // what probes measure on, where one does
  std::optional<record::RunFolder> folder_;
  std::int64_t spec_ = 0;  // fingerprint of the resolved spec
  std::int64_t watched_step_ = -1;
  bool told_of_failed_save_ = false;
  std::int64_t begun_at_ = 0;
};

}  // namespace

std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::finished:
      return "finished";
    case Ending::already_finished:
      return "already finished";
    case Ending::interrupted:
      return "interrupted";
    case Ending::diverged:
      return "diverged";
  }
  return "unknown";
}

Outcome run(Experiment& experiment, const std::string& name, const RunOptions& options) {
  return Session(experiment, name, options).run();
}

std::string to_json(const Outcome& outcome, const std::string& name, int threads) {
  nlohmann::ordered_json axes;
  for (const probe::Probe& probe : probe::probes()) {
    for (const std::string_view axis : probe::axes_of(probe.extent))
      axes[std::string(probe.choice.name)].push_back(axis);
  }
  const Summary& summary = outcome.summary;
  const nlohmann::ordered_json json{
      {"name", name},
      {"status", to_string(outcome.ending)},
      {"sluice", version()},
      {"spec", outcome.spec},
      {"seed", outcome.seed},
      {"threads", threads},
      {"folder", outcome.folder.string()},
      {"seconds", outcome.seconds},
      {"steps", summary.steps},
      {"loss", summary.loss},
      {"accuracy", summary.accuracy},
      {"ipr_median_start", summary.ipr_start},
      {"ipr_median_end", summary.ipr_end},
      {"localized_share", summary.localized},
      {"excess_kurtosis", summary.excess_kurtosis},
      {"excess_kurtosis_measured", summary.excess_kurtosis_measured},
      {"axes", axes},
  };
  // A folder's name may be any bytes; JSON must be UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::lab
