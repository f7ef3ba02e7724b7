/// An axis of a plot: from values to places between its ends, with ticks that are round numbers.
#pragma once

#include <string>
#include <vector>

#include "sluice/figure/ticks.hpp"

namespace sluice::figure {

/// One direction of a plot: which values it shows, and what is written along it.
class Axis {
 public:
  // `most` bounds the number of intervals between ticks: what the room allows, see intervals_in().

  /// Ends where the data end, so that a curve uses the full width; ticks only at multiples of `least_step`.
  static Axis snug(std::string label, Interval data, int most, double least_step = 0);
  /// Ends at ticks, so that the reader sees where the scale starts and stops.
  static Axis rounded(std::string label, Interval data, int most);
  /// As rounded(), but logarithmic when the data are positive and span more than two decades: on a linear
  /// axis a loss that falls to 10⁻⁶ is a horizontal line.
  static Axis adaptive(std::string label, Interval data, int most);
  /// Logarithmic between powers of ten, whatever the data span; as rounded() where they are not positive.
  static Axis logarithmic(std::string label, Interval data, int most);
  /// Ticks at these ascending values and nowhere else, with these names, and air to both sides. Logarithmic: they must be positive.
  static Axis through(std::string label, std::vector<double> values, std::vector<std::string> names,
                      bool logarithmic);

  /// The same between these ends, with ticks at round numbers within. Throws InputError where a logarithmic axis cannot begin there.
  Axis limited_to(const Interval& limits) const;
  /// With ticks for less room: 1, as many as there are.
  Axis with_room(double share) const;

  /// 0 at the low end, 1 at the high end; NaN for a value that a logarithmic axis cannot show.
  double position(double value) const;

  std::string title() const;  ///< the label, and the power of ten taken out of the ticks
  const Interval& range() const { return range_; }
  const std::vector<double>& ticks() const { return ticks_; }  ///< values, also on a logarithmic axis
  const TickLabels& tick_labels() const { return tick_labels_; }

 private:
  Axis(std::string label, Interval range, std::vector<double> ticks, TickLabels tick_labels,
       bool logarithmic);

  std::string label_;
  Interval range_;
  std::vector<double> ticks_;
  TickLabels tick_labels_;
  bool logarithmic_;
};

/// How many intervals fit into a length when a tick label takes `label_mm` of it; from 3 to 6.
int intervals_in(double length_mm, double label_mm);

}  // namespace sluice::figure
