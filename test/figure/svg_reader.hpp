#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/figure/canvas.hpp"
#include "sluice/figure/figure.hpp"

namespace sluice::figure::testing {

/// Everything that stands between `before` and the next `after`, in order.
inline std::vector<std::string> all_between(std::string_view text, std::string_view before, char after) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at)) {
    at += before.size();
    found.emplace_back(text.substr(at, text.find(after, at) - at));
  }
  return found;
}

/// The glyph outlines of an SVG in the order in which they are drawn. cairo draws text as references to
/// symbols, so this is what there is to read.
inline std::vector<std::string> glyphs(std::string_view svg) {
  std::map<std::string, std::string> outline_of;
  for (const std::string& symbol : all_between(svg, "<symbol", '\0')) {  // to the end of the file
    const std::string_view element = std::string_view(symbol).substr(0, symbol.find("</symbol>"));
    const auto outlines = all_between(element, " d=\"", '"');
    outline_of[all_between(element, " id=\"", '"').at(0)] = outlines.empty() ? "" : outlines[0];
  }
  std::vector<std::string> drawn;
  for (const std::string& id : all_between(svg, "<use xlink:href=\"#", '"'))
    if (outline_of.contains(id)) drawn.push_back(outline_of[id]);  // else an image
  return drawn;
}

/// Whether the figure writes this text in this style (of which size, weight and direction count).
inline bool says(const Figure& figure, const std::string& text, const TextStyle& style = {}) {
  const Figure sample{"sample", "", 100, 100, [&](Canvas& canvas) { canvas.text({50, 50}, text, style); }};
  const auto wanted = glyphs(render(sample, Format::svg)), drawn = glyphs(render(figure, Format::svg));
  return !wanted.empty() &&
         std::search(drawn.begin(), drawn.end(), wanted.begin(), wanted.end()) != drawn.end();
}

}  // namespace sluice::figure::testing
