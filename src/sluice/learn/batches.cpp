#include "sluice/learn/batches.hpp"

#include <cmath>

#include "sluice/math/permutation.hpp"

namespace sluice::learn {
namespace {

class FreshDrawer final : public Drawer {
 public:
  FreshDrawer(const task::Task& task, std::uint64_t seed, math::Purpose purpose)
      : task_(task),
        seed_(seed),
        purpose_(purpose),
        labeler_(task.labeler()),
        scratch_(task.inputs(), BlockPlan::kBlockRows) {}

  void draw(std::uint64_t step, const Block& block, const math::Lanes& x, std::span<float> labels) override {
    const math::Address first{
        .seed = seed_, .purpose = purpose_, .step = step, .row = static_cast<std::uint32_t>(block.first_row)};
    task_.sample(first, block.which_class, x, scratch_.lanes(block.rows));
    labeler_->label(first, block.which_class, x, labels);
  }

 private:
  const task::Task& task_;
  std::uint64_t seed_;
  math::Purpose purpose_;
  std::unique_ptr<task::Labeler> labeler_;
  math::LanesBuffer<float> scratch_;
};

class EpochDrawer final : public Drawer {
 public:
  explicit EpochDrawer(const EpochBatches& batches) : batches_(batches), set_(*batches.set()) {}

  void draw(std::uint64_t step, const Block& block, const math::Lanes& x, std::span<float> labels) override {
    for (std::int64_t r = 0; r < block.rows; ++r) {
      const Visit visit = batches_.visit(step, block.first_row + r);
      const float* row = set_.x.data() + static_cast<std::int64_t>(visit.row) * set_.inputs;
      if (visit == Visit{.row = visit.row}) {
        for (std::int64_t i = 0; i < set_.inputs; ++i) x.at(i, r) = row[i];
      } else {
        see(row, visit, x, r);
      }
      labels[static_cast<std::size_t>(r)] = set_.y[visit.row];
    }
    // Lanes without a sample are computed along: they must hold numbers, not what was there before.
    for (std::int64_t i = 0; i < set_.inputs; ++i) {
      for (std::int64_t r = block.rows; r < x.stride; ++r) x.at(i, r) = 0;
    }
  }

 private:
  /// The image as the visit sees it, into lane r.
  void see(const float* image, const Visit& visit, const math::Lanes& x, std::int64_t r) const {
    const task::Layout& layout = set_.augmentation.layout;
    const std::int64_t rows = layout.rows, columns = layout.columns;
    std::int64_t site = 0;
    for (std::int64_t c = 0; c < layout.channels; ++c) {
      for (std::int64_t i = 0; i < rows; ++i) {
        const bool there = i + visit.down >= 0 && i + visit.down < rows;
        const float* line = image + (c * rows + (there ? i + visit.down : 0)) * columns;
        for (std::int64_t j = 0; j < columns; ++j, ++site) {
          const std::int64_t from = (visit.mirrored != 0 ? columns - 1 - j : j) + visit.across;
          x.at(site, r) = there && from >= 0 && from < columns ? line[from] : 0.0F;
        }
      }
    }
  }

  const EpochBatches& batches_;
  const task::FiniteSet& set_;
};

}  // namespace

FreshBatches::FreshBatches(const task::Task& task, std::uint64_t seed, math::Purpose purpose,
                           std::int64_t rows)
    : task_(task), seed_(seed), purpose_(purpose), rows_(rows) {}

std::int64_t FreshBatches::rows_of_first_class() const {
  return std::llround(task_.classes().balance * static_cast<double>(rows_));
}

std::unique_ptr<Drawer> FreshBatches::drawer() const {
  return std::make_unique<FreshDrawer>(task_, seed_, purpose_);
}

EpochBatches::EpochBatches(const task::FiniteSet& set, std::uint64_t seed, std::int64_t rows)
    : set_(set), seed_(seed), rows_(rows) {}

std::unique_ptr<Drawer> EpochBatches::drawer() const { return std::make_unique<EpochDrawer>(*this); }

Visit EpochBatches::visit(std::uint64_t step, std::int64_t r) const {
  const auto size = static_cast<std::uint64_t>(set_.size());
  const std::uint64_t place = step * static_cast<std::uint64_t>(rows_) + static_cast<std::uint64_t>(r);
  const bool whole = rows_ == set_.size();
  Visit visit{.row = static_cast<std::uint32_t>(
                  whole ? place % size : math::Permutation(size, seed_, place / size)(place % size))};
  const task::Augmentation& how = set_.augmentation;
  if (whole || !how.changes()) return visit;
  math::RowNumbers numbers({.seed = seed_,
                            .purpose = math::Purpose::augmentation,
                            .step = step,
                            .row = static_cast<std::uint32_t>(r)},
                           0);
  // All three numbers are drawn, whichever are used: crops do not depend on whether there are flips.
  visit.mirrored = numbers.uniform() < 0.5 && how.flips ? 1 : 0;
  visit.down = static_cast<std::int16_t>(numbers.below(2 * how.crop + 1) - how.crop);
  visit.across = static_cast<std::int16_t>(numbers.below(2 * how.crop + 1) - how.crop);
  return visit;
}

}  // namespace sluice::learn
