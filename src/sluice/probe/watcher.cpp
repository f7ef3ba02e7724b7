#include "sluice/probe/watcher.hpp"

#include <algorithm>

namespace sluice::probe {

Watcher::Watcher(const Options& options, std::int64_t units, std::int64_t inputs, const Occasions& occasions)
    : units_(units), inputs_(inputs), instruments_(inputs) {
  for (const Probe& probe : probes()) {
    const bool asked =
        std::find(options.watch.begin(), options.watch.end(), probe.choice.name) != options.watch.end();
    const bool watched = probe.when == When::always || (probe.when == When::asked && asked) ||
                         (probe.when == When::finite_set && occasions.finite_set) ||
                         (probe.when == When::learned_readout && occasions.learned_readout);
    if (!watched) continue;
    probes_.push_back(&probe);
    data_.push_back(probe.empty());
  }
}

void Watcher::watch(Snapshot now) {
  std::vector<float> previous;  // a copy: the array it stands in is about to grow
  if (times_ > 0) {
    const auto& steps = std::get<std::vector<std::int64_t>>(data_of("step"));
    const auto& weights = std::get<std::vector<float>>(data_of("weights"));
    previous.assign(weights.end() - units_ * inputs_, weights.end());
    now.previous = previous;
    now.previous_step = steps.back();
  }
  Survey survey(now, instruments_);
  for (std::size_t i = 0; i < probes_.size(); ++i) probes_[i]->measure(survey, data_[i]);
  ++times_;
}

bool Watcher::needs(Needs what) const {
  return std::ranges::any_of(probes_, [&](const Probe* probe) { return probe->needs == what; });
}

const file::Array::Data& Watcher::data_of(std::string_view name) const {
  const auto found =
      std::ranges::find_if(probes_, [&](const Probe* probe) { return probe->choice.name == name; });
  return data_[static_cast<std::size_t>(found - probes_.begin())];
}

file::NamedArrays Watcher::arrays() const {
  file::NamedArrays arrays;
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    arrays.emplace_back(probes_[i]->choice.name,
                        file::Array{shape_of(probes_[i]->extent, times_, units_, inputs_), data_[i]});
  }
  return arrays;
}

bool Watcher::restore(const file::NamedArrays& arrays) {
  const file::Array* steps = file::find(arrays, "step");
  if (steps == nullptr || steps->shape.size() != 1 || steps->shape[0] < 1) return false;
  const std::int64_t times = steps->shape[0];
  std::vector<file::Array::Data> data;
  for (const Probe* probe : probes_) {
    const file::Array* array = file::find(arrays, std::string(probe->choice.name));
    if (array == nullptr || array->shape != shape_of(probe->extent, times, units_, inputs_) ||
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
