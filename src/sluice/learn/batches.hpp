/// Where batches come from: fresh from the task at every step, or from a finite set in shuffled epochs.
///
/// Sample r of batch t is a function of (seed, t, r) alone, so training does not depend on threads and needs no generator
/// state to resume.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sluice/learn/blocks.hpp"
#include "sluice/learn/visit.hpp"
#include "sluice/math/lanes.hpp"
#include "sluice/math/random.hpp"
#include "sluice/task/task.hpp"

namespace sluice::learn {

/// One thread's access to the batches, with its own work space.
class Drawer {
 public:
  virtual ~Drawer() = default;
  /// Fills a block of batch `step` with its samples and their labels.
  virtual void draw(std::uint64_t step, const Block& block, const math::Lanes& x,
                    std::span<float> labels) = 0;
};

class Batches {
 public:
  virtual ~Batches() = default;

  virtual std::int64_t inputs() const = 0;
  virtual std::int64_t rows() const = 0;                 ///< B, samples per batch
  virtual std::int64_t rows_of_first_class() const = 0;  ///< they come first; B where classes are mixed
  virtual std::unique_ptr<Drawer> drawer() const = 0;

  /// Where samples are those of a finite set, kept elsewhere perhaps: the set, null where there is none, and which sample r of batch `step` is.
  virtual const task::FiniteSet* set() const { return nullptr; }
  virtual Visit visit(std::uint64_t /*step*/, std::int64_t /*r*/) const { return {}; }

  /// Where they are new at every step: the task that draws them, at the addresses of this seed.
  struct Source {
    const task::Task* task;
    std::uint64_t seed;
  };
  virtual std::optional<Source> source() const { return std::nullopt; }
};

/// New samples at every step, the share `balance` of them from class 0: rows 0, …, balance·B − 1.
class FreshBatches final : public Batches {
 public:
  /// The task must outlive the batches.
  FreshBatches(const task::Task& task, std::uint64_t seed, math::Purpose purpose, std::int64_t rows);

  std::int64_t inputs() const override { return task_.inputs(); }
  std::int64_t rows() const override { return rows_; }
  std::int64_t rows_of_first_class() const override;
  std::unique_ptr<Drawer> drawer() const override;
  std::optional<Source> source() const override { return Source{&task_, seed_}; }

 private:
  const task::Task& task_;
  std::uint64_t seed_;
  math::Purpose purpose_;
  std::int64_t rows_;
};

/// A finite set of P samples, read B at a time: place tB + r of the endless sequence of epochs, each a permutation of the set.
/// With B = P every batch is the whole set in its own order, as it is: full-batch training, and evaluation. Smaller batches flip
/// and crop its images where the set says so (task::Augmentation), another time at every visit.
class EpochBatches final : public Batches {
 public:
  /// The set must outlive the batches.
  EpochBatches(const task::FiniteSet& set, std::uint64_t seed, std::int64_t rows);

  std::int64_t inputs() const override { return set_.inputs; }
  std::int64_t rows() const override { return rows_; }
  std::int64_t rows_of_first_class() const override { return rows_; }
  std::unique_ptr<Drawer> drawer() const override;
  const task::FiniteSet* set() const override { return &set_; }
  Visit visit(std::uint64_t step, std::int64_t r) const override;

 private:
  const task::FiniteSet& set_;
  std::uint64_t seed_;
  std::int64_t rows_;
};

}  // namespace sluice::learn
