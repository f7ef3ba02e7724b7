/// The points of a sweep on their way: each is set up, run by whoever has a thread for it, and becomes an outcome or a reason.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/lab/needs.hpp"
#include "sluice/lab/session.hpp"
#include "sluice/lab/sweep.hpp"

namespace sluice::lab {

/// The source of one point.
Source at(const Source& source, const SweepPoint& point);
/// The experiment of a point; what was begun keeps its rate.
Experiment load_point(const Source& source, const SweepPoint& point, const RunOptions& options);
/// A point that can be run: its fingerprint, and a number that all points with one spec have.
struct Runnable {
  std::string mark;
  std::size_t spec = 0;
  Needs needs;
};
using PointAt = std::function<const SweepPoint&(std::size_t)>;
/// Everything that can fail on the user's input, of a point: nothing has run and nothing was touched. A point that is not alone is named in
/// what is thrown.
Runnable require_runnable(const Source& source, const RunOptions& options, const SweepPoint& point,
                          bool alone);
/// Of all of so many points that this shard has, on options.threads threads; two of them that are one run are refused, too. options.progress hears of
/// those that were looked at.
std::vector<Runnable> require_all_runnable(const Source& source, const RunOptions& options, std::size_t count,
                                           const PointAt& point, const Shard& shard);

/// Those that stand for all in a comparison, which shows their fields.
std::vector<bool> shown_whole(std::span<const SweepPoint> points);
/// Those of `todo` that share their samples, evenly over the threads and at most so many together; all others by themselves.
std::vector<PointGroup> groups_of(const Source& source, const RunOptions& options, const PointAt& point,
                                  const std::vector<std::size_t>& todo, std::size_t most_together);
/// Calls take(group, threads) once for every group. Those that a device moves follow each other, with all threads for what their members do for themselves: side
/// by side they would share one device, and all members of all of them would be in memory at once. All others as executor.hpp has it.
void take_all(const std::vector<PointGroup>& groups, const RunOptions& options,
              const std::function<void(const PointGroup& group, int threads)>& take);
/// Of a sweep that is shared with others, some are left for them.
std::size_t most_together(const Part& part);
/// What a sweep takes: as many groups are at work at once as there are threads, of those that a device moves together one.
Room room_of(std::span<const Runnable> points, const std::vector<bool>& whole,
             const std::vector<PointGroup>& groups, const RunOptions& options);

class Execution {
 public:
  /// All of these must outlive it; what became of the points goes into `outcome`.
  Execution(const Source& source, const RunOptions& options, const SweepHooks& hooks, const Part& part,
            SweepOutcome& outcome);

  /// Every point of ours is set up before the first one runs, and there is room for them.
  void require_runnable();
  /// What fails for want of descriptors or by a broken disk ends all of it, and is in the outcome.
  void run();

  bool stopped() const { return stopping_ || options_.stop_requested(); }
  /// Did every point come to an end, here, elsewhere or before?
  bool is_complete();
  /// What others did, or an earlier start of this sweep.
  void read_others();
  /// Has this process come to the end of any point?
  bool ended_any() const;

 private:
  using Group = PointGroup;

  std::size_t count() const { return outcome_.points.size(); }
  const SweepPoint& point(std::size_t i) const { return outcome_.points[i].point; }
  std::string label(std::size_t i) const { return label_of(point(i).settings); }
  std::filesystem::path folder(std::size_t i) const { return options_.out / point(i).folder; }

  void take_what_is_left();
  bool is_there(std::size_t i) const;
  std::vector<std::size_t> left();
  std::vector<PointGroup> groups_of(const std::vector<std::size_t>& todo) const;
  Group take(const Group& group, int threads);
  std::unique_ptr<Session> open_session(std::size_t i, int threads);
  void guarded(std::size_t i, Group& elsewhere, const std::function<void()>& work);
  void guarded_by(const Group& points, Group& elsewhere, const std::function<void()>& work);
  void stop_by(const Group& points, const std::exception& failure);
  void begin(std::size_t i);
  void end(std::size_t i, Outcome done);
  void fail(std::size_t i, const std::string& reason);
  void advance(std::size_t i, std::int64_t step, std::int64_t steps);
  std::vector<std::size_t> free_again(const std::vector<std::size_t>& elsewhere);

  const Source& source_;
  const RunOptions& options_;
  const SweepHooks& hooks_;
  const Part& part_;
  SweepOutcome& outcome_;
  std::vector<std::string> marks_;                  // fingerprints, where they are known
  std::vector<bool> whole_;                         // those that stand for all in a comparison
  std::vector<bool> there_;                         // finished before
  std::optional<std::vector<PointGroup>> planned_;  // of those that were left when all of them were looked at
  std::mutex mutex_;                                // of the hooks and what is told to them
  std::atomic<bool> stopping_ = false;
  std::size_t over_ = 0;
  std::vector<std::atomic<float>> shares_;  // of points at work
  std::atomic<std::int64_t> told_ = 0;
  std::size_t waited_for_ = 0;
};

}  // namespace sluice::lab
