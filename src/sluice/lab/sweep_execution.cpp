#include "sluice/lab/sweep_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include "sluice/data/missing.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/file/open_files.hpp"
#include "sluice/gpu/ensemble.hpp"
#include "sluice/lab/cohort.hpp"
#include "sluice/lab/conditions.hpp"
#include "sluice/lab/continuation.hpp"
#include "sluice/lab/executor.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/lab/point_state.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/math/workers.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

RunOptions in_folder(const RunOptions& options, const SweepPoint& point) {
  RunOptions here = options;
  here.out = options.out / point.folder;
  return here;
}

/// Arrays with a value for every weight of every unit: most of a record's bytes. No comparison shows a whole layer, whoever stands for others.
void leave_large_arrays(record::Recording& recording, bool fields_too) {
  constexpr std::int64_t kLayer = 1 << 20;  // numbers
  std::erase_if(recording.arrays, [&](const auto& named) {
    const file::Shape& shape = named.second.shape;
    return shape.size() > 2 ? fields_too : file::element_count(shape) > kLayer;
  });
}

/// Can any points of this sweep move together? On a device they may; elsewhere those that share their samples, and points differ in what
/// is swept alone, so one speaks for all.
bool may_move_together(const Source& source, const RunOptions& options, const SweepPoint& point) {
  const bool swept = std::ranges::any_of(
      point.assignments, [](const std::string& each) { return each.starts_with("sample_seed="); });
  return options.place.on_device || swept || load_point(source, point, options).sample_seed >= 0;
}

constexpr std::size_t kWhole = 64;  // runs whose fields a comparison may show

/// As many as fit into a quarter of the memory that is free there: others, and what libraries need, come on top. Who plans for a device elsewhere does not know.
/// Each holds the lock of its folder, an open file; half of those there may be are left to what is written and to libraries.
std::size_t most_on_device(Experiment experiment, const RunOptions& options) {
  const double most = std::min(4096.0, static_cast<double>(file::most_open_files()) / 2);
  if (!options.place.missing().empty()) return static_cast<std::size_t>(most);
  const Setup setup(std::move(experiment), options.shelf);
  const double bytes = gpu::bytes_of_member(*setup.batches(), setup.evaluation(), setup.network(),
                                            setup.loss(), setup.experiment().dynamics);
  return static_cast<std::size_t>(std::clamp(gpu::device().free_bytes() / 4 / bytes, 1.0, most));
}

/// Groups on a device: side by side they would share it, and all members of all of them would be in memory at once.
bool follow_each_other(const PointGroup& group, const RunOptions& options) {
  return options.place.on_device && group.size() > 1;
}

}  // namespace

Source at(const Source& source, const SweepPoint& point) {
  Source moved = source;
  moved.swept = point.assignments;
  return moved;
}

Experiment load_point(const Source& source, const SweepPoint& point, const RunOptions& options) {
  Experiment experiment = options.existing == record::Existing::resume
                              ? load_resumed(at(source, point), options.out / point.folder)
                              : load(at(source, point));
  experiment.sweep = {};
  return experiment;
}

Runnable require_runnable(const Source& source, const RunOptions& options, const SweepPoint& point,
                          bool alone) {
  try {
    Experiment experiment = load_point(source, point, options);
    if (options.existing == record::Existing::overwrite) require_kept_start(experiment, options.out);
    const std::size_t spec = std::hash<std::string>{}(to_toml(experiment));
    const Setup setup(std::move(experiment), options.shelf);
    setup.require_known_at(options.place);
    const fs::path out = in_folder(options, point).out;
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(out, ignored)))
      throw InputError(
          fmt::format("{}: a link; the points of a sweep have folders of their own", out.string()));
    record::RunFolder::check(out, options.existing, is_spec);
    if (options.existing == record::Existing::resume && fs::exists(out / "spec.toml"))
      require_same_spec(setup.experiment(), file::read_text(out / "spec.toml"), out);
    return {setup.mark(), spec, needs_in(out, options.existing, needs_of(setup, 1))};
  } catch (const data::Missing&) {
    throw;  // whoever speaks to the user says how the set is fetched
  } catch (const InputError& error) {
    throw InputError(alone ? error.what() : fmt::format("{} ({})", error.what(), point.folder));
  }
}

std::vector<Runnable> require_all_runnable(const Source& source, const RunOptions& options, std::size_t count,
                                           const PointAt& point, const Shard& shard) {
  std::vector<Runnable> ready(count);
  std::vector<std::exception_ptr> refusals(count);
  const math::Stoppable stoppable(options.abandon_requested);
  std::atomic<std::size_t> first = count;  // of those that are refused: nobody looks beyond it
  std::int64_t ours = 0, looked_at = 0;
  for (std::size_t i = 0; i < count; ++i) ours += shard.has(i) ? 1 : 0;
  std::mutex telling;
  math::Workers workers(options.threads);
  workers.run(static_cast<std::int64_t>(count), [&](std::int64_t chunk, int) {
    const auto i = static_cast<std::size_t>(chunk);
    if (!shard.has(i) || i > first) return;
    {
      const std::lock_guard guard(telling);
      options.progress(++looked_at, ours);
    }
    try {
      ready[i] = require_runnable(source, options, point(i), count == 1);
    } catch (...) {
      refusals[i] = std::current_exception();
      for (std::size_t before = first; i < before && !first.compare_exchange_weak(before, i);) continue;
    }
  });
  if (first < count) std::rethrow_exception(refusals[first]);
  std::map<std::size_t, std::size_t> known;
  for (std::size_t i = 0; i < count; ++i) {
    if (!shard.has(i)) continue;
    const auto [same, fresh] = known.emplace(ready[i].spec, i);
    if (!fresh)
      throw InputError(
          fmt::format("{}: the same run as {}, in other words", point(i).folder, point(same->second).folder));
  }
  return ready;
}

std::vector<bool> shown_whole(std::span<const SweepPoint> points) {
  std::vector<std::vector<Setting>> settings;
  for (const SweepPoint& point : points) settings.push_back(point.settings);
  std::vector<bool> whole(points.size());
  for (const std::size_t i : representatives(settings, kWhole)) whole[i] = true;
  return whole;
}

Room room_of(std::span<const Runnable> points, const std::vector<bool>& whole,
             const std::vector<PointGroup>& groups, const RunOptions& options) {
  std::size_t alone = 0;  // of those that take_all has follow each other
  std::vector<std::size_t> beside;
  for (const PointGroup& group : groups) {
    if (follow_each_other(group, options))
      alone = std::max(alone, group.size());
    else
      beside.push_back(group.size());
  }
  std::ranges::sort(beside, std::greater());
  const auto threads = static_cast<std::size_t>(options.threads);
  beside.resize(std::min(beside.size(), threads));
  const std::size_t held = std::max(alone, std::accumulate(beside.begin(), beside.end(), std::size_t{0}));
  std::vector<Needs> needs;
  for (const Runnable& each : points) needs.push_back(each.needs);
  return room_of(needs, held, std::min(held, threads), whole);
}

std::size_t most_together(const Part& part) { return part.worker || part.shared ? 8 : 64; }

std::vector<PointGroup> groups_of(const Source& source, const RunOptions& options, const PointAt& point,
                                  const std::vector<std::size_t>& todo, std::size_t most_together) {
  std::vector<PointGroup> groups;
  std::map<std::string, PointGroup> sharing;
  const bool together = !todo.empty() && may_move_together(source, options, point(todo.front()));
  std::vector<std::string> keys(todo.size());
  if (together) {
    math::Workers workers(options.threads);
    workers.run(std::ssize(todo), [&](std::int64_t chunk, int) {
      const auto at = static_cast<std::size_t>(chunk);
      keys[at] = cohort_key(load_point(source, point(todo[at]), options), options.place, options.shelf);
    });
  }
  for (std::size_t at = 0; at < todo.size(); ++at) {
    if (keys[at].empty())
      groups.push_back({todo[at]});
    else
      sharing[keys[at]].push_back(todo[at]);
  }
  for (const auto& [key, all] : sharing) {
    const auto threads = static_cast<std::size_t>(options.threads);
    const std::size_t most =
        options.place.on_device
            ? std::min(all.size(), most_on_device(load_point(source, point(all.front()), options), options))
            : std::min(most_together, (all.size() + threads - 1) / threads);
    for (std::size_t first = 0; first < all.size(); first += most)
      groups.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(first),
                          all.begin() + static_cast<std::ptrdiff_t>(std::min(first + most, all.size())));
  }
  return groups;
}

void take_all(const std::vector<PointGroup>& groups, const RunOptions& options,
              const std::function<void(const PointGroup&, int)>& take) {
  std::vector<const PointGroup*> beside;
  for (const PointGroup& group : groups) {
    if (follow_each_other(group, options))
      take(group, options.threads);
    else
      beside.push_back(&group);
  }
  execute(beside.size(), options.threads, [&](std::size_t at, int threads) { take(*beside[at], threads); });
}

Execution::Execution(const Source& source, const RunOptions& options, const SweepHooks& hooks,
                     const Part& part, SweepOutcome& outcome)
    : source_(source),
      options_(options),
      hooks_(hooks),
      part_(part),
      outcome_(outcome),
      marks_(outcome.points.size()),
      shares_(outcome.points.size()) {
  std::vector<SweepPoint> points;
  for (const PointOutcome& each : outcome.points) points.push_back(each.point);
  whole_ = shown_whole(points);
  there_.resize(outcome.points.size());
}

void Execution::require_runnable() {
  const std::vector<Runnable> ready = require_all_runnable(
      source_, options_, count(), [this](std::size_t i) -> const SweepPoint& { return point(i); },
      part_.shard);
  for (std::size_t i = 0; i < count(); ++i) marks_[i] = ready[i].mark;
  planned_ = groups_of(left());
  const Room room = room_of(ready, whole_, *planned_, options_);
  require_room(room, options_.out);
  if (const std::string remark = remark_on(room); !remark.empty()) options_.remark(remark);
}

std::vector<std::size_t> Execution::left() {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < count(); ++i)
    if (part_.shard.has(i) && !(there_[i] = is_there(i))) left.push_back(i);
  return left;
}

std::vector<PointGroup> Execution::groups_of(const std::vector<std::size_t>& todo) const {
  return lab::groups_of(
      source_, options_, [this](std::size_t i) -> const SweepPoint& { return point(i); }, todo,
      most_together(part_));
}

void Execution::run() {
  try {
    take_what_is_left();
  } catch (const IoError& failure) {  // between points: nobody can tell how far they are
    stop_by({}, failure);
  }
}

void Execution::take_what_is_left() {
  const bool shared =
      part_.shared || part_.worker || part_.shard.count > 1;  // others may have come further since
  if (!planned_ || shared) planned_ = groups_of(left());
  over_ = static_cast<std::size_t>(std::ranges::count(there_, true));
  if (over_ > 0) hooks_.found(over_);
  for (std::vector<PointGroup> groups = std::move(*planned_);;) {
    Group elsewhere;
    take_all(groups, options_, [&](const Group& group, int threads) {
      const Group busy = take(group, threads);
      const std::lock_guard guard(mutex_);
      elsewhere.insert(elsewhere.end(), busy.begin(), busy.end());
    });
    if (elsewhere.empty() || stopped()) return;
    std::ranges::sort(elsewhere);
    if (part_.worker) return;
    groups = groups_of(free_again(elsewhere));
  }
}

bool Execution::is_complete() {
  bool complete = true;
  for (std::size_t i = 0; i < count(); ++i) {
    PointOutcome& each = outcome_.points[i];
    if (each.outcome) {
      complete = complete && each.outcome->ending != Ending::interrupted;
    } else if (each.failure.empty()) {
      const PointStatus now = status_of(folder(i));
      if (now.state == PointState::failed) each.failure = now.reason;
      complete = complete && (is_over(now.state) || now.state == PointState::failed);
    }
  }
  return complete;
}
void Execution::read_others() {
  for (std::size_t i = 0; i < count(); ++i) {
    PointOutcome& each = outcome_.points[i];
    if (each.outcome || !each.failure.empty()) continue;
    const bool diverged = status_of(folder(i)).state == PointState::diverged;
    Outcome outcome{.ending = diverged ? Ending::diverged : Ending::already_finished,
                    .recording = read_run(folder(i)).recording};
    leave_large_arrays(outcome.recording, !whole_[i]);
    each.outcome = std::move(outcome);
  }
}
bool Execution::ended_any() const {
  return std::ranges::any_of(outcome_.points,
                             [](const PointOutcome& each) { return each.outcome.has_value(); });
}

/// Over, and made by the very spec that would make it again, as far as that is known: who joins others leaves it to them.
bool Execution::is_there(std::size_t i) const {
  if (options_.existing != record::Existing::resume || !is_over(status_of(folder(i)).state)) return false;
  // A kill may have come between the end and the last touches: whoever opens it makes them.
  for (const std::string_view left : {std::string_view("checkpoint.npz"), file::FolderLock::kName})
    if (fs::exists(folder(i) / left)) return false;
  const std::optional<file::Json> json = file::Json::parse(file::read_text(folder(i) / "run.json"));
  return json && (marks_[i].empty() || json->text_at("spec") == marks_[i]);
}

/// What becomes of the points of a group; those that another process is at work on are given back.
Execution::Group Execution::take(const Group& group, int threads) {
  Group elsewhere, open;
  std::vector<std::unique_ptr<Joinable>> opened(group.size()), sessions;
  const bool many = group.size() > 1;  // those that move as one have one team, and no use for one each
  math::Workers workers(many ? threads : 1);
  workers.run(std::ssize(group), [&](std::int64_t chunk, int) {
    const auto at = static_cast<std::size_t>(chunk);
    guarded(group[at], elsewhere, [&] { opened[at] = open_session(group[at], many ? 1 : threads); });
  });
  for (std::size_t at = 0; at < group.size(); ++at) {
    if (!opened[at]) continue;
    sessions.push_back(std::move(opened[at]));
    open.push_back(group[at]);
  }
  if (sessions.size() == 1 &&
      !moves_among_others(load_point(source_, point(open.front()), options_), options_.place)) {
    guarded(open.front(), elsewhere, [&] {
      const auto session =
          std::move(sessions.front());  // a failure is noted when it has let go of the folder
      end(open.front(), session->go_on());
    });
  } else if (!sessions.empty()) {
    Group left = open;  // what goes wrong with one that moves with others goes wrong with all that are left
    guarded_by(left, elsewhere, [&] {
      const auto together = std::move(sessions);  // they let go of their folders, too
      const auto ended = [&](std::size_t which, Outcome outcome) {
        end(open[which], std::move(outcome));
        const std::lock_guard guard(mutex_);
        std::erase(left, open[which]);
      };
      const math::Stoppable stoppable(options_.abandon_requested);
      run_together(together, options_.place, ended, workers);
    });
  }
  return elsewhere;
}

/// A session that is open; none where the point came to its end before.
std::unique_ptr<Session> Execution::open_session(std::size_t i, int threads) {
  if (stopped()) return nullptr;
  RunOptions here = in_folder(options_, point(i));
  here.threads = threads;
  here.pages = false;
  here.stop_requested = [this] { return stopped(); };
  here.progress = [this, i](std::int64_t step, std::int64_t steps) { advance(i, step, steps); };
  here.remark = [this, i](const std::string& remark) {
    const std::lock_guard guard(mutex_);
    hooks_.remarks(label(i), remark);
  };
  begin(i);
  auto session = std::make_unique<Session>(load_point(source_, point(i), options_), label(i), here);
  if (auto before = session->open()) {
    end(i, std::move(*before));
    return nullptr;
  }
  return session;
}

void Execution::guarded(std::size_t i, Group& elsewhere, const std::function<void()>& work) {
  const Group one{i};
  guarded_by(one, elsewhere, work);
}
/// What goes wrong with points is told of each, and does not stop the others, unless the next ones would meet the same.
void Execution::guarded_by(const Group& points, Group& elsewhere, const std::function<void()>& work) {
  try {
    work();
  } catch (const file::Busy&) {
    const std::lock_guard guard(mutex_);
    elsewhere.insert(elsewhere.end(), points.begin(), points.end());
  } catch (const Stopped&) {
    // Before there was anything to show: what its folder holds is where it goes on.
  } catch (const IoError& failure) {
    stop_by(points, failure);
  } catch (const fs::filesystem_error& failure) {
    stop_by(points, failure);
  } catch (const std::exception& failure) {
    const std::string words = words_of(failure);
    for (const std::size_t i : points) {
      fail(i, words);
      note_failure(folder(i), words);
    }
  }
}

/// What the next points would meet, too.
void Execution::stop_by(const Group& points, const std::exception& failure) {
  const std::string words = words_of(failure);
  for (const std::size_t i : points) fail(i, words);
  const std::lock_guard guard(mutex_);
  outcome_.stopped_by = words;
  stopping_ = true;
}

void Execution::begin(std::size_t i) {
  const std::lock_guard guard(mutex_);
  hooks_.begins(label(i), i, count());
}
void Execution::end(std::size_t i, Outcome done) {
  const std::lock_guard guard(mutex_);
  if (done.ending != Ending::interrupted) {
    ++over_;
    shares_[i] = 0;
  }
  leave_large_arrays(done.recording, !whole_[i]);
  outcome_.points[i].outcome = std::move(done);
  hooks_.ends(label(i), *outcome_.points[i].outcome);
}
void Execution::fail(std::size_t i, const std::string& reason) {
  const std::lock_guard guard(mutex_);
  ++over_;
  shares_[i] = 0;
  outcome_.points[i].failure = reason;
  hooks_.fails(label(i), reason);
}

/// Called at every step of every point: told a few times a second, and nobody waits for somebody who is already telling.
void Execution::advance(std::size_t i, std::int64_t step, std::int64_t steps) {
  constexpr std::int64_t kBetween = 50'000'000;  // nanoseconds
  shares_[i] = steps > 0 ? static_cast<float>(step) / static_cast<float>(steps) : 0.0F;
  const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  if (now - told_ < kBetween) return;
  const std::unique_lock guard(mutex_, std::try_to_lock);
  if (!guard.owns_lock()) return;
  told_ = now;
  double share = static_cast<double>(over_);
  for (const std::atomic<float>& each : shares_) share += static_cast<double>(each);
  hooks_.advances({over_, count(), share / static_cast<double>(count())});
}

/// Those of the points that others had which nobody has now and which are not over; waits until there are some, or until all are over.
std::vector<std::size_t> Execution::free_again(const std::vector<std::size_t>& elsewhere) {
  if (std::exchange(waited_for_, elsewhere.size()) != elsewhere.size()) hooks_.waits(elsewhere.size());
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::vector<std::size_t> free;
    bool running = false;
    for (const std::size_t i : elsewhere) {
      const PointState state = status_of(folder(i)).state;
      running = running || state == PointState::running;
      if (state != PointState::running && !is_over(state)) free.push_back(i);
    }
    if (!free.empty() || !running || stopped()) return free;
  }
}

}  // namespace sluice::lab
