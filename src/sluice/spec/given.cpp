#include "sluice/spec/given.hpp"

#include <fmt/format.h>

namespace sluice::spec {

bool is_mark(const std::string& text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string lack_of_function(const std::string& key, const std::string& mark, const std::string& makes) {
  if (!is_mark(mark))
    return fmt::format("{} = \"{}\": expected the SHA-256 of the source of a function, 64 digits", key, mark);
  constexpr std::size_t kShown = 12;
  return fmt::format(
      "{} = \"{}…\": {} by a function of the program that began this, and no function of that source is here",
      key, mark.substr(0, kShown), makes);
}

}  // namespace sluice::spec
