/// Words on the command line.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sluice/spec/keys.hpp"

namespace sluice::cli {

/// For an option's check(): empty when the text is one of these words, else what to say.
inline auto one_of(const std::vector<std::string>& words) {
  return [words](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    std::string expected;
    for (const std::string& word : words) expected += (expected.empty() ? "" : ", ") + word;
    return text + ": expected one of " + expected;
  };
}

inline auto one_of(spec::Choices choices) {
  std::vector<std::string> words;
  for (const spec::Choice& choice : choices) words.emplace_back(choice.name);
  return one_of(words);
}

}  // namespace sluice::cli
