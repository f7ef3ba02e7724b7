/// The response of one class of any task, from samples.                     ledger: N1.5, C.3, N0.16, N1.c8; notes: J.2
///   f(w)    = ½ E[sgn(S) X]                              S = ⟨w,X⟩, T = ⟨v,X⟩
///   p(w, v) = ¼ C v + ¼ E[sgn(S) |T| X]
/// (X ~ −X: each sample stands for itself and its negative, which leaves only these parts.) Three things make the average
/// converge faster than independent draws, at next to no cost:
///   shifts    on a ring or torus a sample is as good as each of its shifts; ⟨w, shifted x⟩ for all of them (at most
///             kMostShifts, evenly spread) is one product with the matrix of shifted w. Used by single() and pair(); K units
///             have their own spread, respond() uses none.
///   weights   samples are weighted such that their power at every frequency is exactly that of C, and their sum 1: the
///             least-squares control variate by all second moments at once, computed once, good for every w.
///   pairs     C v is exact, p(w, w) = ½ C w.
/// Measured gain: bench/README.md. Tasks that are not even, or not stationary, go without the parts they do not allow.
///
/// The samples are drawn once, at addresses of the seed: f is a deterministic function of w, the same for every number of
/// threads. It is the gradient of E_N ReLU(S), hence piecewise constant, with jumps of about 1/(samples · n).
/// Samples fall into kReplicates independent sets, whose spread gives the standard error; the weights' bias, of order
/// 1/samples, is a tenth of it at 2¹² samples on 20 sites and less with more. Float data: |S| below its rounding
/// error is a tie, gate half open (J.2). Memory 8 n bytes per sample.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "sluice/flow/population.hpp"
#include "sluice/flow/response.hpp"
#include "sluice/flow/shifts.hpp"
#include "sluice/math/lanes.hpp"
#include "sluice/math/workers.hpp"
#include "sluice/task/task.hpp"

namespace sluice::flow {

struct SampledOptions {
  std::int64_t samples = 1 << 14;  ///< rounded up to whole blocks of every replicate
  std::uint64_t seed = 1;
  bool use_shifts = true;
  bool use_weights = true;
};

class SampledResponse final : public Response, public PairResponse, public PopulationResponse {
 public:
  static constexpr std::int64_t kReplicates = 16;
  static constexpr std::int64_t kMostShifts = 144;

  struct Estimate {
    std::vector<double> value;
    std::vector<double> standard_error;
  };

  /// `workers` must outlive the response. Calls take turns: the team is shared.
  SampledResponse(const task::Task& task, int which_class, const SampledOptions& options,
                  math::Workers& workers);

  std::int64_t inputs() const override { return n_; }
  std::int64_t samples() const { return kReplicates * blocks_ * kBlock; }

  void single(std::span<const double> w, std::span<double> f) const override;
  void pair(std::span<const double> w, std::span<const double> v, std::span<double> p) const override;
  void respond(std::span<const double> weights, std::span<double> f, std::span<double> pairs) const override;

  /// f(w) with standard errors.
  Estimate single_estimate(std::span<const double> w) const;
  Estimate pair_estimate(std::span<const double> w, std::span<const double> v) const;
  /// E ReLU(S) = ⟨w, f(w)⟩ with its standard error: one number each.
  Estimate mean_output(std::span<const double> w) const;

 private:
  static constexpr std::int64_t kBlock = math::kBlockSamples;

  /// What becomes of the pre-activations [rows, kBlock] of a block: the coefficients [kept, kBlock] of its samples.
  struct Pass;
  std::vector<std::vector<double>> run(const Pass& pass) const;
  std::vector<std::vector<double>> single_replicates(std::span<const double> w) const;
  std::vector<std::vector<double>> pair_replicates(std::span<const double> w,
                                                   std::span<const double> v) const;
  std::vector<double> shift_averaged(std::span<const double> sums) const;
  std::vector<float> forward_rows(std::span<const double> w) const;
  float tie(std::span<const double> w) const;
  std::int64_t shifts() const { return static_cast<std::int64_t>(shifts_.size()); }
  void weigh(const task::Task& task, const task::Moments& moments, std::int64_t replicate);
  void draw(const task::Task& task, int which_class, std::uint64_t seed, std::int64_t replicate);

  std::int64_t n_;
  std::int64_t padded_;  // n rounded up to whole vectors
  std::int64_t blocks_;  // per replicate
  bool even_;
  Shifts moves_;
  std::vector<std::size_t> shifts_;  // where each takes site 0; {0} when shifts do not count
  double largest_ = 0;               // |x|
  Covariance covariance_;
  math::Aligned<float> by_site_;    // [replicate, block, n, kBlock]
  math::Aligned<float> by_sample_;  // [replicate, block, kBlock, padded]
  math::Aligned<float> weights_;    // [replicate, block, kBlock], mean 1 in every replicate
  math::Workers* workers_;
  mutable std::mutex turn_;
};

}  // namespace sluice::flow
