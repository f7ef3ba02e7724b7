#include "sluice/lab/live_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/recorded.hpp"
#include "sluice/lab/report.hpp"
#include "sluice/lab/unfinished.hpp"
#include "sluice/record/audience.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

/// A page that waits for the first numbers; figure::report_html has nothing to show yet.
constexpr const char* kWaiting =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">"
    "<title>sluice</title><body style=\"font-family:sans-serif;margin:3em\"><p>Nothing was measured yet; "
    "this "
    "page looks again every second.</p></body></html>\n";

/// What changes when there is something new to see: times and sizes of files.
std::string stamp_of(const fs::path& whole, std::vector<fs::path> folders) {
  std::string stamp;
  folders.push_back(whole);
  for (const fs::path& folder : folders) {
    for (const char* name : {"checkpoint.npz", "run.json", "summary.csv"}) {
      std::error_code error;
      const auto time = fs::last_write_time(folder / name, error);
      if (!error) stamp += fmt::format("{}/{} {};", folder.string(), name, time.time_since_epoch().count());
    }
  }
  return stamp;
}

bool concluded(const fs::path& folder) {
  return record::is_recording(folder) && !is_unfinished(folder) && !fs::exists(folder / "checkpoint.npz");
}

/// A sweep writes its summary when the last point is done.
bool all_done(const fs::path& folder, const std::vector<fs::path>& begun) {
  if (!std::ranges::all_of(begun, concluded)) return false;
  if (fs::exists(folder / "spec.toml")) return true;
  std::error_code none;
  const auto summary = fs::last_write_time(folder / "summary.csv", none);
  return !none && std::ranges::all_of(begun, [&](const fs::path& each) {
    return fs::last_write_time(each / "run.json", none) <= summary;
  });
}

}  // namespace

LivePage::LivePage(fs::path folder, std::string data_url)
    : folder_(std::move(folder)), data_url_(std::move(data_url)) {
  if (!fs::exists(folder_ / "spec.toml") && !is_sweep(folder_))
    throw InputError(
        fmt::format("{}: expected the folder of a run, with spec.toml, or of a sweep, with sweep.json",
                    folder_.string()));
}

LivePage::~LivePage() {
  for (const fs::path& folder : attended_) record::leave(folder);
}

/// Of the runs that have begun.
std::vector<fs::path> LivePage::folders() const {
  if (fs::exists(folder_ / "spec.toml")) return {folder_};
  std::vector<fs::path> found;
  std::error_code failure, ignored;
  for (const std::string& name : file::names_in(folder_, failure))
    if (fs::exists(folder_ / name / "spec.toml", ignored)) found.push_back(folder_ / name);
  if (is_of_the_world(failure.value()))  // a page of nothing would take the place of the one that is there
    file::refuse_looking(folder_, failure.value());
  std::ranges::sort(found);
  return found;
}

void LivePage::attend() {
  std::vector<fs::path> begun;
  try {
    begun = folders();
  } catch (const WorldError&) {
    return;  // not this time
  } catch (const fs::filesystem_error&) {
    return;
  }
  for (const fs::path& folder : begun) {
    try {
      attend(folder);
    } catch (const fs::
                 filesystem_error&) {  // nobody may look into it, or it is a link to itself: the others go on
    }
  }
}

void LivePage::attend(const fs::path& folder) {
  const auto before = std::ranges::find(attended_, folder);
  if (concluded(folder)) {
    if (before == attended_.end()) return;
    record::leave(folder);
    attended_.erase(before);
    return;
  }
  record::attend(folder);
  if (before == attended_.end()) attended_.push_back(folder);
}

const LivePage::Made& LivePage::made() {
  const std::vector<fs::path> begun = folders();
  const std::string stamp = stamp_of(folder_, begun);
  const Clock::time_point now = Clock::now();
  // A page that takes long to make is made less often: the processors are for the run.
  if (!made_.html.empty() && (stamp == made_.stamp || now < next_)) return made_;
  const bool some = std::ranges::any_of(
      begun, [](const fs::path& each) { return record::is_recording(each) || is_unfinished(each); });
  if (!some) return made_ = {.stamp = stamp, .html = kWaiting, .data = R"({"format":1,"runs":[]})"};
  const std::vector<Recorded> runs = is_sweep(folder_) ? read_sweep(folder_) : read_runs(folder_);
  figure::Live live{.url = data_url_, .finished = all_done(folder_, begun)};
  for (const Recorded& run : runs) live.steps = std::max(live.steps, run.experiment->dynamics.steps);
  LiveReport report = live_report(runs, live);
  next_ = Clock::now() + 4 * (Clock::now() - now);
  return made_ = {.stamp = stamp, .html = std::move(report.html), .data = std::move(report.data)};
}

std::string LivePage::html() { return made().html; }
std::string LivePage::data() { return made().data; }

}  // namespace sluice::lab
