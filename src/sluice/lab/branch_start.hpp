/// Where a branch begins: a shape for every unit, before it is brought to rest.
///   flat       the same weight everywhere           mode:K    a cosine with K periods
///   site[:I]   a bump at site I (0)                 bond[:I]  a bump between the sites I and I + 1
///   FILE.npy   weights [n]                          −SHAPE    its negative
/// Two units have two shapes, "site,-site:5"; of one alone the second is the negative.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sluice/file/array.hpp"

namespace sluice::lab {

struct BranchStart {
  std::string name;
  std::vector<double> fields;  ///< [units, n]
  bool wave = false;  ///< waves are followed from the low end of the parameter, the others from its high end
};

/// Throws InputError that says what was expected.
BranchStart branch_start(const std::string& text, std::int64_t units, std::int64_t n);
/// The same from weights [n], or [units, n].
BranchStart branch_start(const std::string& name, const file::Array& fields, std::int64_t units,
                         std::int64_t n);

}  // namespace sluice::lab
