/// The units of a layer as they lie beside each other: channels × rows × columns.
///
/// Within a network unit (c, y, x) has the number (y·columns + x)·channels + c: what a convolution sees of a row of pixels then stands together, and
/// flattening changes nothing. Tasks give their inputs plane by plane, (c·rows + y)·columns + x; place_of() leads from there.
#pragma once

#include <cstdint>

namespace sluice::net {

struct Volume {
  std::int64_t channels = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;

  std::int64_t pixels() const { return rows * columns; }
  std::int64_t size() const { return channels * pixels(); }
  /// Of site i of a task, the number of its unit.
  std::int64_t place_of(std::int64_t site) const { return site % pixels() * channels + site / pixels(); }
  bool operator==(const Volume&) const = default;
};

/// Where a kernel lies among the pixels of an input.
struct Patch {
  std::int64_t top = 0, left = 0;
  std::int64_t rows = 1, columns = 1;

  bool operator==(const Patch&) const = default;
};

}  // namespace sluice::net
