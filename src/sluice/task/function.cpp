#include "sluice/task/function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <numeric>

#include "sluice/file/errors.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/task/empirical_moments.hpp"

namespace sluice::task {
namespace of_function {
namespace {

constexpr std::array kLayouts{
    spec::Choice{"ring", "n sites, the last beside the first"},
    spec::Choice{"torus", "h × h sites, both ways around"},
    spec::Choice{"image", "h × w pixels with borders"},
    spec::Choice{"plain", "in no particular order: no fields are drawn"},
};

/// What a function made at one address.
struct Rows {
  math::Address first;
  int which_class;
  std::vector<float> x;  ///< [kBlockSamples, n]
  std::vector<float> y;  ///< [kBlockSamples]

  bool is_of(const math::Address& address, int of_class) const {
    return first.seed == address.seed && first.purpose == address.purpose && first.step == address.step &&
           first.row == address.row && which_class == of_class;
  }
};
using KeptRows = std::shared_ptr<const Rows>;

/// Blocks of a batch need not begin where those of a function do, and labels are asked for after inputs: what was made last is kept,
/// so that the function is not called twice for it.
class Maker {
 public:
  Maker(GivenSamples::Kept function, const Classes& classes, std::int64_t inputs)
      : function_(std::move(function)), labels_(classes.labels), inputs_(inputs) {}

  std::int64_t inputs() const { return inputs_; }

  /// Those that hold the row of this address.
  KeptRows rows_around(math::Address address, int which_class) const {
    address.row -= address.row % kRows;
    if (KeptRows known = recent(address, which_class)) return known;
    KeptRows made = make(address, which_class);
    const std::lock_guard guard(mutex_);
    recent_.push_front(made);
    if (recent_.size() > kMostRecent) recent_.pop_back();
    return made;
  }

 private:
  static constexpr auto kRows = static_cast<std::uint32_t>(math::kBlockSamples);
  static constexpr std::size_t kMostRecent = 64;  // two for each of many threads

  KeptRows recent(const math::Address& address, int which_class) const {
    const std::lock_guard guard(mutex_);
    const auto found = std::ranges::find_if(
        recent_, [&](const KeptRows& rows) { return rows->is_of(address, which_class); });
    return found == recent_.end() ? nullptr : *found;
  }

  KeptRows make(const math::Address& address, int which_class) const {
    auto rows = std::make_shared<Rows>(Rows{
        address, which_class, std::vector<float>(kRows * static_cast<std::size_t>(inputs_)),
        std::vector<float>(kRows, static_cast<float>(labels_.at(static_cast<std::size_t>(which_class))))});
    (*function_)(address, which_class, rows->x, rows->y);
    for (const auto& [name, values] : {std::pair{"x", &rows->x}, std::pair{"y", &rows->y}}) {
      if (math::all_finite(*values)) continue;
      throw InputError(
          fmt::format("task.source: the function of the task left numbers in {} that are not finite, of "
                      "class {} at step {}",
                      name, which_class, address.step));
    }
    return rows;
  }

  GivenSamples::Kept function_;
  std::array<double, 2> labels_;
  std::int64_t inputs_;
  mutable std::mutex mutex_;
  mutable std::deque<KeptRows> recent_;
};

/// The rows of a block, from as many calls of the function as it takes: use(r, rows, at) for each.
template <class Use>
void for_rows(const Maker& maker, const math::Address& first, int which_class, std::int64_t count,
              const Use& use) {
  KeptRows rows;
  for (std::int64_t r = 0; r < count; ++r) {
    math::Address address = first;
    address.row += static_cast<std::uint32_t>(r);
    const auto at = static_cast<std::size_t>(address.row % static_cast<std::uint32_t>(math::kBlockSamples));
    if (!rows || at == 0) rows = maker.rows_around(address, which_class);
    use(r, *rows, at);
  }
}

class FunctionLabeler final : public Labeler {
 public:
  explicit FunctionLabeler(std::shared_ptr<const Maker> maker) : maker_(std::move(maker)) {}
  void label(const math::Address& first, int which_class, const math::Lanes& x,
             std::span<float> labels) override {
    for_rows(*maker_, first, which_class, x.samples, [&](std::int64_t r, const Rows& rows, std::size_t at) {
      labels[static_cast<std::size_t>(r)] = rows.y[at];
    });
  }

 private:
  std::shared_ptr<const Maker> maker_;
};

class Function final : public Task {
 public:
  Function(const FunctionOptions& options, const Layout& layout, GivenSamples::Kept function)
      : Task(options.classes),
        layout_(layout),
        maker_(std::make_shared<const Maker>(std::move(function), options.classes, options.n)) {}

  std::int64_t inputs() const override { return maker_->inputs(); }
  std::int64_t dimensions() const override { return layout_.kind == Layout::Kind::torus ? 2 : 1; }
  Layout layout() const override { return layout_; }
  bool even() const override { return false; }
  bool stationary() const override { return false; }

  Moments moments(int which_class) const override {
    Measured& measured = measured_.at(static_cast<std::size_t>(which_class));
    std::call_once(measured.once, [&] { measured.moments = measure(which_class); });
    return measured.moments;
  }

  void sample(const math::Address& first, int which_class, const math::Lanes& x,
              const math::Lanes&) const override {
    std::ranges::fill(x.all(), 0.0F);  // lanes without a sample are computed along
    for_rows(*maker_, first, which_class, x.samples, [&](std::int64_t r, const Rows& rows, std::size_t at) {
      const float* row = rows.x.data() + at * static_cast<std::size_t>(x.sites);
      for (std::int64_t i = 0; i < x.sites; ++i) x.at(i, r) = row[i];
    });
  }

  std::unique_ptr<Labeler> labeler() const override { return std::make_unique<FunctionLabeler>(maker_); }

  std::vector<std::string> remarks() const override {
    return {fmt::format(
        "samples are made by a function that the spec knows by the hash of its source alone: only a program "
        "that has it can run this again. Moments are measured, on {} samples of each class",
        moment_samples(inputs()))};
  }

 private:
  struct Measured {
    std::once_flag once;
    Moments moments;
  };

  Moments measure(int which_class) const {
    const std::int64_t samples = moment_samples(inputs());
    std::vector<float> x;
    x.reserve(static_cast<std::size_t>(samples * inputs()));
    for (std::int64_t row = 0; row < samples; row += math::kBlockSamples) {
      const KeptRows rows = maker_->rows_around(
          {.purpose = math::Purpose::moments, .row = static_cast<std::uint32_t>(row)}, which_class);
      x.insert(x.end(), rows->x.begin(), rows->x.end());
    }
    std::vector<std::int64_t> all(static_cast<std::size_t>(samples));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return empirical_moments(layout_, x, all);
  }

  Layout layout_;
  std::shared_ptr<const Maker> maker_;
  mutable std::array<Measured, 2> measured_;
};

}  // namespace
}  // namespace of_function

std::int64_t moment_samples(std::int64_t inputs) {
  constexpr std::int64_t kMostBlocks = 256, kFewestBlocks = 8, kAffordable = std::int64_t{1} << 31;
  const std::int64_t affordable = kAffordable / (math::kBlockSamples * inputs * inputs);
  return std::clamp(affordable, kFewestBlocks, kMostBlocks) * math::kBlockSamples;
}

void FunctionOptions::describe(spec::Keys& keys) {
  keys.integer("n", n, spec::integers(1, 1'000'000), "inputs");
  keys.choice("sites", sites, of_function::kLayouts, "how inputs lie beside each other");
  if (sites == "torus" || sites == "image")
    keys.integer("rows", rows, spec::integers(1, 1'000'000), "of inputs, n/rows in each");
  describe_classes(keys);
  keys.text("source", source, "SHA-256 of the function's source: who does not have it cannot run this spec");
}

std::unique_ptr<Task> FunctionOptions::make() const {
  using Kind = Layout::Kind;
  GivenSamples::Kept function = GivenSamples::find(source);
  if (!function)
    throw InputError(spec::lack_of_function("task.source", source, "samples of this task are made"));
  const auto kind = sites == "torus"   ? Kind::torus
                    : sites == "image" ? Kind::image
                    : sites == "plain" ? Kind::plain
                                       : Kind::ring;
  const Layout layout{kind, rows, n / rows};
  const auto need = [&](bool holds, const std::string& expected) {
    if (!holds) throw InputError(fmt::format("task.rows = {}: expected {}", rows, expected));
  };
  if (layout.drawn_as_image())
    need(rows > 1 && n % rows == 0 && n / rows > 1,
         fmt::format("at least 2 that divide task.n = {} into at least 2", n));
  need(kind != Kind::torus || rows * rows == n, "as many rows as columns for a torus");
  return std::make_unique<of_function::Function>(*this, layout, std::move(function));
}

}  // namespace sluice::task
