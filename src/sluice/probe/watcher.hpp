/// Collects what the probes see: one growing array per probe.
#pragma once

#include <string>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/probe/options.hpp"
#include "sluice/probe/probe.hpp"

namespace sluice::probe {

class Watcher {
 public:
  Watcher(const Options& options, std::int64_t units, std::int64_t inputs, const Occasions& occasions = {});

  void watch(const Snapshot& now);

  /// All arrays with their shapes, ready for record.npz.
  file::NamedArrays arrays() const;
  /// Continues from arrays() of an earlier watcher with the same options. False when they do not fit.
  bool restore(const file::NamedArrays& arrays);

 private:
  std::int64_t units_;
  std::int64_t inputs_;
  std::int64_t times_ = 0;
  std::vector<const Probe*> probes_;
  std::vector<file::Array::Data> data_;
};

}  // namespace sluice::probe
