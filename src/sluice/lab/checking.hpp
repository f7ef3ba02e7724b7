/// Claims that are checked one after the other: those of the notes by their ids, and those of the user's own from files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"
#include "sluice/theory/claim.hpp"
#include "sluice/theory/own_claim.hpp"

namespace sluice::lab {

/// An id that no claim has, nor nearly.
struct UnknownClaim : InputError {
  using InputError::InputError;
};

/// Those of these ids (none: all) that are in this document (empty: in any). Throws InputError.
std::vector<theory::Claim> choose_claims(const std::vector<std::string>& ids, const std::string& document);

/// Whether a name is that of a file with claims of the user's own, rather than the id of one of the notes.
bool names_claim_file(const std::string& name);

/// The three values of a claim: what the notes print, what we state instead, what was measured. A claim that holds has no
/// correction; a claim of the sheet is not printed in the notes.
struct ClaimValues {
  std::optional<double> notes = {};
  std::optional<double> corrected = {};
  std::optional<double> measured = {};
};

struct CheckedClaim {
  theory::Claim claim;
  theory::Finding finding;

  ClaimValues values() const;
};

/// In their order; a check that serves two of them runs once. `ended` is told of each; when it says false, the rest is left.
std::vector<CheckedClaim> check_claims(const std::vector<theory::Claim>& claims,
                                       const theory::Sampler& sampler,
                                       const std::function<bool(const CheckedClaim&)>& ended);

/// What is said of a claim, and of an expectation of the user's own, under the names that scripts read.
file::Json to_json(const CheckedClaim& checked);
file::Json to_json(const theory::Measured& measured);

}  // namespace sluice::lab
