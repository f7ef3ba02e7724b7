/// The script and style of the interactive page, bundled at build time.
#pragma once

#include <string_view>

namespace sluice::figure {

/// The interactive part of a page: what web/build.mjs makes of web/src at build time. Without npm all three are empty.
struct Viewer {
  std::string_view script;       ///< one classic script; reads the element #data, fills the element #viewer
  std::string_view style;        ///< comes after page_style
  std::string_view script_hash;  ///< "sha256-…", for the page's Content-Security-Policy
};
const Viewer& viewer();

}  // namespace sluice::figure
