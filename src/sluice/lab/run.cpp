#include "sluice/lab/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/lab/report.hpp"
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

/// A folder may be continued only by the experiment that began it.
void require_same_spec(const record::RunFolder& folder, const std::string& resolved) {
  if (!fs::exists(folder.spec())) return;
  Experiment begun;
  spec::Document::from_file(folder.spec()).read([&](spec::Keys& keys) { begun.describe(keys); });
  std::istringstream before(to_toml(begun));
  std::istringstream now(resolved);
  std::string old_line;
  std::string new_line;
  while (std::getline(before, old_line) && std::getline(now, new_line)) {
    if (old_line == new_line) continue;
    const auto without_comment = [](const std::string& line) { return line.substr(0, line.find("  #")); };
    throw InputError(fmt::format("--resume {}: it was begun with '{}', not '{}'", folder.path().string(),
                                 without_comment(old_line), without_comment(new_line)));
  }
}

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
        evaluator_(*task_, network_, experiment.probe.samples, seed(), workers_),
        watcher_(experiment.probe, network_.units(), network_.inputs()) {}

  Outcome run() {
    const bool weights_from_file = experiment_.network.init.law == "file";
    if (weights_from_file) experiment_.network.init = {.law = "file", .path = "init.npy"};
    const std::string resolved = to_toml(experiment_);
    folder_ = record::RunFolder::open(options_.out, options_.existing);
    if (options_.existing == record::Existing::resume) require_same_spec(*folder_, resolved);
    if (folder_->finished()) return conclude(Ending::already_finished, 0, file::read_npz(folder_->record()));

    if (weights_from_file) keep_initial_weights();
    file::write_atomically(folder_->spec(), resolved);
    for (const std::string& remark : task_->remarks()) note(remark);
    learn::State state = resume_or_begin();
    begun_at_ = state.step;
    learn::Trainer trainer(*task_, network_, experiment_.dynamics, seed(), std::move(state), workers_);
    return train(trainer);
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(experiment_.seed); }

  void note(const std::string& remark) {
    options_.remark(remark);
    folder_->log(remark);
  }

  /// The run folder must reproduce itself, also after the original file is gone.
  void keep_initial_weights() const {
    const auto fields = network_.view(std::span<const float>(start_.parameters)).weights;
    const file::Array weights{{network_.units(), network_.inputs()},
                              std::vector<float>(fields.begin(), fields.end())};
    file::write_npy(folder_->initial_weights(), weights);
  }

  learn::State resume_or_begin() {
    if (!fs::exists(folder_->checkpoint())) {
      folder_->log(fmt::format("sluice {}: {} begins", version(), name_));
      return start_;
    }
    record::Checkpoint checkpoint = record::load_checkpoint(folder_->checkpoint());
    if (checkpoint.state.parameters.size() != start_.parameters.size() ||
        !watcher_.restore(checkpoint.watched)) {
      throw InputError(fmt::format("{}: does not belong to this spec; start again with --overwrite",
                                   folder_->checkpoint().string()));
    }
    watched_step_ = file::find(checkpoint.watched, "step")->as<std::int64_t>().back();
    note(fmt::format("resumed at step {}", checkpoint.state.step));
    return checkpoint.state;
  }

  Outcome train(learn::Trainer& trainer) {
    const std::int64_t steps = experiment_.dynamics.steps;
    Clock::time_point saved = Clock::now();
    for (;;) {
      const learn::State& state = trainer.state();
      if (probe::is_probe_time(experiment_.probe, state.step, steps) && state.step != watched_step_) {
        if (!look(state)) return conclude(Ending::diverged, state.step, watcher_.arrays());
      }
      options_.progress(state.step, steps);
      if (state.step == steps) return conclude(Ending::finished, state.step, watcher_.arrays());
      if (options_.stop_requested()) {
        save(state);
        return conclude(Ending::interrupted, state.step, watcher_.arrays());
      }
      if (seconds_since(saved) >= options_.checkpoint_every) {
        save_if_possible(state);
        saved = Clock::now();
      }
      trainer.step();
    }
  }

  /// Probes the network; false when it has left the finite numbers.
  bool look(const learn::State& state) {
    const learn::Evaluation seen = evaluator_.evaluate(state.parameters);
    const auto view = network_.view(std::span<const float>(state.parameters));
    watcher_.watch({.step = state.step,
                    .units = network_.units(),
                    .inputs = network_.inputs(),
                    .weights = view.weights,
                    .bias = view.bias,
                    .loss = seen.loss,
                    .accuracy = seen.accuracy});
    watched_step_ = state.step;
    // The weights too: a ReLU unit turns a NaN pre-activation into 0, and the loss would look healthy.
    return std::isfinite(seen.loss) && std::all_of(state.parameters.begin(), state.parameters.end(),
                                                   [](float p) { return std::isfinite(p); });
  }

  void save(const learn::State& state) const {
    record::save({.state = state, .watched = watcher_.arrays()}, folder_->checkpoint());
  }

  /// A full disk must not end a run that may still finish: the record itself is tried at the end.
  void save_if_possible(const learn::State& state) {
    try {
      save(state);
    } catch (const IoError& failure) {
      options_.remark(fmt::format("checkpoint not saved, going on: {}", failure.what()));
    }
  }

  Outcome conclude(Ending ending, std::int64_t step, const file::NamedArrays& record) {
    const double kurtosis = evaluator_.evaluate(start_.parameters).excess_kurtosis;
    Outcome outcome{.ending = ending,
                    .summary = summarize(record, *task_, kurtosis),
                    .seconds = seconds_since(began_),
                    .steps_done = step - begun_at_,
                    .folder = folder_->path()};
    if (ending == Ending::already_finished) return outcome;

    file::write_npz(folder_->record(), record,
                    experiment_.record.compress ? file::Packing::compressed : file::Packing::stored);
    file::write_atomically(folder_->metrics(), record::metrics_csv(record));
    if (ending != Ending::interrupted) {
      write_run_report(*folder_, name_, experiment_, record, outcome.summary);
    }
    file::write_atomically(folder_->manifest(), to_json(outcome, name_, experiment_, options_.threads));
    folder_->log(fmt::format("{} at step {} after {:.1f} s", to_string(ending), step, outcome.seconds));
    // Last: from here on the run counts as finished.
    if (ending != Ending::interrupted) fs::remove(folder_->checkpoint());
    return outcome;
  }

  Clock::time_point began_ = Clock::now();
  Experiment& experiment_;
  std::string name_;
  const RunOptions& options_;
  std::unique_ptr<task::Task> task_;
  net::TwoLayer<float> network_;
  learn::State start_;
  math::Workers workers_;
  learn::Evaluator evaluator_;
  probe::Watcher watcher_;
  std::optional<record::RunFolder> folder_;
  std::int64_t watched_step_ = -1;
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

std::string to_json(const Outcome& outcome, const std::string& name, const Experiment& experiment,
                    int threads) {
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
      {"seed", experiment.seed},
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
  return json.dump(2) + "\n";
}

}  // namespace sluice::lab
