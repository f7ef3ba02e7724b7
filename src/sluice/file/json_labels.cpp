#include "sluice/file/json_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sluice/file/byte_source.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json.hpp"

namespace sluice::file {
namespace of_json_labels {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;  // a hundred million labels

std::string text_of(ByteSource& source) {
  if (source.size() > kMostBytes)
    throw InputError(fmt::format("{}: {} bytes, expected a list of labels", source.name(), source.size()));
  std::string text;
  std::vector<std::uint8_t> piece(1 << 16);
  while (const std::size_t got = source.read(piece)) {
    text.append(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
    if (text.size() > kMostBytes)
      throw InputError(
          fmt::format("{}: more than {} bytes, expected a list of labels", source.name(), kMostBytes));
  }
  return text;
}

}  // namespace
}  // namespace of_json_labels

std::vector<std::uint8_t> read_json_labels(const std::filesystem::path& path, int classes) {
  using namespace of_json_labels;
  ByteSource source(path);
  const std::string text = text_of(source);
  const std::string expected = fmt::format("integers from 0 to {}", classes - 1);
  // Before it is parsed: a list in a list in a list … would be as deep as the file is long.
  const bool flat = std::ranges::count_if(text, [](char c) { return c == '[' || c == '{'; }) <= 1;
  const std::optional<Json> json = flat ? Json::parse(text) : std::nullopt;
  if (flat && !json)
    throw InputError(fmt::format("{}: not JSON, expected a list of {}", source.name(), expected));
  const Json::Array* elements = json ? json->elements() : nullptr;
  if (elements == nullptr)
    throw InputError(fmt::format("{}: expected one flat list of {}", source.name(), expected));
  std::vector<std::uint8_t> labels;
  labels.reserve(elements->size());
  for (const Json& element : *elements) {
    const std::int64_t* label = element.integer();
    if (label == nullptr || *label < 0 || *label >= classes)
      throw InputError(fmt::format("{}: label {:.40} in row {}, expected {}", source.name(), element.dump(),
                                   labels.size(), expected));
    labels.push_back(static_cast<std::uint8_t>(*label));
  }
  return labels;
}

}  // namespace sluice::file
