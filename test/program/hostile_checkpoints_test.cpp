/// Checkpoints that were tampered with, array by array and byte by byte.
#include <limits>

#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_checkpoints {
namespace {

const std::vector<std::string> kResume = with(kStopped, {"--out", "c", "--resume"});

Hostile changed(const std::string& name, const Prepare& change, const std::string& message) {
  return {name, kResume, message, all_of({stopped_run(), change})};
}
/// One of version 0.1.0, which has no digest: nothing but the numbers themselves can show it.
Hostile old(const std::string& name, const std::string& array, const std::optional<file::Array>& other,
            const std::string& message) {
  const std::string file = "c/checkpoint.npz";
  return changed(name,
                 all_of({has_array(file, "checkpoint.digest", std::nullopt),
                         has_array(file, "checkpoint.format", file::Array{{1}, std::vector<std::int64_t>{1}}),
                         has_array(file, array, other)}),
                 message);
}
template <class T>
file::Array filled(const file::Shape& shape, T value = 1) {
  return {shape, std::vector<T>(static_cast<std::size_t>(file::element_count(shape)), value)};
}
constexpr std::int64_t kParameters = 3 * 8 + 3;

}  // namespace
}  // namespace of_hostile_checkpoints

std::vector<Hostile> hostile_checkpoints() {
  using namespace of_hostile_checkpoints;
  const std::string file = "c/checkpoint.npz";
  std::vector<Hostile> cases{
      changed("OfNothing", holds(file, ""),
              "sluice: c/checkpoint.npz: not a complete npz archive (truncated?); delete it, or overwrite "
              "the run to begin again"),
      changed("OfText", holds(file, "not an archive, but long enough to hold the record of an end"),
              "sluice: c/checkpoint.npz: not a complete npz archive (truncated?); delete it, or overwrite "
              "the run to begin again"),
      changed("ThatIsCut", ends_after(file, 700),
              "sluice: c/checkpoint.npz: not a complete npz archive (truncated?); delete it, or overwrite "
              "the run to begin again"),
      changed("ThatIsALink", all_of({lacks(file), holds_link(file, "nowhere")}),
              "sluice: c/checkpoint.npz: was changed since sluice wrote it; move it away"),
      changed("ThatIsNoCheckpoint", holds_arrays(file, {{"a", filled<float>({3})}}),
              "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.format' is missing"),
      changed("OfALaterVersion", has_array(file, "checkpoint.format", filled<std::int64_t>({1}, 99)),
              "sluice: c/checkpoint.npz: checkpoint format 99; this version reads format 2: overwrite the "
              "run to begin again"),
      changed("OfNoVersion", has_array(file, "checkpoint.format", std::nullopt),
              "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.format' is missing"),
      changed("WhoseVersionIsAFloat", has_array(file, "checkpoint.format", filled<float>({1})),
              "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.format' is missing"),
      changed("WhoseVersionIsEmpty", has_array(file, "checkpoint.format", filled<std::int64_t>({0})),
              "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.format' is missing"),
      changed("WithoutADigest", has_array(file, "checkpoint.digest", std::nullopt),
              "sluice: c/checkpoint.npz: damaged: its arrays are not those that were saved; overwrite the "
              "run to begin again"),
      changed("OfAnotherDigest", has_array(file, "checkpoint.digest", filled<std::int64_t>({4})),
              "sluice: c/checkpoint.npz: damaged: its arrays are not those that were saved; overwrite the "
              "run to begin again"),
      changed("M1_WithoutItsMemory", has_array(file, "checkpoint.memory", std::nullopt),
              "sluice: c/checkpoint.npz: damaged: its arrays are not those that were saved; overwrite the "
              "run to begin again"),
      changed("M1_WithAnArrayMore", has_array(file, "lost", filled<float>({4})),
              "sluice: c/checkpoint.npz: damaged: its arrays are not those that were saved; overwrite the "
              "run to begin again"),
      changed("M1_WithOtherParameters",
              has_array(file, "checkpoint.parameters", filled<float>({kParameters})),
              "sluice: c/checkpoint.npz: damaged: its arrays are not those that were saved; overwrite the "
              "run to begin again"),
      changed("M1_AtAnotherStep", has_array(file, "checkpoint.step", filled<std::int64_t>({1}, 5)),
              "sluice: c/checkpoint.npz: damaged: its arrays are not those that were saved; overwrite the "
              "run to begin again"),
      changed("OfARunThatIsAnother", has_array(file, "checkpoint.spec", filled<std::int64_t>({1}, 5)),
              "sluice: c/checkpoint.npz: damaged: its arrays are not those that were saved; overwrite the "
              "run to begin again"),
      changed("BesideASpecOfAnotherSeed", says("c/spec.toml", "\nseed = 1", "\nseed = 7"),
              "sluice: c: it was begun with 'seed = 7', not 'seed = 1'"),
      old("M2_AStepBelowNothing", "checkpoint.step", filled<std::int64_t>({1}, -5),
          "sluice: c/checkpoint.npz: checkpoint.step: expected 0 to 100000000, found -5"),
      old("M2_AStepBeyondTheLast", "checkpoint.step", filled<std::int64_t>({1}, 1'000'000'000'000'000),
          "sluice: c/checkpoint.npz: checkpoint.step: expected 0 to 100000000, found 1000000000000000"),
      old("M2_AStepOfTheLeastInteger", "checkpoint.step",
          filled<std::int64_t>({1}, std::numeric_limits<std::int64_t>::min()),
          "sluice: c/checkpoint.npz: checkpoint.step: expected 0 to 100000000, found -9223372036854775808"),
      old("M2_AStepThatIsAFloat", "checkpoint.step", filled<float>({1}),
          "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.step' is missing"),
      old("M2_NoStep", "checkpoint.step", std::nullopt,
          "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.step' is missing"),
      old("M2_AnEmptyStep", "checkpoint.step", filled<std::int64_t>({0}),
          "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.step' is missing"),
      old("M2_NoSpec", "checkpoint.spec", std::nullopt,
          "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.spec' is missing"),
      old("M2_AnotherSpec", "checkpoint.spec", filled<std::int64_t>({1}, 5),
          "sluice: c/checkpoint.npz: made by another spec; overwrite the run to begin again"),
      old("M2_NoParameters", "checkpoint.parameters", std::nullopt,
          "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.parameters' is missing"),
      old("M2_FewerParameters", "checkpoint.parameters", filled<float>({kParameters - 1}),
          "sluice: c/checkpoint.npz: checkpoint.parameters: expected 27 numbers, found 26"),
      old("M2_MoreParameters", "checkpoint.parameters", filled<float>({kParameters + 1}),
          "sluice: c/checkpoint.npz: checkpoint.parameters: expected 27 numbers, found 28"),
      old("M2_ParametersThatAreDoubles", "checkpoint.parameters", filled<double>({kParameters}),
          "sluice: c/checkpoint.npz: not a checkpoint: 'checkpoint.parameters' is missing"),
      old("M2_NoMemory", "checkpoint.memory", std::nullopt,
          "sluice: c/checkpoint.npz: checkpoint.memory: expected 54 numbers, found 0"),
      old("M2_AMemoryOfAnotherOptimiser", "checkpoint.memory", filled<float>({kParameters}),
          "sluice: c/checkpoint.npz: checkpoint.memory: expected 54 numbers, found 27"),
      old("M2_AMemoryTooLong", "checkpoint.memory", filled<float>({5 * kParameters}),
          "sluice: c/checkpoint.npz: checkpoint.memory: expected 54 numbers, found 135"),
      old("M2_ExactNumbersThatNobodyKeeps", "checkpoint.exact", filled<double>({3}),
          "sluice: c/checkpoint.npz: checkpoint.exact: expected 0 numbers, found 3"),
      old("M2_StepsLaterThanTheState", "step", filled<std::int64_t>({1}, 1'000'000'000),
          "sluice: c/checkpoint.npz: step: expected increasing numbers from 0 to [...], found 1000000000 to "
          "1000000000"),
      old("M2_StepsThatAreFloats", "step", filled<float>({1}),
          "sluice: c/checkpoint.npz: step: expected int64 [1], found float32 [1]"),
      old("M2_NoSteps", "step", std::nullopt,
          "sluice: c/checkpoint.npz: no array 'step'; expected int64 [T]"),
      old("M2_NoLoss", "loss", std::nullopt,
          "sluice: c/checkpoint.npz: no array 'loss'; expected float64 [1]"),
      old("M2_LossOfAnotherLength", "loss", filled<double>({7}),
          "sluice: c/checkpoint.npz: loss: expected float64 [1], found float64 [7]"),
      old("M2_WeightsOfOtherUnits", "weights", filled<float>({1, 4, 8}),
          "sluice: c/checkpoint.npz: weights: expected float32 [1, 3, 8], found float32 [1, 4, 8]"),
      old("M2_AnArrayMore", "lost", filled<float>({4}),
          "sluice: c/checkpoint.npz: lost: no such array belongs there"),
  };
  return cases;
}

}  // namespace sluice::test
