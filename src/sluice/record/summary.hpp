/// The few numbers a run comes down to, each under its name: run.json, summary.csv, tables, key numbers and one-liners are loops over
/// them. A number that a run does not have is absent.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::record {

enum class Style { count, loss, share, percent, significant, decimals };

/// One of the numbers there can be; `key` is its name in run.json and summary.csv, a public contract.
struct NumberKind {
  std::string_view key;
  std::string_view title;
  Style style;
  bool in_tables;  ///< and in one-liners
};
/// All of them, in the order in which they are shown.
std::span<const NumberKind> number_kinds();

/// The one of these that is meant by its key, by what stands before "_end" or "_share" in it, or by its title: "localized" is
/// localized_share. Null: none.
const NumberKind* meant_by(std::string_view word, std::span<const NumberKind* const> kinds);

struct Number {
  const NumberKind* kind;
  double value;  ///< not finite where the run's is not (a loss that diverged)

  /// "0.0919", "78 %", "–" where it is not finite
  std::string text() const;
};

/// What loss and accuracy were measured on.
enum class Evaluated { new_samples, test_set, training_set };
std::string_view to_string(Evaluated on);
std::optional<Evaluated> evaluated_from(std::string_view text);

class Summary {
 public:
  Evaluated on = Evaluated::new_samples;

  /// `key` must be one of the kinds'.
  void add(std::string_view key, double value);
  /// Nothing where the run does not have it.
  std::optional<double> find(std::string_view key) const;
  /// In the order of the kinds.
  std::span<const Number> numbers() const { return numbers_; }
  /// Loss and accuracy that were measured on the training set say what train_loss and train_accuracy say: not shown twice.
  bool repeats(const NumberKind& kind) const;
  /// What a number is called: loss on a set kept apart is "test loss".
  std::string title(const NumberKind& kind) const;

 private:
  std::vector<Number> numbers_;
};

}  // namespace sluice::record
