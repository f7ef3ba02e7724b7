#include "test/fuzz/target.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <map>
#include <typeinfo>

#include "sluice/file/errors.hpp"

namespace sluice::fuzz {
namespace fs = std::filesystem;
namespace {

constexpr double kMostSeconds = 1;

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

[[noreturn]] void finding(const char* what, const char* more) {
  std::fprintf(stderr, "finding: %s%s\n", what, more);
  std::abort();
}

int memory_file() {
  static const int descriptor = ::memfd_create("input", MFD_CLOEXEC);
  if (descriptor < 0) finding("no file in memory", "");
  return descriptor;
}

/// Folders of this process, gone with it.
struct Folders {
  fs::path root;
  std::map<std::string, fs::path> made;

  Folders() {
    std::string name = (fs::temp_directory_path() / "sluice-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) finding("no folder for temporary files", "");
    root = name;
  }
  ~Folders() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  Folders(const Folders&) = delete;
  Folders& operator=(const Folders&) = delete;
};

}  // namespace

void require(bool holds, const char* what) {
  if (!holds) finding("not so: ", what);
}

std::string feed(Target target, Bytes bytes) {
  const double begun = processor_seconds();
  std::string said;
  try {
    target(bytes);
  } catch (const InputError& error) {
    said = error.what();
    require(!said.empty(), "an error says what is wrong");
  } catch (const IoError& error) {
    said = error.what();
    require(!said.empty(), "an error says what is wrong");
  } catch (const std::exception& error) {
    finding(typeid(error).name(), error.what());
  }
  const double took = processor_seconds() - begun;
  if (took > kMostSeconds) finding("more than a second of processor time: ", std::to_string(took).c_str());
  return said;
}

const fs::path& file_with(Bytes bytes) {
  static const fs::path path = "/proc/self/fd/" + std::to_string(memory_file());
  const auto size = static_cast<off_t>(bytes.size());
  const bool written = ::ftruncate(memory_file(), size) == 0 &&
                       ::pwrite(memory_file(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(size);
  if (!written) finding("the file in memory cannot be written", "");
  return path;
}

fs::path folder_with(const std::string& name, const std::string& file) {
  static Folders folders;
  fs::path& folder = folders.made[name + " " + file];
  if (!folder.empty()) return folder;
  folder = folders.root / std::to_string(folders.made.size()) / name;
  fs::create_directories(folder.parent_path());
  fs::copy(fs::path(FUZZ_FOLDER) / "folders" / name, folder);
  fs::remove(folder / file);
  fs::create_symlink("/proc/self/fd/" + std::to_string(memory_file()), folder / file);
  return folder;
}

}  // namespace sluice::fuzz
