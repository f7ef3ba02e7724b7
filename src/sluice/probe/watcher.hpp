/// Collects what the probes see of any network: one growing array per probe, those of the table before those that were given.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/probe/given.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/probe/survey.hpp"

namespace sluice::probe {

/// The probes that watch: those of the contract that have what they need, and those that were asked for. Throws InputError
/// "probe.watch: NAME needs …" when one of the latter lacks something.
std::vector<const Probe*> watching(std::span<const std::string> asked, const Subject& subject);

class Watcher {
 public:
  /// `of_the_end`: names of those of which the last time alone is kept.
  Watcher(const std::vector<const Probe*>& probes, const Extents& extents,
          const std::vector<GivenProbe>& given = {}, const std::vector<std::string>& of_the_end = {});

  /// All of them see it, or none: where one throws, what was seen before stays. `previous`, `previous_step` and `first_train_loss` of the snapshot are filled in from what was watched before.
  void watch(Snapshot now);
  /// Does one of the probes look at this?
  bool needs(unsigned what) const;

  /// All arrays with their shapes, ready for record.npz. Before the first look nobody knows those of given probes, and they are left out.
  file::NamedArrays arrays() const;
  /// The same where they are, until the next look.
  file::NamedViews views() const;
  /// How many times there will be, at most: no array is moved to grow.
  void expect(std::int64_t times) { expected_ = times; }
  /// Names of the axes of each.
  std::map<std::string, std::vector<std::string>> axes() const;
  /// Continues from arrays() of an earlier watcher with the same probes. False when they do not fit.
  bool restore(const file::NamedArrays& arrays);
  /// Bytes of the arrays after so many looks, from their shapes: nothing need have been looked at yet.
  double bytes_of(double looks) const;

 private:
  /// What one probe has seen so far.
  struct Series {
    std::string name;
    unsigned needs;
    std::function<void(Survey&, Series&)> look;
    std::function<std::vector<std::string>(std::size_t dimensions)> axes;
    std::optional<file::Shape> shape;  ///< of one time; none before a given probe has been asked
    file::Array all = {};              ///< of all times
    bool of_the_end = false;           ///< the last time replaces the one before

    template <class Count>
    Count kept(Count times) const {
      return of_the_end ? std::min(times, Count{1}) : times;
    }
  };
  /// A series without its next time.
  struct Before {
    std::optional<file::Shape> shape;
    std::size_t count = 0;
    file::Array::Data data = {};  ///< of a series of the end
  };
  Before make_room(Series& series) const;
  static void take_back(Series& series, Before before);
  Series series_of(const Probe& probe) const;
  Series series_of(const GivenProbe& probe) const;
  const file::Array::Data* find_data(std::string_view name) const;

  Extents extents_;
  std::int64_t times_ = 0;
  std::int64_t expected_ = 0;
  std::unique_ptr<Instruments> instruments_;
  std::vector<Series> series_;
};

}  // namespace sluice::probe
