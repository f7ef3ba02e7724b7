#include "sluice/gpu/member_samples.hpp"

#include <algorithm>
#include <utility>

#include "sluice/math/assert.hpp"

namespace sluice::gpu {

MemberSamples::MemberSamples(std::vector<const learn::Batches*> batches, math::Workers& workers)
    : batches_(std::move(batches)),
      workers_(workers),
      inputs_(batches_.front()->inputs()),
      rows_(batches_.front()->rows()) {
  for (const learn::Batches* each : batches_) {
    SLUICE_ASSERT(each->inputs() == inputs_ && each->rows() == rows_);
    plans_.emplace_back(rows_, each->rows_of_first_class());
  }
  for (int thread = 0; thread < workers.threads(); ++thread)
    own_.push_back({.block = math::LanesBuffer<float>(inputs_, math::kBlockSamples)});
}

/// Block by block, those of a member after each other: a thread that goes on with the same member draws with what it
/// has.
void MemberSamples::draw(const Parcel& parcel, float* x, float* labels) {
  std::vector<std::int64_t> first(1);  // block of every member, all steps of it
  for (std::int64_t e = 0; e < parcel.members; ++e)
    first.push_back(first.back() +
                    parcel.steps *
                        std::ssize(plans_[static_cast<std::size_t>(parcel.first_member + e)].blocks));
  workers_.run(first.back(), [&](std::int64_t chunk, int thread) {
    const std::int64_t e = std::ranges::upper_bound(first, chunk) - first.begin() - 1;
    const auto member = static_cast<std::size_t>(parcel.first_member + e);
    const std::vector<learn::Block>& blocks = plans_[member].blocks;
    const std::int64_t of_member = chunk - first[static_cast<std::size_t>(e)];
    const std::int64_t step = of_member / std::ssize(blocks);
    const learn::Block& block = blocks[static_cast<std::size_t>(of_member % std::ssize(blocks))];

    Own& own = own_[static_cast<std::size_t>(thread)];
    if (own.batches != batches_[member]) {
      own.drawer = batches_[member]->drawer();
      own.batches = batches_[member];
    }
    const std::int64_t batch = step * parcel.members + e;
    const math::Lanes drawn = own.block.lanes(block.rows);
    own.drawer->draw(parcel.first_step + static_cast<std::uint64_t>(step), block, drawn,
                     {labels + batch * rows_ + block.first_row, static_cast<std::size_t>(block.rows)});
    float* to = x + batch * (inputs_ + 1) * rows_ + block.first_row;
    for (std::int64_t i = 0; i < inputs_; ++i)
      std::copy_n(drawn.data + i * drawn.stride, block.rows, to + i * rows_);
    std::fill_n(to + inputs_ * rows_, block.rows, 1.0F);
  });
}

}  // namespace sluice::gpu
