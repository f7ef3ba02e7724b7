#include "sluice/file/errors.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>

#include "sluice/math/memory.hpp"

namespace sluice {

void refuse_reading(const std::string& words, int error) {
  if (is_exhaustion(error)) throw ExhaustedError(words);
  if (is_of_the_world(error)) throw WorldError(words);
  throw InputError(words);
}

std::string words_of(const std::exception& failure) {
  if (const auto* of_a_file = dynamic_cast<const std::filesystem::filesystem_error*>(&failure))
    return fmt::format("{}: {}", of_a_file->path1().string(), of_a_file->code().message());
  if (const auto* of_a_thread = dynamic_cast<const std::system_error*>(&failure);
      of_a_thread != nullptr && of_a_thread->code() == std::errc::resource_unavailable_try_again)
    return "no thread could be begun: the limit on processes or on memory (ulimit -u, -v, -s) is reached";
  // A vector that would be longer than any may be asks for more memory than any machine has.
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr ||
      dynamic_cast<const std::length_error*>(&failure) != nullptr)
    return fmt::format(
        "out of memory: more than the {:.3g} GiB that this program can have here; fewer units, sites, "
        "samples, "
        "probe times or threads need less",
        math::memory_bytes() / math::kGibibyte);
  return failure.what();
}

}  // namespace sluice
