#include "sluice/probe/revisit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sluice/probe/survey.hpp"

namespace sluice::probe {
namespace {

Snapshot snapshot(const Trajectory& all, std::int64_t time) {
  const auto fields = [&](std::span<const float> weights, std::int64_t t) {
    const auto size = static_cast<std::size_t>(all.units * all.inputs);
    return weights.empty() ? weights : weights.subspan(static_cast<std::size_t>(t) * size, size);
  };
  const auto t = static_cast<std::size_t>(time);
  const auto units = static_cast<std::size_t>(all.units);
  Snapshot now{.step = all.step[t], .units = all.units, .inputs = all.inputs};
  now.weights = fields(all.weights, time);
  now.reference = fields(all.reference, time);
  now.samples = all.samples;
  if (!all.bias.empty()) now.bias = all.bias.subspan(t * units, units);
  if (time > 0) {
    now.previous = fields(all.weights, time - 1);
    if (!all.bias.empty()) now.previous_bias = all.bias.subspan((t - 1) * units, units);
    now.previous_step = all.step[t - 1];
  }
  return now;
}

}  // namespace

Subject Trajectory::subject() const {
  return {.extents = {.units = units, .sites = inputs, .layout = layout},
          .bias = !bias.empty(),
          .samples = samples != nullptr,
          .reference = !reference.empty()};
}

file::NamedArrays revisit(const Trajectory& trajectory, std::span<const Probe* const> probes,
                          math::Workers& workers) {
  file::NamedArrays arrays;
  for (const Probe* probe : probes) {
    file::Array array{probe->axes.shape(trajectory.times, trajectory.subject().extents), probe->empty()};
    const auto size = static_cast<std::size_t>(file::element_count(array.shape));
    std::visit([&](auto& values) { values.resize(size); }, array.data);
    arrays.emplace_back(std::string(probe->choice.name), std::move(array));
  }
  const Instruments instruments(trajectory.inputs, trajectory.layout);
  workers.run(trajectory.times, [&](std::int64_t time, int) {
    const Snapshot now = snapshot(trajectory, time);
    Survey survey(now, instruments);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      file::Array::Data entry = probes[i]->empty();
      probes[i]->measure(survey, entry);
      std::visit(
          [&](auto& values) {
            const auto& measured = std::get<std::remove_cvref_t<decltype(values)>>(entry);
            if (measured.size() * static_cast<std::size_t>(trajectory.times) != values.size())
              throw std::logic_error(fmt::format("{}: measured {} numbers at a time, its array has {} at {}",
                                                 probes[i]->choice.name, measured.size(), values.size(),
                                                 trajectory.times));
            std::ranges::copy(measured, values.begin() + time * static_cast<std::int64_t>(measured.size()));
          },
          arrays[i].second.data);
    }
  });
  return arrays;
}

}  // namespace sluice::probe
