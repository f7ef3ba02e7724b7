#include "sluice/lab/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/continuation.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/lab/needs.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/spread.hpp"
#include "sluice/lab/take_up.hpp"
#include "sluice/record/audience.hpp"
#include "sluice/record/checkpoint.hpp"
#include "sluice/record/fitting.hpp"
#include "sluice/record/metrics.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;

namespace {

Experiment keeping_start(Experiment experiment, const RunOptions& options) {
  if (options.existing == record::Existing::overwrite) require_kept_start(experiment, options.out);
  return experiment;
}

}  // namespace

Session::Session(Experiment experiment, std::string name, const RunOptions& options)
    : name_(std::move(name)),
      options_(options),
      setup_(keeping_start(std::move(experiment), options), options.shelf),
      workers_(options.threads, options.lead == nullptr ? nullptr : &options.lead->ranks()),
      simulation_(setup_, workers_, options.place),
      hooks_{.stop_requested = options.stop_requested,
             .abandon_requested = options.abandon_requested,
             .progress = options.progress,
             .save = [this](const learn::State& state,
                            const file::NamedViews& watched) { save(state, watched); },
             .save_due = [this](double since) { return save_due(since); }} {}

std::optional<Outcome> Session::open() {
  if (options_.lead != nullptr) require_spreadable(setup_);
  setup_.require_known_at(options_.place);
  options_.place.require_there();
  if (!is_begun()) require_room(room(), options_.out);
  folder_ = record::RunFolder::open(options_.out, options_.existing, is_spec);
  std::optional<learn::State> saved;
  if (is_begun()) {
    const std::string before = file::read_text(folder_->spec());
    require_same_spec(setup_.experiment(), before, folder_->path());
    if (auto outcome = concluded_before(before)) return outcome;
    require_same_start();
    require_room(room(), options_.out);
    if (fs::exists(folder_->checkpoint()))
      saved = take_up(folder_->checkpoint(), before, setup_, simulation_);
  }
  resumes_ = saved.has_value();
  start_ = saved ? std::move(*saved) : setup_.begins();
  return std::nullopt;
}

void Session::begin(std::unique_ptr<learn::Engine> engine) {
  learn::State start =
      std::exchange(start_, {});  // whoever moves it has it; thousands have no room for another
  const std::int64_t begun_at = start.step;
  if (options_.lead != nullptr)
    simulation_.begin_with(options_.lead->leading(setup_.engine(std::move(start), workers_), setup_.mark()));
  else if (engine)
    simulation_.begin_with(std::move(engine));
  else
    simulation_.begin_at(std::move(start));
  file::CommitTogether first_files;
  folder_->begin();
  file::remove_entry(folder_->state());  // where it was stopped is not where it ends
  audience_.emplace(folder_->path());
  file::write_atomically(folder_->spec(), to_toml(setup_.experiment()));
  keep_start();
  for (const std::string& remark : setup_.remarks()) note(remark);
  if (resumes_)
    note(fmt::format("resumed at step {}", begun_at));
  else
    folder_->log(fmt::format("sluice {}: {} begins", version(), name_));
  first_files.commit();
}

std::optional<Outcome> Session::pause() {
  const std::optional<Ending> ending = simulation_.pause(hooks_);
  if (!ending) return std::nullopt;
  return conclude(*ending);
}

std::optional<Outcome> Session::interrupt() {
  const std::optional<Ending> ending = simulation_.interrupt(hooks_);
  if (!ending) return std::nullopt;
  return conclude(*ending);
}

Outcome Session::go_on() {
  {
    const math::Stoppable stoppable(hooks_.abandon_requested);  // a flow may take long to make
    begin(nullptr);
  }
  return conclude(simulation_.go_on(hooks_));
}

Outcome Session::run() {
  if (auto outcome = open()) return std::move(*outcome);
  if (const std::string remark = remark_on(room()); !remark.empty()) options_.remark(remark);
  return go_on();
}

/// Is there a run to go on with?
bool Session::is_begun() const {
  return options_.existing == record::Existing::resume && fs::exists(options_.out / "spec.toml");
}

/// On the way to its end a checkpoint lies beside the one before it, then beside the results.
Room Session::room() const {
  return room_of(std::array{needs_in(options_.out, options_.existing, needs_of(setup_, workers_.threads()))},
                 1, 1, {false});
}

void Session::note(const std::string& remark) {
  options_.remark(remark);
  folder_->log(remark);
}

/// A finished or diverged run is left as it is.
std::optional<Outcome> Session::concluded_before(const std::string& text) {
  const record::Conclusion before = folder_->conclusion();
  const bool diverged = before.status == to_string(Ending::diverged);
  if (before.status != to_string(Ending::finished) && !diverged) return std::nullopt;
  if (!made_by(before.spec, setup_.experiment(), text))
    throw InputError(
        fmt::format("{}: its spec.toml is not the one that made its record", folder_->path().string()));
  record::Recording recording = record::read_recording(folder_->path());
  const std::vector<std::string> of_the_end = setup_.experiment().probe.of_the_end();
  record::require_fitting(recording.arrays, record::forms_of(expected_arrays(), of_the_end),
                          folder_->record(), record::Others::allowed, setup_.experiment().dynamics.steps);
  folder_->finish();
  return Outcome{.ending = diverged ? Ending::diverged : Ending::already_finished,
                 .recording = std::move(recording),
                 .seconds = seconds()};
}

/// The arrays of the probes, without those that version 0.1.0 did not keep of deep networks.
file::NamedArrays Session::expected_arrays() const {
  file::NamedArrays arrays = simulation_.watched();
  if (setup_.network().find_part("weights") == nullptr)
    std::erase_if(arrays, [](const auto& named) { return named.first == "weights"; });
  return arrays;
}

/// A run folder must reproduce itself, also after the files it started from are gone.
void Session::keep_start() {
  const file::NamedArrays kept = setup_.kept_start();
  if (kept.empty() || fs::exists(kept_path())) return;
  folder_->claim({setup_.kept_name()});
  if (kept_path().extension() == ".npy")
    file::write_npy(kept_path(), kept.front().second);
  else
    file::write_npz(kept_path(), kept, file::Packing::stored);
}
void Session::require_same_start() const {
  const file::NamedArrays kept = setup_.kept_start();
  if (kept.empty() || !fs::exists(kept_path())) return;
  const file::NamedArrays before = file::read_npz(kept_path());
  const bool same = before.size() == kept.size() &&
                    std::equal(kept.begin(), kept.end(), before.begin(),
                               [](const auto& now, const auto& then) { return now.second == then.second; });
  if (!same)
    throw InputError(fmt::format("{}: it was begun with other initial weights, kept in its {}",
                                 folder_->path().string(), setup_.kept_name()));
}
/// As often as was asked for; while somebody looks on, every second, or so seldom that saving takes a twentieth of the time.
bool Session::save_due(double since_last) {
  if (since_last >= options_.checkpoint_every) return true;
  return since_last >= std::max(1.0, 20 * save_took_) && audience_->present();
}

/// A full disk must not end a run that may still finish: the record itself is tried at the end.
void Session::save(const learn::State& state, const file::NamedViews& watched) {
  const Clock::time_point began = Clock::now();
  try {
    record::save(fingerprint_number(setup_.mark()), state, watched, folder_->checkpoint());
  } catch (const IoError& failure) {
    if (!std::exchange(told_of_failed_save_, true))
      options_.remark(fmt::format("checkpoint not saved, going on: {}", failure.what()));
  }
  save_took_ = std::chrono::duration<double>(Clock::now() - began).count();
}

Outcome Session::conclude(Ending ending) {
  const math::Stoppable stoppable(hooks_.abandon_requested);
  try {
    return write_conclusion(ending);
  } catch (const Stopped&) {
    if (ending == Ending::finished) simulation_.keep_end(hooks_);
    return write_conclusion(Ending::interrupted);
  }
}

Outcome Session::write_conclusion(Ending ending) {
  record::Recording recording = simulation_.recording(name_, ending);
  recording.folder = folder_->path();
  recording.seconds = seconds();
  file::CommitTogether results;
  // Who is asked to stop has no time to deflate what will be replaced.
  const bool deflates = setup_.experiment().record.compress && ending != Ending::interrupted;
  file::write_npz(folder_->record(), recording.arrays,
                  deflates ? file::Packing::compressed : file::Packing::stored);
  file::write_atomically(folder_->metrics(), record::metrics_csv(recording.arrays, recording.axes));
  if (ending != Ending::diverged)
    file::write_npz(folder_->state(), record::to_arrays(setup_.end_of(simulation_.state())),
                    file::Packing::stored);
  results.commit();
  folder_->forget_probes();
  if (ending != Ending::interrupted && options_.pages) draw(recording);
  if (ending == Ending::finished) {
    if (const std::string remark = simulation_.remark_on_learning(); !remark.empty()) note(remark);
  }
  file::CommitTogether conclusion;
  folder_->log(fmt::format("{} at step {} after {:.1f} s", to_string(ending), simulation_.state().step,
                           recording.seconds));
  // Last: from here on the run counts as concluded.
  file::write_atomically(folder_->conclusion_file(), record::to_json(recording).dump(2) + "\n");
  conclusion.commit();
  if (ending != Ending::interrupted) file::remove_entry(folder_->checkpoint());
  record::leave(folder_->path());
  folder_->seal();
  const double took = recording.seconds;
  return {.ending = ending,
          .recording = std::move(recording),
          .seconds = took,
          .steps_done = simulation_.steps_done()};
}

/// Pictures can be drawn again; a run is not lost because one cannot be.
void Session::draw(const record::Recording& recording) {
  try {
    write_run_report(
        recording, setup_.experiment(), [&](const std::vector<std::string>& names) { folder_->claim(names); },
        workers_);
  } catch (const IoError&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& failure) {
    note(fmt::format("figures or page not written: {}", words_of(failure)));
  }
}

}  // namespace sluice::lab
