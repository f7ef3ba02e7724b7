#include "sluice/record/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/record/digest.hpp"

namespace sluice::record {
namespace {

constexpr std::int64_t kFormat = 2;
constexpr std::int64_t kFormatWithoutDigest = 1;  // of version 0.1.0
constexpr const char* kDigestName = "checkpoint.digest";
constexpr const char* kFormatName = "checkpoint.format";
constexpr const char* kSpecName = "checkpoint.spec";
constexpr const char* kStepName = "checkpoint.step";
constexpr const char* kParametersName = "checkpoint.parameters";
constexpr const char* kMemoryName = "checkpoint.memory";
constexpr const char* kExactName = "checkpoint.exact";

template <class T>
const std::vector<T>& required(const file::NamedArrays& arrays, const std::string& name,
                               const std::filesystem::path& path) {
  const file::Array* array = file::find(arrays, name);
  if (array == nullptr || !std::holds_alternative<std::vector<T>>(array->data) || array->as<T>().empty()) {
    throw InputError(fmt::format("{}: not a checkpoint: '{}' is missing", path.string(), name));
  }
  return array->as<T>();
}

void require_whole(const file::NamedArrays& arrays, const std::filesystem::path& path) {
  if (!is_whole(arrays, kDigestName))
    throw InputError(
        fmt::format("{}: damaged: its arrays are not those that were saved; overwrite the run to begin again",
                    path.string()));
}

}  // namespace

std::int64_t fingerprint(std::string_view resolved_spec) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : resolved_spec) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return static_cast<std::int64_t>(hash);
}

void save(std::int64_t spec, const learn::State& state, const file::NamedViews& watched,
          const std::filesystem::path& path) {
  const auto list = [](const auto& values) {
    return file::Array{{static_cast<std::int64_t>(values.size())}, values};
  };
  file::NamedArrays own = {
      {kFormatName, {{1}, std::vector<std::int64_t>{kFormat}}},
      {kSpecName, {{1}, std::vector<std::int64_t>{spec}}},
      {kStepName, {{1}, std::vector<std::int64_t>{state.step}}},
      {kParametersName, list(state.parameters)},
  };
  if (!state.memory.empty()) own.emplace_back(kMemoryName, list(state.memory));
  if (!state.exact.empty()) own.emplace_back(kExactName, list(state.exact));
  file::NamedViews arrays = file::views_of(own);
  arrays.insert(arrays.end(), watched.begin(), watched.end());
  const file::Array digest = digest_of(arrays);
  arrays.emplace_back(kDigestName, &digest);
  file::write_npz(path, arrays, file::Packing::stored);
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  file::NamedArrays arrays;
  try {
    arrays = file::read_npz(path);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}; delete it, or overwrite the run to begin again", error.what()));
  }
  const std::int64_t format = required<std::int64_t>(arrays, kFormatName, path)[0];
  if (format != kFormat && format != kFormatWithoutDigest) {
    throw InputError(fmt::format(
        "{}: checkpoint format {}; this version reads format {}: overwrite the run to begin again",
        path.string(), format, kFormat));
  }
  if (format == kFormat) require_whole(arrays, path);
  Checkpoint checkpoint{.spec = required<std::int64_t>(arrays, kSpecName, path)[0],
                        .state = {.step = required<std::int64_t>(arrays, kStepName, path)[0],
                                  .parameters = required<float>(arrays, kParametersName, path)},
                        .watched = {}};
  if (file::find(arrays, kMemoryName) != nullptr) {
    checkpoint.state.memory = required<float>(arrays, kMemoryName, path);
  }
  if (file::find(arrays, kExactName) != nullptr) {
    checkpoint.state.exact = required<double>(arrays, kExactName, path);
  }
  constexpr std::array kOwn{kFormatName, kSpecName,  kStepName,  kParametersName,
                            kMemoryName, kExactName, kDigestName};
  for (auto& named : arrays) {
    if (std::ranges::find(kOwn, named.first) == kOwn.end()) checkpoint.watched.push_back(std::move(named));
  }
  return checkpoint;
}

}  // namespace sluice::record
