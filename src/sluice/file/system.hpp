/// The calls by which files and folders are opened, read and changed, all of those of runs, sweeps and data: what a system may refuse, a test can refuse, the n-th call or any (test/lab/faults_test.cpp).
/// They do what the calls of these names do and fail as those fail, with errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace sluice::file::system {

enum class Call { open, read, write, sync, rename, link, remove, make_folder, truncate, lock };

/// Asked before every call: 0, or the errno that it fails with. A write that fails has written half of its bytes, as one to a disk without room has.
using Refuse = int (*)(Call call);
/// Null: nobody is asked. Tests alone have somebody.
void ask(Refuse refuse);

int open(const char* path, int flags, unsigned mode = 0);
int open_in(int folder, const char* name, int flags);
std::ptrdiff_t read(int descriptor, void* bytes, std::size_t count);
std::ptrdiff_t pread(int descriptor, void* bytes, std::size_t count, std::int64_t offset);
std::ptrdiff_t write(int descriptor, const void* bytes, std::size_t count);
std::ptrdiff_t pwrite(int descriptor, const void* bytes, std::size_t count, std::int64_t offset);
int fsync(int descriptor);
int ftruncate(int descriptor, std::int64_t size);
int rename(const char* from, const char* to);
/// Where nothing stands under the new name, a link neither; EEXIST otherwise. As one step where the file system has one for it.
int rename_if_free(const char* from, const char* to);
int unlink(const char* path);
int mkstemp(char* name);
int flock(int descriptor, int operation);

}  // namespace sluice::file::system

namespace sluice::file {

/// What an errno is called: "No space left on device". Any thread may ask.
std::string words_of(int error);

/// A file, or a folder with nothing in it; nothing of a folder that stands in the place of a held one (file/held_folders.hpp). Whether there was one; the second throws IoError where it stays.
bool remove_entry(const std::filesystem::path& path, std::error_code& failure);
bool remove_entry(const std::filesystem::path& path);
/// Why a file or folder could not be removed, in the system's words; empty where nothing speaks against it. Looks only.
std::string why_not_removable(const std::filesystem::path& path);
/// "FOLDER: cannot be looked into: …", as refuse_reading (errors.hpp).
[[noreturn]] void refuse_looking(const std::filesystem::path& folder, int error);
/// What is in a folder, "." and ".." apart, in no order; the second throws InputError or WorldError where it cannot be looked into.
std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& failure);
std::vector<std::string> names_in(const std::filesystem::path& folder);
/// With those around it; the second throws IoError where it is not made.
void make_folders(const std::filesystem::path& path, std::error_code& failure);
void make_folders(const std::filesystem::path& path);

/// The same place without ".", ".." and what is doubled, links as they were named. What a ".." behind a link leaves is the folder that the link leads to, which
/// the text alone does not say: "link/.." stays. Relative paths stay relative.
std::filesystem::path normal_path(const std::filesystem::path& path);

/// Bytes that this user can still write there, or would if the folder were made; infinity where nobody knows.
double free_bytes(const std::filesystem::path& folder);

}  // namespace sluice::file
