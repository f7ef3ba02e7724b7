#include "bench/judged_normals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

namespace sluice::bench {
namespace {

const double kScale = std::sqrt(2 * std::numbers::ln2);
constexpr std::uint32_t kSign = 0x8000, kSubnormal = 0x400, kInfinite = 0x7C00;
constexpr double kLeast = 1000;  // of a bin of the histogram
constexpr double kFew = 25;      // of a tail

double value_of_half(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31U), rest = static_cast<int>(bits & 1023U);
  if (exponent == 31) return std::numeric_limits<double>::infinity();
  const double size = exponent == 0 ? std::ldexp(rest, -24) : std::ldexp(1024 + rest, exponent - 25);
  return (bits & kSign) != 0 ? -size : size;
}

/// Where halves go over into the next larger: in the middle, and of floats there the one that is the middle goes to the even one.
double end_of_half(std::uint32_t bits) {
  if (bits + 1 >= kInfinite) return std::numeric_limits<double>::infinity();
  const auto middle = static_cast<float>((value_of_half(bits) + value_of_half(bits + 1)) / 2);
  const float next = std::nextafter(middle, bits % 2 == 0 ? 1e9F : 0.0F);
  return (static_cast<double>(middle) + next) / 2;
}

/// P(z > x)
double beyond(double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }

/// P of every half that is not negative; both zeros are the first. That of a negative one is the same.
std::vector<double> shares_of_halves() {
  std::vector<double> shares(kInfinite);
  double before = beyond(kScale * end_of_half(0));
  shares[0] = 1 - 2 * before;
  for (std::uint32_t bits = 1; bits < kInfinite; ++bits) {
    const double behind = beyond(kScale * end_of_half(bits));
    shares[bits] = before - behind;
    before = behind;
  }
  return shares;
}

/// What is known of normals that are not as good as they could be.
struct Known {
  double unevenness = 0;                                 // of angles
  double end = std::numeric_limits<double>::infinity();  // of tails
  double least_share = 0;                                // of a bin of the histogram
};

class Judge {
 public:
  explicit Judge(const NormalSums& drawn, const Known& known = {})
      : drawn_(drawn), known_(known), count_(static_cast<double>(drawn.count)) {}

  void judge_normals() {
    for (int power = 1; power <= 8; ++power) judge_moment(power);
    for (const double limit : {1.0, 2.0, 3.0, 4.0, 5.0, 5.5, 6.0})
      if (limit < known_.end) judge_tail(limit);
    judge_histogram("histogram of firsts", drawn_.counts[0]);
    judge_histogram("histogram of seconds", drawn_.counts[1]);
    for (const NormalSums::Products& each : drawn_.products) judge_products(each);
  }
  void judge_angles(const StreamSums& drawn) {
    const double pairs = count_ / 2, error = std::sqrt(0.5 / pairs);
    add("mean of cosines of angles", drawn.cosines / pairs, 0, known_.unevenness, error, false);
    add("mean of sines of angles", drawn.sines / pairs, 0, known_.unevenness, error, false);
  }
  void judge_words(const char* what, std::span<const std::uint64_t> counts) {
    double all = 0, deviation = 0;
    for (const std::uint64_t count : counts) all += static_cast<double>(count);
    const auto bins = static_cast<double>(counts.size());
    for (const std::uint64_t count : counts)
      deviation += std::pow(static_cast<double>(count) - all / bins, 2) / (all / bins);
    add_chi_square(what, deviation, all, bins, 0);
  }
  std::vector<Finding> findings() { return std::move(findings_); }

 private:
  double count_of(std::uint32_t bits) const {
    return static_cast<double>(drawn_.counts[0][bits] + drawn_.counts[1][bits]);
  }
  void add(std::string what, double found, double expected, double known, double error, bool relative) {
    findings_.push_back({std::move(what), found, expected, known, error,
                         (known + 5 * error) / (relative ? expected : 1), relative ? "of it" : ""});
  }
  /// Of so many in so many bins, whose shares are this far off, root mean square.
  void add_chi_square(const std::string& what, double deviation, double count, double bins, double known) {
    const double free = bins - 1;
    add(fmt::format("χ²/{}, {}", free, what), deviation / free, 1, known * known * count / free,
        std::sqrt(2 / free), false);
    findings_.back().resolution = std::sqrt(known * known + 5 * std::sqrt(2 * free) / count);
    findings_.back().unit = "of shares, root mean square";
  }

  void judge_moment(int power) {
    double found = 0, expected = 0, square = 0;
    for (std::uint32_t bits = 0; bits < kSign; ++bits) {
      const double z = std::pow(normal_of_half(bits), power);
      const double positive = count_of(bits), negative = count_of(bits | kSign);
      if (positive + negative > 0) found += (positive + (power % 2 == 0 ? negative : -negative)) * z / count_;
      if (bits >= kInfinite || shares_[bits] == 0) continue;
      if (power % 2 == 0) expected += 2 * shares_[bits] * z;
      square += 2 * shares_[bits] * z * z;
    }
    const double radius = std::pow(2, power / 2.0) * std::tgamma(1 + power / 2.0);  // E r^k
    add(fmt::format("moment {}", power), found, expected, power % 2 == 0 ? 0 : known_.unevenness * radius,
        std::sqrt((square - expected * expected) / count_), power % 2 == 0);
  }

  void judge_tail(double limit) {
    double found = 0, expected = 0;
    for (std::uint32_t bits = 0; bits < kSign; ++bits) {
      if (normal_of_half(bits) <= limit) continue;
      found += (count_of(bits) + count_of(bits | kSign)) / count_;
      if (bits < kInfinite) expected += 2 * shares_[bits];
    }
    add(fmt::format("share beyond {}", limit), found, expected, 0,
        std::sqrt(std::max(expected * (1 - expected), kFew / count_) / count_), true);
  }

  void judge_histogram(const char* what, std::span<const std::uint64_t> counts) {
    const double count = count_ / 2, least = std::max(kLeast, known_.least_share * count);
    double deviation = 0;
    int bins = 0;
    const auto add_bin = [&](double found, double expected) {
      deviation += (found - expected) * (found - expected) / expected;
      ++bins;
    };
    double inner = 0, inner_share = -shares_[0];  // which both signs have
    for (const std::uint32_t sign : {0U, kSign}) {
      double found = 0, share = 0;
      for (std::uint32_t bits = kSign; bits-- > 0;) {
        found += static_cast<double>(counts[bits | sign]);
        share += bits < kInfinite ? shares_[bits] : 0;
        if (bits >= kSubnormal && share * count >= least) {
          add_bin(found, share * count);
          found = share = 0;
        }
      }
      inner += found;
      inner_share += share;
    }
    add_bin(inner, inner_share * count);
    add_chi_square(what, deviation, count, bins, known_.unevenness);
  }

  void judge_products(const NormalSums::Products& products) {
    const auto count = static_cast<double>(products.count);
    const bool of_angles = &products == drawn_.products.data();  // E xy = E r² E sin 2φ / 2
    add("correlation " + products.where, products.sum / count, 0, of_angles ? known_.unevenness : 0,
        1 / std::sqrt(count), false);
    // Of squares in units of their variance, 2.
    add("correlation of squares " + products.where, products.of_squares / count / 2, 0, 0,
        1 / std::sqrt(count), false);
  }

  const NormalSums& drawn_;
  Known known_;
  double count_;
  std::vector<double> shares_ = shares_of_halves();
  std::vector<Finding> findings_;
};

}  // namespace

double normal_of_half(std::uint32_t bits) { return kScale * value_of_half(bits); }

std::vector<Finding> judge(const NormalSums& drawn) {
  Judge judge(drawn);
  judge.judge_normals();
  return judge.findings();
}
std::vector<Finding> judge(const StreamSums& drawn) {
  Judge judge(drawn.normals,
              {.unevenness = 2e-4, .end = std::sqrt(48 * std::numbers::ln2), .least_share = 1.0 / 64});
  judge.judge_normals();
  judge.judge_angles(drawn);
  judge.judge_words("upper bytes of words 2k and 2k + 1", drawn.words[0]);
  judge.judge_words("upper bytes of words 2k + 1 and 2k + 2", drawn.words[1]);
  return judge.findings();
}

Differences compare_with_cpu(const math::Address& first, int rows) {
  const std::vector<std::uint32_t> pairs = normals_of_rows(first, rows);
  math::LanesBuffer<float> buffer(4 * kCounters, rows);
  const math::Lanes here = buffer.lanes(rows);
  math::fill_normals(first, here);
  Differences largest;
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const auto row = static_cast<std::int64_t>(at) / (2 * kCounters);
    const auto site = static_cast<std::int64_t>(at) % (2 * kCounters) * 2;
    const double both[] = {here.at(site, row) / kScale, here.at(site + 1, row) / kScale};
    const bool small_radius = std::hypot(both[0], both[1]) < 1.0 / 16;
    for (const int i : {0, 1}) {
      const double there = value_of_half(i == 0 ? pairs[at] & 0xFFFFU : pairs[at] >> 16);
      const double size = std::abs(both[i]), off = std::abs(there - both[i]);
      double& worst = size >= 1.0 / 16 ? largest.last_places
                      : small_radius   ? largest.small_radius
                                       : largest.small;
      worst = std::max(worst, size >= 1.0 / 16 ? off / std::ldexp(1.0, std::ilogb(size) - 10) : off);
    }
  }
  return largest;
}

}  // namespace sluice::bench
