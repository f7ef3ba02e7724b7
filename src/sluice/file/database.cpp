#include "sluice/file/database.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "sluice/file/system.hpp"

namespace sluice::file {
namespace {

constexpr int kMostBytes = 1 << 26;  // of a row or a sentence

DatabaseError::Problem problem_of(int code) {
  using Problem = DatabaseError::Problem;
  switch (code & 0xff) {  // the rest says more about the same
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Problem::busy;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return Problem::not_writable;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Problem::damaged;
    default:
      return Problem::other;
  }
}

/// What the world did to a database; of a sentence that is wrong, which is our mistake, SQLite's own words.
std::string said_of(int code, sqlite3* database) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process is at work in it";
    case SQLITE_READONLY:
      return "cannot be written";
    case SQLITE_CANTOPEN:
      return "cannot be opened, or the journal beside it cannot";
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "cannot be opened: Permission denied";
    case SQLITE_FULL:
      return "cannot be written: No space left on device";
    case SQLITE_IOERR:
      switch (database != nullptr ? sqlite3_extended_errcode(database) : code) {
        case SQLITE_IOERR_READ:
        case SQLITE_IOERR_SHORT_READ:
        case SQLITE_IOERR_FSTAT:
          return "cannot be read";
        case SQLITE_IOERR_WRITE:
        case SQLITE_IOERR_FSYNC:
        case SQLITE_IOERR_DIR_FSYNC:
        case SQLITE_IOERR_TRUNCATE:
        case SQLITE_IOERR_DELETE:
          return "cannot be written";
        default:
          return "cannot be read or written";
      }
    case SQLITE_CORRUPT:
      return "is damaged";
    case SQLITE_NOTADB:
      return "is no database";
    case SQLITE_NOMEM:
      return "no memory is left for it";
    default:
      return database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  }
}

/// `database` may have more to say than the code, where there is one.
void require(int code, const std::string& name, sqlite3* database = nullptr) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  throw DatabaseError(problem_of(code), fmt::format("{}: {}", name, said_of(code, database)));
}

/// As open does, but of pipes: one that stands under the name of a journal would be waited for.
int open_no_pipe(const char* path, int flags, int mode) {
  const int file = system::open(path, flags | O_NONBLOCK, static_cast<mode_t>(mode));
  struct stat facts {};
  if (file < 0 || (::fstat(file, &facts) == 0 && !S_ISFIFO(facts.st_mode))) return file;
  ::close(file);
  errno = ENXIO;
  return -1;
}

/// SQLite's own calls go the way of all others.
void use_our_calls() {
  static const bool done = [] {
    sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
    const auto set = [&](const char* name, auto* call) {
      vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(call));
    };
    set("open", open_no_pipe);
    set(
        "read", +[](int file, void* bytes, std::size_t count) { return system::read(file, bytes, count); });
    for (const char* name : {"pread", "pread64"})  // it has one of the two, as it was built
      set(
          name, +[](int file, void* bytes, std::size_t count, off_t offset) {
            return system::pread(file, bytes, count, offset);
          });
    set(
        "write",
        +[](int file, const void* bytes, std::size_t count) { return system::write(file, bytes, count); });
    for (const char* name : {"pwrite", "pwrite64"})
      set(
          name, +[](int file, const void* bytes, std::size_t count, off_t offset) {
            return system::pwrite(file, bytes, count, offset);
          });
    set(
        "ftruncate", +[](int file, off_t size) { return system::ftruncate(file, size); });
    set(
        "unlink", +[](const char* path) { return system::unlink(path); });
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

struct Database::Handle {
  std::string name;
  sqlite3* database = nullptr;

  Handle(std::string named, int flags) : name(std::move(named)) {
    use_our_calls();
    const int code = sqlite3_open_v2(name.c_str(), &database, flags, nullptr);
    if (code != SQLITE_OK) {
      sqlite3_close_v2(database);
      require(code, name);
    }
    const auto set = [&](int what, int on) { sqlite3_db_config(database, what, on, nullptr); };
    // "a.b" is then always a column, never a text where there is no such column.
    set(SQLITE_DBCONFIG_DQS_DML, 0);
    set(SQLITE_DBCONFIG_DQS_DDL, 0);
    // A file may come from anybody: nothing that stands in it is carried out.
    set(SQLITE_DBCONFIG_DEFENSIVE, 1);
    set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
    set(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
    set(SQLITE_DBCONFIG_ENABLE_VIEW, 0);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMostBytes);
  }
  ~Handle() { sqlite3_close_v2(database); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

struct Statement::Handle {
  std::string name;  // of the database
  sqlite3_stmt* statement = nullptr;

  Handle(std::string of, sqlite3* database, const std::string& sql) : name(std::move(of)) {
    require(sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr),
            name, database);
  }
  ~Handle() { sqlite3_finalize(statement); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  int bind(int place, const Cell& cell) const {
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
      return sqlite3_bind_int64(statement, place, *whole);
    if (const auto* number = std::get_if<double>(&cell))
      return sqlite3_bind_double(statement, place, *number);
    if (const auto* text = std::get_if<std::string>(&cell))
      return sqlite3_bind_text64(statement, place, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return sqlite3_bind_null(statement, place);
  }
};

Statement::Statement(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Statement::Statement(Statement&&) noexcept = default;
Statement& Statement::operator=(Statement&&) noexcept = default;
Statement::~Statement() = default;

void Statement::begin(std::span<const Cell> values) {
  sqlite3_reset(handle_->statement);  // what it returns is the failure of the step before
  int place = 0;
  for (const Cell& value : values) require(handle_->bind(++place, value), handle_->name);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_->statement);
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(handle_->statement);  // lets go of the file
  require(code, handle_->name, sqlite3_db_handle(handle_->statement));
  return false;
}

Cell Statement::cell(int column) const {
  sqlite3_stmt* statement = handle_->statement;
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
      const unsigned char* text = sqlite3_column_text(statement, column);
      return std::string(reinterpret_cast<const char*>(text),
                         static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
    default:
      return {};
  }
}

int Statement::columns() const { return sqlite3_column_count(handle_->statement); }

Database::Database(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Database::Database(const std::filesystem::path& path, Access access, std::chrono::milliseconds patience)
    : handle_(std::make_unique<Handle>(path.string(), access == Access::read
                                                          ? SQLITE_OPEN_READONLY
                                                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) {
  sqlite3_busy_timeout(handle_->database, static_cast<int>(patience.count()));
}

Database Database::in_memory() {
  return Database(
      std::make_unique<Handle>(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY));
}

Statement Database::prepare(const std::string& sql) {
  return Statement(std::make_unique<Statement::Handle>(handle_->name, handle_->database, sql));
}

void Database::run(const std::string& sql) {
  Statement statement = prepare(sql);
  while (statement.step()) {
  }
}

Cell Database::ask(const std::string& sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.cell(0) : Cell{};
}

void Database::copy_from(Database& other) {
  sqlite3_backup* copy = sqlite3_backup_init(handle_->database, "main", other.handle_->database, "main");
  if (copy == nullptr) require(sqlite3_errcode(handle_->database), handle_->name);
  const int code = sqlite3_backup_step(copy, -1);
  sqlite3_backup_finish(copy);
  require(code, other.handle_->name);
}

void Database::clear() {
  sqlite3_db_config(handle_->database, SQLITE_DBCONFIG_RESET_DATABASE, 1, nullptr);
  const int code = sqlite3_exec(handle_->database, "VACUUM", nullptr, nullptr, nullptr);
  sqlite3_db_config(handle_->database, SQLITE_DBCONFIG_RESET_DATABASE, 0, nullptr);
  require(code, handle_->name);
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");  // two that read first and write later would wait for each other
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const std::exception&) {
    // SQLite has rolled back by itself, or does when it is closed.
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace sluice::file
