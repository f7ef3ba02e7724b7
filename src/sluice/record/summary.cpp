#include "sluice/record/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace sluice::record {
namespace {

// What stands here is a public contract: add, do not rename.
constexpr std::array<NumberKind, 20> kKinds{{
    {"steps", "steps", Style::count, false},
    {"excess_kurtosis", "excess kurtosis", Style::decimals, true},
    {"excess_kurtosis_measured", "excess kurtosis, measured", Style::decimals, false},
    {"ipr_median_start", "median IPR, start", Style::decimals, false},
    {"ipr_median_end", "median IPR, end", Style::decimals, false},
    {"ipr_mean_start", "IPR start", Style::decimals, true},
    {"ipr_mean_end", "IPR end", Style::decimals, true},
    {"localized_share", "localized", Style::percent, true},
    {"loss", "loss", Style::loss, true},
    {"accuracy", "accuracy", Style::share, true},
    {"accuracy_start", "accuracy, start", Style::share, true},
    {"best_accuracy", "accuracy, best", Style::share, true},
    {"best_step", "step of the best", Style::count, false},
    {"train_loss", "training loss", Style::loss, true},
    {"train_accuracy", "training accuracy", Style::share, true},
    {"error", "‖e(t)‖/‖e(0)‖", Style::significant, true},
    {"flow_distance", "distance to the flow", Style::significant, false},
    {"flow_distance_largest", "largest distance to the flow", Style::significant, false},
    {"gate_flips_early", "flips, first tenth", Style::significant, true},
    {"gate_flips_late", "flips, last tenth", Style::significant, true},
}};

constexpr std::array<std::string_view, 3> kEvaluated{"new samples", "test set", "training set"};

}  // namespace

std::span<const NumberKind> number_kinds() { return kKinds; }

const NumberKind* meant_by(std::string_view word, std::span<const NumberKind* const> kinds) {
  for (const std::string_view ending : {"", "_end", "_share"})
    for (const NumberKind* kind : kinds)
      if (kind->key.starts_with(word) && kind->key.substr(word.size()) == ending) return kind;
  for (const NumberKind* kind : kinds)
    if (kind->title == word) return kind;
  return nullptr;
}

std::string_view to_string(Evaluated on) { return kEvaluated.at(static_cast<std::size_t>(on)); }

std::optional<Evaluated> evaluated_from(std::string_view text) {
  const auto found = std::ranges::find(kEvaluated, text);
  if (found == kEvaluated.end()) return std::nullopt;
  return static_cast<Evaluated>(found - kEvaluated.begin());
}

std::string Number::text() const {
  if (!std::isfinite(value)) return "–";
  switch (kind->style) {
    case Style::count:
      return fmt::format("{:.0f}", value);
    case Style::loss:  // usually below 1; one that is about to diverge does not get forty digits
      return value < 1e4 && (value >= 1e-3 || value == 0) ? fmt::format("{:.4f}", value)
                                                          : fmt::format("{:.3g}", value);
    case Style::share:
      return fmt::format("{:.4f}", value);
    case Style::percent:
      return fmt::format("{:.0f} %", 100 * value);
    case Style::significant:
      return fmt::format("{:.3g}", value);
    case Style::decimals:
      return fmt::format("{:.3f}", value);
  }
  return "";
}

void Summary::add(std::string_view key, double value) {
  const auto kind = std::ranges::find(kKinds, key, &NumberKind::key);
  if (kind == kKinds.end()) throw std::logic_error("no summary number named " + std::string(key));
  const auto place =
      std::ranges::find_if(numbers_, [&](const Number& other) { return other.kind >= &*kind; });
  if (place != numbers_.end() && place->kind == &*kind) {
    place->value = value;
  } else {
    numbers_.insert(place, {&*kind, value});
  }
}

std::optional<double> Summary::find(std::string_view key) const {
  for (const Number& number : numbers_) {
    if (number.kind->key == key) return number.value;
  }
  return std::nullopt;
}

bool Summary::repeats(const NumberKind& kind) const {
  if (on != Evaluated::training_set) return false;
  return (kind.key == "loss" && find("train_loss")) || (kind.key == "accuracy" && find("train_accuracy"));
}

std::string Summary::title(const NumberKind& kind) const {
  const bool measured = kind.key == "loss" || kind.key == "accuracy" || kind.key == "accuracy_start" ||
                        kind.key == "best_accuracy";
  if (measured && on == Evaluated::test_set) return fmt::format("test {}", kind.title);
  if (measured && on == Evaluated::training_set) return fmt::format("training {}", kind.title);
  return std::string(kind.title);
}

}  // namespace sluice::record
