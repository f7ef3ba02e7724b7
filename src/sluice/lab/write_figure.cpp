#include "sluice/lab/write_figure.hpp"

#include <fmt/format.h>

#include <utility>

#include "sluice/file/atomic_file.hpp"

namespace sluice::lab {
namespace {

constexpr std::pair<figure::Format, const char*> kFormats[] = {
    {figure::Format::svg, "svg"}, {figure::Format::pdf, "pdf"}, {figure::Format::png, "png"}};

std::string place_of(const figure::Figure& figure, const char* ending) {
  return fmt::format("figures/{}.{}", figure.name, ending);
}

}  // namespace

void write_figures(const std::vector<figure::Figure>& figures, const std::filesystem::path& folder,
                   const Claim& claim) {
  std::vector<std::string> names;
  for (const figure::Figure& figure : figures)
    for (const auto& [format, ending] : kFormats) names.push_back(place_of(figure, ending));
  claim(names);
  std::filesystem::create_directories(folder / "figures");
  for (const figure::Figure& figure : figures)
    for (const auto& [format, ending] : kFormats)
      file::write_atomically(folder / place_of(figure, ending), figure::render(figure, format));
}

}  // namespace sluice::lab
