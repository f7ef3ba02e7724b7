/// One training spread over the ranks of an MPI job: the first rank is the run, with folder, probes and pages; the others lend it their processors.
/// The bits are those of one process.
#pragma once

#include <memory>
#include <string>

#include "sluice/lab/experiment.hpp"
#include "sluice/lab/setup.hpp"
#include "sluice/learn/engine.hpp"
#include "sluice/math/ranks.hpp"

namespace sluice::lab {

/// Throws InputError where there is nothing to spread: flows, and deep networks, whose trainer works by layers.
void require_spreadable(const Setup& setup);

/// The first rank's side. As long as it lives the others wait for it; when it goes they leave.
class Lead {
 public:
  explicit Lead(math::Ranks& ranks) : ranks_(ranks) {}
  ~Lead();
  Lead(const Lead&) = delete;
  Lead& operator=(const Lead&) = delete;

  math::Ranks& ranks() const { return ranks_; }
  /// An engine that takes the others along; `engine` was made with workers that know the ranks, of a setup with this fingerprint.
  std::unique_ptr<learn::Engine> leading(std::unique_ptr<learn::Engine> engine, const std::string& mark);
  /// The others wait for every step: whoever fails from here on has to abandon them.
  bool begun() const { return begun_; }

 private:
  math::Ranks& ranks_;
  bool begun_ = false;
};

/// Every other rank's side: makes the steps of the first rank until it leaves. Throws where it cannot, or has another spec; the job must then be
/// abandoned.
void follow(Experiment experiment, int threads, math::Ranks& ranks);

}  // namespace sluice::lab
