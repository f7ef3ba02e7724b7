/// What an SVG needs before it can stand in a page among others.
#pragma once

#include <string>
#include <string_view>

namespace sluice::figure {

/// The SVG with its ids renamed to `prefix` + "id1", "id2", … in order of appearance, references included.
std::string with_ids(std::string_view svg, std::string_view prefix);

/// The SVG as an element of an HTML page: no XML prolog, no namespaces (HTML knows them), no fixed size but a
/// viewBox, and every id behind `prefix`. Ids are global in a page: two figures that share one would cut
/// each other's curves. `attributes` go into its opening tag as they are.
std::string inlined(std::string_view svg, std::string_view prefix, std::string_view attributes);

}  // namespace sluice::figure
