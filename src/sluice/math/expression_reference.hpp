/// What a formula may be, as a page: docs/reference/expressions.md.
#pragma once

#include <string>

namespace sluice::math {

/// Markdown, from the tables of expression_functions.hpp.
std::string expression_reference();

}  // namespace sluice::math
