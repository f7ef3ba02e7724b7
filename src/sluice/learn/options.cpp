#include "sluice/learn/options.hpp"

#include <array>
#include <cmath>

#include "sluice/learn/loss.hpp"

namespace sluice::learn {
namespace {

constexpr std::array<spec::Choice, 1> kFull{{{"full", "every sample of a dataset"}}};
constexpr std::array<spec::Choice, 2> kPrecisions{{
    {"strict", "samples and sums of the CPU, up to rounding"},
    {"fast", "samples by a quicker generator, sums in half precision"},
}};

}  // namespace

void TrainingOptions::describe_optimizer(spec::Keys& keys) {
  keys.choice("loss", loss, loss_choices(), "what is minimised");
  keys.number(
      "rate", optimizer.rate, spec::positive(),
      "multiplies the gradient of the loss, no hidden factor of K; by default what suits kind and network");
  const Optimizer& chosen = learn::optimizer(kind);
  const spec::Range below_one{
      .low = 0, .high = std::nextafter(1.0, 0.0), .expected = "a number from 0 to below 1"};
  if (chosen.uses_momentum)
    keys.number("momentum", optimizer.momentum, below_one, "share of the old direction kept");
  if (chosen.uses_decay)
    keys.number("decay", optimizer.decay, below_one, "share of the old mean square kept");
  if (chosen.uses_decay)
    keys.number("epsilon", optimizer.epsilon, spec::positive(), "added to the root mean square");
  keys.number("weight_decay", optimizer.weight_decay, spec::at_least(0),
              "λ: every step shrinks all that is trained by 1 − rate·λ, apart from the gradient");
  describe_batch(keys, "samples per step");
  keys.integer("epochs", epochs, spec::integers(0, 1'000'000'000),
               "passes over a finite training set, in place of steps; 0: as steps says");
  if (epochs > 0) steps = 0;  // how many, the training set will tell
  keys.integer("steps", steps, spec::integers(0, 1'000'000'000'000), "training steps");
  keys.require(epochs == 0 || steps == 0, "epochs", "epochs or steps, not both");
  keys.integer("patience", patience, spec::integers(0, 1'000'000'000),
               "probe times without a higher accuracy after which training ends; 0: never");
  keys.section("schedule", "the rate over the run", [this](spec::Keys& inner) { schedule.describe(inner); });
}

OptimizerOptions TrainingOptions::at(std::int64_t step) const {
  OptimizerOptions now = optimizer;
  now.rate *= schedule.share(step, steps);
  return now;
}

void TrainingOptions::describe_batch(spec::Keys& keys, std::string_view meaning) {
  spec::WordOrNumber rows = static_cast<double>(batch);
  if (batch == kFullBatch) rows = std::string(kFull[0].name);
  keys.word_or_number("batch", rows, kFull, spec::integers(1, 100'000'000), meaning);
  const double* count = std::get_if<double>(&rows);
  batch = count != nullptr ? static_cast<std::int64_t>(*count) : kFullBatch;
}

void TrainingOptions::describe_precision(spec::Keys& keys) {
  keys.rare_choice(
      "precision", precision, kPrecisions,
      "of one hidden layer on device gpu alone: fast draws by a quicker generator and sums in half "
      "precision (docs/gpu.md)");
}

}  // namespace sluice::learn
