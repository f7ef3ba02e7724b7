#include "sluice/lab/write_figure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>

#include "sluice/file/atomic_file.hpp"
#include "sluice/record/run_folder.hpp"

namespace sluice::lab {
namespace {

// Those that take longest first, so that nobody waits for the last one.
constexpr std::pair<figure::Format, const char*> kFormats[] = {
    {figure::Format::png, "png"}, {figure::Format::pdf, "pdf"}, {figure::Format::svg, "svg"}};

struct Drawing {
  const figure::Figure* figure;
  figure::Format format;
  std::string bytes = {};
};

}  // namespace

void write_figures(const std::vector<figure::Figure>& figures, const std::filesystem::path& folder,
                   const Claim& claim, math::Workers& workers) {
  std::vector<std::string> names;
  std::vector<Drawing> drawings;
  for (const auto& [format, ending] : kFormats) {
    for (const figure::Figure& figure : figures) {
      names.push_back(fmt::format("figures/{}.{}", figure.name, ending));
      drawings.push_back({&figure, format});
    }
  }
  for (const figure::Figure& figure : figures) names.push_back(fmt::format("figures/{}.txt", figure.name));
  claim(names);
  record::make_folder(
      folder /
      "figures");  // a disk that is full ends the run, anything else in the way is no more than a remark of it
  workers.run(static_cast<std::int64_t>(drawings.size()), [&](std::int64_t i, int) {
    Drawing& drawing = drawings[static_cast<std::size_t>(i)];
    drawing.bytes = figure::render(*drawing.figure, drawing.format);
  });
  for (std::size_t i = 0; i < drawings.size(); ++i)
    file::write_atomically(folder / names[i], drawings[i].bytes);
  for (std::size_t i = 0; i < figures.size(); ++i)
    file::write_atomically(folder / names[drawings.size() + i], figures[i].caption + "\n");
}

}  // namespace sluice::lab
