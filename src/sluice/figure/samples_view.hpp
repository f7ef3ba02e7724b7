/// What the recipe `samples` sees of a task's samples.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace sluice::figure {

/// Samples of one class, and what its task states about their law.
struct ClassView {
  std::string name;                      ///< "first class, y = 1"
  std::span<const float> x{};            ///< [N, n]
  std::span<const double> covariance{};  ///< [n], by ring distance; of rows in a plane its first row
  double mean = 0, excess_kurtosis = 0;
};

/// What the recipe `samples` needs to know of a task, without owning it.
struct SamplesView {
  std::string kind;          ///< "nlgp"
  std::string parameters;    ///< "n = 40, xi = [2.0, 1.0], gain = 3.0"
  std::int64_t sites = 0;    ///< n
  std::int64_t columns = 0;  ///< sites in a row of a torus or an image; 0: a ring
  std::array<ClassView, 2> classes{};
  bool closed = true;         ///< rows close on themselves, as those of an image do not
  std::int64_t channels = 1;  ///< planes of an image: 1, or 3 of red, green and blue

  std::span<const float> sample(std::size_t which_class, std::size_t row) const {
    const auto n = static_cast<std::size_t>(sites);
    return classes.at(which_class).x.subspan(row * n, n);
  }
  /// Sites along the line on which distances are taken: the ring, or a row of the torus or image.
  std::size_t line() const { return static_cast<std::size_t>(columns > 0 ? columns : sites); }
  std::size_t count(std::size_t which_class) const {
    return sites > 0 ? classes.at(which_class).x.size() / static_cast<std::size_t>(sites) : 0;
  }
};

}  // namespace sluice::figure
