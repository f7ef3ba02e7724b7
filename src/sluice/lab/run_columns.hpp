/// The columns of a table of runs, and how people name them: "gain" for task.gain, "localized" for localized_share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/record/summary.hpp"

namespace sluice::lab {

class RunColumns {
 public:
  /// Common columns first, then keys in the order of a spec, then numbers in theirs.
  explicit RunColumns(std::vector<std::string> names = {});

  std::span<const std::string> names() const { return names_; }
  bool holds(std::string_view name) const;
  /// Columns that are keys of a spec.
  std::vector<std::string> keys() const;
  /// Columns that are summary numbers.
  std::span<const record::NumberKind* const> numbers() const { return numbers_; }
  const record::NumberKind* number(std::string_view name) const;

  /// The column that a word means: its name, the last words of a key's where only one ends so, or a number as record::meant_by has it.
  struct Meant {
    std::string column;     ///< empty: none
    std::string complaint;  ///< then why: "no column 'gian'; did you mean 'gain'?"
  };
  Meant find(const std::string& word) const;
  /// The same; throws InputError with the complaint.
  std::string require(const std::string& word) const;
  /// The shortest word that means the column.
  std::string short_name(const std::string& column) const;

 private:
  std::vector<std::string> ending_in(const std::string& word) const;

  std::vector<std::string> names_;
  std::vector<const record::NumberKind*> numbers_;
};

}  // namespace sluice::lab
