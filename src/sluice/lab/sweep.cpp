#include "sluice/lab/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

struct Point {
  std::vector<std::string> assignments;  // "task.gain=3"
  std::vector<Setting> settings;         // {"gain", "3"}
  std::string folder;                    // "gain=3,n=40"
};

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

std::vector<Point> grid(const std::vector<SweepAxis>& axes) {
  std::vector<Point> points{Point{}};
  for (const SweepAxis& axis : axes) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (const std::string& value : axis.values) {
        Point next = point;
        const std::string name = last_part(axis.key);
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

Source at(const Source& source, const Point& point) {
  Source moved = source;
  moved.swept = point.assignments;
  return moved;
}

void require_usable(const RunOptions& options) {
  record::require_writable_folder(options.out);
  if (options.existing == record::Existing::refuse && !fs::is_empty(options.out)) {
    throw InputError(
        fmt::format("--out {}: exists and is not empty; add --resume to skip finished runs, --overwrite to "
                    "run them again, or "
                    "choose another --out",
                    options.out.string()));
  }
}

}  // namespace

SweepAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  SweepAxis axis;
  if (equals != std::string::npos) {
    axis.key = text.substr(0, equals);
    int depth = 0;
    bool quoted = false;
    std::string value;
    for (const char c : text.substr(equals + 1) + ",") {
      if (c == '"') quoted = !quoted;
      if (!quoted && (c == '[' || c == '{')) ++depth;
      if (!quoted && (c == ']' || c == '}')) --depth;
      if (c == ',' && depth == 0 && !quoted) {
        axis.values.push_back(value);
        value.clear();
      } else {
        value += c;
      }
    }
  }
  if (axis.key.empty() || axis.values.empty() ||
      std::any_of(axis.values.begin(), axis.values.end(), [](const std::string& v) { return v.empty(); })) {
    throw InputError(
        fmt::format("--over {}: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100", text));
  }
  return axis;
}

SweepOutcome sweep(const Source& source, const std::vector<SweepAxis>& axes, const RunOptions& options,
                   const std::function<void(const std::string&)>& begins,
                   const std::function<void(const std::string&, const Outcome&)>& ends) {
  const std::vector<Point> points = grid(axes);
  for (const Point& point : points) load(at(source, point));  // a typing error shows now, not after an hour
  require_usable(options);

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
    if (outcome.runs.back().ending == Ending::interrupted) {
      outcome.complete = false;
      return outcome;
    }
    finished.push_back(
        {point.settings, file::read_npz(here.out / "record.npz"), outcome.runs.back().summary});
  }

  outcome.table = summary_table(finished);
  Experiment shared = load(at(source, points.front()));
  write_sweep_report(options.out, short_name(source.name_or_file), shared, finished);
  return outcome;
}

}  // namespace sluice::lab
