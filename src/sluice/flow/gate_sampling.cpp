#include "sluice/flow/gate_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "sluice/math/kernels.hpp"

namespace sluice::flow {
namespace {

constexpr std::int64_t kReplicates = 16;
constexpr std::int64_t kBlock = math::kBlockSamples;

/// sum ← sum + value; what the sum of squared deviations from the mean grows by (Welford).
double add_replicate(double& sum, double value, std::int64_t before) {
  const auto count = static_cast<double>(before);
  const double off = before == 0 ? 0 : value - sum / count;
  sum += value;
  return off * off * count / (count + 1);
}
double standard_error(double squares) {
  return std::sqrt(squares / static_cast<double>(kReplicates * (kReplicates - 1)));
}

/// One thread's work: blocks of gated inputs, and the products of one strip of units with all units behind it.
class Strip {
 public:
  Strip(const GateSet& set, std::span<const std::int64_t> units, bool signs, const task::Task& task,
        std::uint64_t seed)
      : set_(set),
        units_(units),
        signs_(signs),
        task_(task),
        seed_(seed),
        n_(task.inputs()),
        row_(math::whole_vectors(static_cast<std::int64_t>(units.size()) * n_)),
        x_(n_, kBlock),
        scratch_(n_, kBlock),
        open_(static_cast<std::size_t>(set.gates.units() * kBlock)),
        gated_(static_cast<std::size_t>(static_cast<std::int64_t>(units.size()) * n_ * kBlock)),
        turned_(static_cast<std::size_t>(kBlock * row_)),
        labels_(kBlock),
        labeler_(task.labeler()) {}

  std::int64_t row() const { return row_; }

  /// Adds Σ_samples of units [first, last) × all to products [.., row], and of the labels to `ahead` where it is not null.
  void add(int which_class, std::int64_t block, std::int64_t first, std::int64_t last, float* products,
           double* ahead) {
    const math::Lanes x = x_.lanes(kBlock);
    const math::Address address{.seed = seed_,
                                .purpose = math::Purpose::expectation,
                                .step = static_cast<std::uint64_t>(2 + which_class),
                                .row = static_cast<std::uint32_t>(block * kBlock)};
    task_.sample(address, which_class, x, scratch_.lanes(kBlock));
    set_.gates.look(set_.vectors, x, open_.data());
    for (std::size_t u = 0; u < units_.size(); ++u) {
      const float* open = open_.data() + units_[u] * kBlock;
      for (std::int64_t i = 0; i < n_; ++i) {
        float* to = gated_.data() + (static_cast<std::int64_t>(u) * n_ + i) * kBlock;
        const float* from = x.data + i * x.stride;
        for (std::int64_t r = 0; r < kBlock; ++r) to[r] = (signs_ ? 2 * open[r] - 1 : open[r]) * from[r];
      }
    }
    const auto rows = static_cast<std::int64_t>(units_.size()) * n_;
    math::transpose(math::Lanes{gated_.data(), rows, kBlock, kBlock}, turned_.data(), row_);
    const std::int64_t from =
        first * n_ / math::kWidestVector * math::kWidestVector;  // columns left of the strip are known
    math::multiply(math::Product<float>{.m = (last - first) * n_,
                                        .n = row_ - from,
                                        .k = kBlock,
                                        .a = gated_.data() + first * n_ * kBlock,
                                        .a_stride = kBlock,
                                        .b = turned_.data() + from,
                                        .b_stride = row_,
                                        .c = products + from,
                                        .c_stride = row_,
                                        .add = true});
    if (ahead == nullptr) return;
    labeler_->label(address, which_class, x, labels_);
    for (std::int64_t j = 0; j < rows; ++j) {
      double sum = 0;
      for (std::int64_t r = 0; r < kBlock; ++r)
        sum += static_cast<double>(labels_[static_cast<std::size_t>(r)]) *
               gated_[static_cast<std::size_t>(j * kBlock + r)];
      ahead[j] += sum;
    }
    double square = 0;
    for (const float y : labels_) square += static_cast<double>(y) * y;
    ahead[rows] += square;
  }

 private:
  const GateSet& set_;
  std::span<const std::int64_t> units_;
  bool signs_;
  const task::Task& task_;
  std::uint64_t seed_;
  std::int64_t n_, row_;
  math::LanesBuffer<float> x_, scratch_;
  math::Aligned<float> open_, gated_, turned_;
  std::vector<float> labels_;
  std::unique_ptr<task::Labeler> labeler_;
};

}  // namespace

std::vector<double> GateSet::vector(std::int64_t k) const {
  const auto n = static_cast<std::size_t>(gates.inputs());
  const auto v = vectors.subspan(static_cast<std::size_t>(k) * n, n);
  return {v.begin(), v.end()};
}

GateMoments sampled_products(const GateSet& set, bool signs, const task::Task& task,
                             const MomentOptions& options, math::Workers& workers) {
  std::vector<std::int64_t> units = set.halves;
  if (!signs) {
    units.clear();
    for (std::int64_t k = 0; k < set.gates.units(); ++k) units.push_back(k);
  }
  const auto count = static_cast<std::int64_t>(units.size());
  const std::int64_t n = task.inputs(), size = count * n;
  const std::int64_t blocks = std::max<std::int64_t>(
      1, (options.samples + 2 * kReplicates * kBlock - 1) / (2 * kReplicates * kBlock));
  GateMoments sums{.units = count,
                   .inputs = n,
                   .b = std::vector<double>(static_cast<std::size_t>(size)),
                   .a = std::vector<double>(static_cast<std::size_t>(size * size)),
                   .method = "sampled",
                   .samples = 2 * kReplicates * blocks * kBlock,
                   .b_error = std::vector<double>(static_cast<std::size_t>(size)),
                   .a_error = std::vector<float>(static_cast<std::size_t>(size * size))};
  // Strips of about equal work: unit k has count − k blocks.
  const std::int64_t strips = std::min<std::int64_t>(count, 16);
  std::vector<std::int64_t> ends{0};
  for (std::int64_t s = 1; s <= strips; ++s)
    ends.push_back(count - static_cast<std::int64_t>(std::floor(
                               static_cast<double>(count) *
                               std::sqrt(1 - static_cast<double>(s) / static_cast<double>(strips)))));
  std::vector<std::unique_ptr<Strip>> hands(static_cast<std::size_t>(workers.threads()));
  const std::array<double, 2> shares{task.classes().balance, 1 - task.classes().balance};
  std::vector<double> ahead, of_class;
  for (std::int64_t replicate = 0; replicate < kReplicates; ++replicate) {
    ahead.assign(static_cast<std::size_t>(size + 1), 0.0);
    workers.run(strips, [&](std::int64_t s, int thread) {
      auto& hand = hands[static_cast<std::size_t>(thread)];
      if (!hand) hand = std::make_unique<Strip>(set, units, signs, task, options.seed);
      const std::int64_t first = ends[static_cast<std::size_t>(s)],
                         last = ends[static_cast<std::size_t>(s + 1)];
      if (first == last) return;
      const auto cells = static_cast<std::size_t>((last - first) * n * hand->row());
      std::vector<double> means(cells);
      for (int which_class = 0; which_class < 2; ++which_class) {
        // Unscaled in float: sums of signs are whole numbers, and exact.
        math::Aligned<float> products(cells);
        if (s == 0) of_class.assign(ahead.size(), 0.0);
        for (std::int64_t block = 0; block < blocks; ++block)
          hand->add(which_class, replicate * blocks + block, first, last, products.data(),
                    s == 0 ? of_class.data() : nullptr);
        const double weight =
            shares[static_cast<std::size_t>(which_class)] / static_cast<double>(blocks * kBlock);
        for (std::size_t cell = 0; cell < cells; ++cell)
          means[cell] += weight * static_cast<double>(products[cell]);
        if (s == 0)
          for (std::size_t at = 0; at < ahead.size(); ++at) ahead[at] += weight * of_class[at];
      }
      for (std::int64_t i = first * n; i < last * n; ++i) {
        const double* from = means.data() + (i - first * n) * hand->row();
        for (std::int64_t at = i / n * n; at < size; ++at) {
          const auto cell = static_cast<std::size_t>(i * size + at);
          sums.a_error[cell] += static_cast<float>(add_replicate(sums.a[cell], from[at], replicate));
        }
      }
    });
    for (std::size_t at = 0; at < sums.b.size(); ++at)
      sums.b_error[at] += add_replicate(sums.b[at], ahead[at], replicate);
    sums.label_square += ahead.back();
  }
  for (std::size_t at = 0; at < sums.b.size(); ++at) {
    sums.b[at] /= kReplicates;
    sums.b_error[at] = standard_error(sums.b_error[at]);
  }
  for (std::size_t at = 0; at < sums.a.size(); ++at) {
    sums.a[at] /= kReplicates;
    sums.a_error[at] = static_cast<float>(standard_error(static_cast<double>(sums.a_error[at])));
  }
  sums.label_square /= kReplicates;
  return sums;
}

}  // namespace sluice::flow
