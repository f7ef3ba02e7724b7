// Trains a two-layer network for ten steps through sluice::core alone: no cairo, no program, no run folder.
#include <cmath>
#include <cstdio>
#include <sluice/learn/engine.hpp>
#include <sluice/net/registry.hpp>
#include <sluice/task/nlgp.hpp>

int main() {
  using namespace sluice;
  const auto task = task::NlgpOptions{}.make();
  const auto network = net::Section("two-layer").make({.inputs = task->inputs()});
  const learn::TrainingOptions options{.optimizer = {.rate = 5.0}, .batch = 100, .steps = 10};
  const learn::FreshBatches batches(*task, 7, math::Purpose::training, options.batch);
  const learn::OutputLoss loss(learn::loss(options.loss), network->outputs(), 0.5);
  math::Workers workers(1);
  const std::vector<float> start = network->start(7);
  const auto trainer = learn::make_trainer(batches, *network, loss, options, 7, {0, start}, workers);
  while (trainer->state().step < options.steps) trainer->move();
  double moved = 0;
  for (std::size_t i = 0; i < start.size(); ++i) moved += std::abs(trainer->state().parameters[i] - start[i]);
  std::printf("%lld steps, weights moved by %g\n", static_cast<long long>(trainer->state().step), moved);
  return std::isfinite(moved) && moved > 0 ? 0 : 1;
}
