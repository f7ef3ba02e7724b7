/// A claim of the user's own, measured and judged as those of the notes are (evidence.hpp).
///
/// What formulas may name beside the symbols of the file:
///   x, y       the sample and the label of its class: in `mean` alone
///   n, ones, I, e(i)   the number of sites, the vector of ones, the identity, a basis vector
///   C1, C0     second moments E[XX'] of the classes, exact; of tasks whose law is the same after a shift (all but block)
///   m1, m0     the mean of a site, exact
///   f1(w), f0(w)   the response E[1(⟨w,X⟩ ≥ 0) X] of the classes, where flow/operators.hpp has an exact one
///   gain (and g), xi1, xi0, nu, …   the numbers of [task]
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/math/expression_program.hpp"
#include "sluice/theory/claim_file.hpp"
#include "sluice/theory/evidence.hpp"
#include "sluice/theory/sampling.hpp"

namespace sluice::theory {

enum class Outcome {
  holds,            ///< the formula agrees
  printed_refuted,  ///< … and the printed form does not
  printed_stands,   ///< the formula agrees, and so might the printed one
  no_power,         ///< agrees within an allowance that is too wide to mean anything
  fails,            ///< off by more than is allowed
  measured,         ///< nothing was claimed
};
std::string_view to_string(Outcome outcome);
/// Whether what was claimed was found.
bool is_good(Outcome outcome);

/// An expectation and what came out.
struct Measured {
  std::string mean;  ///< as in the file
  std::string of;    ///< "class 1", "both classes"
  std::optional<std::string> equals = {};
  std::optional<std::string> printed = {};
  math::Shape shape = {};
  Means means =
      {};  ///< component by component, row by row; then, of more than one, the length along the formula
  std::optional<Vector> stated = {};
  Outcome outcome = Outcome::measured;
  std::optional<Finding> finding = {};  ///< where something was claimed: the component that decides
  /// The mean along the formula in units of the formula: 1 where it holds, and the constant where only one is wrong.
  struct Factor {
    double value = 1;
    double standard_error = 0;
  };
  std::optional<Factor> factor = {};
  std::string component = {};  ///< which one: "[3]", "[3, 4]", "length"; empty: there is only one
};

/// Where the c-th number of a value stands: "[3]" of a vector, "[3, 4]" of a matrix.
std::string component_name(const math::Shape& shape, std::size_t c);

/// A claim file whose formulas were understood.
class OwnClaim {
 public:
  /// Throws InputError, one line that names file, line, key and column: all that can be wrong with the input is found here.
  explicit OwnClaim(ClaimFile file);

  const ClaimFile& file() const { return file_; }
  const task::Task& task() const { return *data_.task; }
  std::size_t size() const { return forms_.size(); }
  /// The i-th expectation. Throws InputError where some sample gives no finite number.
  Measured measure(std::size_t i, const Sampler& sampler) const;

 private:
  /// The formulas of an expectation.
  struct Forms {
    math::Program mean;
    std::optional<Vector> stated;
    std::optional<Vector> printed;
  };
  void read_forms();
  Means sampled_means(const Expectation& expectation, const Forms& forms, const Sampler& sampler) const;

  ClaimFile file_;
  Data data_;
  std::vector<Forms> forms_;
};

}  // namespace sluice::theory
