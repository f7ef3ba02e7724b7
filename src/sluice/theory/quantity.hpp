/// Closed forms that can be asked for by name, with the task and network of a spec. Adding one is a function and a line in
/// quantity.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sluice/net/registry.hpp"
#include "sluice/spec/keys.hpp"
#include "sluice/task/registry.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// What a quantity may depend on.
struct Request {
  const task::Section& task;
  const net::Section& network;
  int which_class = 0;          ///< of the task: 0 is the first ξ, the notes' class 1
  std::vector<Vector> weights;  ///< one row per unit
  std::vector<double> biases;   ///< one per unit
  std::string response;         ///< name of a response operator; empty: the exact one
  std::uint64_t seed = 1;       ///< of networks that are drawn
};

/// How a table is drawn.
struct Picture {
  enum class Kind {
    none,
    curves,  ///< over the first column; a column "± name" holds the standard errors of the curve before it, a column
             ///< "ideal name" what that curve should be
    map,     ///< over the first two columns
    matrix,  ///< signed numbers: a row of pixels for every column but the first, over the first
    fields   ///< the panel of localized-panel, with examples
  };
  Kind kind = Kind::none;
  std::string title = {};
  std::string y = {};  ///< along the axis; empty: the name of the first column that is drawn there
  std::string x = {};
  std::string value = {};                                 ///< what the colours of a matrix mean
  double most = std::numeric_limits<double>::infinity();  ///< curves are cut there
  bool lowest_wins = false;                               ///< mark the lowest curve
  std::string beside = {};                                ///< a curve that does not compete
  std::size_t drawn =
      std::numeric_limits<std::size_t>::max();  ///< so many columns; the others are numbers alone
};

/// Numbers in rows and columns. Labels say what a row is; they are not part of the numbers.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels = {};  ///< empty, or one per row
  Picture picture = {};
};

/// Asks a response operator: its own refusal of some weights (bumps, ising) is the user's to mend, and thrown as InputError.
void require_answered(const task::Section& task, std::size_t unit, const std::function<void()>& ask);

/// What a quantity reads beside the task.
enum class Needs {
  nothing,
  units,         ///< weights and biases of a two-layer network
  deep_network,  ///< the options of a deep gated one
};

struct Quantity {
  spec::Choice choice;  ///< name and formula
  Needs needs;
  Table (*table)(const Request&);  ///< throws InputError where there is no closed form
};

std::span<const Quantity> quantities();

/// Throws InputError with the nearest name when there is none.
const Quantity& quantity(const std::string& name);

/// Throws InputError when the network is not of the kind that the quantity reads.
void require_fitting_network(const Quantity& quantity, const net::Section& network);

}  // namespace sluice::theory
