#include "sluice/lab/spread.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

#include "sluice/file/errors.hpp"
#include "sluice/lab/fingerprint.hpp"
#include "sluice/net/deep_network.hpp"

namespace sluice::lab {
namespace {

/// What the first rank says before everything else it says.
enum class Word : std::int64_t { leave, begin, step };

template <class T>
void share(math::Ranks& ranks, std::span<T> values) {
  ranks.broadcast(std::as_writable_bytes(values));
}
Word say(math::Ranks& ranks, Word word) {
  share(ranks, std::span<Word>(&word, 1));
  return word;
}
Word listen(math::Ranks& ranks) {
  return say(ranks, Word::leave);
}  // what is said by others takes the place of it

/// The state of the first rank, everywhere.
void share(math::Ranks& ranks, learn::State& state) {
  std::array<std::int64_t, 4> sizes{state.step, state.memory_from, std::ssize(state.parameters),
                                    std::ssize(state.memory)};
  share(ranks, std::span<std::int64_t>(sizes));
  state.step = sizes[0];
  state.memory_from = sizes[1];
  state.parameters.resize(static_cast<std::size_t>(sizes[2]));
  state.memory.resize(static_cast<std::size_t>(sizes[3]));
  share(ranks, std::span(state.parameters));
  share(ranks, std::span(state.memory));
}

class Leading final : public learn::Engine {
 public:
  Leading(math::Ranks& ranks, std::unique_ptr<learn::Engine> engine, std::int64_t mark)
      : ranks_(ranks), engine_(std::move(engine)) {
    say(ranks_, Word::begin);
    share(ranks_, std::span<std::int64_t>(&mark, 1));
    learn::State start = engine_->state();
    share(ranks_, start);
  }

  const learn::State& state() const override { return engine_->state(); }
  double rate() const override { return engine_->rate(); }
  void move() override {
    say(ranks_, Word::step);
    engine_->move();
  }

 private:
  math::Ranks& ranks_;
  std::unique_ptr<learn::Engine> engine_;
};

}  // namespace

void require_spreadable(const Setup& setup) {
  const Experiment& experiment = setup.experiment();
  const auto need = [&](bool holds, const std::string& key, const std::string& found, const char* expected) {
    if (!holds)
      throw InputError(
          fmt::format("{} = \"{}\": expected {} for a run on several ranks", key, found, expected));
  };
  need(!experiment.dynamics.is_flow(), "dynamics.kind", std::string(experiment.dynamics.kind),
       "an optimiser");
  need(dynamic_cast<const net::DeepNetwork*>(&setup.network()) == nullptr, "network.kind",
       experiment.network.kind(), "\"two-layer\" or \"gated-linear\"");
}

Lead::~Lead() { say(ranks_, Word::leave); }

std::unique_ptr<learn::Engine> Lead::leading(std::unique_ptr<learn::Engine> engine, const std::string& mark) {
  begun_ = true;
  return std::make_unique<Leading>(ranks_, std::move(engine), fingerprint_number(mark));
}

void follow(Experiment experiment, int threads, math::Ranks& ranks) {
  if (listen(ranks) == Word::leave) return;  // refused before it began
  std::int64_t mark = 0;
  share(ranks, std::span<std::int64_t>(&mark, 1));
  learn::State start;
  share(ranks, start);
  const Setup setup(std::move(experiment));
  if (fingerprint_number(setup.mark()) != mark)
    throw InputError("the ranks of this job have different specs: expected one command for all of them");
  math::Workers workers(threads, &ranks);
  const std::unique_ptr<learn::Engine> engine = setup.trainer(std::move(start), workers);
  while (listen(ranks) == Word::step) engine->move();
}

}  // namespace sluice::lab
