#include "sluice/lab/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sluice/file/errors.hpp"

namespace sluice::lab {
namespace {

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
    for (const SweepAxis::Follower& follower : axis.followers)
      if (!seen.insert(follower.key).second) throw InputError(fmt::format("{}: swept twice", follower.key));
  }
  for (const std::string& key : seen)
    for (const std::string& other : seen)
      if (other.starts_with(key + "."))
        throw InputError(fmt::format("{}: expected no axis over a part of it, found {}", key, other));
  for (const SweepPoint& point : points) {
    if (!seen.insert("/" + point.folder).second) {
      throw InputError(fmt::format("the point {} comes twice", point.folder));
    }
  }
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
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        const std::string& value = axis.values[i];
        SweepPoint next = point;
        next.assignments.push_back(axis.key + "=" + value);
        for (const SweepAxis::Follower& follower : axis.followers)
          next.assignments.push_back(follower.key + "=" + follower.values[i]);
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

}  // namespace sluice::lab
