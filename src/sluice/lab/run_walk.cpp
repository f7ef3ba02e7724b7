#include "sluice/lab/run_walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/record/manifest.hpp"

namespace sluice::lab {
namespace {

constexpr int kDeepest = 16;  // every level holds a descriptor

/// That sluice was at work in a folder with a spec.
constexpr std::array<std::string_view, 4> kSigns{"run.json", "checkpoint.npz", record::Manifest::kName,
                                                 "log.txt"};

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

OpenFolder open_folder(int parent, const char* name, int flags) {
  const int descriptor = file::system::open_in(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
  if (descriptor < 0) return nullptr;
  OpenFolder folder(::fdopendir(descriptor));
  if (!folder) ::close(descriptor);
  return folder;
}

/// Time, length and inode of a plain file; nothing where there is none.
struct FileMark {
  std::int64_t seconds, nanoseconds, bytes;
  std::uint64_t inode;

  bool is_before(const FileMark& other) const {
    return seconds != other.seconds ? seconds < other.seconds : nanoseconds < other.nanoseconds;
  }
};
std::optional<FileMark> mark_of(int folder, const char* name) {
  struct stat status {};
  const bool found = ::fstatat(folder, name, &status, 0) == 0;
  if (!found && is_exhaustion(errno))
    throw ExhaustedError(fmt::format("{}: cannot be looked at: {}", name, file::words_of(errno)));
  if (!found || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileMark{status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size, status.st_ino};
}
std::string text_of(const std::optional<FileMark>& mark) {
  return mark ? fmt::format("{}.{:09}/{}/{}", mark->seconds, mark->nanoseconds, mark->bytes, mark->inode)
              : "-";
}

/// Null at the end, and errno says whether it is the true one.
const dirent* next_in(DIR* folder) {
  errno = 0;
  return ::readdir(folder);  // NOLINT(concurrency-mt-unsafe): of a folder that this thread alone has open
}

bool is_folder(int parent, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat status {};  // a file system that does not tell
  return ::fstatat(parent, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

[[noreturn]] void refuse_search(const std::filesystem::path& folder, int error) {
  refuse_reading(fmt::format("{}: cannot be searched for runs: {}", folder.string(), file::words_of(error)),
                 error);
}

class Walk {
 public:
  Walk(const std::filesystem::path& start, FoundRuns& found) : start_(start), found_(found) {}

  void enter(OpenFolder folder, const std::string& path, int depth) {
    const int descriptor = ::dirfd(folder.get());
    bool spec = false, sign = false, checkpoint = false, manifest = false;
    std::vector<std::string> inner;
    while (const dirent* entry = next_in(folder.get())) {
      const std::string_view name = entry->d_name;
      spec |= name == "spec.toml";
      sign |= std::ranges::find(kSigns, name) != kSigns.end();
      checkpoint |= name == "checkpoint.npz";
      manifest |= name == record::Manifest::kName;
      if (!name.starts_with('.') && is_folder(descriptor, *entry)) inner.emplace_back(name);
    }
    if (errno != 0) complain(path, errno);
    if (spec && sign) note(descriptor, path, checkpoint);
    for (const std::string& name : inner) {
      if (name == "figures" && (spec || manifest)) continue;
      const std::string below = path.empty() ? name : fmt::format("{}/{}", path, name);
      if (depth == kDeepest) {
        complain(below, ELOOP);
        continue;
      }
      if (OpenFolder next = open_folder(descriptor, name.c_str(), O_NOFOLLOW))
        enter(std::move(next), below, depth + 1);
      else if (errno != ENOENT)  // gone since it was listed
        complain(below, errno);
    }
  }

 private:
  void note(int descriptor, const std::string& path, bool checkpoint) {
    const std::optional<FileMark> conclusion = mark_of(descriptor, "run.json");
    const std::optional<FileMark> saved = checkpoint ? mark_of(descriptor, "checkpoint.npz") : std::nullopt;
    FoundRun run{.path = path.empty() ? "." : path,
                 .concluded = conclusion && !(saved && conclusion->is_before(*saved)),
                 .ended = conclusion ? std::optional(conclusion->seconds) : std::nullopt};
    run.stamp = fmt::format("{} {}{}", text_of(conclusion), text_of(mark_of(descriptor, "spec.toml")),
                            run.concluded ? "" : " unfinished");
    found_.runs.push_back(std::move(run));
  }
  void complain(const std::string& path, int reason) {
    if (is_exhaustion(reason))
      refuse_search(path.empty() ? start_ : start_ / path, reason);  // it would be taken for one without runs
    found_.unreadable.push_back(
        fmt::format("{}: {}", path, reason == ELOOP ? std::string("too deep") : file::words_of(reason)));
  }

  const std::filesystem::path& start_;
  FoundRuns& found_;
};

}  // namespace

bool is_run(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "spec.toml", ignored) &&
         std::ranges::any_of(
             kSigns, [&](std::string_view name) { return std::filesystem::exists(folder / name, ignored); });
}

bool comes_before(const std::string& path, const std::string& other) {
  return ::strverscmp(path.c_str(), other.c_str()) < 0;
}

FoundRuns find_runs(const std::filesystem::path& folder) {
  FoundRuns found;
  OpenFolder start = open_folder(AT_FDCWD, folder.c_str(), 0);
  if (!start) refuse_search(folder, errno);
  Walk(folder, found).enter(std::move(start), "", 0);
  std::ranges::sort(found.runs, comes_before, &FoundRun::path);
  return found;
}

}  // namespace sluice::lab
