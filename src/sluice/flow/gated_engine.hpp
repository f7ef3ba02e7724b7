/// dynamics.kind = "exact": gated linear units by their solution (gated_solution.hpp), any time without the ones before it.
#pragma once

#include "sluice/flow/engine.hpp"
#include "sluice/flow/gated_solution.hpp"

namespace sluice::flow {

class GatedEngine final : public learn::Engine {
 public:
  GatedEngine(const net::GatedLinearNetwork& network, const Subject& subject, const EngineOptions& options,
              const Timetable& times, std::uint64_t seed, learn::State start, math::Workers& workers);

  const learn::State& state() const override { return state_; }
  void move() override;

 private:
  /// The next times, many at once: a product of matrices instead of as many of a matrix and a vector.
  void look_ahead();

  learn::State state_;
  Timetable times_;
  Pace pace_;
  GatedSolution solution_;
  std::vector<std::int64_t> ahead_;  // steps
  std::vector<double> weights_;      // [ahead, K n]
  std::size_t next_ = 0;
};

}  // namespace sluice::flow
