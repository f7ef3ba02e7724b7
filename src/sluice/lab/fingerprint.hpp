/// A number that stands for what changes the bits of a run: its task, network, dynamics, probes and seed. Keys at their defaults are left
/// out, so a key that a later version adds changes nothing; words for people (title, question) and paths of files whose contents are
/// checked by themselves are left out too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sluice/lab/experiment.hpp"

namespace sluice::lab {

/// The keys that are not at their defaults, "task.gain = 3.0" each.
std::vector<std::string> chosen_keys(const Experiment& experiment);

/// The first key that changes bits and differs, "task.gain = 3.0" each; "nothing" where one does not have it.
struct Difference {
  std::string before, now;
};
std::optional<Difference> first_difference(const Experiment& before, const Experiment& now);

/// A folder may be continued only by the experiment that began it: throws InputError that says which key of its spec.toml, `text`, differs.
/// Words for people may.
void require_same_spec(const Experiment& now, const std::string& text, const std::filesystem::path& folder);

/// "2-" and 16 hexadecimal digits.
std::string fingerprint(const Experiment& experiment);
/// The same number as a checkpoint holds it.
std::int64_t fingerprint_number(const std::string& fingerprint);

/// Did this spec make what carries this fingerprint? Version 0.1.0 took it of every line of its spec.toml, `text`, comments aside.
bool made_by(const std::string& fingerprint, const Experiment& experiment, const std::string& text);
/// The same of the number in a checkpoint.
bool made_by(std::int64_t number, const Experiment& experiment, const std::string& text);

}  // namespace sluice::lab
