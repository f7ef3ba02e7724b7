/// A closed form, asked for with the task and network of an experiment.
#pragma once

#include <optional>
#include <string>

#include "sluice/file/array.hpp"
#include "sluice/lab/experiment.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::lab {

struct TheoryRequest {
  std::string quantity;
  int which_class = 0;                      ///< 0: the first ξ, label 1 in the notes
  std::optional<file::Array> weights = {};  ///< [n] or [K, n]; none: the initial ones of the spec
  std::string weights_are = "weights";      ///< what messages call them: their file
  std::string response = {};                ///< name of a response operator; empty: the exact one of the task
};

/// Throws InputError naming the key or array.
theory::Table theory_table(const Experiment& experiment, const TheoryRequest& request);

/// The rows of an array [n] or [K, n] of finite numbers; throws InputError that calls it by this name.
std::vector<theory::Vector> rows_of(const file::Array& array, std::int64_t n, const std::string& name);

}  // namespace sluice::lab
