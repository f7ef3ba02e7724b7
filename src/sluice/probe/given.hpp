/// Probes that the program around the library gives (spec/given.hpp). A spec names them beside those of the table,
///   probe.functions = "NAME=SHA-256; NAME=SHA-256"
/// and the record keeps what they say under their names, [T, …]: numbers of one type and shape, which the first look fixes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/probe/axes.hpp"
#include "sluice/probe/snapshot.hpp"
#include "sluice/spec/given.hpp"

namespace sluice::probe {

struct ProbeFunction {
  /// What it sees at one time. The snapshot lives as long as the call.
  std::function<file::Array(const Snapshot& now)> measure;
  /// Names of the axes after time; empty: they are called axis1, axis2, …
  std::vector<std::string> axes = {};
};
using GivenProbes = spec::Given<ProbeFunction>;

/// A name and the mark of its source.
using FunctionNames = std::vector<std::pair<std::string, std::string>>;

/// Of "a=…; b=…"; and what is expected of such a text, where it is not so.
FunctionNames function_names(const std::string& text);
std::string expected_of_functions(const std::string& text);

/// One of them, found.
class GivenProbe {
 public:
  /// Throws InputError where no function of that source is here.
  GivenProbe(std::string name, const std::string& mark);

  const std::string& name() const { return name_; }
  /// Throws InputError where a named axis is not as long as the run has it: unit, site, layer.
  file::Array measure(const Snapshot& now, const Extents& extents) const;
  /// "step", then those of an array with so many axes.
  std::vector<std::string> axes(std::size_t dimensions) const;

 private:
  std::string name_;
  GivenProbes::Kept function_;
};

}  // namespace sluice::probe
