#include "sluice/record/end_state.hpp"

#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/record/digest.hpp"

namespace sluice::record {
namespace {

constexpr const char* kOfState = "state.";
constexpr const char* kStateStep = "state.step";
constexpr const char* kStateMemory = "state.memory";
constexpr const char* kStateMemoryFrom = "state.memory_from";
constexpr const char* kStateExact = "state.exact";
constexpr const char* kStateBelongsTo = "state.belongs_to";
constexpr const char* kStateDigest = "state.digest";

template <class T>
void add_line(file::NamedArrays& arrays, const char* name, const std::vector<T>& numbers) {
  if (!numbers.empty())
    arrays.emplace_back(name, file::Array{{static_cast<std::int64_t>(numbers.size())}, numbers});
}

/// Empty where there is none of this name and type.
template <class T>
std::vector<T> line(const file::NamedArrays& arrays, const char* name) {
  const file::Array* array = file::find(arrays, name);
  return array != nullptr && std::holds_alternative<std::vector<T>>(array->data) ? array->as<T>()
                                                                                 : std::vector<T>{};
}

}  // namespace

EndState end_state(const learn::State& state, std::span<const net::Part> parts, std::int64_t belongs_to) {
  EndState end{.parts = {}, .state = state, .belongs_to = belongs_to};
  end.state.parameters.clear();
  for (const net::Part& part : parts) {
    const auto values = part.of(std::span(state.parameters));
    end.parts.emplace_back(part.name,
                           file::Array{part.shape, std::vector<float>(values.begin(), values.end())});
  }
  return end;
}

file::NamedArrays to_arrays(const EndState& end) {
  file::NamedArrays arrays = end.parts;
  add_line(arrays, kStateStep, std::vector{end.state.step});
  add_line(arrays, kStateMemory, end.state.memory);
  add_line(arrays, kStateMemoryFrom, std::vector{end.state.memory_from});
  add_line(arrays, kStateExact, end.state.exact);
  add_line(arrays, kStateBelongsTo, std::vector{end.belongs_to});
  add_digest(arrays, kStateDigest);
  return arrays;
}

EndState read_end_state(const std::filesystem::path& path) {
  const file::NamedArrays arrays = file::read_npz(path);
  if (file::find(arrays, kStateStep) == nullptr)
    throw InputError(fmt::format("{}: not the end of a run: no array '{}'", path.string(), kStateStep));
  if (!is_whole(arrays, kStateDigest))
    throw InputError(fmt::format("{}: damaged: its arrays are not those that were saved", path.string()));
  const auto integer = [&](const char* name) {
    const std::vector<std::int64_t> numbers = line<std::int64_t>(arrays, name);
    if (numbers.size() != 1)
      throw InputError(fmt::format("{}: {}: expected one integer, found {}", path.string(), name,
                                   numbers.empty() ? "none" : std::to_string(numbers.size())));
    return numbers[0];
  };
  EndState end{.parts = {},
               .state = {.step = integer(kStateStep),
                         .parameters = {},
                         .memory = line<float>(arrays, kStateMemory),
                         .exact = line<double>(arrays, kStateExact),
                         .memory_from = integer(kStateMemoryFrom)},
               .belongs_to = integer(kStateBelongsTo)};
  for (const auto& [name, array] : arrays)
    if (!name.starts_with(kOfState)) end.parts.emplace_back(name, array);
  return end;
}

}  // namespace sluice::record
