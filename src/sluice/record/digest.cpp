#include "sluice/record/digest.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sluice/file/sha256.hpp"

namespace sluice::record {

file::Array digest_of(const file::NamedViews& arrays) {
  std::string list;
  for (const auto& [name, array] : arrays) {
    const std::string numbers = std::visit(
        [](const auto& values) {
          const auto bytes = std::as_bytes(std::span(values));
          return file::sha256({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        },
        array->data);
    list += fmt::format("{} {} {} {}\n", name, array->data.index(), file::to_string(array->shape), numbers);
  }
  const std::string digits = file::sha256({reinterpret_cast<const std::uint8_t*>(list.data()), list.size()});
  std::vector<std::int64_t> words;
  for (std::size_t at = 0; at < digits.size(); at += 16)
    words.push_back(static_cast<std::int64_t>(std::stoull(digits.substr(at, 16), nullptr, 16)));
  return {{static_cast<std::int64_t>(words.size())}, words};
}

void add_digest(file::NamedArrays& arrays, const std::string& name) {
  arrays.emplace_back(name, digest_of(file::views_of(arrays)));
}

bool is_whole(const file::NamedArrays& arrays, const std::string& name) {
  const file::Array* digest = file::find(arrays, name);
  file::NamedViews others = file::views_of(arrays);
  std::erase_if(others, [&](const auto& named) { return named.first == name; });
  return digest != nullptr && *digest == digest_of(others);
}

}  // namespace sluice::record
