#include "sluice/lab/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/held_folders.hpp"
#include "sluice/file/lock.hpp"
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

void compare_into(const fs::path& folder, const std::string& name, const std::vector<Recorded>& runs,
                  Manifest& manifest, math::Workers& workers) {
  write_sweep_report(
      folder, name, runs,
      [&](const std::vector<std::string>& names) { manifest.claim(Manifest::Kind::sweep, names); }, workers);
}

/// Those that came to an end, lent to whoever compares them and given back: of ten thousand nobody has room for two of each. The first has
/// its experiment, by which a page of all is called.
class Lent {
 public:
  Lent(const Source& source, const RunOptions& options, std::vector<PointOutcome>& outcomes)
      : outcomes_(outcomes) {
    for (PointOutcome& each : outcomes_) {
      if (!each.outcome) continue;
      std::optional<Experiment> first;
      if (runs_.empty()) first = load_point(source, each.point, options);
      runs_.push_back({std::move(each.outcome->recording), std::move(first), each.point.settings});
    }
  }
  ~Lent() {
    auto run = runs_.begin();
    for (PointOutcome& each : outcomes_)
      if (each.outcome) each.outcome->recording = std::move((run++)->recording);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  const std::vector<Recorded>& runs() const { return runs_; }

 private:
  std::vector<PointOutcome>& outcomes_;
  std::vector<Recorded> runs_;
};

/// What became of the points: sweep.json and, where every one came to its end, tables, figures and page. Of those who share a sweep the one
/// that ends last compares; the others find that it is not complete, or that it is done.
void conclude(const Source& source, const RunOptions& options, bool joins, Execution& execution, Stage& stage,
              SweepOutcome& outcome) {
  outcome.complete = false;
  file::require_in_place(options.out / "sweep.json");
  const auto lock = record::make_and_lock(options.out, kPatienceAtTheEnd);
  outcome.complete = execution.is_complete() && !execution.stopped();
  if (joins && outcome.complete && !execution.ended_any() && is_compared(options.out)) return;
  Manifest manifest(options.out, is_spec);
  if (outcome.complete) execution.read_others();
  write_plan(options.out, outcome.points, stage);
  if (outcome.complete && execution.ended_any()) {
    {
      const Lent lent(source, options, outcome.points);
      outcome.table = summary_table(lent.runs());
      math::Workers workers(options.threads);
      compare_into(options.out, short_name(source.name_or_file), lent.runs(), manifest, workers);
    }
    stage.compared = true;
    write_plan(options.out, outcome.points, stage);
  }
  manifest.seal();
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

namespace {

/// What is set of a part of a table would be lost where the table is swept.
void require_apart(const Source& source, const std::vector<SweepAxis>& axes) {
  for (const std::string& assignment : source.assignments)
    for (const SweepAxis& axis : axes)
      if (assignment.starts_with(axis.key + "."))
        throw InputError(fmt::format("{}: expected nothing set of a part of what is swept, found {}",
                                     axis.key, assignment));
}

}  // namespace

std::vector<SweepPoint> planned_points(const Source& source, const std::vector<SweepAxis>& given) {
  const std::vector<SweepAxis> axes = planned_axes(source, given);
  require_apart(source, axes);
  std::vector<SweepPoint> points = sweep_points(axes);
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

Preview preview(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& given,
                const Part& part) {
  const std::vector<SweepPoint> points = planned_points(source, axes);
  TaskShelf shelf;
  RunOptions options = given;
  options.shelf = &shelf;
  require_usable(options, Manifest(options.out, is_spec), points);
  Preview preview;
  const std::vector<Runnable> ready = require_all_runnable(
      source, options, points.size(), [&](std::size_t i) -> const SweepPoint& { return points[i]; },
      part.shard);
  if (options.existing == record::Existing::resume) require_kept(options.out, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!part.shard.has(i)) continue;
    const PointState state = status_of(options.out / points[i].folder).state;
    ++preview.points;
    ++preview.states[state];
    if (!is_over(state) || options.existing != record::Existing::resume) preview.left.push_back(points[i]);
  }
  std::vector<std::size_t> all(preview.left.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  preview.groups = groups_of(
      source, options, [&](std::size_t i) -> const SweepPoint& { return preview.left[i]; }, all,
      most_together(part));
  preview.room = room_of(ready, shown_whole(points), preview.groups, options);
  return preview;
}

Estimate estimate(const Source& source, const Preview& preview, const RunOptions& options) {
  const std::vector<SweepPoint>& left = preview.left;
  const std::vector<PointGroup>& groups = preview.groups;
  constexpr std::size_t kMostTries = 5;     // points may differ in what they cost
  constexpr std::chrono::seconds kMost{5};  // but nobody waits long for a guess
  const std::size_t tries = std::min(kMostTries, groups.size());
  const auto began = std::chrono::steady_clock::now();
  Estimate whole{.groups = groups.size()};
  if (groups.empty()) return whole;
  std::size_t tried = 0;
  while (tried < tries && (tried == 0 || std::chrono::steady_clock::now() - began < kMost)) {
    const PointGroup& group = groups[tries == 1 ? 0 : tried * (groups.size() - 1) / (tries - 1)];
    const Estimate one =
        estimate(load_point(source, left[group.front()], options), group.size(), options.place);
    whole.seconds += one.seconds / (options.place.on_device ? 1 : options.threads);
    whole.bytes += one.bytes;
    whole.device_bytes = std::max(whole.device_bytes, one.device_bytes);
    ++tried;
  }
  const double stands_for = static_cast<double>(groups.size()) / static_cast<double>(tried);
  whole.seconds *= stands_for;
  whole.bytes *= stands_for;
  return whole;
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

SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& given,
                   const SweepHooks& hooks, const Part& part) {
  const std::vector<SweepPoint> points = planned_points(source, axes);
  TaskShelf shelf;
  RunOptions options = given;
  options.shelf = &shelf;
  SweepOutcome outcome;
  for (const SweepPoint& point : points) outcome.points.push_back({point, std::nullopt});
  require_usable(options, Manifest(options.out, is_spec), points);
  const Source resumed = with_rate_of_begun(source, options, points);
  RunOptions running = options;
  Execution execution(resumed, running, hooks, part, outcome);
  // Many workers begin together: the first one to come looks at all points and plans, the others join it.
  const bool joins = part.worker || part.shard.count > 1;
  Stage stage{.spec = require_runnable(resumed, options, points.front(), points.size() == 1).mark};
  options.place.require_there();
  const bool plans = !joins || !is_planned(options.out, points, stage.spec);
  if (plans) execution.require_runnable();
  options.begins();
  std::unique_ptr<file::HeldFolder> held;
  if (plans) {
    held = plan(options, points, outcome.points, stage);
    // The folder was empty: what is there from now on is of others who share this sweep.
    if (options.existing == record::Existing::refuse) running.existing = record::Existing::resume;
  } else {
    held = std::make_unique<file::HeldFolder>(options.out);
  }

  {
    const math::Unstoppable whole;  // each point hears for itself, and what others came to stays
    execution.run();
  }
  try {
    const math::Stoppable stoppable(options.abandon_requested);
    conclude(resumed, options, joins, execution, stage, outcome);
  } catch (const Stopped&) {
    outcome.complete =
        false;  // every point came to its end, and the sweep is compared when it is taken up again
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
  manifest.seal();
}

}  // namespace sluice::lab
