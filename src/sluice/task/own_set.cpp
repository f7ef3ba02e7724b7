#include "sluice/task/own_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/task/dataset.hpp"

namespace sluice::task {
namespace of_own_set {
namespace {

constexpr std::size_t kMostCounted = 100;   // integers of more different values are rather numbers
constexpr std::size_t kMostClasses = 1000;  // outputs of a network
constexpr std::int64_t kColors = 3;
constexpr std::size_t kShown = 12;  // digits of a mark

constexpr std::array kLayouts{
    spec::Choice{"auto", "[P, n]: a ring; [P, h, w] or [P, 3, h, w]: an image"},
    spec::Choice{"ring", "n sites, the last beside the first"},
    spec::Choice{"torus", "h × h sites, both ways around"},
    spec::Choice{"image", "h × w pixels with borders, of one channel or three"},
    spec::Choice{"plain", "in no particular order: no fields are drawn"},
};
constexpr std::array kTargets{
    spec::Choice{"auto", "integers of 3 to 100 different values are classes, all others numbers"},
    spec::Choice{"number", "numbers, one output"},
    spec::Choice{"class", "classes: 0 and 1 of one output, or one output for each of more than two"},
};

/// Those that are given, or those of a file, of which no others are read.
class Source {
 public:
  Source(GivenSet::Kept given, const DatasetOptions& options)
      : given_(std::move(given)), name_(options.name()) {
    if (!given_) file_.emplace(options.path);
  }

  const file::Array& array(const std::string& name, const std::string& key) const {
    if (const file::Array* found = given_ ? file::find(*given_, name) : file_->find(name)) return *found;
    std::vector<std::string> names = given_ ? std::vector<std::string>() : file_->names();
    if (given_)
      for (const auto& [each, array] : *given_) names.push_back(each);
    throw InputError(fmt::format("{}: task.{} = \"{}\": no such array; expected one of {}", name_, key, name,
                                 fmt::join(names, ", ")));
  }

 private:
  GivenSet::Kept given_;
  std::optional<file::Archive> file_;
  std::string name_;
};

std::vector<float> finite_floats(const file::Array& array, const std::string& name, const std::string& path) {
  std::vector<float> values;
  std::visit([&](const auto& data) { values.assign(data.begin(), data.end()); }, array.data);
  if (!math::all_finite(values)) {
    throw InputError(fmt::format("{}: {}: expected finite numbers, found NaN or infinity", path, name));
  }
  return values;
}

/// How the inputs of a row lie: what the shape of x says, what task.shape adds to it, what task.layout makes of it.
Layout layout_of(const DatasetOptions& options, const file::Shape& found) {
  using Kind = Layout::Kind;
  file::Shape shape = found;
  if (shape.size() > 2) shape.erase(std::remove(shape.begin() + 1, shape.end(), 1), shape.end());
  const bool colors = shape.size() == 4 && shape[1] == kColors;
  if ((shape.size() != 2 && shape.size() != 3 && !colors) || *std::ranges::min_element(shape) < 2)
    throw InputError(fmt::format(
        "{}: {} has shape {}, expected [P, n], [P, h, w] or [P, 3, h, w] with P, n, h and w at least 2",
        options.name(), options.x, file::to_string(found)));
  const auto need = [&](bool holds, std::string_view key, const std::string& value,
                        const std::string& expected) {
    if (!holds)
      throw InputError(fmt::format("{}: task.{} = {}: expected {}, {} has shape {}", options.name(), key,
                                   value, expected, options.x, file::to_string(found)));
  };
  const std::int64_t n = file::element_count(shape) / shape.front();
  file::Shape lie(shape.begin() + 1, shape.end());  // [n], [h, w] or [3, h, w]
  if (const file::Shape& shaped = options.shape; !shaped.empty()) {
    file::Shape wanted = shaped;
    if (wanted.size() == 3 && wanted[0] == 1) wanted.erase(wanted.begin());
    if (shape.size() > 2) need(wanted == lie, "shape", file::to_string(shaped), "none, or that of x");
    need(*std::ranges::min_element(wanted) >= 2 && file::element_count(wanted) == n, "shape",
         file::to_string(shaped),
         wanted.size() == 3 ? fmt::format("3 × h × w = {}, h and w at least 2", n)
                            : fmt::format("h × w = {}, both at least 2", n));
    lie = wanted;
  }
  const bool plane = lie.size() > 1;
  const std::string quoted = fmt::format("\"{}\"", options.layout);
  if (options.layout == "plain") return {Kind::plain, 1, n};
  if (options.layout == "ring") {
    need(!plane, "layout", quoted, "x [P, n] and no task.shape");
    return {Kind::ring, 1, n};
  }
  if (options.layout == "auto" && !plane) return {Kind::ring, 1, n};
  need(plane, "layout", quoted, "x [P, h, w], or task.shape = [h, w]");
  const std::int64_t channels = lie.size() == 3 ? kColors : 1;
  const std::int64_t rows = lie[lie.size() - 2], columns = lie.back();
  if (options.layout != "torus") return {Kind::image, rows, columns, channels};
  need(channels == 1, "layout", quoted, "images of one channel");
  need(rows == columns, "layout", quoted, "as many rows as columns");
  return {Kind::torus, rows, columns};
}

/// Replaces values by the numbers of their classes where labels are classes.
void number_classes(const DatasetOptions& options, bool integers, FiniteSet& set) {
  std::vector<float> values = set.y;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 2)
    throw InputError(fmt::format("{}: {}: expected at least two different labels, found only {}",
                                 options.name(), options.y, values.front()));
  const bool counted = integers && values.size() > 2 && values.size() <= kMostCounted;
  if (options.target == "number" || (options.target == "auto" && !counted)) return;
  if (values.size() > kMostClasses)
    throw InputError(fmt::format(
        "{}: task.target = \"class\": expected at most {} classes, {} has {} different values from {} to {}",
        options.name(), kMostClasses, options.y, values.size(), values.front(), values.back()));
  for (float& y : set.y) y = static_cast<float>(std::ranges::lower_bound(values, y) - values.begin());
  if (values.size() > 2) set.classes = static_cast<std::int64_t>(values.size());
}

}  // namespace
}  // namespace of_own_set

spec::Choices layout_choices() { return of_own_set::kLayouts; }
spec::Choices target_choices() { return of_own_set::kTargets; }

OwnSet load_own_set(const DatasetOptions& options) {
  using namespace of_own_set;
  const std::string mark = options.mark();
  const GivenSet::Kept given = mark.empty() ? nullptr : GivenSet::find(mark);
  if (!mark.empty() && !given)
    throw InputError(
        fmt::format("task.path = \"arrays:{}…\": samples are arrays of the program that began this, and no "
                    "arrays of that SHA-256 are here; saved in an npz file they are a data set for all",
                    mark.substr(0, kShown)));
  const Source source(given, options);
  const file::Array& x = source.array(options.x, "x");
  const file::Array& y = source.array(options.y, "y");
  const Layout layout = layout_of(options, x.shape);
  if (y.shape != file::Shape{x.shape[0]} && y.shape != file::Shape{x.shape[0], 1}) {
    throw InputError(fmt::format("{}: {} has shape {}, expected [{}], one label per row of {}",
                                 options.name(), options.y, file::to_string(y.shape), x.shape[0], options.x));
  }
  OwnSet own{{.inputs = layout.inputs(),
              .x = finite_floats(x, options.x, options.name()),
              .y = finite_floats(y, options.y, options.name())},
             layout};
  number_classes(options, std::holds_alternative<std::vector<std::int64_t>>(y.data), own.rows);
  return own;
}

}  // namespace sluice::task
