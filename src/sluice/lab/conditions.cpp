#include "sluice/lab/conditions.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "sluice/figure/select.hpp"

namespace sluice::lab {
namespace {

/// Settings as one word, by which they are found again among ten thousand.
std::string word_of(const Settings& settings) {
  std::string word;
  for (const Setting& setting : settings) (((word += setting.name) += '\0') += setting.value) += '\0';
  return word;
}

/// Words in the order in which they come, each once.
class Distinct {
 public:
  void add(const std::string& word) {
    if (known_.insert(word).second) words_.push_back(word);
  }
  std::vector<std::string> take() && { return std::move(words_); }

 private:
  std::vector<std::string> words_;
  std::set<std::string> known_;
};

/// The values of each key of the conditions, in the order in which they come.
std::vector<std::vector<std::string>> values_by_key(const std::vector<Settings>& conditions) {
  std::vector<std::vector<std::string>> values;
  for (std::size_t k = 0; k < conditions.front().size(); ++k) {
    Distinct of_key;
    for (const auto& condition : conditions)
      if (k < condition.size()) of_key.add(condition[k].value);
    values.push_back(std::move(of_key).take());
  }
  return values;
}

/// Along the diagonal of a grid, so that every key goes through its values; evenly where the conditions are no grid.
std::vector<std::size_t> chosen_conditions(const std::vector<Settings>& conditions, std::size_t most) {
  const std::vector<std::vector<std::string>> values = values_by_key(conditions);
  std::size_t longest = 0;
  for (const auto& each : values) longest = std::max(longest, each.size());
  const std::size_t count = std::min(longest, most);
  std::map<std::string, std::size_t> places;
  for (std::size_t c = 0; c < conditions.size(); ++c) places.emplace(word_of(conditions[c]), c);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    Settings wanted = conditions.front();
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double part = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
      wanted[k].value =
          values[k][static_cast<std::size_t>(std::lround(part * static_cast<double>(values[k].size() - 1)))];
    }
    const auto found = places.find(word_of(wanted));
    if (found == places.end()) return figure::evenly_chosen(conditions.size(), most);
    chosen.push_back(found->second);
  }
  return chosen;
}

}  // namespace

std::vector<Settings> settings_of(const std::vector<Recorded>& runs) {
  std::vector<Settings> all;
  for (const Recorded& run : runs) all.push_back(run.settings);
  return all;
}

Settings without_seed(Settings settings) {
  std::erase_if(settings, [](const Setting& setting) { return setting.name == "seed"; });
  return settings;
}

std::optional<double> number_in(const std::string& value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || std::isnan(number)) return std::nullopt;
  return number;
}

bool all_numbers(const std::vector<std::string>& values) {
  return std::ranges::all_of(values, [](const std::string& value) { return number_in(value).has_value(); });
}

bool span_decades(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const double value : values) {
    if (std::isinf(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return least > 0 && most > 10 * least;
}

Conditions::Conditions(const std::vector<Settings>& runs) {
  std::map<std::string, std::size_t> places;
  for (const Settings& run : runs) {
    Settings condition = without_seed(run);
    const auto [place, fresh] = places.emplace(word_of(condition), all.size());
    of_run.push_back(place->second);
    if (fresh) all.push_back(std::move(condition));
  }
}

std::vector<std::string> swept_values(const std::vector<Settings>& runs, const std::string& key) {
  Distinct of_key;
  for (const Settings& run : runs)
    for (const Setting& setting : run)
      if (setting.name == key) of_key.add(setting.value);
  std::vector<std::string> values = std::move(of_key).take();
  if (all_numbers(values))
    std::ranges::stable_sort(values, {}, [](const std::string& value) { return *number_in(value); });
  return values;
}

std::vector<std::string> varied_keys(const std::vector<Settings>& runs) {
  std::vector<std::string> keys;
  for (const Setting& setting : without_seed(runs.front()))
    if (swept_values(runs, setting.name).size() > 1) keys.push_back(setting.name);
  return keys;
}

std::vector<std::size_t> representatives(const std::vector<Settings>& runs, std::size_t most) {
  const Conditions conditions(runs);
  if (runs.size() <= most || conditions.all.size() == 1) {
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < std::min(most, runs.size()); ++i) first.push_back(i);
    return first;
  }
  std::vector<std::size_t> chosen;
  std::vector<std::size_t> wanted;
  if (conditions.all.size() > most) {
    wanted = chosen_conditions(conditions.all, most);
  } else {
    for (std::size_t c = 0; c < conditions.all.size(); ++c) wanted.push_back(c);
  }
  for (const std::size_t c : wanted) {
    const auto first = std::ranges::find(conditions.of_run, c);
    chosen.push_back(static_cast<std::size_t>(first - conditions.of_run.begin()));
  }
  return chosen;
}

std::string axis_label(const std::string& key) {
  static const std::map<std::string, std::string> symbols{
      {"gain", "gain  g"},      {"xi", "lengths  ξ"},      {"n", "sites  n"},
      {"hidden", "units  K"},   {"rate", "learning rate"}, {"batch", "batch size"},
      {"beta", "sharpness  β"}, {"samples", "samples  P"}, {"steps", "training steps"}};
  const auto known = symbols.find(key);
  return known == symbols.end() ? key : known->second;
}

std::string value_label(const std::string& value) {
  if (value == "inf") return "∞";
  if (!value.starts_with('[') || !value.ends_with(']')) return value;
  std::string list;
  for (const char c : value.substr(1, value.size() - 2)) {
    if (c == ' ') continue;
    list += c;
    if (c == ',') list += ' ';
  }
  return list;
}

figure::Color ordered_color(std::size_t index, std::size_t count) {
  constexpr double kDarkest = 0.08, kLightest = 0.66;
  const double part = count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0;
  return figure::sequential(kDarkest + part * (kLightest - kDarkest));
}

std::vector<figure::Color> colors_of(const Conditions& conditions) {
  const std::vector<std::vector<std::string>> values = values_by_key(conditions.all);
  std::vector<std::size_t> varied;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k].size() > 1) varied.push_back(k);
  std::vector<double> numbers;
  if (varied.size() == 1)
    for (const std::string& value : values[varied.front()])
      if (const std::optional<double> number = number_in(value)) numbers.push_back(*number);
  const bool ordered = numbers.size() == conditions.all.size() && numbers.size() > 1;
  const std::vector<double> as_they_come = numbers;
  std::ranges::sort(numbers);
  std::vector<figure::Color> colors;
  for (std::size_t c = 0; c < conditions.all.size(); ++c) {
    if (!ordered) {
      colors.push_back(figure::category(c));
      continue;
    }
    const auto rank = std::ranges::lower_bound(numbers, as_they_come[c]) - numbers.begin();
    colors.push_back(ordered_color(static_cast<std::size_t>(rank), numbers.size()));
  }
  return colors;
}

}  // namespace sluice::lab
