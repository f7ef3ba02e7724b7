/// Formulas as people type them: "C1*w / sqrt(2*pi*dot(w, C1*w))", "h*erf(h)".
///
///   comparison  a > b   a < b                  1, 0, and ½ at a tie (≥ and ≤ are the same two); not chained
///   sum         a + b   a - b
///   product     a * b   a / b   a .* b   a ./ b
///   sign        -a                             looser than a power, as in Python: -2^2 = -4
///   power       a ^ b   a .^ b                 from the right: 2^3^2 = 2^9; a sign may follow: 2^-1
///   postfix     a'   a[i]   a[i, j]            transposed; components, counted from 0
///   primary     1.5e-3   name   f(a, b)   (a)   1(a > b)
/// Also read: π  ·  −  ≥  ≤  a²  a³  √a  ⟨a, b⟩ for dot(a, b), ‖a‖ for norm(a); any other letter beyond ASCII is part of a name.
///
/// What names and shapes mean is for expression_program.hpp; here is the tree and nothing else. By hand, because muparser knows numbers
/// alone, ExprTk no matrices, muparserx reads -3^2 as 9, and none of them differentiates.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::math {

/// What is wrong with a formula, and where: "column 12: expected ')' …". Columns are characters, from 1.
struct ExpressionError : std::runtime_error {
  ExpressionError(std::size_t column, const std::string& what);
};

/// A number, a symbol, or a call: of a function by its name, of an operator by its sign ("-" of one or two, "'", "[]").
struct Expression {
  enum class Kind { number, symbol, call };

  Kind kind = Kind::number;
  double number = 0;                       ///< not negative: a sign is a call
  std::string name = {};                   ///< of a symbol or call
  std::vector<Expression> arguments = {};  ///< of a call
  std::size_t column = 1;                  ///< where it stands, an operator where its sign is

  /// The same formula, wherever it stands.
  bool operator==(const Expression& other) const;
};

/// Throws ExpressionError. Nesting and length are limited (200 brackets or signs, 2000 operations), so that no text exhausts the stack.
Expression parse(std::string_view text);

/// With as few brackets as can be: parse(to_string(e)) == e.
std::string to_string(const Expression& expression);

/// Whether a text is one name.
bool is_name(std::string_view text);

}  // namespace sluice::math
