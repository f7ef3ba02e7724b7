#include "sluice/lab/sweep_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/lab/point_state.hpp"
#include "sluice/version.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

using record::Manifest;

const std::vector<std::string> kNames{"report.html", "summary.csv", "sweep.csv", "sweep.json"};

/// With the lock held: while somebody else compares, files change under whoever looks.
void require_unchanged(const fs::path& folder, const Manifest& manifest) {
  for (const std::string& name : manifest.changed()) {
    throw InputError(
        fmt::format("{}: '{}' was changed since the sweep wrote it; move it away", folder.string(), name));
  }
}

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

std::optional<file::Json> plan_in(const fs::path& folder) {
  const fs::path plan = folder / "sweep.json";
  try {
    return file::Json::parse(file::read_text(plan));
  } catch (const InputError&) {
    std::error_code ignored;
    if (fs::exists(plan, ignored)) throw;
    return std::nullopt;  // none yet, or it is made anew just now
  }
}

}  // namespace

void require_kept(const fs::path& folder, const std::vector<SweepPoint>& points) {
  const std::optional<file::Json> json = plan_in(folder);
  const file::Json* list = json ? json->find("points") : nullptr;
  if (list == nullptr || list->elements() == nullptr) return;
  std::set<std::string_view> folders;
  for (const SweepPoint& point : points) folders.insert(point.folder);
  for (const file::Json& planned : *list->elements()) {
    const std::string before = planned.text_at("folder");
    if (!folders.contains(before))
      throw InputError(fmt::format(
          "{}: its sweep has the point '{}', too; sweep over it as well, or choose another folder",
          folder.string(), before));
  }
}

void require_usable(const RunOptions& options, const record::Manifest& manifest,
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

void write_plan(const fs::path& folder, const std::vector<PointOutcome>& outcomes, const Stage& stage) {
  file::write_atomically(folder / "sweep.json", to_json(folder, outcomes, stage).dump(2) + "\n");
}

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

bool is_compared(const fs::path& folder) {
  const std::optional<file::Json> json = plan_in(folder);
  const file::Json* compared = json ? json->find("compared") : nullptr;
  return compared != nullptr && compared->truth() != nullptr && *compared->truth();
}

std::unique_ptr<file::HeldFolder> plan(const RunOptions& options, const std::vector<SweepPoint>& points,
                                       const std::vector<PointOutcome>& outcomes, const Stage& stage) {
  require_usable(options, Manifest(options.out, is_spec), points);  // a refused start touches nothing
  const auto lock = record::make_and_lock(options.out, kPatience);
  Manifest manifest(options.out, is_spec);
  require_usable(options, manifest, points);
  require_unchanged(options.out, manifest);
  manifest.require_removable();
  if (options.existing == record::Existing::resume) require_kept(options.out, points);
  record::remove_stale_temporaries(options.out);
  manifest.claim(Manifest::Kind::sweep, kNames);
  manifest.remove_files();
  manifest.claim(Manifest::Kind::sweep, kNames);
  write_plan(options.out, outcomes, stage);
  return std::make_unique<file::HeldFolder>(options.out);
}

}  // namespace sluice::lab
