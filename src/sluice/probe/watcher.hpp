/// Collects what the probes see of any network: one growing array per probe.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/probe/survey.hpp"

namespace sluice::probe {

/// The probes that watch: those of the contract that have what they need, and those that were asked for. Throws InputError
/// "probe.watch: NAME needs …" when one of the latter lacks something.
std::vector<const Probe*> watching(std::span<const std::string> asked, const Subject& subject);

class Watcher {
 public:
  Watcher(std::vector<const Probe*> probes, const Extents& extents);

  /// `previous`, `previous_step` and `first_train_loss` of the snapshot are filled in from what was watched before.
  void watch(Snapshot now);
  /// Does one of the probes look at this?
  bool needs(unsigned what) const;

  /// All arrays with their shapes, ready for record.npz.
  file::NamedArrays arrays() const;
  /// Continues from arrays() of an earlier watcher with the same probes. False when they do not fit.
  bool restore(const file::NamedArrays& arrays);

 private:
  const file::Array::Data* find_data(std::string_view name) const;

  Extents extents_;
  std::int64_t times_ = 0;
  std::unique_ptr<Instruments> instruments_;
  std::vector<const Probe*> probes_;
  std::vector<file::Array::Data> data_;
};

}  // namespace sluice::probe
