/// What is seen of a network whose record is numbers over time, not receptive fields: rows of named numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/file/array.hpp"

namespace sluice::probe {

class Series {
 public:
  /// One column: a number per probe time, or `width` of them.
  struct Column {
    std::string name;
    std::int64_t width = 0;  ///< 0: a scalar, [T]; else [T, width]
  };
  explicit Series(std::vector<Column> columns) : columns_(std::move(columns)), values_(columns_.size()) {}

  /// A new probe time; every column must then be put once.
  void begin(std::int64_t step) { steps_.push_back(step); }
  void put(const std::string& name, double value) { put(name, std::span(&value, 1)); }
  void put(const std::string& name, std::span<const double> values);
  bool has(const std::string& name) const;

  /// step, then all columns, ready for record.npz.
  file::NamedArrays arrays() const;
  /// Continues from arrays() of earlier columns of the same names and widths; other arrays are ignored. False when one is
  /// missing or does not fit.
  bool restore(const file::NamedArrays& arrays);

 private:
  std::size_t place(const std::string& name) const;

  std::vector<Column> columns_;
  std::vector<std::int64_t> steps_;
  std::vector<std::vector<double>> values_;
};

}  // namespace sluice::probe
