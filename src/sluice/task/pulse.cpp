#include "sluice/task/pulse.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::task {
namespace {

constexpr std::array<spec::Choice, 2> kSupports{{
    {"01", "0 outside of the pulse, 1 inside"},
    {"pm1", "−1 outside of the pulse, 1 inside"},
}};

/// The smallest integer ≥ fraction·n, where a fraction such as 0.15 is meant as written and not as its binary neighbour.
std::int64_t sites_of(double fraction, std::int64_t n) {
  return static_cast<std::int64_t>(std::ceil(fraction * static_cast<double>(n) - 1e-9));
}

bool divides(double length, std::int64_t n) {
  return length == std::floor(length) && n % static_cast<std::int64_t>(length) == 0;
}

}  // namespace

void PulseShape::describe_shape(spec::Keys& keys) {
  keys.flag("invert", invert, "x → 1 − x with probability ½, the whole sample");
  keys.choice("support", support, kSupports, "the two values of a site");
}

void PulseOptions::describe(spec::Keys& keys) {
  describe_sites(keys);
  const spec::Range fraction = spec::numbers(0, 1);
  keys.pair("width_first", width_first, fraction, "first class: the length is an integer of [lo·n, hi·n)");
  keys.pair("width_second", width_second, fraction, "second class: the length is an integer of [lo·n, hi·n)");
  const auto holds_a_length = [this](const std::array<double, 2>& width) {
    return sites_of(width[0], n) >= 1 && sites_of(width[0], n) < sites_of(width[1], n);
  };
  constexpr std::string_view kExpected =
      "[lo, hi] with an integer in [lo·n, hi·n), all of them from 1 to n − 1";
  keys.require(holds_a_length(width_first), "width_first", kExpected);
  keys.require(holds_a_length(width_second), "width_second", kExpected);
  describe_classes(keys);
  describe_shape(keys);
}

std::unique_ptr<Task> PulseOptions::make() const { return std::make_unique<Pulse>(*this); }

void BlockOptions::describe(spec::Keys& keys) {
  describe_sites(keys);
  keys.pair("block", block, spec::integers(1, 4096),
            "lengths of the blocks of the two classes, proper divisors of n");
  keys.require(
      std::all_of(block.begin(), block.end(),
                  [this](double length) { return divides(length, n) && length < static_cast<double>(n); }),
      "block", "two proper divisors of n");
  describe_classes(keys);
  describe_shape(keys);
}

std::unique_ptr<Task> BlockOptions::make() const { return std::make_unique<Pulse>(*this); }

Pulse::Pulse(const PulseShape& shape, const std::array<Lengths, 2>& lengths, bool on_grid)
    : Task(shape.classes),
      n_(shape.n),
      lengths_(lengths),
      on_grid_(on_grid),
      invert_(shape.invert),
      off_(shape.support == "pm1" ? -1.0F : 0.0F) {}

Pulse::Pulse(const PulseOptions& o)
    : Pulse(o,
            {{{sites_of(o.width_first[0], o.n), sites_of(o.width_first[1], o.n) - 1},
              {sites_of(o.width_second[0], o.n), sites_of(o.width_second[1], o.n) - 1}}},
            false) {}

Pulse::Pulse(const BlockOptions& o)
    : Pulse(o,
            {{{static_cast<std::int64_t>(o.block[0]), static_cast<std::int64_t>(o.block[0])},
              {static_cast<std::int64_t>(o.block[1]), static_cast<std::int64_t>(o.block[1])}}},
            true) {}

Moments Pulse::moments(int which_class) const {
  const auto [shortest, longest] = lengths_.at(static_cast<std::size_t>(which_class));
  const double placements = static_cast<double>(longest - shortest + 1) * static_cast<double>(n_);
  std::vector<double> both(static_cast<std::size_t>(n_));  // q_d; q_0 = p
  for (std::int64_t d = 0; d < n_; ++d) {
    std::int64_t count = 0;
    for (std::int64_t length = shortest; length <= longest; ++length) {
      count += std::max<std::int64_t>(0, length - d) + std::max<std::int64_t>(0, length - n_ + d);
    }
    both[static_cast<std::size_t>(d)] = static_cast<double>(count) / placements;
  }
  const double p = both[0];
  const double m = invert_ ? 0.5 : p;
  const double step = 1 - static_cast<double>(off_);
  Moments moments{.covariance = both, .mean = static_cast<double>(off_) + step * m};
  for (double& q : moments.covariance) q = step * step * (invert_ ? q - p + 0.25 : q - p * p);
  const double v = m * (1 - m);
  moments.excess_kurtosis = (1 - 6 * v) / v;
  return moments;
}

FiniteSupport Pulse::support(int which_class) const {
  const auto [shortest, longest] = lengths_.at(static_cast<std::size_t>(which_class));
  const double lengths = static_cast<double>(longest - shortest + 1);
  FiniteSupport support{.inputs = n_};
  for (std::int64_t length = shortest; length <= longest; ++length) {
    const std::int64_t step = on_grid_ ? length : 1;
    const double weight = static_cast<double>(step) / (lengths * static_cast<double>(n_) * (invert_ ? 2 : 1));
    for (std::int64_t start = 0; start < n_; start += step) {
      for (int inverted = 0; inverted < (invert_ ? 2 : 1); ++inverted) {
        support.weights.push_back(weight);
        for (std::int64_t i = 0; i < n_; ++i) {
          const bool inside = (i - start + n_) % n_ < length;
          support.points.push_back(inside == (inverted == 0) ? 1.0 : static_cast<double>(off_));
        }
      }
    }
  }
  return support;
}

std::optional<Recipe> Pulse::recipe(int which_class) const {
  const auto [shortest, longest] = lengths_.at(static_cast<std::size_t>(which_class));
  return Recipe{.kind = Recipe::Kind::pulse,
                .shortest = shortest,
                .longest = longest,
                .on_grid = on_grid_,
                .invert = invert_,
                .off = off_};
}

void Pulse::sample(const math::Address& first, int which_class, const math::Lanes& x,
                   const math::Lanes& scratch) const {
  const auto [shortest, longest] = lengths_[static_cast<std::size_t>(which_class)];
  // Site numbers and lengths are small integers, exact in float: the loop over sites below is then a vector loop.
  float* starts = scratch.data;
  float* lengths = scratch.data + scratch.stride;  // negative when inverted
  for (std::int64_t r = 0; r < x.stride; ++r) {
    starts[r] = 0;
    lengths[r] = 1;
    if (r >= x.samples) continue;  // an absent sample: any pulse
    math::RowNumbers numbers(first, static_cast<std::uint32_t>(r));
    const std::int64_t length = shortest + numbers.below(longest - shortest + 1);
    const std::int64_t start = on_grid_ ? length * numbers.below(n_ / length) : numbers.below(n_);
    const bool inverted = invert_ && numbers.below(2) == 1;
    starts[r] = static_cast<float>(start);
    lengths[r] = static_cast<float>(inverted ? -length : length);
  }
  const auto n = static_cast<float>(n_);
  for (std::int64_t i = 0; i < x.sites; ++i) {
    const auto site = static_cast<float>(i);
    float* at = x.data + i * x.stride;
    for (std::int64_t r = 0; r < x.stride; ++r) {
      const float after = site >= starts[r] ? site - starts[r] : site - starts[r] + n;
      const bool inside = after < std::abs(lengths[r]);
      at[r] = inside == (lengths[r] > 0) ? 1.0F : off_;
    }
  }
}

}  // namespace sluice::task
