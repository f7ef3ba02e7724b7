#include "sluice/lab/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sluice/figure/recipes.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/file/place.hpp"
#include "sluice/math/finite.hpp"
#include "sluice/math/statistics.hpp"
#include "sluice/spec/write.hpp"
#include "sluice/task/dataset.hpp"

namespace sluice::lab {
namespace {

constexpr std::int64_t kDefaultCount = 1000;

/// The task's keys as a spec would have them, those of the tasks and networks it is made of in braces. Left out is what the
/// picture says elsewhere (labels), what does not change the law (seeds), and most of a teacher.
std::string parameters_of(task::Section& section) {
  std::string text;
  std::string within;  // the section of the key before: "inputs."
  for (const spec::KeyInfo& key : spec::list_keys([&](spec::Keys& keys) { section.describe(keys); })) {
    const std::string name = key.path.substr(key.path.rfind('.') + 1);
    const std::string prefix = key.path.substr(0, key.path.size() - name.size());
    const bool told_elsewhere = key.path == "kind" || name == "labels" || name == "seed" ||
                                name == "checksum" || (name == "balance" && key.value == "0.5");
    const bool detail =
        prefix.find("network.") != std::string::npos && name != "hidden" && name != "activation";
    const bool unsaid = key.value == "\"\"" || key.value == "[]" || key.value == "\"auto\"";
    if (told_elsewhere || detail || unsaid) continue;
    if (prefix != within && !within.empty()) text += " }";
    if (!text.empty()) text += ", ";
    if (prefix != within && !prefix.empty()) text += prefix.substr(0, prefix.size() - 1) + " = { ";
    text += fmt::format("{} = {}", name, key.value);
    within = prefix;
  }
  return within.empty() ? text : text + " }";
}

std::string label_text(double value) {
  return (value < 0 ? "−" : "") + fmt::format("{:.3g}", std::abs(value));
}

/// "first class, y = 1"; where a teacher gives the labels, their mean and standard deviation.
std::string class_name(int which_class, const std::vector<double>& labels) {
  const std::string name = which_class == 0 ? "first class" : "second class";
  if (std::ranges::all_of(labels, [&](double y) { return y == labels.front(); }))
    return fmt::format("{}, y = {}", name, label_text(labels.front()));
  const math::Statistics statistics(labels);
  return fmt::format("{}, y = {} ± {:.2g}", name, label_text(statistics.mean()), statistics.deviation());
}

figure::Figure picture(task::Section& section, const task::Task& task, const task::FiniteSet& set) {
  std::array<std::vector<float>, 2> x;
  std::array<std::vector<double>, 2> y;
  for (std::size_t row = 0; row < set.y.size(); ++row) {
    const auto begin = set.x.begin() + static_cast<std::ptrdiff_t>(row) * set.inputs;
    x.at(set.which_class[row]).insert(x.at(set.which_class[row]).end(), begin, begin + set.inputs);
    y.at(set.which_class[row]).push_back(set.y[row]);
  }
  const std::array moments{task.moments(0), task.moments(1)};
  figure::SamplesView view{
      .kind = section.kind(), .parameters = parameters_of(section), .sites = set.inputs, .classes = {}};
  if (const task::Layout layout = task.layout(); layout.drawn_as_image()) {
    view.columns = layout.columns;
    view.channels = layout.channels;
    view.closed = layout.kind == task::Layout::Kind::torus;
  }
  for (int c : {0, 1}) {
    const auto i = static_cast<std::size_t>(c);
    view.classes.at(i) = {.name = class_name(c, y.at(i)),
                          .x = x.at(i),
                          .covariance = moments.at(i).covariance,
                          .mean = moments.at(i).mean,
                          .excess_kurtosis = moments.at(i).excess_kurtosis};
  }
  return figure::samples(view);
}

/// A file of them is a task again (task/dataset.hpp), and that has finite numbers.
void require_finite(std::span<const float> values, const std::string& what) {
  if (!math::all_finite(values))
    throw InputError(fmt::format("task: its {} leave the range of float32: expected finite numbers", what));
}

}  // namespace

task::FiniteSet draw_samples(const task::Task& task, std::uint64_t seed, std::optional<std::int64_t> count) {
  if (const task::FiniteSet* set = task.training_set()) {
    if (count) {
      throw InputError(fmt::format("count = {}: expected none, a dataset has its own number of samples ({})",
                                   *count, set->size()));
    }
    return *set;
  }
  const std::int64_t rows = count.value_or(kDefaultCount);
  const auto share = std::llround(task.classes().balance * static_cast<double>(rows));
  if (share < 1 || share >= rows) {
    throw InputError(fmt::format("count = {}: expected enough samples for both classes at task.balance = {}",
                                 rows, task.classes().balance));
  }
  task::FiniteSet drawn = task::draw_set(task, rows, seed, math::Purpose::training);
  require_finite(drawn.x, "inputs");
  require_finite(drawn.y, "labels");
  return drawn;
}

std::unique_ptr<probe::Samples> probe_samples(const task::Task& task, std::int64_t samples,
                                              std::uint64_t seed) {
  const auto measured_on = [](const task::FiniteSet& set) {
    return std::make_unique<probe::Samples>(set.x, set.inputs, set.which_class);
  };
  if (const task::FiniteSet* set = task.training_set()) return measured_on(*set);
  return measured_on(
      task::draw_set(task, std::min(samples, kMostProbeSamples), seed, math::Purpose::training));
}

file::NamedArrays arrays_of(const task::FiniteSet& set) {
  return {
      {"x", {{set.size(), set.inputs}, set.x}},
      {"y", {{set.size()}, set.y}},
      {"class", {{set.size()}, std::vector<std::int64_t>(set.which_class.begin(), set.which_class.end())}}};
}

Sampled sample(Experiment& experiment, const SampleOptions& options) {
  file::require_place(options.out, {".npz", ".svg", ".pdf", ".png"}, options.overwrite);
  const std::optional<figure::Format> format = figure::format_of(options.out.extension().string());
  const spec::Choices drawn_kinds = task::kinds_to_draw();
  if (format && std::ranges::none_of(drawn_kinds, [&](const spec::Choice& kind) {
        return kind.name == experiment.task.kind();
      }))
    throw InputError(
        fmt::format("{}: expected .npz: inputs of task.kind = \"{}\" are neither sites nor images to draw",
                    options.out.string(), experiment.task.kind()));
  const std::unique_ptr<task::Task> task = experiment.task.make();
  for (const std::string& remark : task->remarks()) options.remark(remark);
  // A finite set may be most of the memory there is: it is not copied.
  const task::FiniteSet* whole = options.count ? nullptr : task->training_set();
  const task::FiniteSet drawn =
      whole != nullptr ? task::FiniteSet{}
                       : draw_samples(*task, static_cast<std::uint64_t>(experiment.seed), options.count);
  const task::FiniteSet& set = whole != nullptr ? *whole : drawn;
  const std::int64_t second =
      std::accumulate(set.which_class.begin(), set.which_class.end(), std::int64_t{0});
  Sampled sampled{.samples = {set.size() - second, second}, .inputs = set.inputs, .caption = ""};
  if (format) {
    const figure::Figure figure = picture(experiment.task, *task, set);
    sampled.caption = figure.caption;
    file::write_atomically(options.out, figure::render(figure, *format, options.dpi, options.style),
                           file::if_taken(options.overwrite));
  } else {
    file::write_npz(options.out, arrays_of(set), file::Packing::compressed,
                    file::if_taken(options.overwrite));
  }
  return sampled;
}

}  // namespace sluice::lab
