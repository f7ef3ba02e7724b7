/// How far the approximate responses are from the true one, as the tables of docs/theory/mean-field.md.
///   response_accuracy [samples]
/// The relative error ‖f̂ − f‖/‖f‖ is taken against f measured on samples, whose noise √(Σ standard error²)/‖f‖ is subtracted
/// in square. An error below that noise is written as "<noise".
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "sluice/flow/bumps.hpp"
#include "sluice/flow/conditioned.hpp"
#include "sluice/flow/gaussian.hpp"
#include "sluice/flow/mean_field.hpp"
#include "sluice/math/circulant.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/random.hpp"
#include "sluice/math/ring.hpp"
#include "sluice/task/nlgp.hpp"

namespace {

using namespace sluice;
using Vector = std::vector<double>;

constexpr std::int64_t kSites = 40;

Vector covariance_row(double xi, double gain) {
  Vector row = math::ring_kernel(kSites, xi);
  for (double& r : row) r = task::nlgp_correlation(r, gain);
  return row;
}

struct Field {
  std::string name;
  Vector w;
};

/// (C0 + C1)⁻¹ f(e_0), the weights that a single-site gate learns at ξ = (2, 1).          ledger: N0.c18, F.3
Vector trained_field(double gain) {
  Vector f(kSites);
  Vector e(kSites);
  e[0] = 1;
  flow::BumpResponse(math::ring_kernel(kSites, 2), gain).single(e, f);
  Vector both = covariance_row(2, gain);
  const Vector second = covariance_row(1, gain);
  for (std::size_t d = 0; d < both.size(); ++d) both[d] += second[d];
  const Vector lambda = math::circulant_eigenvalues(both);
  Vector modes = math::circulant_eigenvalues(f);
  for (std::size_t k = 0; k < modes.size(); ++k) modes[k] /= lambda[k];
  return math::circulant_row(modes);
}

std::vector<Field> fields(double gain) {
  std::vector<Field> all;
  math::LanesBuffer<float> normals(kSites, 1);
  for (const char* name : {"random, first", "random, second"}) {
    math::fill_normals({.seed = 900 + all.size()}, normals.lanes(1));
    Vector w;
    for (std::int64_t i = 0; i < kSites; ++i) w.push_back(static_cast<double>(normals.lanes(1).at(i, 0)));
    all.push_back({name, w});
  }
  const auto add = [&](const std::string& name, const auto& shape) {
    Vector w;
    for (std::int64_t i = 0; i < kSites; ++i)
      w.push_back(shape(static_cast<double>(i <= kSites / 2 ? i : i - kSites)));
    all.push_back({name, w});
  };
  add("flat", [](double) { return 1.0; });
  for (const double s : {4.0, 2.0, 1.0, 0.5}) {
    add(fmt::format("bump, s = {}", s), [s](double x) { return std::exp(-x * x / (2 * s * s)); });
  }
  add("e_0", [](double x) { return x == 0 ? 1.0 : 0.0; });
  add("trained, one lobe",
      [trained = trained_field(gain)](double x) { return trained[static_cast<std::size_t>(std::abs(x))]; });
  add("mexican hat, s = 2", [](double x) { return (1 - x * x / 4) * std::exp(-x * x / 8); });
  add("gabor, s = 2",
      [](double x) { return std::cos(2 * std::numbers::pi * x / 6 + 0.5) * std::exp(-x * x / 8); });
  return all;
}

struct Measured {
  Vector mean;
  double norm;   // ‖f‖
  double noise;  // √Σ standard error²
};

/// f = ½ E[sgn(S) X] of every field on the same samples.
std::vector<Measured> measure(const task::Task& task, const std::vector<Field>& all, std::int64_t samples) {
  constexpr std::int64_t kBlock = 960;
  const auto n = static_cast<std::size_t>(kSites);
  math::LanesBuffer<float> x_buffer(kSites, kBlock);
  math::LanesBuffer<float> scratch(kSites, kBlock);
  math::LanesBuffer<float> s_buffer(static_cast<std::int64_t>(all.size()), kBlock);
  const math::Lanes x = x_buffer.lanes(kBlock);
  const math::Lanes s = s_buffer.lanes(kBlock);
  std::vector<float> weights;
  for (const Field& field : all) weights.insert(weights.end(), field.w.begin(), field.w.end());
  Vector sums(all.size() * n);
  Vector squares(all.size() * n);
  const std::int64_t blocks = samples / kBlock;
  for (std::int64_t block = 0; block < blocks; ++block) {
    task.sample({.seed = 901, .step = static_cast<std::uint64_t>(block)}, 0, x, scratch.lanes(kBlock));
    math::multiply(math::Product<float>{.m = s.sites,
                                        .n = s.stride,
                                        .k = kSites,
                                        .a = weights.data(),
                                        .a_stride = kSites,
                                        .b = x.data,
                                        .b_stride = x.stride,
                                        .c = s.data,
                                        .c_stride = s.stride,
                                        .add = false});
    for (std::size_t k = 0; k < all.size(); ++k) {
      float* gate = s.data + static_cast<std::int64_t>(k) * s.stride;
      for (std::int64_t r = 0; r < kBlock; ++r)
        gate[r] = std::abs(gate[r]) < 1e-5F ? 0.0F : std::copysign(0.5F, gate[r]);
      for (std::int64_t i = 0; i < kSites; ++i) {
        const float* site = x.data + i * x.stride;
        float sum = 0;
        float square = 0;
        for (std::int64_t r = 0; r < kBlock; ++r) {
          const float value = gate[r] * site[r];
          sum += value;
          square += value * value;
        }
        sums[k * n + static_cast<std::size_t>(i)] += static_cast<double>(sum);
        squares[k * n + static_cast<std::size_t>(i)] += static_cast<double>(square);
      }
    }
  }
  const auto count = static_cast<double>(blocks * kBlock);
  std::vector<Measured> result;
  for (std::size_t k = 0; k < all.size(); ++k) {
    Measured measured{Vector(n), 0, 0};
    for (std::size_t i = 0; i < n; ++i) {
      const double mean = sums[k * n + i] / count;
      measured.mean[i] = mean;
      measured.norm += mean * mean;
      measured.noise += (squares[k * n + i] / count - mean * mean) / count;
    }
    measured.norm = std::sqrt(measured.norm);
    measured.noise = std::sqrt(measured.noise);
    result.push_back(measured);
  }
  return result;
}

/// In percent; what is below the noise is only bounded by it.
std::string error_of(const flow::Response& response, const Field& field, const Measured& truth) {
  Vector f(field.w.size());
  response.single(field.w, f);
  double square = -truth.noise * truth.noise;
  for (std::size_t i = 0; i < f.size(); ++i) square += (f[i] - truth.mean[i]) * (f[i] - truth.mean[i]);
  const double noise = truth.noise / truth.norm;
  const double error = std::sqrt(std::max(square, 0.0)) / truth.norm;
  return error < noise ? fmt::format("<{:.1f}", 100 * noise) : fmt::format("{:.1f}", 100 * error);
}

double microseconds(const flow::Response& response, const Vector& w) {
  constexpr int kCalls = 200;
  Vector f(w.size());
  response.single(w, f);
  const auto start = std::chrono::steady_clock::now();
  for (int call = 0; call < kCalls; ++call) response.single(w, f);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kCalls;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t samples = argc > 1 ? std::atoll(argv[1]) : 8'000'000;
  const Vector gains{0.01, 0.5, 1, 3, 10, std::numeric_limits<double>::infinity()};
  for (const double xi : {2.0, 1.0}) {
    std::string head = "| field |";
    std::string line = "|---|";
    std::vector<std::string> rows;
    for (const double gain : gains) {
      task::NlgpOptions options;
      options.n = kSites;
      options.gain = gain;
      options.xi = {xi, xi};
      const std::vector<Field> all = fields(gain);
      const std::vector<Measured> truth = measure(task::Nlgp(options), all, samples);
      const flow::Covariance covariance = flow::Covariance::circulant(covariance_row(xi, gain));
      const flow::GaussianResponse gaussian(covariance);
      const flow::MeanFieldResponse mean_field(covariance, flow::nlgp_amplifier(gain));
      const flow::ConditionedResponse conditioned(math::ring_kernel(kSites, xi), gain);
      head += fmt::format(" g = {} |", gain);
      line += "---|";
      rows.resize(all.size());
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (rows[k].empty()) rows[k] = fmt::format("| {} |", all[k].name);
        rows[k] +=
            fmt::format(" {} · {} · {} |", error_of(gaussian, all[k], truth[k]),
                        error_of(mean_field, all[k], truth[k]), error_of(conditioned, all[k], truth[k]));
      }
      if (gain == 3) {
        fmt::print(stderr, "µs per call: Gaussian {:.1f}, mean field {:.1f}, conditioned {:.0f}\n",
                   microseconds(gaussian, all[0].w), microseconds(mean_field, all[0].w),
                   microseconds(conditioned, all[0].w));
      }
    }
    fmt::print("\n### ξ = {}, {} samples: Gaussian · mean field · conditioned, percent\n\n{}\n{}\n", xi,
               samples, head, line);
    for (const std::string& row : rows) fmt::print("{}\n", row);
  }
}
