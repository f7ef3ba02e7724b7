#include "sluice/probe/watcher.hpp"

#include <algorithm>

namespace sluice::probe {

Watcher::Watcher(const Options& options, std::int64_t units, std::int64_t inputs, const Occasions& occasions)
    : units_(units), inputs_(inputs) {
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

void Watcher::watch(const Snapshot& now) {
  for (std::size_t i = 0; i < probes_.size(); ++i) probes_[i]->measure(now, data_[i]);
  ++times_;
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
