#include "sluice/flow/kept_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sluice/flow/calibration.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/math/kernels.hpp"

namespace sluice::flow {

/// Blocks of the kept samples, one view after the other.
class KeptSamples::Copies final : public learn::Drawer {
 public:
  explicit Copies(const KeptSamples& kept) : kept_(kept) {}

  void draw(std::uint64_t, const learn::Block& block, const math::Lanes& x,
            std::span<float> labels) override {
    SLUICE_ASSERT(block.first_row % kBlock == 0);
    kept_.copy(block.first_row % kept_.draws(),
               kept_.views_[static_cast<std::size_t>(block.first_row / kept_.draws())], x);
    std::copy_n(kept_.labels_.begin() + block.first_row, labels.size(), labels.begin());
  }

 private:
  const KeptSamples& kept_;
};

std::unique_ptr<learn::Drawer> KeptSamples::drawer() const { return std::make_unique<Copies>(*this); }

/// The block that begins with this draw.
void KeptSamples::copy(std::int64_t draw, const View& view, const math::Lanes& x) const {
  const float* from = x_.data() + draw * inputs_;
  for (std::int64_t i = 0; i < inputs_; ++i, from += kBlock) {
    const auto site = static_cast<std::int64_t>(moves_.moved(static_cast<std::size_t>(i), view.shift));
    float* to = x.data + site * x.stride;
    for (std::int64_t r = 0; r < x.stride; ++r) to[r] = view.sign * from[r];
  }
}

KeptSamples::KeptSamples(const FiniteLaw& law, std::int64_t inputs)
    : inputs_(inputs),
      moves_(static_cast<std::size_t>(inputs), static_cast<std::size_t>(inputs)),
      views_(1),
      weights_(law.weight),
      labels_(law.label.begin(), law.label.end()) {
  const std::int64_t blocks = (draws() + kBlock - 1) / kBlock;
  x_.resize(static_cast<std::size_t>(blocks * inputs * kBlock));
  for (std::int64_t p = 0; p < draws(); ++p) {
    float* lane = x_.data() + p / kBlock * inputs * kBlock + p % kBlock;
    for (std::int64_t i = 0; i < inputs; ++i)
      lane[i * kBlock] = law.x[static_cast<std::size_t>(p * inputs + i)];
  }
}

KeptSamples::KeptSamples(const task::Task& task, const KeptOptions& options, math::Workers& workers)
    : inputs_(task.inputs()),
      moves_(static_cast<std::size_t>(inputs_), static_cast<std::size_t>(task.side())) {
  const bool signs = options.use_signs && task.even();
  const std::int64_t affordable = options.most_rows / (options.samples * (signs ? 2 : 1));
  const std::int64_t most =
      task.stationary() ? std::clamp<std::int64_t>(affordable, 1, options.most_shifts) : 1;
  for (const std::size_t shift : moves_.spread(static_cast<std::size_t>(most))) {
    views_.push_back({1, shift});
    if (signs) views_.push_back({-1, shift});
  }
  // Blocks of each class in proportion to its share, at least one.
  const auto wanted = static_cast<double>(options.samples);
  const std::array<double, 2> shares{task.classes().balance, 1 - task.classes().balance};
  std::array<std::int64_t, 2> blocks{};
  for (const std::size_t c : {0U, 1U})
    blocks.at(c) = std::max<std::int64_t>(1, std::llround(std::ceil(wanted * shares.at(c) / kBlock)));
  const std::int64_t all = blocks[0] + blocks[1];
  x_.resize(static_cast<std::size_t>(all * inputs_ * kBlock));
  weights_.resize(static_cast<std::size_t>(all * kBlock), 1.0);
  labels_.resize(views_.size() * weights_.size());

  workers.run(all, [&](std::int64_t block, int) {
    const int which_class = block < blocks[0] ? 0 : 1;
    math::LanesBuffer<float> scratch(inputs_, kBlock), seen(inputs_, kBlock);
    const math::Address first{
        .seed = options.seed,
        .purpose = math::Purpose::expectation,
        .step = static_cast<std::uint64_t>(which_class),
        .row = static_cast<std::uint32_t>((which_class == 0 ? block : block - blocks[0]) * kBlock)};
    task.sample(first, which_class, {x_.data() + block * inputs_ * kBlock, inputs_, kBlock, kBlock},
                scratch.lanes(kBlock));
    const auto labeler = task.labeler();
    for (std::size_t v = 0; v < views_.size(); ++v) {
      const math::Lanes x = seen.lanes(kBlock);
      copy(block * kBlock, views_[v], x);
      labeler->label(
          first, which_class, x,
          std::span(labels_).subspan(v * weights_.size() + static_cast<std::size_t>(block * kBlock),
                                     static_cast<std::size_t>(kBlock)));
    }
  });

  for (const int c : {0, 1}) {
    const std::int64_t first = c == 0 ? 0 : blocks[0];
    const std::int64_t count = blocks.at(static_cast<std::size_t>(c));
    if (options.use_weights && std::isfinite(task.moments(c).excess_kurtosis)) {
      // In parts of about 4096: controls of as many samples, at once in memory, on all threads.
      const std::int64_t parts = std::max<std::int64_t>(1, count * kBlock / 4096);
      workers.run(parts, [&](std::int64_t part, int) {
        const std::int64_t from = part * count / parts;
        weigh(task, c, first + from, (part + 1) * count / parts - from);
      });
    }
    const double of_each = shares.at(static_cast<std::size_t>(c)) /
                           static_cast<double>(count * kBlock * static_cast<std::int64_t>(views_.size()));
    for (std::int64_t m = first * kBlock; m < (first + count) * kBlock; ++m)
      weights_[static_cast<std::size_t>(m)] *= of_each;
  }
}

/// Of a stretch of blocks; mean 1.
void KeptSamples::weigh(const task::Task& task, int which_class, std::int64_t first, std::int64_t count) {
  const std::int64_t stride = math::whole_vectors(inputs_);
  math::Aligned<float> rows(static_cast<std::size_t>(count * kBlock * stride));
  for (std::int64_t b = 0; b < count; ++b)
    math::transpose(math::LanesOf<float>{x_.data() + (first + b) * inputs_ * kBlock, inputs_, kBlock, kBlock},
                    rows.data() + b * kBlock * stride, stride);
  std::ranges::copy(calibrated_weights(rows, stride, task, task.moments(which_class)),
                    weights_.begin() + first * kBlock);
}

}  // namespace sluice::flow
