#include "sluice/probe/watcher.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/file/errors.hpp"
#include "sluice/math/assert.hpp"

namespace sluice::probe {
namespace {

/// Are there as many numbers as the array's axes say after so many times?
[[maybe_unused]] bool fits(const file::Array::Data& data, const Probe& probe, std::int64_t times,
                           const Extents& extents) {
  const auto count = static_cast<std::size_t>(file::element_count(probe.axes.shape(times, extents)));
  return std::visit([&](const auto& values) { return values.size() == count; }, data);
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

Watcher::Watcher(std::vector<const Probe*> probes, const Extents& extents)
    : extents_(extents),
      instruments_(std::make_unique<Instruments>(extents.sites, extents.layout)),
      probes_(std::move(probes)) {
  for (const Probe* probe : probes_) data_.push_back(probe->empty());
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
  ++times_;
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    probes_[i]->measure(survey, data_[i]);
    SLUICE_ASSERT(fits(data_[i], *probes_[i], times_, extents_));
  }
}

bool Watcher::needs(unsigned what) const {
  return std::ranges::any_of(probes_, [&](const Probe* probe) { return (probe->needs & what) != 0; });
}

const file::Array::Data* Watcher::find_data(std::string_view name) const {
  const auto found =
      std::ranges::find_if(probes_, [&](const Probe* probe) { return probe->choice.name == name; });
  return found == probes_.end() ? nullptr : &data_[static_cast<std::size_t>(found - probes_.begin())];
}

file::NamedArrays Watcher::arrays() const {
  file::NamedArrays arrays;
  for (std::size_t i = 0; i < probes_.size(); ++i)
    arrays.emplace_back(probes_[i]->choice.name,
                        file::Array{probes_[i]->axes.shape(times_, extents_), data_[i]});
  return arrays;
}

bool Watcher::restore(const file::NamedArrays& arrays) {
  const file::Array* steps = file::find(arrays, "step");
  if (steps == nullptr || steps->shape.size() != 1 || steps->shape[0] < 1) return false;
  const std::int64_t times = steps->shape[0];
  std::vector<file::Array::Data> data;
  for (const Probe* probe : probes_) {
    const file::Array* array = file::find(arrays, std::string(probe->choice.name));
    if (array == nullptr || array->shape != probe->axes.shape(times, extents_) ||
        array->data.index() != probe->empty().index()) {
      return false;
    }
    data.push_back(array->data);
  }
  data_ = std::move(data);
  times_ = times;
  return true;
}

}  // namespace sluice::probe
