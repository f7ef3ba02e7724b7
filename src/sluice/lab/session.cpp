#include "sluice/lab/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/learn/optimizer.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/fitting.hpp"
#include "sluice/record/metrics.hpp"
#include "sluice/spec/document.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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

}  // namespace

Session::Session(Experiment& experiment, std::string name, const RunOptions& options)
    : experiment_(experiment),
      name_(std::move(name)),
      options_(options),
      task_(experiment.task.make()),
      workers_(options.threads) {}

Outcome Session::run() {
  name_kept_start();
  const std::string resolved = to_toml(experiment_);
  spec_ = record::fingerprint(fmt::format("{}", fmt::join(lines_of(resolved), "\n")));  // comments may change
  folder_ = record::RunFolder::open(options_.out, options_.existing, is_spec);
  const bool resumes = options_.existing == record::Existing::resume;
  if (resumes) {
    require_same_spec(*folder_, resolved);
    if (const auto outcome = concluded_before()) return *outcome;
    require_same_start(*folder_);
  }
  std::optional<learn::State> saved = resumes ? saved_state() : std::nullopt;
  learn::State state = saved ? std::move(*saved) : start();
  begun_at_ = state.step;
  const std::unique_ptr<Mover> mover = this->mover(std::move(state));
  // From here on files are written.
  folder_->begin();
  file::write_atomically(folder_->spec(), resolved);
  keep_start(*folder_);
  for (const std::string& remark : task_->remarks()) note(remark);
  if (saved)
    note(fmt::format("resumed at step {}", begun_at_));
  else
    folder_->log(fmt::format("sluice {}: {} begins", version(), name_));
  return go_on(*mover);
}

void Session::note(const std::string& remark) {
  options_.remark(remark);
  folder_->log(remark);
}

/// A finished or diverged run is left as it is.
std::optional<Outcome> Session::concluded_before() {
  const record::Conclusion before = folder_->conclusion();
  const bool diverged = before.status == to_string(Ending::diverged);
  if (before.status != to_string(Ending::finished) && !diverged) return std::nullopt;
  if (before.spec != spec_text()) {
    throw InputError(fmt::format("--resume {}: its spec.toml is not the one that made its record",
                                 folder_->path().string()));
  }
  const file::NamedArrays record = file::read_npz(folder_->record());
  record::require_fitting(record, record::forms_of(watched()), folder_->record(), record::Others::allowed,
                          experiment_.dynamics.steps);
  restore(record);
  fs::remove(folder_->checkpoint());  // a kill may have come between run.json and this
  return outcome(diverged ? Ending::diverged : Ending::already_finished, begun_at_, record);
}

/// What the checkpoint holds, after all of it was held against the spec; nothing where there is none.
std::optional<learn::State> Session::saved_state() {
  const fs::path path = folder_->checkpoint();
  if (!fs::exists(path)) return std::nullopt;
  record::Checkpoint checkpoint = record::load_checkpoint(path);
  if (checkpoint.spec != spec_)
    throw InputError(fmt::format("{}: made by another spec; use --overwrite to begin again", path.string()));
  const learn::State fresh = start();
  const std::int64_t steps = experiment_.dynamics.steps;
  const std::size_t parameters = fresh.parameters.size();
  const bool is_flow = experiment_.dynamics.is_flow();
  const auto memories =
      is_flow ? 0U : static_cast<unsigned>(learn::optimizer(experiment_.dynamics.kind).memories);
  const auto require_length = [&](const char* array, std::size_t found, std::size_t expected) {
    if (found != expected)
      throw InputError(fmt::format("{}: checkpoint.{}: expected {} numbers, found {}", path.string(), array,
                                   expected, found));
  };
  if (checkpoint.state.step < 0 || checkpoint.state.step > steps)
    throw InputError(fmt::format("{}: checkpoint.step: expected 0 to {}, found {}", path.string(), steps,
                                 checkpoint.state.step));
  require_length("parameters", checkpoint.state.parameters.size(), parameters);
  require_length("memory", checkpoint.state.memory.size(), memories * parameters);
  // A flow has exact numbers from its first step on.
  require_length("exact", checkpoint.state.exact.size(),
                 is_flow && checkpoint.state.step > 0 ? exact_numbers() : 0);
  record::require_fitting(checkpoint.watched, record::forms_of(watched()), path, record::Others::refused,
                          checkpoint.state.step);
  restore(checkpoint.watched);
  watched_step_ = file::find(checkpoint.watched, "step")->as<std::int64_t>().back();
  return std::move(checkpoint.state);
}

Outcome Session::go_on(Mover& mover) {
  const std::int64_t steps = experiment_.dynamics.steps;
  Clock::time_point saved = Clock::now();
  for (;;) {
    const learn::State& state = mover.state();
    if (probe::is_probe_time(experiment_.probe, state.step, steps) && state.step != watched_step_) {
      const bool finite = look(state);
      watched_step_ = state.step;
      if (!finite || mover.diverged()) return conclude(Ending::diverged, state);
    }
    if (state.step >= steps || mover.at_rest()) return conclude(Ending::finished, state);
    if (options_.stop_requested()) {  // before progress is shown: on a terminal that is gone nothing can be
      save_if_possible(state);
      return conclude(Ending::interrupted, state);
    }
    options_.progress(state.step, steps);
    if (seconds_since(saved) >= options_.checkpoint_every) {
      save_if_possible(state);
      saved = Clock::now();
    }
    mover.move();
  }
}

/// A full disk must not end a run that may still finish: the record itself is tried at the end.
void Session::save_if_possible(const learn::State& state) {
  try {
    record::save({.spec = spec_, .state = state, .watched = watched()}, folder_->checkpoint());
  } catch (const IoError& failure) {
    if (!std::exchange(told_of_failed_save_, true)) {
      options_.remark(fmt::format("checkpoint not saved, going on: {}", failure.what()));
    }
  }
}

std::string Session::spec_text() const { return fmt::format("{:016x}", static_cast<std::uint64_t>(spec_)); }

Outcome Session::outcome(Ending ending, std::int64_t step, const file::NamedArrays& record) {
  return {.ending = ending,
          .summary = summarize(record),
          .spec = spec_text(),
          .seed = experiment_.seed,
          .seconds = seconds_since(began_),
          .steps_done = step - begun_at_,
          .folder = folder_->path()};
}

Outcome Session::conclude(Ending ending, const learn::State& state) {
  file::NamedArrays record = watched();
  const file::NamedArrays end = kept(state);
  const Outcome result = outcome(ending, state.step, record);
  const std::string metrics = record::metrics_csv(record);
  record.insert(record.end(), end.begin(), end.end());
  file::write_npz(folder_->record(), record,
                  experiment_.record.compress ? file::Packing::compressed : file::Packing::stored);
  file::write_atomically(folder_->metrics(), metrics);
  fs::remove(folder_->probes());  // measured on an earlier record
  if (ending != Ending::interrupted) draw(record, result.summary);
  folder_->log(fmt::format("{} at step {} after {:.1f} s", to_string(ending), state.step, result.seconds));
  // Last: from here on the run counts as concluded.
  file::write_atomically(folder_->conclusion_file(), to_json(result, name_, options_.threads));
  if (ending != Ending::interrupted) fs::remove(folder_->checkpoint());
  folder_->seal();
  return result;
}

/// Pictures can be drawn again; a run is not lost because one cannot be.
void Session::draw(const file::NamedArrays& record, const Summary& summary) {
  try {
    report(*folder_, record, summary);
  } catch (const IoError&) {
    throw;
  } catch (const std::exception& failure) {
    note(fmt::format("figures or page not written: {}", failure.what()));
  }
}

}  // namespace sluice::lab
