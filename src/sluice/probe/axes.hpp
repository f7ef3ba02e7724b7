/// The axes an array of a record can have after time: their names are part of the record's contract (run.json lists them).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/file/array.hpp"
#include "sluice/task/task.hpp"

namespace sluice::probe {

enum class Axis { unit, site, frequency, layer, sample, wave_y, wave_x };
std::string_view name_of(Axis axis);

/// How long the axes are in one run.
struct Extents {
  std::int64_t units = 0;    ///< K: receptive fields that are watched
  std::int64_t sites = 0;    ///< n
  std::int64_t layers = 0;   ///< d of a deep network
  std::int64_t samples = 0;  ///< on which kernels and gates are watched
  task::Layout layout = {};  ///< of the sites

  std::int64_t of(Axis axis) const;
};

/// At most three axes, in the order of the array.
class Axes {
 public:
  constexpr Axes() = default;
  constexpr Axes(Axis first) : axes_{first}, count_(1) {}
  constexpr Axes(Axis first, Axis second) : axes_{first, second}, count_(2) {}
  constexpr Axes(Axis first, Axis second, Axis third) : axes_{first, second, third}, count_(3) {}

  std::span<const Axis> list() const { return std::span(axes_).first(count_); }
  /// Shape of the array after T probe times.
  file::Shape shape(std::int64_t times, const Extents& extents) const;
  /// "step", then the names of the axes.
  std::vector<std::string> names() const;

 private:
  std::array<Axis, 3> axes_{};
  std::size_t count_ = 0;
};

}  // namespace sluice::probe
