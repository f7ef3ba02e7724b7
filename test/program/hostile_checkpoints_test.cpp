/// Checkpoints that were tampered with, array by array and byte by byte.
#include <limits>

#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_checkpoints {
namespace {

const std::vector<std::string> kResume = and_then(kStopped, {"--out", "c", "--resume"});

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
const float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t kParameters = 3 * 8 + 3;

}  // namespace
}  // namespace of_hostile_checkpoints

std::vector<Hostile> hostile_checkpoints() {
  using namespace of_hostile_checkpoints;
  const std::string file = "c/checkpoint.npz";
  std::vector<Hostile> cases{
      changed("OfNothing", holds(file, ""), "@"),
      changed("OfText", holds(file, "not an archive, but long enough to hold the record of an end"), "@"),
      changed("ThatIsCut", ends_after(file, 700), "@"),
      changed("ThatIsALink", all_of({lacks(file), holds_link(file, "nowhere")}), "@"),
      changed("ThatIsNoCheckpoint", holds_arrays(file, {{"a", filled<float>({3})}}), "@"),
      changed("OfALaterVersion", has_array(file, "checkpoint.format", filled<std::int64_t>({1}, 99)), "@"),
      changed("OfNoVersion", has_array(file, "checkpoint.format", std::nullopt), "@"),
      changed("WhoseVersionIsAFloat", has_array(file, "checkpoint.format", filled<float>({1})), "@"),
      changed("WhoseVersionIsEmpty", has_array(file, "checkpoint.format", filled<std::int64_t>({0})), "@"),
      changed("WithoutADigest", has_array(file, "checkpoint.digest", std::nullopt), "@"),
      changed("OfAnotherDigest", has_array(file, "checkpoint.digest", filled<std::int64_t>({4})), "@"),
      changed("M1_WithoutItsMemory", has_array(file, "checkpoint.memory", std::nullopt), "@"),
      changed("M1_WithAnArrayMore", has_array(file, "lost", filled<float>({4})), "@"),
      changed("M1_WithOtherParameters",
              has_array(file, "checkpoint.parameters", filled<float>({kParameters})), "@"),
      changed("M1_AtAnotherStep", has_array(file, "checkpoint.step", filled<std::int64_t>({1}, 5)), "@"),
      changed("OfARunThatIsAnother", has_array(file, "checkpoint.spec", filled<std::int64_t>({1}, 5)), "@"),
      changed("BesideASpecOfAnotherSeed", says("c/spec.toml", "\nseed = 1", "\nseed = 7"), "@"),
      old("M2_AStepBelowNothing", "checkpoint.step", filled<std::int64_t>({1}, -5), "@"),
      old("M2_AStepBeyondTheLast", "checkpoint.step", filled<std::int64_t>({1}, 1'000'000'000'000'000), "@"),
      old("M2_AStepOfTheLeastInteger", "checkpoint.step",
          filled<std::int64_t>({1}, std::numeric_limits<std::int64_t>::min()), "@"),
      old("M2_AStepThatIsAFloat", "checkpoint.step", filled<float>({1}), "@"),
      old("M2_NoStep", "checkpoint.step", std::nullopt, "@"),
      old("M2_AnEmptyStep", "checkpoint.step", filled<std::int64_t>({0}), "@"),
      old("M2_NoSpec", "checkpoint.spec", std::nullopt, "@"),
      old("M2_AnotherSpec", "checkpoint.spec", filled<std::int64_t>({1}, 5), "@"),
      old("M2_NoParameters", "checkpoint.parameters", std::nullopt, "@"),
      old("M2_FewerParameters", "checkpoint.parameters", filled<float>({kParameters - 1}), "@"),
      old("M2_MoreParameters", "checkpoint.parameters", filled<float>({kParameters + 1}), "@"),
      old("M2_ParametersThatAreDoubles", "checkpoint.parameters", filled<double>({kParameters}), "@"),
      old("M2_ParametersWithNaN", "checkpoint.parameters", filled<float>({kParameters}, kNaN), "@"),
      old("M2_NoMemory", "checkpoint.memory", std::nullopt, "@"),
      old("M2_AMemoryOfAnotherOptimiser", "checkpoint.memory", filled<float>({kParameters}), "@"),
      old("M2_AMemoryTooLong", "checkpoint.memory", filled<float>({5 * kParameters}), "@"),
      old("M2_AMemoryWithNaN", "checkpoint.memory", filled<float>({2 * kParameters}, kNaN), "@"),
      old("M2_ExactNumbersThatNobodyKeeps", "checkpoint.exact", filled<double>({3}), "@"),
      old("M2_StepsLaterThanTheState", "step", filled<std::int64_t>({1}, 1'000'000'000), "@"),
      old("M2_StepsThatAreFloats", "step", filled<float>({1}), "@"),
      old("M2_NoSteps", "step", std::nullopt, "@"),
      old("M2_NoLoss", "loss", std::nullopt, "@"),
      old("M2_LossOfAnotherLength", "loss", filled<double>({7}), "@"),
      old("M2_WeightsOfOtherUnits", "weights", filled<float>({1, 4, 8}), "@"),
      old("M2_AnArrayMore", "lost", filled<float>({4}), "@"),
  };
  return cases;
}

}  // namespace sluice::test
