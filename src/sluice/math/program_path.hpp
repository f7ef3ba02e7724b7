#pragma once

#include <filesystem>
#include <string>

namespace sluice::math {

/// The file that started this program, links followed: what another process would have to run. In the tar of `make dist` the process is
/// the loader beside the libraries, ROOT/lib/loader/sluice, and this is its launcher, ROOT/bin/sluice. Empty where there is no /proc.
std::filesystem::path program_path();

/// A module of ours, loaded when it is needed: beside the program, or where an installation has it; of the Python package, beside its own. Empty: it was not built.
std::filesystem::path module_path(const char* name);

/// Loads it for the life of the process. Null, and `why` says why not.
void* load_module(const std::string& path, bool symbols_for_all, std::string& why);

}  // namespace sluice::math
