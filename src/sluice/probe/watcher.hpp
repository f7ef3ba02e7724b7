/// Collects what the probes see: one growing array per probe.
#pragma once

#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/probe/options.hpp"
#include "sluice/probe/probe.hpp"
#include "sluice/probe/survey.hpp"

namespace sluice::probe {

class Watcher {
 public:
  Watcher(const Options& options, std::int64_t units, std::int64_t inputs, const Occasions& occasions = {});

  /// `previous` and `previous_step` of the snapshot are filled in from what was watched before.
  void watch(Snapshot now);
  /// Does one of the probes look at this?
  bool needs(Needs what) const;

  /// All arrays with their shapes, ready for record.npz.
  file::NamedArrays arrays() const;
  /// Continues from arrays() of an earlier watcher with the same options. False when they do not fit.
  bool restore(const file::NamedArrays& arrays);

 private:
  const file::Array::Data& data_of(std::string_view name) const;

  std::int64_t units_;
  std::int64_t inputs_;
  std::int64_t times_ = 0;
  Instruments instruments_;
  std::vector<const Probe*> probes_;
  std::vector<file::Array::Data> data_;
};

}  // namespace sluice::probe
