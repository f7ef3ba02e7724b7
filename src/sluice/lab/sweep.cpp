#include "sluice/lab/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sluice/file/errors.hpp"
#include "sluice/file/lock.hpp"
#include "sluice/lab/estimate.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/lab/sweep_execution.hpp"
#include "sluice/lab/sweep_folder.hpp"
#include "sluice/record/manifest.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

using record::Manifest;

/// The source of a sweep that is resumed: where points were begun with a rate that the source leaves open and that is not the usual one
/// of today, those that were not begun follow them.
Source with_rate_of_begun(Source source, const RunOptions& options, const std::vector<SweepPoint>& points) {
  const auto rate = [](const Experiment& experiment) { return experiment.dynamics.optimizer.rate; };
  const auto begun = std::ranges::find_if(points, [&](const SweepPoint& point) {
    std::error_code ignored;
    return fs::exists(options.out / point.folder / "spec.toml", ignored);
  });
  if (options.existing != record::Existing::resume || begun == points.end()) return source;
  if (const double then = rate(load_point(source, *begun, options)); then != rate(load(at(source, *begun))))
    source.usual_rate = then;
  return source;
}

<<<<<<< HEAD
=======
RunOptions in_folder(const RunOptions& options, const SweepPoint& point) {
  RunOptions here = options;
  here.out = options.out / point.folder;
  return here;
}

constexpr std::chrono::seconds kPatience{10};  // others hold a sweep's lock only while they plan or compare
constexpr std::chrono::minutes kPatienceAtTheEnd{
    20};  // and comparing many runs can take long: what was computed is not given up for it

/// A sweep is never the way somebody loses a file: a folder that is not empty has to be a sweep's, by its manifest or (of
/// version 0.1.0, stopped before it compared) by a point that is a run.
void require_usable(const RunOptions& options, const Manifest& manifest,
                    const std::vector<SweepPoint>& points) {
  if (record::is_vacant(options.out)) return;
  if (options.existing == record::Existing::refuse) {
    throw InputError(
        fmt::format("{}: exists and is not empty; resume it to skip finished runs, overwrite it to run them "
                    "again, or choose another folder",
                    options.out.string()));
  }
  const bool begun = std::ranges::any_of(points, [&](const SweepPoint& point) {
    return Manifest(options.out / point.folder, is_spec).kind() == Manifest::Kind::run;
  });
  if (manifest.kind() == Manifest::Kind::run || (manifest.kind() == Manifest::Kind::none && !begun)) {
    throw InputError(fmt::format("{}: exists, is not empty, and no sweep wrote it; choose another folder",
                                 options.out.string()));
  }
}

/// With the lock held: while somebody else compares, files change under whoever looks.
void require_unchanged(const fs::path& folder, const Manifest& manifest) {
  for (const std::string& name : manifest.changed()) {
    throw InputError(
        fmt::format("{}: '{}' was changed since the sweep wrote it; move it away", folder.string(), name));
  }
}

const std::vector<std::string> kNames{"report.html", "summary.csv", "sweep.csv", "sweep.json"};

/// What sweep.json says beside the points: the fingerprint of the first, and whether tables, figures and page are those of them all.
struct Stage {
  std::string spec;
  bool compared = false;
};

/// sweep.json: the points, and what became of them so far.
file::Json to_json(const fs::path& folder, const std::vector<PointOutcome>& outcomes, const Stage& stage) {
  file::Json points = file::Json::array();
  for (const PointOutcome& each : outcomes) {
    file::Json settings = file::Json::object();
    for (const Setting& setting : each.point.settings) settings[setting.name] = setting.value;
    file::Json point{{"folder", each.point.folder}, {"settings", settings}};
    const PointStatus now =
        each.outcome || !each.failure.empty() ? PointStatus{} : status_of(folder / each.point.folder);
    point["status"] = each.outcome            ? each.outcome->recording.status
                      : !each.failure.empty() ? std::string(to_string(PointState::failed))
                                              : std::string(to_string(now.state));
    const std::string& reason = each.failure.empty() ? now.reason : each.failure;
    if (!reason.empty()) point["reason"] = reason;
    points.push_back(point);
  }
  return {{"sluice", version()}, {"spec", stage.spec}, {"compared", stage.compared}, {"points", points}};
}

void write_plan(const fs::path& folder, const std::vector<PointOutcome>& outcomes, const Stage& stage) {
  file::write_atomically(folder / "sweep.json", to_json(folder, outcomes, stage).dump(2) + "\n");
}

std::optional<file::Json> plan_in(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / "sweep.json", ignored)) return std::nullopt;
  return file::Json::parse(file::read_text(folder / "sweep.json"));
}

/// Is this the plan that lies in the folder? Throws InputError where its points are these, made by another spec.
bool is_planned(const fs::path& folder, const std::vector<SweepPoint>& points, const std::string& spec) {
  const std::optional<file::Json> json = plan_in(folder);
  const file::Json* list = json ? json->find("points") : nullptr;
  if (list == nullptr || list->elements() == nullptr || list->elements()->size() != points.size())
    return false;
  const bool same =
      std::ranges::equal(*list->elements(), points, [](const file::Json& planned, const SweepPoint& point) {
        return planned.text_at("folder") == point.folder;
      });
  const std::string before = json->text_at("spec");
  if (same && !before.empty() && before != spec)
    throw InputError(fmt::format("{}: its sweep was begun with another spec", folder.string()));
  return same;
}

/// Are tables, figures and page those of all points?
bool is_compared(const fs::path& folder) {
  const std::optional<file::Json> json = plan_in(folder);
  const file::Json* compared = json ? json->find("compared") : nullptr;
  return compared != nullptr && compared->truth() != nullptr && *compared->truth();
}

/// The folder with its old comparison gone: until the new one is there, it would describe other runs.
void plan(const RunOptions& options, const std::vector<SweepPoint>& points,
          const std::vector<PointOutcome>& outcomes, const Stage& stage) {
  require_usable(options, Manifest(options.out, is_spec), points);  // a refused start touches nothing
  const auto lock = record::make_and_lock(options.out, kPatience);
  Manifest manifest(options.out, is_spec);
  require_usable(options, manifest, points);
  require_unchanged(options.out, manifest);
  file::remove_stale_temporaries(options.out);
  manifest.claim(Manifest::Kind::sweep, kNames);
  manifest.remove_files();
  manifest.claim(Manifest::Kind::sweep, kNames);
  write_plan(options.out, outcomes, stage);
}

/// Everything that can fail on the user's input, of a point: nothing has run and nothing was touched. Its fingerprint.
std::string require_runnable(const Source& source, const RunOptions& options, const SweepPoint& point,
                             bool alone) {
  try {
    const Setup setup(load_point(source, point, options));
    record::RunFolder::check(in_folder(options, point).out, options.existing, is_spec);
    return setup.mark();
  } catch (const data::Missing&) {
    throw;  // whoever speaks to the user says how the set is fetched
  } catch (const InputError& error) {
    throw InputError(alone ? error.what() : fmt::format("{} ({})", error.what(), point.folder));
  }
}

/// Arrays with a value for every weight of every unit: most of a record's bytes.
void leave_large_arrays(record::Recording& recording) {
  std::erase_if(recording.arrays, [&](const auto& named) { return named.second.shape.size() > 2; });
}

constexpr std::size_t kWhole = 64;  // runs whose fields a comparison may show

/// The points of a sweep on their way.
class Execution {
 public:
  Execution(const Source& source, const RunOptions& options, const SweepHooks& hooks, const Part& part,
            SweepOutcome& outcome)
      : source_(source),
        options_(options),
        hooks_(hooks),
        part_(part),
        outcome_(outcome),
        marks_(outcome.points.size()),
        shares_(outcome.points.size()) {
    std::vector<std::vector<Setting>> settings;
    for (const PointOutcome& each : outcome.points) settings.push_back(each.point.settings);
    whole_.resize(outcome.points.size());
    there_.resize(outcome.points.size());
    for (const std::size_t i : representatives(settings, kWhole)) whole_[i] = true;
  }

  /// Every point of ours is set up before the first one runs.
  void require_all_runnable() {
    for (std::size_t i = 0; i < count(); ++i)
      if (part_.shard.has(i)) marks_[i] = require_runnable(source_, options_, point(i), count() == 1);
  }

  void run() {
    std::vector<std::size_t> todo;
    for (std::size_t i = 0; i < count(); ++i)
      if (part_.shard.has(i) && !(there_[i] = is_there(i))) todo.push_back(i);
    over_ = static_cast<std::size_t>(std::ranges::count(there_, true));
    if (over_ > 0) hooks_.found(over_);
    for (;;) {
      Group elsewhere;
      const std::vector<Group> groups = groups_of(todo);
      execute(groups.size(), options_.threads, [&](std::size_t at, int threads) {
        const Group busy = take(groups[at], threads);
        const std::lock_guard guard(mutex_);
        elsewhere.insert(elsewhere.end(), busy.begin(), busy.end());
      });
      if (elsewhere.empty() || stopped()) return;
      std::ranges::sort(elsewhere);
      if (part_.worker) return;
      todo = free_again(elsewhere);
    }
  }

  bool stopped() const { return stopping_ || options_.stop_requested(); }

  /// Did every point come to an end, here, elsewhere or before?
  bool is_complete() {
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
  /// What others did, or an earlier start of this sweep.
  void read_others() {
    for (std::size_t i = 0; i < count(); ++i) {
      PointOutcome& each = outcome_.points[i];
      if (each.outcome || !each.failure.empty()) continue;
      const bool diverged = status_of(folder(i)).state == PointState::diverged;
      Outcome outcome{.ending = diverged ? Ending::diverged : Ending::already_finished,
                      .recording = read_run(folder(i)).recording};
      if (!whole_[i]) leave_large_arrays(outcome.recording);
      each.outcome = std::move(outcome);
    }
  }
  /// Has this process come to the end of any point?
  bool ended_any() const {
    return std::ranges::any_of(outcome_.points,
                               [](const PointOutcome& each) { return each.outcome.has_value(); });
  }

 private:
  std::size_t count() const { return outcome_.points.size(); }
  const SweepPoint& point(std::size_t i) const { return outcome_.points[i].point; }
  std::string label(std::size_t i) const { return label_of(point(i).settings); }
  fs::path folder(std::size_t i) const { return options_.out / point(i).folder; }

  /// Over, and made by the very spec that would make it again, as far as that is known: who joins others leaves it to them.
  bool is_there(std::size_t i) const {
    if (options_.existing != record::Existing::resume || !is_over(status_of(folder(i)).state)) return false;
    // A kill may have come between the end and the last touches: whoever opens it makes them.
    for (const std::string_view left : {std::string_view("checkpoint.npz"), file::FolderLock::kName})
      if (fs::exists(folder(i) / left)) return false;
    const std::optional<file::Json> json = file::Json::parse(file::read_text(folder(i) / "run.json"));
    return json && (marks_[i].empty() || json->text_at("spec") == marks_[i]);
  }

  /// Points that move together, or one alone.
  using Group = std::vector<std::size_t>;

  /// Those that share their samples, evenly over the threads; all others by themselves.
  std::vector<Group> groups_of(const std::vector<std::size_t>& todo) const {
    const std::size_t most_together = part_.worker || part_.shared ? 8 : 64;  // some for the others
    std::vector<Group> groups;
    std::map<std::string, Group> sharing;
    for (const std::size_t i : todo) {
      const std::string key = cohort_key(load_point(source_, point(i), options_));
      if (key.empty())
        groups.push_back({i});
      else
        sharing[key].push_back(i);
    }
    for (const auto& [key, all] : sharing) {
      const auto threads = static_cast<std::size_t>(options_.threads);
      const std::size_t most = std::min(most_together, (all.size() + threads - 1) / threads);
      for (std::size_t first = 0; first < all.size(); first += most)
        groups.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(first),
                            all.begin() + static_cast<std::ptrdiff_t>(std::min(first + most, all.size())));
    }
    return groups;
  }

  /// What becomes of the points of a group; those that another process is at work on are given back.
  Group take(const Group& group, int threads) {
    Group elsewhere, open;
    std::vector<std::unique_ptr<Session>> sessions;
    for (const std::size_t i : group) {
      guarded(i, elsewhere, [&] {
        if (auto session = open_session(i, threads)) {
          sessions.push_back(std::move(session));
          open.push_back(i);
        }
      });
    }
    if (sessions.size() == 1) {
      guarded(open.front(), elsewhere, [&] {
        const auto session =
            std::move(sessions.front());  // a failure is noted when it has let go of the folder
        end(open.front(), session->go_on());
      });
    } else if (!sessions.empty()) {
      Group left = open;  // what goes wrong with one that moves with others goes wrong with all that are left
      guarded_by(left, elsewhere, [&] {
        run_together(std::move(sessions), [&](std::size_t which, Outcome outcome) {
          std::erase(left, open[which]);
          end(open[which], std::move(outcome));
        });
      });
    }
    return elsewhere;
  }

  /// A session that is open; none where the point came to its end before.
  std::unique_ptr<Session> open_session(std::size_t i, int threads) {
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

  void guarded(std::size_t i, Group& elsewhere, const std::function<void()>& work) {
    const Group one{i};
    guarded_by(one, elsewhere, work);
  }
  /// What goes wrong with points is told of each, and does not stop the others, unless the next ones would meet the same.
  void guarded_by(const Group& points, Group& elsewhere, const std::function<void()>& work) {
    try {
      work();
    } catch (const file::Busy&) {
      elsewhere.insert(elsewhere.end(), points.begin(), points.end());
    } catch (const Stopped&) {
      // Before there was anything to show: what its folder holds is where it goes on.
    } catch (const IoError& failure) {
      stop_by(points, failure);
    } catch (const fs::filesystem_error& failure) {
      stop_by(points, failure);
    } catch (const std::exception& failure) {
      for (const std::size_t i : points) {
        fail(i, failure.what());
        if (!is_over(status_of(folder(i)).state))
          note_failure(folder(i), failure.what());  // not another's run
      }
    }
  }

  /// What the next points would meet, too.
  void stop_by(const Group& points, const std::exception& failure) {
    for (const std::size_t i : points) fail(i, failure.what());
    const std::lock_guard guard(mutex_);
    outcome_.stopped_by = failure.what();
    stopping_ = true;
  }

  void begin(std::size_t i) {
    const std::lock_guard guard(mutex_);
    hooks_.begins(label(i), i, count());
  }
  void end(std::size_t i, Outcome done) {
    const std::lock_guard guard(mutex_);
    if (done.ending != Ending::interrupted) {
      ++over_;
      shares_[i] = 0;
    }
    if (!whole_[i]) leave_large_arrays(done.recording);
    outcome_.points[i].outcome = std::move(done);
    hooks_.ends(label(i), *outcome_.points[i].outcome);
  }
  void fail(std::size_t i, const std::string& reason) {
    const std::lock_guard guard(mutex_);
    ++over_;
    shares_[i] = 0;
    outcome_.points[i].failure = reason;
    hooks_.fails(label(i), reason);
  }

  /// Called at every step of every point: told a few times a second, and nobody waits for somebody who is already telling.
  void advance(std::size_t i, std::int64_t step, std::int64_t steps) {
    constexpr std::int64_t kBetween = 50'000'000;  // nanoseconds
    shares_[i] = steps > 0 ? static_cast<float>(step) / static_cast<float>(steps) : 0.0F;
    const std::int64_t now =
        std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    if (now - told_ < kBetween) return;
    const std::unique_lock guard(mutex_, std::try_to_lock);
    if (!guard.owns_lock()) return;
    told_ = now;
    double share = static_cast<double>(over_);
    for (const std::atomic<float>& each : shares_) share += static_cast<double>(each);
    hooks_.advances({over_, count(), share / static_cast<double>(count())});
  }

  /// Those of the points that others had which nobody has now and which are not over; waits until there are some, or until all are over.
  std::vector<std::size_t> free_again(const std::vector<std::size_t>& elsewhere) {
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

  const Source& source_;
  const RunOptions& options_;
  const SweepHooks& hooks_;
  const Part& part_;
  SweepOutcome& outcome_;
  std::vector<std::string> marks_;  // fingerprints, where they are known
  std::vector<bool> whole_;         // those that stand for all in a comparison
  std::vector<bool> there_;         // finished before
  std::mutex mutex_;                // of the hooks and what is told to them
  std::atomic<bool> stopping_ = false;
  std::size_t over_ = 0;
  std::vector<std::atomic<float>> shares_;  // of points at work
  std::atomic<std::int64_t> told_ = 0;
  std::size_t waited_for_ = 0;
};

>>>>>>> own17
void compare_into(const fs::path& folder, const std::string& name, const std::vector<Recorded>& runs,
                  Manifest& manifest, math::Workers& workers) {
  write_sweep_report(
      folder, name, runs,
      [&](const std::vector<std::string>& names) { manifest.claim(Manifest::Kind::sweep, names); }, workers);
}

/// Those that came to an end, as they will be read back.
std::vector<Recorded> recorded(const Source& source, const RunOptions& options,
                               const std::vector<PointOutcome>& outcomes) {
  std::vector<Recorded> runs;
  for (const PointOutcome& each : outcomes) {
    if (each.outcome)
      runs.push_back({each.outcome->recording, load_point(source, each.point, options), each.point.settings});
  }
  return runs;
}

/// What became of the points: sweep.json and, where every one came to its end, tables, figures and page. Of those who share a sweep the one
/// that ends last compares; the others find that it is not complete, or that it is done.
void conclude(const Source& source, const RunOptions& options, bool joins, Execution& execution, Stage& stage,
              SweepOutcome& outcome) {
  outcome.complete = false;
  const auto lock = record::make_and_lock(options.out, kPatienceAtTheEnd);
  outcome.complete = execution.is_complete() && !execution.stopped();
  if (joins && outcome.complete && !execution.ended_any() && is_compared(options.out)) return;
  Manifest manifest(options.out, is_spec);
  if (outcome.complete) execution.read_others();
  write_plan(options.out, outcome.points, stage);
  const std::vector<Recorded> runs = recorded(source, options, outcome.points);
  if (outcome.complete && !runs.empty()) {
    outcome.table = summary_table(runs);
    math::Workers workers(options.threads);
    compare_into(options.out, short_name(source.name_or_file), runs, manifest, workers);
    stage.compared = true;
    write_plan(options.out, outcome.points, stage);
  }
  manifest.seal({"sweep.json"});
}

}  // namespace

std::vector<SweepAxis> planned_axes(const Source& source, const std::vector<SweepAxis>& given) {
  std::vector<SweepAxis> axes;
  const std::string& over = load(source).sweep.over;
  for (std::size_t from = 0; from < over.size();) {
    const std::size_t end = std::min(over.find(';', from), over.size());
    const std::size_t first = over.find_first_not_of(' ', from);
    if (first < end) axes.push_back(parse_axis(over.substr(first, end - first)));
    from = end + 1;
  }
  for (const SweepAxis& axis : given) {
    const auto same = std::ranges::find(axes, axis.key, &SweepAxis::key);
    const bool again = std::ranges::count(given, axis.key, &SweepAxis::key) > 1;  // refused by the plan
    if (same == axes.end() || again)
      axes.push_back(axis);
    else
      *same = axis;
  }
  if (axes.empty())
    throw InputError(fmt::format("{}: nothing to sweep over: expected an axis, or sweep.over in the spec",
                                 source.name_or_file));
  return axes;
}

std::vector<SweepPoint> planned_points(const Source& source, const std::vector<SweepAxis>& axes) {
  std::vector<SweepPoint> points = sweep_points(planned_axes(source, axes));
  Source first = source;  // some keys may have no value but by the sweep
  first.swept = points.front().assignments;
  if (!load(first).sweep.share_samples) return points;
  if (std::ranges::any_of(points.front().assignments,
                          [](const std::string& each) { return each.starts_with("sample_seed="); }))
    throw InputError(
        "sample_seed: expected no axis over it where sweep.share_samples = true gives all points one");
  const std::int64_t seed = load(source).seed;
  for (SweepPoint& point : points) point.assignments.push_back(fmt::format("sample_seed={}", seed));
  return points;
}

bool SweepOutcome::failed() const {
  return std::ranges::any_of(points, [](const PointOutcome& each) { return !each.failure.empty(); });
}

Preview preview(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                const Part& part) {
  const std::vector<SweepPoint> points = planned_points(source, axes);
  require_usable(options, Manifest(options.out, is_spec), points);
  Preview preview;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!part.shard.has(i)) continue;
    require_runnable(source, options, points[i], points.size() == 1);
    const PointState state = status_of(options.out / points[i].folder).state;
    ++preview.points;
    ++preview.states[state];
    if (!is_over(state) || options.existing != record::Existing::resume) left.push_back(i);
  }
  const auto point = [&](std::size_t i) -> const SweepPoint& { return points[i]; };
  const std::vector<PointGroup> groups = groups_of(source, options, point, left, most_together(part));
  constexpr std::size_t kMostTries = 5;  // points may differ in what they cost
  const std::size_t tries = std::min(kMostTries, groups.size());
  for (std::size_t i = 0; i < tries; ++i) {
    const PointGroup& group = groups[tries == 1 ? 0 : i * (groups.size() - 1) / (tries - 1)];
    const Estimate tried = estimate(load_point(source, points[group.front()], options), group.size());
    const double stands_for = static_cast<double>(groups.size()) / static_cast<double>(tries);
    preview.seconds += tried.seconds * stands_for / options.threads;
    preview.bytes += tried.bytes * stands_for;
  }
  return preview;
}

void await_plan(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options) {
  constexpr std::chrono::minutes kMost{10};  // the first one sets up every point before it plans
  const std::vector<SweepPoint> points = planned_points(source, axes);
  const std::string spec = Setup(load_point(source, points.front(), options)).mark();
  const auto end = std::chrono::steady_clock::now() + kMost;
  while (!is_planned(options.out, points, spec)) {
    if (options.stop_requested() || std::chrono::steady_clock::now() > end)
      throw IoError(fmt::format("{}: nobody has planned this sweep", options.out.string()));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                   const SweepHooks& hooks, const Part& part) {
  const std::vector<SweepPoint> points = planned_points(source, axes);
  SweepOutcome outcome;
  for (const SweepPoint& point : points) outcome.points.push_back({point, std::nullopt});
  require_usable(options, Manifest(options.out, is_spec), points);
  const Source resumed = with_rate_of_begun(source, options, points);
  RunOptions running = options;
  Execution execution(resumed, running, hooks, part, outcome);
  // Many workers begin together: the first one to come looks at all points and plans, the others join it.
  const bool joins = part.worker || part.shard.count > 1;
  Stage stage{.spec = require_runnable(resumed, options, points.front(), points.size() == 1)};
  if (!joins || !is_planned(options.out, points, stage.spec)) {
    execution.require_all_runnable();
    plan(options, points, outcome.points, stage);
    // The folder was empty: what is there from now on is of others who share this sweep.
    if (options.existing == record::Existing::refuse) running.existing = record::Existing::resume;
  }

  execution.run();
  try {
    conclude(resumed, options, joins, execution, stage, outcome);
  } catch (const IoError&) {
    if (outcome.stopped_by.empty())
      throw;  // a disk that is full has no room for sweep.json either: the folders say it all
  }
  return outcome;
}

void compare_again(const fs::path& folder, math::Workers& workers) {
  const std::vector<Recorded> runs = read_sweep(folder);
  const auto lock = record::make_and_lock(folder, kPatience);
  Manifest manifest(folder, is_spec);
  compare_into(folder, fs::absolute(folder).lexically_normal().filename().string(), runs, manifest, workers);
  manifest.seal({"sweep.json"});
}

}  // namespace sluice::lab
