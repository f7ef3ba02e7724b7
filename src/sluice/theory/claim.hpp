/// An equation of the notes as a claim that checks itself.
///
/// A claim states what is true today. Where the printed equation is wrong, the claim states the corrected form, and its
/// check passes only when the corrected form agrees with the measurement and the printed form does not: both are code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/theory/sampling.hpp"

namespace sluice::theory {

enum class Verdict {
  holds,                   ///< as printed
  holds_up_to_a_constant,  ///< one overall factor is wrong or missing
  corrected,               ///< wrong, mistyped or left open as printed; we state what is true instead
  refuted,                 ///< wrong, and nothing takes its place
  definition,              ///< nothing to check
  measured,  ///< by experiments of the catalog, which take too long for a check; the statement has the numbers
  open,      ///< not settled; what is known is measured
};
std::string_view to_string(Verdict verdict);

/// One form, held against one measurement of what it predicts.
struct Comparison {
  Means measured;  ///< standard errors are 0 where nothing was sampled
  Vector stated;
  Vector scale;  ///< what an error is relative to: the form; where that is zero, one of the terms that cancel
  double tolerance = 0;  ///< absolute, of every component, beside the standard errors
};
/// A form that a claim states, by every measurement that it was held against.
using Compared = std::vector<Comparison>;

/// What a check found, at the component that matters most (the worst one; where a printed form is refuted, the one that
/// refutes it most clearly).
struct Finding {
  std::optional<double> notes;   ///< by the printed form, where it differs from the stated one
  std::optional<double> stated;  ///< by the form we state
  double measured = 0;
  double standard_error = 0;  ///< 0 for checks without sampling
  double allowed = 0;         ///< how far `measured` may lie from `stated`
  /// The smallest relative error of a stated form, as a whole, that this check would catch with probability 0.99; of several
  /// forms the coarsest counts, of several measurements of one form the finest. None where a claim has no formula.
  std::optional<double> resolution;
  bool passed = false;
  std::string evidence;         ///< "sampling, worst of 16", "quadrature", "exact", …
  std::vector<Compared> forms;  ///< what the numbers above were taken from
};

/// null for definitions, and where only an experiment of the catalog can tell.
using Check = Finding (*)(const Sampler&);

struct Claim {
  std::string_view id;  ///< as after "ledger:" beside the code that implements it
  std::string_view statement;
  std::string_view source;  ///< "000, eq. (12)"
  Verdict verdict;
  Check check;

  /// One of documents(), by the id.
  std::string_view document() const;
  /// Not of the sheet and not our own: there is a printed form.
  bool of_notes() const;
};

/// "000", "001", "002", "003", "004" (the notes), "sheet" (their corrected formulas), "sluice" (what we add): where claims come from, in
/// their order.
std::span<const std::string_view> documents();

/// Every claim, in the order of the documents.
std::vector<Claim> all_claims();

/// How many claims there are, how many of them have a check, and how many different checks that makes: a document says some
/// things twice, and one check then serves both ids.
struct ClaimCount {
  std::size_t claims = 0;
  std::size_t checked = 0;
  std::size_t checks = 0;
};
ClaimCount count(std::span<const Claim> claims);

/// Runs one claim. One without a check passes without numbers. An exception of a check is a failure with its message.
Finding run(const Claim& claim, const Sampler& sampler);

}  // namespace sluice::theory
