/// The other two readings of a description: the resolved spec as TOML, and the list of keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sluice/spec/keys.hpp"

namespace sluice::spec {

/// A text in quotes, on one line.
std::string toml_string(std::string_view value);

/// Every key with its value and meaning, as TOML that reads back to the same values bit for bit.
std::string to_toml(const Describe& describe);

struct KeyInfo {
  std::string path;      ///< "task.gain"
  std::string expected;  ///< "a positive number"
  std::string value;     ///< default, as TOML
  std::string meaning;
  std::vector<std::string> words = {};  ///< those it takes, where it takes some
  bool required = false;                ///< a file must say it
};
/// As `expected` lists them: "nlgp", "gaussian".
std::string list_of_words(const std::vector<std::string>& words);
std::vector<KeyInfo> list_keys(const Describe& describe);

}  // namespace sluice::spec
