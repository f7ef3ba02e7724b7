/// The calls by which files are opened, read and changed, all of them: what a system may refuse, a test can refuse, the n-th call or any (test/lab/faults_test.cpp).
/// They do what the calls of these names do and fail as those fail, with errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace sluice::file::system {

enum class Call { open, read, write, sync, rename, remove, make_folder, truncate, lock };

/// Asked before every call: 0, or the errno that it fails with. A write that fails has written half of its bytes, as one to a disk without room has.
using Refuse = int (*)(Call call);
/// Null: nobody is asked. Tests alone have somebody.
void ask(Refuse refuse);

int open(const char* path, int flags, unsigned mode = 0);
std::ptrdiff_t read(int descriptor, void* bytes, std::size_t count);
std::ptrdiff_t pread(int descriptor, void* bytes, std::size_t count, std::int64_t offset);
std::ptrdiff_t write(int descriptor, const void* bytes, std::size_t count);
std::ptrdiff_t pwrite(int descriptor, const void* bytes, std::size_t count, std::int64_t offset);
int fsync(int descriptor);
int ftruncate(int descriptor, std::int64_t size);
int rename(const char* from, const char* to);
int unlink(const char* path);
int flock(int descriptor, int operation);

}  // namespace sluice::file::system

namespace sluice::file {

/// A file, or a folder with nothing in it. Whether there was one; the second throws IoError where it stays.
bool remove_entry(const std::filesystem::path& path, std::error_code& failure);
bool remove_entry(const std::filesystem::path& path);
/// With those around it; the second throws IoError where it is not made.
void make_folders(const std::filesystem::path& path, std::error_code& failure);
void make_folders(const std::filesystem::path& path);

/// Bytes that this user can still write there, or would if the folder were made; infinity where nobody knows.
double free_bytes(const std::filesystem::path& folder);

}  // namespace sluice::file
