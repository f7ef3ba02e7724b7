/// The runs of a page in numbers: what the viewer draws from, packed into text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sluice/figure/report.hpp"
#include "sluice/file/array.hpp"

namespace sluice::figure {

/// One run as the interactive page is given it. The record is looked at array by array: whatever has the shape [T] becomes
/// a curve, [T, K] a number of every unit, [T, K, n] a receptive field; none of them is required but `step`.
struct PageRun {
  std::string label = {};
  std::vector<Fact> settings =
      {};  ///< what tells it from the other runs of its page: {"gain", "3"}, {"seed", "1"}
  std::vector<Fact> facts = {};
  std::string spec = {};  ///< resolved, TOML
  file::NamedArrays const* record = nullptr;
  const file::Array* fields = nullptr;  ///< [T, K, n], in place of the record's weights: kernels
  std::int64_t columns = 0;             ///< sites in a row of a torus or an image; 0: a ring
  std::int64_t channels = 1;            ///< planes of an image: 1, or 3 of red, green and blue
  bool has_fields = true;               ///< its weights are receptive fields, on sites or pixels
  bool has_places = true;         ///< sites of a ring or torus; else nothing is said about localized fields
  std::string evaluated_on = {};  ///< "test set", …: what loss and accuracy were measured on
  std::string page_link = {};     ///< the run's own page, relative to this one; empty: none, or this is it
  std::string record_link = {};   ///< where the full arrays are, relative to the page; empty: nowhere
  std::string record_bytes = {};  ///< the same file when it is small enough to travel inside the page
};

/// Of a page that is open while its runs train: where newer data are, and how far the runs will go. The answer there is the data
/// block of a page again; one that is finished, or has no Live, is the last.
struct Live {
  std::string url = {};  ///< relative to the page
  std::int64_t every_ms = 1000;
  std::int64_t steps = 0;  ///< of the longest run; 0: not known
  bool finished = false;
};

/// What of a long record a page keeps: rows of the time axis and rows of the unit axis, ascending; the first and the last
/// time always.
struct Thinning {
  std::vector<std::size_t> times, units;
};

/// At most `most_times` times and `most_units` units, evenly chosen, and of both so few that times × units × sites ≤ numbers:
/// times go first, down to 32, then units, then times again.
Thinning thinned(std::size_t times, std::size_t units, std::size_t sites, std::size_t numbers);

/// A field in 8 bits: q_i = round(127 w_i / s), s = max|w_i|, so that |w_i − s q_i/127| ≤ s/254: half a pixel of a curve
/// 254 pixels high, an eighth of one in a tile of the overview. Not finite: q_i = −128.
struct QuantisedField {
  float scale = 0;
  std::vector<std::int8_t> levels;
};
QuantisedField quantised(std::span<const float> field);

/// Numbers in 16 bits: v = low + (high − low) q/65534; q = 65535 where v is not finite.
struct QuantisedNumbers {
  double low = 0, high = 0;
  std::vector<std::uint16_t> levels;
};
QuantisedNumbers quantised_numbers(std::span<const double> values);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// The data block of the page: one JSON object, its arrays deflated (zlib) and in base64; fields are stored as differences
/// to the time before (modulo 256), which is what makes them small. At most about `budget` bytes: longer records are thinned,
/// and say so in "shown". "meanings" says what the arrays are, in the words of the probes. Safe inside a <script> element: no '<' in it. The same runs give the same bytes.
std::string page_data(std::span<const PageRun> runs, std::size_t budget = 6'000'000,
                      const std::optional<Live>& live = std::nullopt);

}  // namespace sluice::figure
