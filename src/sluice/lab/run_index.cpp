#include "sluice/lab/run_index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/open_file.hpp"
#include "sluice/file/system.hpp"
#include "sluice/lab/run_filter.hpp"
#include "sluice/lab/run_row.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::lab {
namespace fs = std::filesystem;
namespace {

using file::Cell, file::Database, file::DatabaseError, file::Statement, file::Transaction;

constexpr std::int64_t kOurs = 0x736c7563;      // "sluc", application_id of the file
constexpr std::int64_t kFormat = 2;             // user_version: another one is made anew
constexpr std::string_view kStamp = "(stamp)";  // columns beside those of the runs: no key has brackets
constexpr std::string_view kSum = "(sum)";
constexpr std::chrono::milliseconds kIndexPatience{3000};
// SQLite computes at most 2000 counts, minima and maxima at once, and varied_keys asks three of each; our keys are some 250.
constexpr std::size_t kMostIndexed = 600;

std::string names_as_sql(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(sql_name(name));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

/// A file, and no link to one: nothing else is opened, a pipe would be waited for.
bool is_plain_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path, ignored));
}
/// The index and its journal, where they are there.
void require_plain(const fs::path& index) {
  std::error_code ignored;
  for (const std::string& file : {index.string(), index.string() + "-journal"})
    if (fs::exists(fs::symlink_status(file, ignored)) && !is_plain_file(file))
      throw DatabaseError(DatabaseError::Problem::other,
                          fmt::format("{}: not an index of sluice; move it away", file));
}

/// Of a file that SQLite itself cannot read, or not all of it: did its first bytes say that it is ours?
bool has_our_header(const fs::path& path) {
  if (!is_plain_file(path)) return false;
  std::array<std::uint8_t, 100> front{};
  const auto got = read_or_nothing([&] { return file::OpenFile(path).peek(front); });
  constexpr std::string_view kSqlite = "SQLite format 3";
  if (got != front.size() || !std::equal(kSqlite.begin(), kSqlite.end(), front.begin())) return false;
  std::int64_t id = 0;
  for (std::size_t i = 68; i < 72; ++i) id = id << 8 | front[i];
  return id == kOurs;
}

/// Or still empty: that is left where there was no room for its first page.
bool is_ours(const fs::path& path) {
  std::error_code ignored;
  return has_our_header(path) || (is_plain_file(path) && fs::file_size(path, ignored) == 0);
}

bool has_runs(Database& database) {
  return database.ask("SELECT 1 FROM sqlite_schema WHERE name = 'runs'") == Cell(std::int64_t{1});
}

/// Ours, or still empty. Throws where it is somebody else's, whose it stays.
void require_ours(Database& database, const fs::path& path) {
  const bool empty = database.ask("SELECT count(*) FROM sqlite_schema") == Cell(std::int64_t{0});
  if (!empty && database.ask("PRAGMA application_id") != Cell(kOurs))
    throw DatabaseError(DatabaseError::Problem::other,
                        fmt::format("{}: not an index of sluice; move it away", path.string()));
}

/// Without the bracket at its end: rows bring columns.
std::string table_as_sql() {
  std::string columns;
  for (const std::string_view name : common_columns())
    columns += fmt::format("{}{}, ", sql_name(name), name == "path" ? " TEXT PRIMARY KEY" : "");
  return fmt::format("CREATE TABLE runs ({}{} TEXT NOT NULL, {} INTEGER NOT NULL", columns, sql_name(kStamp),
                     sql_name(kSum));
}

void make_table(Database& database) {
  database.run(fmt::format("PRAGMA application_id = {}", kOurs));
  database.run(fmt::format("PRAGMA user_version = {}", kFormat));
  database.run(table_as_sql() + ")");
}

/// The table as it is made, and names of columns that rows brought.
bool is_our_table(std::string_view sql) {
  const std::string ours = table_as_sql();
  if (!sql.starts_with(ours) || !sql.ends_with(')')) return false;
  sql = sql.substr(ours.size(), sql.size() - ours.size() - 1);
  while (sql.starts_with(", \"")) {
    sql.remove_prefix(3);
    std::size_t end = sql.find('"');
    while (end != sql.npos && sql.substr(end).starts_with("\"\"")) end = sql.find('"', end + 2);
    if (end == sql.npos) return false;
    sql.remove_prefix(end + 1);
  }
  return sql.empty();
}

/// Nothing but our table: what else may stand in a database is carried out by whoever asks, or changes what is written.
void require_our_table_alone(Database& database, const fs::path& path) {
  bool ours = true;
  Statement statement = database.prepare("SELECT type, name, sql FROM sqlite_schema");
  while (statement.step()) {
    const std::string type = file::to_text(statement.cell(0)), name = file::to_text(statement.cell(1));
    const bool of_the_path = type == "index" && name == "sqlite_autoindex_runs_1";
    ours = ours && (of_the_path ||
                    (type == "table" && name == "runs" && is_our_table(file::to_text(statement.cell(2)))));
  }
  if (!ours)
    throw DatabaseError(DatabaseError::Problem::damaged,
                        fmt::format("{}: not the table of an index", path.string()));
}

/// FNV-1a of every cell of a row with its name, added up: the order of columns is all the same. A row that a disk or somebody else changed has another.
class RowSum {
 public:
  void add(std::string_view name, const Cell& cell) {
    const auto* number = std::get_if<double>(&cell);
    if (file::is_absent(cell) || (number != nullptr && std::isnan(*number))) return;  // nothing, there
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto take = [&](std::string_view bytes) {
      for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    };
    take(name);
    take({"\0", 1});
    take(std::string_view("-ids").substr(cell.index(), 1));
    if (const auto* text = std::get_if<std::string>(&cell))
      take(*text);
    else if (const auto* whole = std::get_if<std::int64_t>(&cell))
      take({reinterpret_cast<const char*>(whole), sizeof *whole});
    else
      take({reinterpret_cast<const char*>(number), sizeof *number});
    sum_ += hash ^ hash >> 32;
  }
  Cell cell() const { return static_cast<std::int64_t>(sum_); }

 private:
  std::uint64_t sum_ = 0;
};

std::vector<std::string> columns_in(Database& database) {
  std::vector<std::string> names;
  Statement statement = database.prepare("SELECT name FROM pragma_table_info('runs')");
  while (statement.step()) names.push_back(file::to_text(statement.cell(0)));
  return names;
}

constexpr const char* kNotAsWritten = "";  // no run has this stamp: it is read again

std::unordered_map<std::string, std::string> stamps_in(Database& database) {
  std::unordered_map<std::string, std::string> stamps;
  if (!has_runs(database)) return stamps;
  const std::vector<std::string> names = columns_in(database);
  const auto at = [&](std::string_view name) { return std::ranges::find(names, name) - names.begin(); };
  const auto path = at("path"), stamp = at(kStamp), sum = at(kSum);
  Statement statement = database.prepare(fmt::format("SELECT {} FROM runs", names_as_sql(names)));
  std::vector<Cell> cells(names.size());
  while (statement.step()) {
    RowSum of_row;
    for (std::ptrdiff_t i = 0; i < std::ssize(names); ++i) {
      const auto column = static_cast<std::size_t>(i);
      cells[column] = statement.cell(static_cast<int>(i));
      if (i != sum) of_row.add(names[column], cells[column]);
    }
    const auto* where = std::get_if<std::string>(&cells[static_cast<std::size_t>(path)]);
    if (where == nullptr)
      throw DatabaseError(DatabaseError::Problem::damaged, "a row of the index without a path");
    const bool as_written = cells[static_cast<std::size_t>(sum)] == of_row.cell();
    stamps.emplace(*where,
                   as_written ? file::to_text(cells[static_cast<std::size_t>(stamp)]) : kNotAsWritten);
  }
  return stamps;
}

/// Those that any run has something in.
std::vector<std::string> filled_columns(Database& database) {
  std::vector<std::string> names = columns_in(database);
  std::erase_if(names, [](const std::string& name) { return name == kStamp || name == kSum; });
  std::string counts;
  for (const std::string& name : names)
    counts += fmt::format("{}count({})", counts.empty() ? "" : ", ", sql_name(name));
  Statement statement = database.prepare(fmt::format("SELECT {} FROM runs", counts));
  std::vector<std::string> filled;
  if (statement.step())
    for (std::size_t i = 0; i < names.size(); ++i)
      if (statement.cell(static_cast<int>(i)) != Cell(std::int64_t{0})) filled.push_back(names[i]);
  return filled;
}

/// A row is written by one sentence for each set of columns; runs of a sweep share theirs.
class RowWriter {
 public:
  explicit RowWriter(Database& database) : database_(database), known_(as_set(columns_in(database))) {}

  /// False: the table has no more room for some of its columns, which are left out.
  bool write(const std::string& stamp, const RunRow& row) {
    std::vector<std::string> names{std::string(kStamp), std::string(kSum)};
    std::vector<Cell> values{stamp, {}};
    RowSum sum;
    sum.add(kStamp, stamp);
    bool complete = true;
    for (const auto& [name, cell] : row) {
      if (file::is_absent(cell)) continue;
      if (!make_room(name)) {
        complete = false;
        continue;
      }
      names.push_back(name);
      values.push_back(cell);
      sum.add(name, cell);
    }
    values[1] = sum.cell();
    Statement& statement = sentence(names);
    statement.begin(values);
    statement.step();
    return complete;
  }

 private:
  static std::set<std::string> as_set(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }
  bool make_room(const std::string& name) {
    if (known_.contains(name)) return true;
    if (known_.size() >= kMostIndexed) return false;
    database_.run(fmt::format("ALTER TABLE runs ADD COLUMN {}", sql_name(name)));
    known_.insert(name);
    return true;
  }
  Statement& sentence(const std::vector<std::string>& names) {
    const auto known = sentences_.find(names);
    if (known != sentences_.end()) return known->second;
    const std::vector<std::string> marks(names.size(), "?");
    return sentences_
        .emplace(names, database_.prepare(fmt::format("INSERT OR REPLACE INTO runs ({}) VALUES ({})",
                                                      names_as_sql(names), fmt::join(marks, ", "))))
        .first->second;
  }

  Database& database_;
  std::set<std::string> known_;
  std::map<std::vector<std::string>, Statement> sentences_;
};

}  // namespace

RunIndex::RunIndex(fs::path folder, Begin begin)
    : folder_(std::move(folder)), begin_(begin), found_(find_runs(folder_)) {
  for (const std::string& folder_and_why : found_.unreadable)
    remarks_.push_back(fmt::format("{}: not looked into", (folder_ / folder_and_why).string()));
  try {
    if (begin_ != Begin::without_cache && keeps_file())
      open();
    else
      open_in_memory();
  } catch (const DatabaseError& failure) {
    recover(failure);
  }
}

fs::path RunIndex::file() const { return folder_ / record::kIndexName; }

/// The folder of a run keeps none, nor does one without runs: nobody's home folder gets a file for being looked into.
bool RunIndex::keeps_file() const {
  std::error_code ignored;
  const bool of_run = std::ranges::find(found_.runs, ".", &FoundRun::path) != found_.runs.end();
  return !of_run && (!found_.runs.empty() || fs::exists(fs::symlink_status(file(), ignored)));
}

void RunIndex::open() {
  require_plain(file());
  Database database(file(), Database::Access::write, kIndexPatience);
  require_ours(database, file());
  const bool old = has_runs(database) && database.ask("PRAGMA user_version") != Cell(kFormat);
  if (old || begin_ == Begin::anew) database.clear();
  require_our_table_alone(database, file());
  bring_up_to_date(database);
  use(std::move(database));
}

void RunIndex::open_in_memory() {
  Database memory = Database::in_memory();
  bring_up_to_date(memory);
  use(std::move(memory));
}

/// What cannot be kept is still listed.
void RunIndex::recover(const DatabaseError& failure) {
  database_.reset();
  const bool damaged = failure.problem == DatabaseError::Problem::damaged;
  if (damaged && has_our_header(file())) {
    try {
      Database database(file(), Database::Access::write, kIndexPatience);
      database.clear();
      bring_up_to_date(database);
      use(std::move(database));
      remarks_.push_back(fmt::format("{}: was damaged; made anew", file().string()));
      return;
    } catch (const DatabaseError&) {
      // Nothing can be written there either.
    }
  }
  remarks_.push_back(
      damaged ? fmt::format("{}: not an index of sluice, or damaged; move it away. It is done without",
                            file().string())
              : fmt::format("{}; it is done without", failure.what()));
  if (!damaged && begin_ == Begin::from_cache) {
    try {  // what can be read is good as far as it goes
      require_plain(file());
      Database disk(file(), Database::Access::read, kIndexPatience);
      require_ours(disk, file());
      require_our_table_alone(disk, file());
      Database memory = Database::in_memory();
      memory.copy_from(disk);
      bring_up_to_date(memory);
      return use(std::move(memory));
    } catch (const DatabaseError&) {
    }
  }
  open_in_memory();
}

RunIndex::Changes RunIndex::changes_since(Database& database) const {
  std::unordered_map<std::string, std::string> known = stamps_in(database);
  Changes changes;
  for (const FoundRun& run : found_.runs) {
    const auto at = known.find(run.path);
    if (at == known.end() || at->second != run.stamp) changes.fresh.push_back(&run);
    if (at != known.end()) known.erase(at);
  }
  for (const auto& [path, stamp] : known)
    if (!is_run(folder_ / path))
      changes.gone.push_back(path);  // else it began since we looked, and another knows it
  return changes;
}

/// Folders are read before anybody is kept waiting; what has to be written is asked once more when nobody else can write.
void RunIndex::bring_up_to_date(Database& database) {
  const Changes seen = changes_since(database);
  if (seen.fresh.empty() && seen.gone.empty() && has_runs(database)) return;

  std::vector<RunRow> read(seen.fresh.size());
  constexpr std::size_t kChunk = 16;
  math::Workers workers(read.size() > kChunk ? math::hardware_threads() : 1);
  workers.run(static_cast<std::int64_t>((read.size() + kChunk - 1) / kChunk), [&](std::int64_t chunk, int) {
    const std::size_t first = static_cast<std::size_t>(chunk) * kChunk;
    for (std::size_t i = first; i < std::min(first + kChunk, read.size()); ++i)
      read[i] = read_row(folder_ / seen.fresh[i]->path, *seen.fresh[i]);
  });
  std::unordered_map<const FoundRun*, const RunRow*> rows;
  for (std::size_t i = 0; i < read.size(); ++i) rows.emplace(seen.fresh[i], &read[i]);

  bool complete = true;
  {
    Transaction transaction(database);
    if (!has_runs(database)) make_table(database);
    const Changes changes = changes_since(database);
    Statement forget = database.prepare("DELETE FROM runs WHERE path = ?");
    for (const std::string& path : changes.gone) {
      forget.begin(std::vector<Cell>{path});
      forget.step();
    }
    RowWriter writer(database);
    for (const FoundRun* run : changes.fresh) {
      const auto at = rows.find(run);
      complete &=
          writer.write(run->stamp, at != rows.end() ? *at->second : read_row(folder_ / run->path, *run));
    }
    transaction.commit();
  }
  if (!complete)
    remarks_.push_back(
        fmt::format("{}: more than {} different keys; some are left out", folder_.string(), kMostIndexed));
}

void RunIndex::use(Database database) {
  columns_ = RunColumns(filled_columns(database));
  database_ = std::move(database);
}

/// Another process may make the index anew between two questions, and damage shows where it is read: then once more, without the file.
template <class Question>
auto RunIndex::answer(const Question& question) {
  try {
    return question();
  } catch (const DatabaseError& failure) {
    recover(failure);
    return question();
  }
}

RunTable RunIndex::select(const RunQuery& query) {
  return answer([&] {
    RunTable table;
    for (const std::string& word : query.columns) table.columns.push_back(columns_.require(word));
    if (query.columns.empty()) table.columns.assign(columns_.names().begin(), columns_.names().end());
    const std::vector<std::string> shown = table.columns;
    table.columns.push_back("path");  // to be sorted by, then gone
    table.columns.push_back(query.sort.empty() ? "path" : columns_.require(query.sort));
    const SqlCondition condition = to_sql(query.where, columns_);
    Statement statement = database_->prepare(
        fmt::format("SELECT {} FROM runs WHERE {}", names_as_sql(table.columns), condition.sql));
    statement.begin(condition.values);
    while (statement.step()) {
      std::vector<Cell>& row = table.rows.emplace_back();
      for (int i = 0; i < statement.columns(); ++i) row.push_back(statement.cell(i));
    }
    const std::size_t path = shown.size();
    std::ranges::sort(table.rows, comes_before, [&](const auto& row) -> const std::string& {
      return std::get<std::string>(row[path]);
    });
    if (!query.sort.empty())
      sort_rows(table, path + 1, query.descending);
    else if (query.descending)
      std::ranges::reverse(table.rows);
    table.columns = shown;
    for (auto& row : table.rows) row.resize(shown.size());
    return table;
  });
}

std::vector<std::string> RunIndex::varied_keys(const std::string& where) {
  return answer([&] {
    std::vector<std::string> everywhere, somewhere;
    const std::vector<std::string> keys = columns_.keys();
    std::string asked = "count(*)";
    for (const std::string& key : keys)
      asked += fmt::format(", count({0}), min({0}) IS max({0})", sql_name(key));
    const SqlCondition condition = to_sql(where, columns_);
    Statement statement =
        database_->prepare(fmt::format("SELECT {} FROM runs WHERE {}", asked, condition.sql));
    statement.begin(condition.values);
    if (!statement.step()) return everywhere;
    const Cell runs = statement.cell(0), none{std::int64_t{0}};
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const int place = 1 + 2 * static_cast<int>(i);
      const Cell count = statement.cell(place);
      const bool same = statement.cell(place + 1) != none;
      if (keys[i].find('.') == std::string::npos && keys[i] != "seed") continue;  // words for people
      if (count == runs && !same) everywhere.push_back(keys[i]);
      if (count != runs && count != none) somewhere.push_back(keys[i]);
    }
    everywhere.insert(everywhere.end(), somewhere.begin(), somewhere.end());
    return everywhere;
  });
}

std::string foreign_index(const fs::path& folder) {
  std::string name(record::kIndexName), journal = name + "-journal";
  std::error_code ignored;
  const auto is_there = [&](const std::string& entry) {
    return fs::exists(fs::symlink_status(folder / entry, ignored));
  };
  const bool ours = is_ours(folder / name);
  if (is_there(name) && !ours) return name;
  return is_there(journal) && !(ours && is_plain_file(folder / journal)) ? journal : "";
}

void remove_index(const fs::path& folder) {
  const fs::path path = folder / record::kIndexName;
  const fs::path journal = path.string() + "-journal";
  if (!is_ours(path)) return;
  std::error_code ignored;
  file::remove_entry(path, ignored);
  if (is_plain_file(journal)) file::remove_entry(journal, ignored);
}

}  // namespace sluice::lab
