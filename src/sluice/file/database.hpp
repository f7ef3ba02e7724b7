/// A SQLite database: opened, asked, changed in one step. SQLite is behind this header.
///
/// Its journal is a file that is rolled back, never a log in shared memory: that is the kind that may lie on a network's file system.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "sluice/file/cell.hpp"
#include "sluice/file/errors.hpp"

namespace sluice::file {

class DatabaseError : public IoError {
 public:
  enum class Problem { busy, not_writable, damaged, other };  ///< damaged: also no database at all

  DatabaseError(Problem what, const std::string& message) : IoError(message), problem(what) {}

  Problem problem;
};

/// One sentence of SQL, ready to be run again and again with other values for its question marks.
class Statement {
 public:
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  /// Back to the start, with these values. A number that is not one is nothing.
  void begin(std::span<const Cell> values = {});
  /// Goes on to the next row; false: there is none.
  bool step();
  Cell cell(int column) const;
  int columns() const;

 private:
  friend class Database;
  struct Handle;
  explicit Statement(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

class Database {
 public:
  enum class Access { read, write };  ///< write: made where it is missing

  /// Others that hold it are waited for as long as `patience`. Every function throws DatabaseError that names the file.
  Database(const std::filesystem::path& path, Access access, std::chrono::milliseconds patience);
  /// One that nobody else sees and nothing is left of.
  static Database in_memory();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Statement prepare(const std::string& sql);
  /// A sentence without an answer.
  void run(const std::string& sql);
  /// The first cell of the first row.
  Cell ask(const std::string& sql);

  /// Becomes what `other` is.
  void copy_from(Database& other);
  /// All that is in it goes, in one step, however damaged it is.
  void clear();

 private:
  struct Handle;
  explicit Database(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

/// All or nothing: without commit() everything since its beginning is undone.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace sluice::file
