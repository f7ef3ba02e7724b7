/// The style sheet of a page.
#pragma once

#include <string_view>

namespace sluice::figure {

/// The style sheet of a report: light and dark, from phone to projector, and on paper.
extern const std::string_view page_style;

}  // namespace sluice::figure
