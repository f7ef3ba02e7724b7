#include "sluice/probe/axes.hpp"

namespace sluice::probe {

std::string_view name_of(Axis axis) {
  constexpr std::array<std::string_view, 7> kNames{"unit",   "site",   "frequency", "layer",
                                                   "sample", "wave_y", "wave_x"};
  return kNames.at(static_cast<std::size_t>(axis));
}

std::int64_t Extents::of(Axis axis) const {
  switch (axis) {
    case Axis::unit:
      return units;
    case Axis::site:
      return sites;
    case Axis::frequency:
      return sites / 2 + 1;
    case Axis::layer:
      return layers;
    case Axis::sample:
      return samples;
    case Axis::wave_y:
      return layout.rows;
    case Axis::wave_x:
      return layout.columns < 0 ? layout.columns : layout.columns / 2 + 1;  // below 0: not known
  }
  return 0;
}

file::Shape Axes::shape(std::int64_t times, const Extents& extents) const {
  file::Shape shape{times};
  for (const Axis axis : list()) shape.push_back(extents.of(axis));
  return shape;
}

std::vector<std::string> Axes::names() const {
  std::vector<std::string> names{"step"};
  for (const Axis axis : list()) names.emplace_back(name_of(axis));
  return names;
}

}  // namespace sluice::probe
