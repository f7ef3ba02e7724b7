#include "sluice/task/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sluice/file/checksum.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/system.hpp"
#include "sluice/math/kernels.hpp"
#include "sluice/math/memory.hpp"
#include "sluice/math/permutation.hpp"
#include "sluice/task/empirical_moments.hpp"
#include "sluice/task/own_set.hpp"

namespace sluice::task {

FiniteSet draw_set(const Task& law, std::int64_t samples, std::uint64_t seed, math::Purpose purpose) {
  const std::int64_t n = law.inputs();
  const double bytes = sizeof(float) * static_cast<double>(samples) * static_cast<double>(n);
  if (const double most = math::affordable_bytes(); bytes > most)
    throw InputError(fmt::format("{} samples of {} numbers: {:.3g} GiB, expected at most {:.3g} GiB", samples,
                                 n, bytes / math::kGibibyte, most / math::kGibibyte));
  FiniteSet set{.inputs = n,
                .x = std::vector<float>(static_cast<std::size_t>(samples * n)),
                .y = std::vector<float>(static_cast<std::size_t>(samples)),
                .which_class = std::vector<std::uint8_t>(static_cast<std::size_t>(samples), 1)};
  math::LanesBuffer<float> x(n, math::kBlockSamples);
  math::LanesBuffer<float> scratch(n, math::kBlockSamples);
  const auto labeler = law.labeler();
  const std::int64_t first_class = std::llround(law.classes().balance * static_cast<double>(samples));
  std::fill_n(set.which_class.begin(), first_class, std::uint8_t{0});
  std::int64_t row = 0;
  for (int which_class : {0, 1}) {
    const std::int64_t end = which_class == 0 ? first_class : samples;
    while (row < end) {
      const std::int64_t rows = std::min(math::kBlockSamples, end - row);
      const math::Address first{.seed = seed, .purpose = purpose, .row = static_cast<std::uint32_t>(row)};
      law.sample(first, which_class, x.lanes(rows), scratch.lanes(rows));
      labeler->label(first, which_class, x.lanes(rows),
                     std::span(set.y).subspan(static_cast<std::size_t>(row), static_cast<std::size_t>(rows)));
      math::transpose(x.lanes(rows), set.x.data() + row * n, n);
      row += rows;
    }
  }
  return set;
}

namespace {

/// Rows of `all` in the order of a permutation: places [first, last).
FiniteSet some_rows(const FiniteSet& all, const math::Permutation& order, std::int64_t first,
                    std::int64_t last) {
  FiniteSet some{.inputs = all.inputs, .x = {}, .y = {}, .classes = all.classes};
  for (std::int64_t place = first; place < last; ++place) {
    const auto row = static_cast<std::ptrdiff_t>(order(static_cast<std::uint64_t>(place)));
    const auto begin = all.x.begin() + row * all.inputs;
    some.x.insert(some.x.end(), begin, begin + all.inputs);
    some.y.push_back(all.y[static_cast<std::size_t>(row)]);
  }
  return some;
}

std::int64_t test_rows(const FiniteSet& all, double test) {
  return std::llround(test * static_cast<double>(all.size()));
}

double midpoint(const FiniteSet& set) {
  const auto [low, high] = std::minmax_element(set.y.begin(), set.y.end());
  return (static_cast<double>(*low) + static_cast<double>(*high)) / 2;
}

Classes empirical_classes(const FiniteSet& set) {
  const double middle = midpoint(set);
  std::array<double, 2> sums{};
  std::array<double, 2> counts{};
  for (const float y : set.y) {
    const std::size_t which_class = y > middle ? 0 : 1;
    sums.at(which_class) += y;
    counts.at(which_class) += 1;
  }
  // A set with one label has one class; the other is called the same and never comes.
  for (const std::size_t i : {0U, 1U}) {
    if (counts.at(i) == 0) sums.at(i) = middle;
  }
  return {.labels = {sums[0] / std::max(counts[0], 1.0), sums[1] / std::max(counts[1], 1.0)},
          .balance = counts[0] / (counts[0] + counts[1])};
}

}  // namespace

void DatasetOptions::describe(spec::Keys& keys) {
  keys.text("path", path,
            "npz file, relative to the spec; empty: the set is drawn; arrays:SHA-256: given by the program "
            "around the library");
  if (path.empty()) {
    keys.integer("samples", samples, spec::integers(2, 100'000'000), "P, samples in the set");
    keys.section("from", "what they are drawn from: a task with its own keys",
                 [this](spec::Keys& inner) { from.describe(inner, endless_kinds()); });
  } else {
    keys.text("x", x, "name of the array of inputs, [P, n], [P, h, w] or [P, 3, h, w]");
    keys.text("y", y, "name of the array of labels [P]");
    keys.choice("layout", layout, layout_choices(), "how inputs lie beside each other");
    keys.integer_list("shape", shape, spec::integers(1, 1'000'000),
                      "[h, w] or [3, h, w] where x is flat, [P, h·w]");
    const bool colors = shape.size() == 3 && (shape[0] == 1 || shape[0] == 3);
    keys.require(shape.empty() || shape.size() == 2 || colors, "shape", "[h, w] or [3, h, w]");
    keys.choice("target", target, target_choices(), "what labels are");
    keys.number("test", test,
                {.low = 0, .high = std::nextafter(1.0, 0.0), .expected = "a number from 0 to below 1"},
                "share of the rows kept apart for evaluation");
    keys.text("checksum", checksum, "CRC-32 of what is there; empty: any");
  }
  keys.integer("seed", seed, spec::integers(0, std::numeric_limits<std::int64_t>::max()),
               "fixes the draw (or which rows are kept apart), whatever the run's seed");
}

void DatasetOptions::resolve(const std::filesystem::path& folder) {
  if (path.empty()) {
    from.resolve(folder);
    return;
  }
  if (!mark().empty()) return;
  path = file::normal_path(std::filesystem::absolute(folder / path)).string();
  checksum = file::checked_checksum(path, checksum, "task.checksum");
}

std::string DatasetOptions::mark() const {
  constexpr std::string_view kGiven = "arrays:";
  const std::string mark = path.starts_with(kGiven) ? path.substr(kGiven.size()) : "";
  return spec::is_mark(mark) ? mark : "";
}

std::unique_ptr<Task> DatasetOptions::make() const {
  const auto seed_word = static_cast<std::uint64_t>(seed);
  if (path.empty()) return std::make_unique<DrawnSet>(from.make(), samples, seed_word);
  OwnSet own = load_own_set(*this);
  const std::int64_t kept = test_rows(own.rows, test);
  if (kept >= own.rows.size() || (test > 0 && kept == 0)) {
    throw InputError(fmt::format("{}: task.test = {}: expected a share that leaves rows on both sides of {}",
                                 name(), test, own.rows.size()));
  }
  return std::make_unique<LoadedSet>(std::move(own.rows), own.layout, test, seed_word);
}

DrawnSet::DrawnSet(std::unique_ptr<Task> law, std::int64_t samples, std::uint64_t seed)
    : SameInputs(law->classes(), std::move(law)),
      set_(draw_set(this->law(), samples, seed, math::Purpose::dataset)) {}

namespace {

/// A share of the rows kept apart, and the others.
std::array<FiniteSet, 2> split(FiniteSet all, double test, std::uint64_t seed) {
  const std::int64_t kept = test_rows(all, test);
  if (kept == 0) return {std::move(all), FiniteSet{}};
  const math::Permutation order(static_cast<std::uint64_t>(all.size()), seed, 0);
  return {some_rows(all, order, kept, all.size()), some_rows(all, order, 0, kept)};
}

}  // namespace

LoadedSet::LoadedSet(FiniteSet all, const Layout& layout, double test, std::uint64_t seed)
    : Task(empirical_classes(all)), layout_(layout) {
  std::array<FiniteSet, 2> parts = split(std::move(all), test, seed);
  training_ = std::move(parts[0]);
  test_ = std::move(parts[1]);
  sort_by_class();
  if (rows_[0].empty() || rows_[1].empty()) {
    throw InputError("task.test: expected a share that leaves both classes among the training rows");
  }
}

LoadedSet::LoadedSet(FiniteSet training, FiniteSet test, const Layout& layout)
    : Task(empirical_classes(training)),
      training_(std::move(training)),
      test_(std::move(test)),
      layout_(layout) {
  sort_by_class();
}

void LoadedSet::sort_by_class() {
  const double middle = (classes().labels[0] + classes().labels[1]) / 2;
  for (std::int64_t row = 0; row < training_.size(); ++row) {
    const std::uint8_t which_class = training_.y[static_cast<std::size_t>(row)] > middle ? 0 : 1;
    rows_.at(which_class).push_back(row);
    training_.which_class.push_back(which_class);
  }
}

std::vector<std::string> LoadedSet::remarks() const {
  constexpr float kLarge = 16;
  const auto [low, high] = std::minmax_element(training_.x.begin(), training_.x.end());
  if (std::max(-*low, *high) < kLarge) return {};
  return {fmt::format(
      "inputs reach from {} to {} and are taken as they are: rates that suit inputs near 1 may diverge", *low,
      *high)};
}

Moments LoadedSet::moments(int which_class) const {
  return empirical_moments(layout_, training_.x, rows_.at(static_cast<std::size_t>(which_class)));
}

void LoadedSet::sample(const math::Address& first, int which_class, const math::Lanes& x,
                       const math::Lanes&) const {
  const std::vector<std::int64_t>& rows = rows_.at(static_cast<std::size_t>(which_class));
  for (std::int64_t r = 0; r < x.samples; ++r) {
    math::RowNumbers numbers(first, static_cast<std::uint32_t>(r));
    const std::int64_t row =
        rows[static_cast<std::size_t>(numbers.below(static_cast<std::int64_t>(rows.size())))];
    for (std::int64_t i = 0; i < x.sites; ++i)
      x.at(i, r) = training_.x[static_cast<std::size_t>(row * x.sites + i)];
  }
}

}  // namespace sluice::task
