/// Expectations by sampling, with honest standard errors.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sluice/math/workers.hpp"
#include "sluice/task/task.hpp"
#include "sluice/theory/vector.hpp"

namespace sluice::theory {

/// The notes' class 1 is the first ξ, class 0 the second.
enum class Label { one, zero };

/// Two classes of inputs with their covariances C₁, C₀.
struct Data {
  std::shared_ptr<const task::Task> task;
  Ring one;   ///< C₁
  Ring zero;  ///< C₀

  std::size_t n() const { return one.size(); }
  const Ring& covariance(Label label) const { return label == Label::one ? one : zero; }
};
Data data_of(std::shared_ptr<const task::Task> task);
Data gaussian_data(std::int64_t n, double xi_one, double xi_zero);
constexpr double kSigns = std::numeric_limits<double>::infinity();  ///< the gain of sign data
Data nlgp_data(std::int64_t n, double xi_one, double xi_zero, double gain);

/// Means over samples and the standard errors of the means.
struct Means {
  Vector mean;
  Vector standard_error;
};
Means operator*(double factor, const Means& means);
/// Sum and difference of independent means.
Means operator+(const Means& a, const Means& b);
Means operator-(const Means& a, const Means& b);
/// Those of a, then those of b.
Means followed_by(const Means& a, const Means& b);

/// Writes its numbers for one sample x into `out`.
using Statistic = std::function<void(std::span<const double> x, std::span<double> out)>;

class Sampler {
 public:
  Sampler(std::int64_t samples, std::uint64_t seed, math::Workers& workers)
      : samples_(samples), seed_(seed), workers_(workers) {}

  std::int64_t samples() const { return samples_; }
  std::uint64_t seed() const { return seed_; }
  math::Workers& workers() const { return workers_; }

  /// Means of `count` statistics over samples() draws of one class. Draws have addresses: every call sees the same
  /// samples of a class, and the two classes are independent. Nothing is kept: drawing a million samples of 16 sites
  /// costs a tenth of a second, less than most statistics. The result does not depend on the number of threads.
  Means mean(const Data& data, Label label, std::size_t count, const Statistic& statistic) const;

  /// The mean over both classes, each with probability ½; the statistic is told the class.
  Means mixture_mean(
      const Data& data, std::size_t count,
      const std::function<void(Label, std::span<const double>, std::span<double>)>& statistic) const;

  /// One number of every draw of a class, in their order; the statistic is told which draw it is.
  std::vector<double> values(
      const Data& data, Label label,
      const std::function<double(std::int64_t draw, std::span<const double> x)>& statistic) const;

 private:
  static constexpr std::int64_t kChunks = 48;  // shared evenly by 2, 3, 4, 6, 8, … threads

  /// visit(chunk, draw, x) for every draw of a class; those of a chunk one after the other, by one thread.
  void each(const Data& data, Label label,
            const std::function<void(std::size_t chunk, std::int64_t draw, std::span<const double> x)>& visit)
      const;

  std::int64_t samples_;
  std::uint64_t seed_;
  math::Workers& workers_;
};

/// Four times the samples, for statistics that are cheap and formulas that are to be told from ones that are 0.2 % off.
inline Sampler finer(const Sampler& sampler) {
  return {4 * sampler.samples(), sampler.seed(), sampler.workers()};
}

/// A gate 1(s ≥ 0) that opens by half at a tie (J.2), and ReLU.
inline double gate(double s) { return s > 0 ? 1.0 : s < 0 ? 0.0 : 0.5; }
inline double relu(double s) { return s > 0 ? s : 0.0; }

/// E₁[1(⟨w,X⟩ ≥ 0) X] of one class, sampled.                                                      ledger: N1.5
Means sampled_response(const Sampler& sampler, const Data& data, Label label, const Vector& w);
/// The same as a statistic, averaged over all shifts of the ring and over X and −X, which takes time and saves samples where the law has
/// these symmetries. Writes as many sites as asked for, from `first` on, at most to the last.
Statistic response_over_shifts(const Vector& w, std::size_t first = 0);

/// Any statistic, averaged over all shifts of X and −X: the same expectation where the law has these symmetries, of less
/// variance.
Statistic over_symmetries(Statistic statistic);

/// n standard normals that are the same in every run: weights to try a formula on.
Vector trial_weights(std::size_t n, std::uint32_t which);

}  // namespace sluice::theory
