#pragma once

#include <algorithm>
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

/// Text of an SVG as it stands there, escaped, with what its style shows in.
struct Written {
  std::string text, size, anchor;
  bool bold = false, upward = false;
  double x = 0, y = 0;  ///< in points

  bool operator==(const Written&) const = default;
};

inline std::vector<Written> texts(std::string_view svg) {
  std::vector<Written> all;
  for (std::size_t at = svg.find("<text "); at != svg.npos; at = svg.find("<text ", at + 1)) {
    const std::string_view element = svg.substr(at, svg.find("</text>", at) - at);
    const std::string_view tag = element.substr(0, element.find('>'));
    const auto attribute = [&](const std::string& name) {
      const auto found = all_between(tag, " " + name + "=\"", '"');
      return found.empty() ? std::string() : found.front();
    };
    all.push_back({std::string(element.substr(tag.size() + 1)), attribute("font-size"),
                   attribute("text-anchor"), !attribute("font-weight").empty(),
                   !attribute("transform").empty(), std::stod(attribute("x")), std::stod(attribute("y"))});
  }
  return all;
}

/// Whether the figure writes this text, or one that it is part of, in this style (of which size, weight and direction count).
inline bool says(const Figure& figure, const std::string& text, const TextStyle& style = {}) {
  const Figure sample{"sample", "", 100, 100, [&](Canvas& canvas) { canvas.text({50, 50}, text, style); }};
  const std::vector<Written> wanted = texts(render(sample, Format::svg));
  const std::vector<Written> drawn = texts(render(figure, Format::svg));
  return wanted.size() == 1 && std::ranges::any_of(drawn, [&](const Written& each) {
           return each.text.find(wanted[0].text) != std::string::npos && each.size == wanted[0].size &&
                  each.bold == wanted[0].bold && each.upward == wanted[0].upward;
         });
}

}  // namespace sluice::figure::testing
