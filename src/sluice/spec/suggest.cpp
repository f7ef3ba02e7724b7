#include "sluice/spec/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sluice::spec {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: three rows of the usual table.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> nearest(std::string_view typed, std::span<const std::string> known) {
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& word : known) {
    const std::size_t shorter = std::min(typed.size(), word.size()),
                      longer = std::max(typed.size(), word.size());
    const std::size_t most = std::max<std::size_t>(2, longer / 3);
    if (longer - shorter > most) continue;  // a megabyte need not be compared letter by letter
    const std::size_t distance = edit_distance(typed, word);
    if (distance > most) continue;
    if (distance >= longer) continue;  // nothing in common
    if (!best || distance < best_distance) {
      best = word;
      best_distance = distance;
    }
  }
  return best;
}

std::string listed(std::span<const std::string> words, std::size_t most) {
  std::string text;
  for (const std::string& word : words) {
    if (text.size() + word.size() > most) return text + ", …";
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

std::string hint(std::string_view typed, std::span<const std::string> known) {
  if (const auto word = nearest(typed, known)) return fmt::format("; did you mean '{}'?", *word);
  return fmt::format("; expected one of {}", listed(known));
}

}  // namespace sluice::spec
