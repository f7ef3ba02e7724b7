/// Where somebody wants a file: one rule for all that is written outside of run folders, so that nothing is lost by a name.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace sluice::file {

/// What becomes of a file that stands under the name of a new one.
enum class IfTaken { replace, refuse };
constexpr IfTaken if_taken(bool overwrite) { return overwrite ? IfTaken::replace : IfTaken::refuse; }

/// Throws InputError when the name has none of the endings (".npz"; no endings: any will do), its folder is not there, it is a
/// folder, or it exists and may not be overwritten; a link that leads nowhere exists, too. What a run cannot be without (its spec, record,
/// state) is never overwritten by something else. Looks only: what is made there while the work is done is
/// left to whoever writes (IfTaken of file/atomic_file.hpp).
void require_place(const std::filesystem::path& place, std::initializer_list<std::string_view> endings,
                   bool overwrite);

/// Throws InputError when a file would be replaced by what is made of it.
void require_other(const std::filesystem::path& place, const std::filesystem::path& read);

/// The InputError of a place that is taken, whenever that is noticed.
[[noreturn]] void refuse_taken(const std::filesystem::path& place);

}  // namespace sluice::file
