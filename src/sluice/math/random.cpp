#include "sluice/math/random.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <numbers>

#include "sluice/math/philox.hpp"

namespace sluice::math {
namespace {

constexpr int kLanes = 256;  // counters per pass: 4 KiB of words, well inside the first-level cache
using Lanes = std::array<std::uint32_t, kLanes>;
using Floats = Eigen::Array<float, kLanes, 1>;

/// 31 random bits to (0, 1]: the half step keeps log() finite, the signed conversion has a vector
/// instruction.
float unit_interval(std::uint32_t word) {
  return static_cast<float>(static_cast<std::int32_t>(word >> 1)) * 0x1p-31F + 0x1p-32F;
}

void box_muller(const Lanes& a, const Lanes& b, Floats& first, Floats& second) {
  Floats radius;
  Floats angle;
  for (int lane = 0; lane < kLanes; ++lane) {
    radius[lane] = unit_interval(a[static_cast<std::size_t>(lane)]);
    angle[lane] = unit_interval(b[static_cast<std::size_t>(lane)]);
  }
  radius = (-2.0F * radius.log()).sqrt();
  angle *= 2.0F * std::numbers::pi_v<float>;
  first = radius * angle.cos();
  second = radius * angle.sin();
}

}  // namespace

void fill_normals(const Address& first, std::int64_t n, std::span<float> out) {
  // Each counter yields four normals. In a row of n sites counter j fills the sites j, j+m, j+2m, j+3m with
  // m = ceil(n/4), so that neighbouring lanes write neighbouring sites.
  const std::int64_t m = (n + 3) / 4;
  const std::int64_t rows = static_cast<std::int64_t>(out.size()) / n;
  const PhiloxKey key{static_cast<std::uint32_t>(first.seed), static_cast<std::uint32_t>(first.seed >> 32)};
  const auto step_low = static_cast<std::uint32_t>(first.step);
  const auto tag = (std::uint32_t{static_cast<std::uint8_t>(first.purpose)} << 24) |
                   (static_cast<std::uint32_t>(first.step >> 32) & 0xFFFFFFU);

  std::array<Lanes, 4> words;
  std::array<Floats, 4> z;
  std::int64_t row = 0;
  std::int64_t j = 0;
  for (std::int64_t done = 0; done < rows * m; done += kLanes) {
    const auto used = static_cast<int>(std::min<std::int64_t>(kLanes, rows * m - done));
    std::array<std::int64_t, kLanes> target;  // where a lane's first normal goes
    std::array<std::int64_t, kLanes> room;    // how many sites are left in its row from there
    Lanes block{};
    Lanes sample{};
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(used); ++lane) {
      block[lane] = static_cast<std::uint32_t>(j);
      sample[lane] = first.row + static_cast<std::uint32_t>(row);
      target[lane] = row * n + j;
      room[lane] = n - j;
      if (++j == m) {
        j = 0;
        ++row;
      }
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const PhiloxCounter w = philox({block[lane], sample[lane], step_low, tag}, key);
      for (std::size_t k = 0; k < 4; ++k) words[k][lane] = w[k];
    }
    box_muller(words[0], words[1], z[0], z[1]);
    box_muller(words[2], words[3], z[2], z[3]);
    for (int lane = 0; lane < used; ++lane) {
      const auto l = static_cast<std::size_t>(lane);
      for (std::int64_t k = 0; k < 4 && k * m < room[l]; ++k) {
        out[static_cast<std::size_t>(target[l] + k * m)] = z[static_cast<std::size_t>(k)][lane];
      }
    }
  }
}

}  // namespace sluice::math
