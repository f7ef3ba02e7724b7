#include "sluice/figure/html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/figure/text.hpp"

namespace sluice::figure {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    const std::string_view block = text.substr(0, end);
    if (block.find_first_not_of(" \n\t\r") != block.npos) out += fmt::format("<p>{}</p>\n", escaped(block));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string url_of(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~=,+").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

bool looks_numeric(std::string_view cell) {
  for (const std::string_view sign : {"−", "+", "-", "±"})
    if (cell.starts_with(sign)) {
      cell.remove_prefix(sign.size());
      break;
    }
  if (cell.empty() || cell[0] < '0' || cell[0] > '9') return false;
  return std::ranges::none_of(
      cell, [](char c) { return (c >= 'a' && c <= 'z' && c != 'e') || (c >= 'A' && c <= 'Z'); });
}

}  // namespace sluice::figure
