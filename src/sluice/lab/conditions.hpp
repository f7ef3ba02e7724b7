/// The runs of a sweep by what sets them apart: their conditions, and the seeds of each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sluice/figure/color.hpp"
#include "sluice/lab/recorded.hpp"

namespace sluice::lab {

using Settings = std::vector<Setting>;  ///< of one run

/// The settings of every run.
std::vector<Settings> settings_of(const std::vector<Recorded>& runs);
/// Settings without the seed.
Settings without_seed(Settings settings);
inline Settings condition_of(const Recorded& run) { return without_seed(run.settings); }

/// The value of a key as a number, "inf" included; nothing of a list or a word.
std::optional<double> number_in(const std::string& value);
/// Is every one of these a number?
bool all_numbers(const std::vector<std::string>& values);

/// Positive and more than a decade apart: on a linear axis all but the largest would stand in one place. What is infinite does not count.
bool span_decades(const std::vector<double>& values);

/// The different conditions in the order in which they come, and which of them each run has.
struct Conditions {
  std::vector<Settings> all;
  std::vector<std::size_t> of_run;

  explicit Conditions(const std::vector<Settings>& runs);
  bool with_seeds() const { return all.size() < of_run.size(); }
};

/// The keys but the seed that have two values or more, in the order of the sweep.
std::vector<std::string> varied_keys(const std::vector<Settings>& runs);

/// The different values of a key: ascending where all are numbers, else in the order in which they come.
std::vector<std::string> swept_values(const std::vector<Settings>& runs, const std::string& key);

/// Which runs stand for all where at most `most` can: every one where they fit; else one seed of each condition; of more conditions than
/// fit, such that every value of the keys appears, or where there are more values, first, last and evenly between.
std::vector<std::size_t> representatives(const std::vector<Settings>& runs, std::size_t most);

/// A colour for each condition. Where one key is varied and its values are numbers, from dark to light as they rise; else one category
/// each. Runs that differ in the seed alone have the same.
std::vector<figure::Color> colors_of(const Conditions& conditions);

/// What stands along an axis: "gain  g" for "gain", the key itself where it is a word; "∞" for "inf", "2, 1" for "[2,1]".
std::string axis_label(const std::string& key);
std::string value_label(const std::string& value);

/// One for each of `count` ordered values, dark to light, none too light for a line on white.
figure::Color ordered_color(std::size_t index, std::size_t count);

}  // namespace sluice::lab
