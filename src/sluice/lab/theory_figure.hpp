/// The picture of a table of the theory.
#pragma once

#include <string>

#include "sluice/figure/figure.hpp"
#include "sluice/theory/quantity.hpp"

namespace sluice::lab {

/// Throws InputError when the quantity has none.
figure::Figure theory_figure(const std::string& quantity, const theory::Table& table);

}  // namespace sluice::lab
