#include "sluice/probe/watcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/math/assert.hpp"
#include "sluice/math/memory.hpp"

namespace sluice::probe {
namespace {

/// The shape of all times.
file::Shape over_times(std::int64_t times, const file::Shape& one) {
  file::Shape shape{times};
  shape.insert(shape.end(), one.begin(), one.end());
  return shape;
}

[[maybe_unused]] bool fits(const file::Array::Data& data, const file::Shape& shape) {
  const auto count = static_cast<std::size_t>(file::element_count(shape));
  return std::visit([&](const auto& values) { return values.size() == count; }, data);
}

void append_time(file::Array::Data& data, const file::Array::Data& more) {
  std::visit(
      [&](auto& values) {
        const auto& others = std::get<std::remove_cvref_t<decltype(values)>>(more);
        values.insert(values.end(), others.begin(), others.end());
      },
      data);
}

}  // namespace

std::vector<const Probe*> watching(std::span<const std::string> asked, const Subject& subject) {
  const auto is_asked = [&](std::string_view name) { return std::ranges::find(asked, name) != asked.end(); };
  std::vector<const Probe*> chosen;
  for (const Probe& probe : probes()) {
    const bool wanted = is_asked(probe.choice.name) || (!probe.with.empty() && is_asked(probe.with));
    if (!wanted && probe.when != When::always) continue;
    const std::string why = lack(probe, subject);
    if (why.empty()) {
      chosen.push_back(&probe);
    } else if (wanted) {
      throw InputError(fmt::format("probe.watch: {} {}", probe.choice.name, why));
    }
  }
  return chosen;
}

Watcher::Watcher(const std::vector<const Probe*>& probes, const Extents& extents,
                 const std::vector<GivenProbe>& given, const std::vector<std::string>& of_the_end)
    : extents_(extents), instruments_(std::make_unique<Instruments>(extents.sites, extents.layout)) {
  for (const Probe* probe : probes) series_.push_back(series_of(*probe));
  for (const GivenProbe& probe : given) series_.push_back(series_of(probe));
  for (Series& each : series_) each.of_the_end = std::ranges::find(of_the_end, each.name) != of_the_end.end();
}

Watcher::Series Watcher::series_of(const Probe& probe) const {
  const file::Shape none = probe.axes.shape(0, extents_);
  return {.name = std::string(probe.choice.name),
          .needs = probe.needs,
          .look = [measure = probe.measure](Survey& survey, Series& own) { measure(survey, own.all.data); },
          .axes = [axes = probe.axes](std::size_t) { return axes.names(); },
          .shape = file::Shape(none.begin() + 1, none.end()),
          .all = {none, probe.empty()}};
}

Watcher::Series Watcher::series_of(const GivenProbe& probe) const {
  const auto look = [probe, extents = extents_](Survey& survey, Series& own) {
    file::Array seen = probe.measure(survey.now(), extents);
    if (!own.shape) {
      own.shape = seen.shape;
      own.all.data = std::move(seen.data);
      return;
    }
    if (seen.shape != *own.shape || seen.data.index() != own.all.data.index())
      throw InputError(
          fmt::format("{}: expected shape {} and numbers of the type of its first time, found shape {}{}",
                      own.name, file::to_string(*own.shape), file::to_string(seen.shape),
                      seen.shape == *own.shape ? " of another type" : ""));
    append_time(own.all.data, seen.data);
  };
  return {.name = probe.name(),
          .needs = kRun,
          .look = look,
          .axes = [probe](std::size_t dimensions) { return probe.axes(dimensions); },
          .shape = std::nullopt,
          .all = {}};
}

void Watcher::watch(Snapshot now) {
  std::vector<float> previous, previous_bias;  // copies: the arrays they stand in are about to grow
  now.first_train_loss = now.train_loss;
  if (times_ > 0) {
    if (const auto* weights = find_data("weights")) {
      const auto& fields = std::get<std::vector<float>>(*weights);
      previous.assign(fields.end() - extents_.units * extents_.sites, fields.end());
      now.previous = previous;
      if (const auto* bias = find_data("bias")) {
        const auto& all = std::get<std::vector<float>>(*bias);
        previous_bias.assign(all.end() - extents_.units, all.end());
        now.previous_bias = previous_bias;
      }
      now.previous_step = std::get<std::vector<std::int64_t>>(*find_data("step")).back();
    }
    if (const auto* loss = find_data("train_loss"))
      now.first_train_loss = std::get<std::vector<double>>(*loss).front();
  }
  Survey survey(now, *instruments_);
  std::vector<Before> before;
  try {
    for (Series& each : series_) {
      before.push_back(make_room(each));
      each.look(survey, each);
      SLUICE_ASSERT(fits(each.all.data, over_times(each.kept(times_ + 1), *each.shape)));
    }
  } catch (...) {
    for (std::size_t i = 0; i < before.size(); ++i) take_back(series_[i], std::move(before[i]));
    throw;
  }
  ++times_;
  for (Series& each : series_) each.all.shape = over_times(each.kept(times_), *each.shape);
}

/// Room for all times at once: an array that grew by doubling would need three times its size on its way. For more than anybody would be given there is none before it is
/// needed.
Watcher::Before Watcher::make_room(Series& series) const {
  static const double most = math::affordable_bytes();
  Before before{.shape = series.shape};
  std::visit(
      [&](auto& values) {
        before.count = values.size();
        if (series.of_the_end)
          before.data = std::exchange(values, {});
        else if (const double all = series.shape ? static_cast<double>(expected_) *
                                                       static_cast<double>(file::element_count(*series.shape))
                                                 : 0;
                 all * sizeof(values[0]) <= most)
          values.reserve(static_cast<std::size_t>(all));
      },
      series.all.data);
  return before;
}

void Watcher::take_back(Series& series, Before before) {
  series.shape = std::move(before.shape);
  if (series.of_the_end)
    series.all.data = std::move(before.data);
  else
    std::visit([&](auto& values) { values.resize(before.count); }, series.all.data);
}

bool Watcher::needs(unsigned what) const {
  return std::ranges::any_of(series_, [&](const Series& each) { return (each.needs & what) != 0; });
}

const file::Array::Data* Watcher::find_data(std::string_view name) const {
  const auto found = std::ranges::find(series_, name, &Series::name);
  return found == series_.end() ? nullptr : &found->all.data;
}

file::NamedViews Watcher::views() const {
  file::NamedViews views;
  for (const Series& each : series_)
    if (each.shape) views.emplace_back(each.name, &each.all);
  return views;
}

file::NamedArrays Watcher::arrays() const {
  file::NamedArrays arrays;
  for (const auto& [name, array] : views()) arrays.emplace_back(name, *array);
  return arrays;
}

std::map<std::string, std::vector<std::string>> Watcher::axes() const {
  std::map<std::string, std::vector<std::string>> axes;
  for (const Series& each : series_) {
    if (!each.shape) continue;
    axes[each.name] = each.axes(each.shape->size());
    if (each.of_the_end) axes[each.name].front() = "end";
  }
  return axes;
}

bool Watcher::restore(const file::NamedArrays& arrays) {
  const file::Array* steps = file::find(arrays, "step");
  if (steps == nullptr || steps->shape.size() != 1 || steps->shape[0] < 1) return false;
  const std::int64_t times = steps->shape[0];
  std::vector<Series> restored = series_;
  for (Series& each : restored) {
    const file::Array* array = file::find(arrays, each.name);
    if (array == nullptr || array->shape.empty() || array->shape[0] != each.kept(times)) return false;
    const file::Shape one(array->shape.begin() + 1, array->shape.end());
    if (each.shape && (one != *each.shape || array->data.index() != each.all.data.index())) return false;
    each.shape = one;
    each.all = *array;
  }
  series_ = std::move(restored);
  times_ = times;
  return true;
}

double Watcher::bytes_of(double looks) const {
  double bytes = 0;
  for (const Series& each : series_) {
    if (!each.shape) continue;
    double values = each.kept(looks);
    for (const std::int64_t length : *each.shape) values *= static_cast<double>(length);
    bytes += std::visit([&](const auto& data) { return values * sizeof(data[0]); }, each.all.data);
  }
  return bytes;
}

}  // namespace sluice::probe
