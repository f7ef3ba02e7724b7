#include "sluice/figure/svg.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

namespace sluice::figure {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view id_attribute = " id=\"";

Names new_names(std::string_view svg, std::string_view prefix) {
  Names names;
  for (std::size_t at = svg.find(id_attribute); at != svg.npos; at = svg.find(id_attribute, at)) {
    at += id_attribute.size();
    const std::string_view old = svg.substr(at, svg.find('"', at) - at);
    names.try_emplace(std::string(old), fmt::format("{}id{}", prefix, names.size() + 1));
  }
  return names;
}

// Copies `svg`, replacing every known name that stands between `before` and `after`.
std::string replaced(std::string_view svg, const Names& names, std::string_view before, char after) {
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = svg.find(before); at != svg.npos; at = svg.find(before, at)) {
    at += before.size();
    const std::size_t end = svg.find(after, at);
    if (end == svg.npos) break;
    const auto name = names.find(svg.substr(at, end - at));
    if (name == names.end()) continue;
    out.append(svg.substr(copied, at - copied)).append(name->second);
    copied = at = end;
  }
  return out.append(svg.substr(copied));
}

std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string start = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(start);
  if (at == tag.npos) throw std::runtime_error(fmt::format("svg: the root element has no {}", name));
  const std::size_t begin = at + start.size();
  return tag.substr(begin, tag.find('"', begin) - begin);
}

}  // namespace

std::string with_ids(std::string_view svg, std::string_view prefix) {
  const Names names = new_names(svg, prefix);
  std::string out = replaced(svg, names, id_attribute, '"');
  out = replaced(out, names, "href=\"#", '"');
  return replaced(out, names, "url(#", ')');
}

std::string inlined(std::string_view svg, std::string_view prefix, std::string_view attributes) {
  const std::size_t open = svg.find("<svg"), close = svg.find('>', open);
  if (open == svg.npos || close == svg.npos) throw std::runtime_error("svg: no root element");
  const std::string_view view_box = attribute(svg.substr(open, close - open), "viewBox");
  return fmt::format("<svg viewBox=\"{}\" {}>{}", view_box, attributes,
                     with_ids(svg.substr(close + 1), prefix));
}

}  // namespace sluice::figure
