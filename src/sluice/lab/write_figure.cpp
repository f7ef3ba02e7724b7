#include "sluice/lab/write_figure.hpp"

#include <fmt/format.h>

#include <utility>

#include "sluice/file/atomic_file.hpp"

namespace sluice::lab {

void write_figure(const figure::Figure& figure, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& [format, ending] :
       {std::pair{figure::Format::svg, "svg"}, std::pair{figure::Format::pdf, "pdf"},
        std::pair{figure::Format::png, "png"}}) {
    file::write_atomically(folder / fmt::format("{}.{}", figure.name, ending),
                           figure::render(figure, format));
  }
}

}  // namespace sluice::lab
