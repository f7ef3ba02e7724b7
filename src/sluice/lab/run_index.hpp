/// All runs below a folder as one table that can be filtered: `RunIndex("runs").select({.where = "gain > 1"})`.
///
/// Run folders are the record, the index is a cache: `.sluice-index.sqlite` in the folder keeps a row per run (run_row.hpp), and every
/// opening looks at all run folders again (run_walk.hpp) and reads those that are new or were changed. It may be deleted at any time.
/// Where it cannot be written, is held by somebody else for long, or is damaged, the table is made in memory, and a remark says so. A
/// damaged one is made anew, one whose table is not as we make it (a view or a trigger would be carried out by whoever asks), or a row that is not as it was
/// written, too; a file of that name that is no index of ours is left alone. Who deletes what a filter finds does not ask the cache.
///
/// Several processes may use it at once: what changes it is one transaction, and each sees the folders as they are.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sluice/file/database.hpp"
#include "sluice/lab/run_columns.hpp"
#include "sluice/lab/run_table.hpp"
#include "sluice/lab/run_walk.hpp"

namespace sluice::lab {

struct RunQuery {
  std::string where = {};                 ///< a filter (run_filter.hpp); empty: all runs
  std::vector<std::string> columns = {};  ///< as RunColumns::find takes them; empty: every column
  std::string sort = {};                  ///< a column; empty: by path
  bool descending = false;
};

class RunIndex {
 public:
  enum class Begin { from_cache, anew, without_cache };

  /// Brings it up to date. Throws InputError when `folder` is none.
  explicit RunIndex(std::filesystem::path folder, Begin begin = Begin::from_cache);

  /// How many runs there are.
  std::size_t size() const { return found_.runs.size(); }
  /// Columns in which at least one run has something.
  const RunColumns& columns() const { return columns_; }
  /// Throws InputError for a filter that cannot be read, or a column that no run has.
  RunTable select(const RunQuery& query);
  /// Keys of the specs in which the runs that pass the filter differ: first those that all of them have.
  std::vector<std::string> varied_keys(const std::string& where);

  /// Folders that could not be looked into, and why.
  const std::vector<std::string>& unreadable() const { return found_.unreadable; }
  /// What became of the cache, folders that could not be looked into.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  using Database = file::Database;

  std::filesystem::path file() const;
  bool keeps_file() const;
  void open();
  void open_in_memory();
  void recover(const file::DatabaseError& failure);
  /// What the table lacks of what was found, and what it has beyond.
  struct Changes {
    std::vector<const FoundRun*> fresh;
    std::vector<std::string> gone;
  };
  Changes changes_since(Database& database) const;
  void bring_up_to_date(Database& database);
  void use(Database database);
  template <class Question>
  auto answer(const Question& question);

  std::filesystem::path folder_;
  Begin begin_;
  FoundRuns found_;
  std::optional<Database> database_;
  RunColumns columns_;
  std::vector<std::string> remarks_;
};

/// Removes the cache of a folder that is about to go; a file of that name that is not ours stays.
void remove_index(const std::filesystem::path& folder);
/// The name of what is in the way of that: the cache or its journal, where they are not ours. Empty where nothing is.
std::string foreign_index(const std::filesystem::path& folder);

}  // namespace sluice::lab
