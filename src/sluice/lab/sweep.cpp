#include "sluice/lab/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/record/manifest.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

struct Point {
  std::vector<std::string> assignments;  // "task.gain=3"
  std::vector<Setting> settings;         // {"gain", "3"}
  std::string folder;                    // "gain=3,n=40"
};

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// What a key is called in tables and folders: its last part, or all of it when another axis ends the same way.
std::string short_key(const SweepAxis& axis, const std::vector<SweepAxis>& axes) {
  const auto alike = std::count_if(axes.begin(), axes.end(), [&](const SweepAxis& other) {
    return last_part(other.key) == last_part(axis.key);
  });
  return alike > 1 ? axis.key : last_part(axis.key);
}

std::vector<Point> grid(const std::vector<SweepAxis>& axes) {
  std::vector<Point> points{Point{}};
  for (const SweepAxis& axis : axes) {
    const std::string name = short_key(axis, axes);
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (const std::string& value : axis.values) {
        Point next = point;
        next.assignments.push_back(axis.key + "=" + value);
        next.settings.push_back({name, value});
        next.folder += fmt::format("{}{}={}", next.folder.empty() ? "" : ",", name, value);
        longer.push_back(std::move(next));
      }
    }
    points = std::move(longer);
  }
  for (Point& point : points) std::replace(point.folder.begin(), point.folder.end(), '/', '_');
  return points;
}

/// Each point needs a folder and a row of its own.
void require_distinct(const std::vector<SweepAxis>& axes, const std::vector<Point>& points) {
  std::set<std::string> seen;
  for (const SweepAxis& axis : axes) {
    if (!seen.insert(axis.key).second) throw InputError(fmt::format("--over {}: given twice", axis.key));
  }
  for (const Point& point : points) {
    if (!seen.insert("/" + point.folder).second) {
      throw InputError(fmt::format("--over: the point {} comes twice", point.folder));
    }
  }
}

Source at(const Source& source, const Point& point) {
  Source moved = source;
  moved.swept = point.assignments;
  return moved;
}

using record::Manifest;

constexpr std::chrono::seconds kPatience{10};  // others hold a sweep's lock only while they plan or compare

/// A sweep is never the way somebody loses a file: a folder that is not empty has to be a sweep's, by its manifest or (of
/// version 0.1.0, stopped before it compared) by a point that is a run.
void require_usable(const RunOptions& options, const Manifest& manifest, const std::vector<Point>& points) {
  if (record::is_vacant(options.out)) return;
  if (options.existing == record::Existing::refuse) {
    throw InputError(
        fmt::format("--out {}: exists and is not empty; add --resume to skip finished runs, --overwrite to "
                    "run them again, or "
                    "choose another --out",
                    options.out.string()));
  }
  const bool begun = std::ranges::any_of(points, [&](const Point& point) {
    return Manifest(options.out / point.folder, is_spec).kind() == Manifest::Kind::run;
  });
  if (manifest.kind() == Manifest::Kind::run || (manifest.kind() == Manifest::Kind::none && !begun)) {
    throw InputError(fmt::format(
        "--out {}: exists, is not empty, and no sweep wrote it; choose another --out", options.out.string()));
  }
  for (const std::string& name : manifest.changed()) {
    throw InputError(fmt::format("--out {}: '{}' was changed since the sweep wrote it; move it away",
                                 options.out.string(), name));
  }
}

/// The folder with its old comparison gone: until the new one is there, it would describe other runs.
void plan(const RunOptions& options, const std::vector<Point>& points) {
  require_usable(options, Manifest(options.out, is_spec), points);  // a refused start touches nothing
  const auto lock = record::make_and_lock(options.out, kPatience);
  Manifest manifest(options.out, is_spec);
  require_usable(options, manifest, points);
  file::remove_stale_temporaries(options.out);
  manifest.claim(Manifest::Kind::sweep, {"report.html", "summary.csv"});
  manifest.remove_files();
  manifest.claim(Manifest::Kind::sweep, {"report.html", "summary.csv"});
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  SweepAxis axis{text.substr(0, equals), {}};
  int depth = 0;
  bool quoted = false;
  bool escaped = false;
  std::string value;
  for (const char c : text.substr(std::min(equals + 1, text.size())) + ",") {
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ',' && depth == 0 && !quoted) {
      axis.values.push_back(value);
      value.clear();
    } else {
      value += c;
    }
  }
  const bool complete = depth == 0 && !quoted;
  const auto empty = [](const std::string& v) { return v.empty(); };
  if (axis.key.empty() || !complete || std::any_of(axis.values.begin(), axis.values.end(), empty)) {
    throw InputError(
        fmt::format("--over {}: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100", text));
  }
  return axis;
}

SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                   const std::function<void(const std::string&)>& begins,
                   const std::function<void(const std::string&, const Outcome&)>& ends) {
  const std::vector<Point> points = grid(axes);
  require_distinct(axes, points);
  for (const Point& point : points) load(at(source, point));  // a typing error shows now, not after an hour
  plan(options, points);

  SweepOutcome outcome;
  std::vector<SweepPoint> finished;
  for (const Point& point : points) {
    const std::string label = label_of(point.settings);
    begins(label);
    Experiment experiment = load(at(source, point));
    RunOptions here = options;
    here.out = options.out / point.folder;
    outcome.runs.push_back(run(experiment, label, here));
    ends(label, outcome.runs.back());
    outcome.settings.push_back(point.settings);
    if (outcome.runs.back().ending == Ending::interrupted) {
      outcome.complete = false;
      return outcome;
    }
    finished.push_back({point.settings, file::read_npz(here.out / "record.npz"), outcome.runs.back().summary,
                        experiment.task.dimensions(), here.out});
  }

  outcome.table = summary_table(finished);
  Experiment shared = load(at(source, points.front()));
  const auto lock = record::make_and_lock(options.out, kPatience);
  Manifest manifest(options.out, is_spec);
  write_sweep_report(
      options.out, short_name(source.name_or_file), shared, finished,
      [&](const std::vector<std::string>& names) { manifest.claim(Manifest::Kind::sweep, names); });
  manifest.seal();
  return outcome;
}

}  // namespace sluice::lab
