#include "sluice/math/expression_reference.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "sluice/math/expression_functions.hpp"

namespace sluice::math {
namespace {

constexpr std::string_view kGrammar =
    "Values are numbers, vectors and matrices; shapes are checked before anything is computed. Loosest "
    "first:\n\n"
    "| written | what it is |\n"
    "|---|---|\n"
    "| `a > b`, `a < b`, also `>=`, `<=`, `≥`, `≤` | 1 or 0, ½ at a tie (so `>=` is `>`); `1(a > b)` is the "
    "same; "
    "not chained |\n"
    "| `a + b`, `a - b` | equal shapes, or a number and a vector |\n"
    "| `a * b` | a number and anything, matrix and vector, matrix and matrix, row and vector; also `a·b` |\n"
    "| `a / b` | by a number |\n"
    "| `a .* b`, `a ./ b` | component by component |\n"
    "| `-a` | looser than a power: `-2^2` is −4 |\n"
    "| `a ^ b` | of numbers, from the right: `2^3^2` is 2⁹; `a .^ b` component by component; also `a²`, `a³` "
    "|\n"
    "| `a'` | transposed: `w'*C*w` is a number, `v*w'` a matrix |\n"
    "| `v[i]`, `A[i, j]` | a component, counted from 0 |\n"
    "| `1.5e-3`, `name`, `f(a, b)`, `(a)` | a product is always written: `2*pi`, not `2 pi` |\n"
    "| `pi`, `π`, `inf`, `√a`, `⟨v, w⟩`, `‖v‖` | π, ∞, `sqrt(a)`, `dot(v, w)`, `norm(v)` |\n\n"
    "Functions of one number act on every component of vectors and matrices.\n\n"
    "| function | what it is | derivative; f is the value |\n"
    "|---|---|---|\n";

std::string in_cell(std::string_view content) {
  std::string escaped;
  for (const char c : content) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

}  // namespace

std::string expression_reference() {
  std::string text(kGrammar);
  for (const FunctionOfOne& each : functions_of_one())
    text += fmt::format("| `{}(x)` | {} | `{}` |\n", each.name, in_cell(each.meaning), each.derivative);
  for (const FunctionOfTwo& each : functions_of_two()) {
    if (std::isalpha(static_cast<unsigned char>(each.name[0])) == 0) continue;
    text += fmt::format("| `{}(x, y)` | {} | `{}` by x, `{}` by y |\n", each.name, in_cell(each.meaning),
                        each.by_x, each.by_y);
  }
  text += "\n| of vectors and matrices | what it is |\n|---|---|\n";
  for (const WholeFunction& each : whole_functions())
    text += fmt::format("| `{}` | {} |\n", each.form, in_cell(each.meaning));
  return text;
}

}  // namespace sluice::math
