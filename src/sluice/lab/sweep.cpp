#include "sluice/lab/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "sluice/data/missing.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/record/manifest.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

using record::Manifest;

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// What a key is called in tables and folders: its last part, or all of it when another axis ends the same way.
std::string short_key(const SweepAxis& axis, const std::vector<SweepAxis>& axes) {
  const auto alike = std::count_if(axes.begin(), axes.end(), [&](const SweepAxis& other) {
    return last_part(other.key) == last_part(axis.key);
  });
  return alike > 1 ? axis.key : last_part(axis.key);
}

/// Each point needs a folder and a row of its own.
void require_distinct(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points) {
  std::set<std::string> seen;
  for (const SweepAxis& axis : axes) {
    if (!seen.insert(axis.key).second) throw InputError(fmt::format("{}: swept twice", axis.key));
  }
  for (const SweepPoint& point : points) {
    if (!seen.insert("/" + point.folder).second) {
      throw InputError(fmt::format("the point {} comes twice", point.folder));
    }
  }
}

Source at(const Source& source, const SweepPoint& point) {
  Source moved = source;
  moved.swept = point.assignments;
  return moved;
}

Experiment load_point(const Source& source, const SweepPoint& point, const RunOptions& options) {
  return options.existing == record::Existing::resume
             ? load_resumed(at(source, point), options.out / point.folder)
             : load(at(source, point));
}

RunOptions in_folder(const RunOptions& options, const SweepPoint& point) {
  RunOptions here = options;
  here.out = options.out / point.folder;
  return here;
}

constexpr std::chrono::seconds kPatience{10};  // others hold a sweep's lock only while they plan or compare

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
  for (const std::string& name : manifest.changed()) {
    throw InputError(fmt::format("{}: '{}' was changed since the sweep wrote it; move it away",
                                 options.out.string(), name));
  }
}

const std::vector<std::string> kNames{"report.html", "summary.csv", "sweep.csv", "sweep.json"};

/// sweep.json: the points, and what became of them so far.
void write_plan(const fs::path& folder, const std::vector<PointOutcome>& outcomes) {
  file::Json points = file::Json::array();
  for (const PointOutcome& each : outcomes) {
    file::Json settings = file::Json::object();
    for (const Setting& setting : each.point.settings) settings[setting.name] = setting.value;
    file::Json point{{"folder", each.point.folder}, {"settings", settings}};
    point["status"] = each.outcome           ? each.outcome->recording.status
                      : each.failure.empty() ? std::string("pending")
                                             : std::string("failed");
    if (!each.failure.empty()) point["reason"] = each.failure;
    points.push_back(point);
  }
  const file::Json json{{"sluice", version()}, {"points", points}};
  file::write_atomically(folder / "sweep.json", json.dump(2) + "\n");
}

/// The folder with its old comparison gone: until the new one is there, it would describe other runs.
void plan(const RunOptions& options, const std::vector<SweepPoint>& points,
          const std::vector<PointOutcome>& outcomes) {
  require_usable(options, Manifest(options.out, is_spec), points);  // a refused start touches nothing
  const auto lock = record::make_and_lock(options.out, kPatience);
  Manifest manifest(options.out, is_spec);
  require_usable(options, manifest, points);
  file::remove_stale_temporaries(options.out);
  manifest.claim(Manifest::Kind::sweep, kNames);
  manifest.remove_files();
  manifest.claim(Manifest::Kind::sweep, kNames);
  write_plan(options.out, outcomes);
}

}  // namespace

std::vector<SweepPoint> sweep_points(const std::vector<SweepAxis>& axes) {
  constexpr std::size_t kMostPoints = 100'000;
  std::vector<SweepPoint> points{SweepPoint{}};
  for (const SweepAxis& axis : axes) {
    if (points.size() * axis.values.size() > kMostPoints)
      throw InputError(fmt::format("{}: expected at most {} points in all", axis.key, kMostPoints));
    const std::string name = short_key(axis, axes);
    std::vector<SweepPoint> longer;
    for (const SweepPoint& point : points) {
      for (const std::string& value : axis.values) {
        SweepPoint next = point;
        next.assignments.push_back(axis.key + "=" + value);
        next.settings.push_back({name, value});
        next.folder += fmt::format("{}{}={}", next.folder.empty() ? "" : ",", name, value);
        longer.push_back(std::move(next));
      }
    }
    points = std::move(longer);
  }
  for (SweepPoint& point : points) std::replace(point.folder.begin(), point.folder.end(), '/', '_');
  require_distinct(axes, points);
  return points;
}

bool SweepOutcome::failed() const {
  return std::ranges::any_of(points, [](const PointOutcome& each) { return !each.failure.empty(); });
}

namespace {

/// Everything that can fail on the user's input, of every point: nothing has run and nothing was touched.
void require_runnable(const Source& source, const RunOptions& options,
                      const std::vector<SweepPoint>& points) {
  for (const SweepPoint& point : points) {
    try {
      const Setup setup(load_point(source, point, options));
      record::RunFolder::check(in_folder(options, point).out, options.existing, is_spec);
    } catch (const data::Missing&) {
      throw;  // whoever speaks to the user says how the set is fetched
    } catch (const InputError& error) {
      throw InputError(points.size() == 1 ? error.what()
                                          : fmt::format("{} ({})", error.what(), point.folder));
    }
  }
}

/// The source of a sweep that is resumed: where points were begun with a rate that the source leaves open and that is not the usual one
/// of today, those that were not begun follow them.
Source with_rate_of_begun(Source source, const RunOptions& options, const std::vector<SweepPoint>& points) {
  const auto rate = [](const Experiment& experiment) { return experiment.dynamics.optimizer.rate; };
  for (const SweepPoint& point : points)
    if (const double begun = rate(load_point(source, point, options));
        begun != rate(load(at(source, point)))) {
      source.usual_rate = begun;
      break;
    }
  return source;
}

/// One point after the other; false when it was asked to stop.
bool execute(const Source& source, const RunOptions& options, std::vector<PointOutcome>& outcomes,
             const SweepHooks& hooks) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    PointOutcome& each = outcomes[i];
    const std::string label = label_of(each.point.settings);
    hooks.begins(label, i, outcomes.size());
    try {
      each.outcome = run(load_point(source, each.point, options), label, in_folder(options, each.point));
    } catch (const std::exception& failure) {
      each.failure = failure.what();
      hooks.fails(label, each.failure);
      continue;
    }
    hooks.ends(label, *each.outcome);
    if (each.outcome->ending == Ending::interrupted) return false;
  }
  return true;
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

}  // namespace

SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                   const SweepHooks& hooks) {
  const std::vector<SweepPoint> points = sweep_points(axes);
  SweepOutcome outcome;
  for (const SweepPoint& point : points) outcome.points.push_back({point, std::nullopt});
  require_usable(options, Manifest(options.out, is_spec), points);
  require_runnable(source, options, points);
  plan(options, points, outcome.points);

  const Source resumed = with_rate_of_begun(source, options, points);
  outcome.complete = execute(resumed, options, outcome.points, hooks);
  const auto lock = record::make_and_lock(options.out, kPatience);
  write_plan(options.out, outcome.points);
  const std::vector<Recorded> runs = recorded(resumed, options, outcome.points);
  Manifest manifest(options.out, is_spec);
  if (outcome.complete && !runs.empty()) {
    outcome.table = summary_table(runs);
    math::Workers workers(options.threads);
    write_sweep_report(
        options.out, short_name(source.name_or_file), runs,
        [&](const std::vector<std::string>& names) { manifest.claim(Manifest::Kind::sweep, names); },
        workers);
  }
  manifest.seal({"sweep.json"});
  return outcome;
}

}  // namespace sluice::lab
