/// A claim of the user's own, as it stands in a file: a task, names for what its formulas speak of, expectations to measure and the
/// formulas that they should equal.
///
///   [task]                                       # as in a spec
///   kind = "gaussian"
///   n = 16
///   [symbols]
///   w = { law = "normal", seed = 1 }             # or a number, a list, rows, "w.npy", a formula of the symbols above it
///   [[expect]]
///   class = 1                                    # 1: the first ξ, 0: the second, "both": the mixture
///   mean = "step(dot(w, x)) * x"                 # E of this
///   equals = "C1*w / sqrt(2*pi*w'*C1*w)"         # without it the mean is measured and nothing judged
///   printed = "C1*w / sqrt(2*w'*C1*w)"           # optional: a form that must be refuted
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "sluice/net/options.hpp"
#include "sluice/spec/open_keys.hpp"
#include "sluice/task/registry.hpp"

namespace sluice::theory {

/// A name and what it stands for: a value, or a vector that is drawn.
struct OwnSymbol {
  std::string name;
  spec::Value value = {};
  net::InitOptions init = unit_normals();  ///< as network.init, where there is no value
  std::int64_t seed = 1;

  void describe_law(spec::Keys& keys);

 private:
  static net::InitOptions unit_normals();
};

struct Expectation {
  spec::WordOrNumber which_class;  ///< 1, 0 or "both"
  spec::Value mean;
  spec::Value equals;
  spec::Value printed;
  bool symmetries = false;  ///< average every sample over the shifts of x and −x: less noise, more time

  void describe(spec::OpenKeys& keys, const task::Section& task);
  bool of_both() const { return std::holds_alternative<std::string>(which_class); }
  bool of_first() const { return which_class == spec::WordOrNumber(1.0); }
};

struct ClaimFile {
  std::string path;
  std::string statement;  ///< in words, for the reader
  std::string source;
  task::Section task;
  std::vector<OwnSymbol> symbols;
  std::vector<Expectation> expectations;

  void describe(spec::OpenKeys& keys);
};

/// Throws InputError, one line that names file, line and key. Formulas are not looked at yet.
ClaimFile read_claim_file(const std::filesystem::path& path);

}  // namespace sluice::theory
