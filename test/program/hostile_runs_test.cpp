/// Runs and sweeps that were tampered with: what every file of a folder may say, held against the others.
#include <limits>

#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_runs {
namespace {

using Words = std::vector<std::string>;

const Words kResume = and_then(kTinyRun, {"--out", "r", "--resume"});
const Words kReport{"report", "r", "--out", "page.html"};
const Words kCompare{"report", "s", "--out", "page.html"};

template <class T>
file::Array filled(const file::Shape& shape, T value = 1) {
  return {shape, std::vector<T>(static_cast<std::size_t>(file::element_count(shape)), value)};
}
const double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A finished run of which one file was changed.
Hostile run(const std::string& name, const Words& words, const Prepare& change, const std::string& message) {
  return {name, words, message, all_of({finished_run(), change})};
}
/// Its record, as report, figure, probe and predict see it.
void add_record(std::vector<Hostile>& cases, const std::string& name, const std::string& array,
                const std::optional<file::Array>& other, const std::string& message) {
  const Prepare change = has_array("r/record.npz", array, other);
  cases.push_back(run(name + "ForReport", kReport, change, message));
  cases.push_back(run(name + "ForFigure", {"figure", "r", "learning", "--out", "f.svg"}, change, message));
  cases.push_back(run(name + "ForProbe", {"probe", "r", "--out", "p.npz"}, change, message));
}
Hostile deep(const std::string& name, const std::string& array, const std::optional<file::Array>& other,
             const std::string& message) {
  return {name,
          {"report", "d", "--out", "page.html"},
          message,
          all_of({finished_deep_run(), has_array("d/record.npz", array, other)})};
}
/// One that is read for what it is without what was changed.
Hostile good(const std::string& name, const Words& words, const Prepare& change,
             const std::vector<std::string>& written) {
  return {name, words, "", change, 0, written};
}
Hostile sweep(const std::string& name, const Words& words, const Prepare& change,
              const std::string& message) {
  return {name, words, message, all_of({finished_sweep(), change})};
}

}  // namespace
}  // namespace of_hostile_runs

std::vector<Hostile> hostile_runs() {
  using namespace of_hostile_runs;
  std::vector<Hostile> cases{
      // run.json
      run("AConclusionOfNothing", kReport, holds("r/run.json", ""), "@"),
      run("AConclusionThatIsCut", kReport, ends_after("r/run.json", 100), "@"),
      run("AConclusionThatIsNoJson", kReport, holds("r/run.json", "status = finished"), "@"),
      run("AConclusionThatIsAList", kReport, holds("r/run.json", "[1, 2]"), "@"),
      run("AConclusionThatIsANumber", kReport, holds("r/run.json", "1e999"), "@"),
      run("AConclusionOf100000Lists", kReport, holds("r/run.json", std::string(100000, '[')), "@"),
      run("AConclusionThatIsNoUtf8", kReport, holds("r/run.json", "{\"status\": \"\xff\"}"), "@"),
      run("AConclusionWithoutInputs", kReport,
          holds("r/run.json", "{\"status\": \"finished\", \"sluice\": \"0.1.0\", \"spec\": \"2-0\"}"), "@"),
      run("AConclusionOfAnotherSpec", kReport, says("r/run.json", "\"spec\": \"2-", "\"spec\": \"2-f"), "@"),
      run("AConclusionWhoseSpecIsAWord", kReport, says("r/run.json", "\"spec\": \"2-", "\"spec\": \"2-zz"),
          "@"),
      run("InputsOfNoColumn", kReport, says("r/run.json", "\"columns\": 8", "\"columns\": 0"), "@"),
      run("InputsOfOtherColumns", kReport, says("r/run.json", "\"columns\": 8", "\"columns\": 9"), "@"),
      run("InputsBelowNothing", kReport, says("r/run.json", "\"columns\": 8", "\"columns\": -8"), "@"),
      run("InputsBeyondAllNumbers", kReport,
          says("r/run.json", "\"columns\": 8", "\"columns\": 9223372036854775807"), "@"),
      run("InputsOnATorusThatIsNone", kReport, says("r/run.json", "\"ring\"", "\"torus\""), "@"),
      run("AConclusionForResuming", kResume, holds("r/run.json", "{"), "@"),
      good("L1_AStatusForTheTable", {"runs", "show", "r"},
           all_of({finished_run(), says("r/run.json", "\"finished\"", "\"\\u001b[31mfinished\\n\"")}), {}),
      run("ADivergedRunContinued", {"run", "--continue", "r", "--out", "q"},
          says("r/run.json", "\"finished\"", "\"diverged\""), "@"),
      run("AStatusThatIsANumberContinued", {"run", "--continue", "r", "--out", "q"},
          says("r/run.json", "\"finished\"", "3"), "@"),
      // spec.toml
      run("M9_ASpecOfAnotherSeed", kReport, says("r/spec.toml", "\nseed = 1", "\nseed = 7"), "@"),
      run("M9_ASpecOfAnotherSeedForProbe", {"probe", "r"}, says("r/spec.toml", "\nseed = 1", "\nseed = 7"),
          "@"),
      run("M9_ASpecOfAnotherSeedForFigure", {"figure", "r", "learning"},
          says("r/spec.toml", "\nseed = 1", "\nseed = 7"), "@"),
      run("M9_ASpecOfAnotherSeedForFreeze", {"freeze", "r"}, says("r/spec.toml", "\nseed = 1", "\nseed = 7"),
          "@"),
      run("M9_ASpecOfAnotherSeedContinued",
          {"run", "--continue", "r", "--set", "dynamics.steps=8", "--out", "q"},
          says("r/spec.toml", "\nseed = 1", "\nseed = 7"), "@"),
      run("H4_ASpecOfFewerSites", {"probe", "r"}, says("r/spec.toml", "n = 8", "n = 4"), "@"),
      run("H4_ASpecOfMoreUnits", {"probe", "r"}, says("r/spec.toml", "hidden = 3", "hidden = 300"), "@"),
      run("ASpecThatIsNoToml", kReport, holds("r/spec.toml", "[task"), "@"),
      run("ASpecOfNothing", kReport, holds("r/spec.toml", ""), "@"),
      run("ASpecOfAnUnknownKey", kReport, says("r/spec.toml", "\nseed = 1", "\nsede = 1"), "@"),
      run("NoSpec", kReport, lacks("r/spec.toml"), "@"),
      run("NoSpecForResuming", {"run", "r/spec.toml", "--out", "r", "--resume"}, lacks("r/spec.toml"), "@"),
      run("NoSpecForProbe", {"probe", "r"}, lacks("r/spec.toml"), "@"),
      run("NoSpecForContinuing", {"run", "--continue", "r"}, lacks("r/spec.toml"), "@"),
      // record.npz
      run("NoRecord", kReport, lacks("r/record.npz"), "@"),
      run("NoRecordForProbe", {"probe", "r"}, lacks("r/record.npz"), "@"),
      run("NoRecordForFigure", {"figure", "r"}, lacks("r/record.npz"), "@"),
      run("ARecordThatIsCut", kReport, ends_after("r/record.npz", 500), "@"),
      run("ARecordOfNothing", kReport, holds("r/record.npz", ""), "@"),
      run("ARecordThatIsCutForProbe", {"probe", "r"}, ends_after("r/record.npz", 500), "@"),
      run("ARecordThatIsCutForFreeze", {"freeze", "r"}, ends_after("r/record.npz", 500), "@"),
      run("ARecordThatIsCutForInit",
          {"run", "localization", "--set", "network.init={law=\"file\",path=\"r\"}"},
          ends_after("r/record.npz", 500), "@"),
      run(
          "ARecordOfOtherUnitsForInit",
          {"run", "localization", "--set", "network.init={law=\"file\",path=\"r\"}"}, [](const auto&) {},
          "@"),
      run(
          "ARecordOfOtherSitesForPredict", {"predict", "localization", "--against", "r"}, [](const auto&) {},
          "@"),
      // state.npz, and what goes on from it
      run("AStateThatIsCut", {"run", "--continue", "r", "--out", "q"}, ends_after("r/state.npz", 300), "@"),
      run("AStateWithAnotherStep", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "state.step", filled<std::int64_t>({1}, 3)), "@"),
      run("AStateWithoutAStep", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "state.step", std::nullopt), "@"),
      run("AStateWithoutADigest", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "state.digest", std::nullopt), "@"),
      run("AStateOfOtherWeights", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "weights", filled<float>({3, 9})), "@"),
      run("AStateOfAnArrayMore", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "lost", filled<float>({3})), "@"),
      run("AStateThatIsAFolder", {"run", "--continue", "r", "--out", "q"},
          all_of({lacks("r/state.npz"), holds_folder("r/state.npz")}), "@"),
      run(
          "AStateOfOtherUnits", {"run", "--continue", "r", "--set", "network.hidden=4", "--out", "q"},
          [](const auto&) {}, "@"),
      run(
          "AStateOfOtherSites", {"run", "--continue", "r", "--set", "task.n=9", "--out", "q"},
          [](const auto&) {}, "@"),
      run(
          "ContinuedIntoItself", {"run", "--continue", "r", "--out", "r"}, [](const auto&) {}, "@"),
      run(
          "ContinuedAndSet", {"run", "--continue", "r", "--set", "start.run=r"}, [](const auto&) {}, "@"),
      // deep
      deep("H4_NormsOfOneAxis", "weight_norms", filled<double>({6}), "@"),
      deep("H4_ASpectrumOfNoTime", "tangent_spectrum", filled<double>({0, 3}), "@"),
      deep("H4_ASpectrumThatIsANumber", "tangent_spectrum", filled<double>({}), "@"),
      deep("H4_NoLoss", "loss", filled<double>({0}), "@"),
      deep("H4_NoAccuracy", "accuracy", filled<double>({0}), "@"),
      deep("M15_StepsThatAreFloats", "step", filled<double>({2}), "@"),
      deep("M15_LossThatIsFloat32", "loss", filled<float>({3}), "@"),
      // sweeps
      good("APlanThatIsNoJson", kCompare, all_of({finished_sweep(), holds("s/sweep.json", "{")}),
           {"page.html"}),
      good("APlanThatIsAList", kCompare, all_of({finished_sweep(), holds("s/sweep.json", "[]")}),
           {"page.html"}),
      good("APlanWithoutPoints", kCompare, all_of({finished_sweep(), holds("s/sweep.json", "{}")}),
           {"page.html"}),
      good("APlanWhosePointsAreNumbers", kCompare,
           all_of({finished_sweep(), holds("s/sweep.json", "{\"points\": [1, 2]}")}), {"page.html"}),
      good("APlanWhosePointsLieOutside", kCompare,
           all_of({finished_sweep(),
                   holds("s/sweep.json", "{\"points\": [{\"folder\": \"../../etc\", \"settings\": {}}]}")}),
           {"page.html"}),
      good("APlanWhosePointsAreNotThere", kCompare,
           all_of({finished_sweep(),
                   holds("s/sweep.json",
                         "{\"points\": [{\"folder\": \"seed=9\", \"settings\": {\"seed\": \"9\"}}]}")}),
           {"page.html"}),
      good("L1_APlanWithAnEscape", kCompare,
           all_of({finished_sweep(),
                   holds("s/sweep.json", "{\"points\": [{\"folder\": \"\\u001b[2J\", \"settings\": {}}]}")}),
           {"page.html"}),
      sweep("APointWithoutASpec", {"report", "s"}, lacks("s/seed=2/spec.toml"), "@"),
      sweep("APointOfAnotherSpec", {"report", "s"}, says("s/seed=2/spec.toml", "\nseed = 2", "\nseed = 3"),
            "@"),
      sweep("APointThatIsCut", {"report", "s"}, ends_after("s/seed=2/record.npz", 300), "@"),
      sweep(
          "AFigureThatIsNone", {"figure", "s", "nothing"}, [](const auto&) {}, "@"),
      sweep(
          "AFigureOfNoRuns", {"figure", "s", "comparison", "--runs", "x*", "--out", "f.svg"},
          [](const auto&) {}, "@"),
      sweep(
          "ACurveOverNothing", {"figure", "s", "curve", "--x", "nothing", "--out", "f.svg"},
          [](const auto&) {}, "@"),
      sweep(
          "ACurveWhereNothingHolds", {"figure", "s", "curve", "--where", "seed >", "--out", "f.svg"},
          [](const auto&) {}, "@"),
      sweep(
          "L1_ACurveOverAnEscape", {"figure", "s", "curve", "--x", "\x1b[31m", "--out", "f.svg"},
          [](const auto&) {}, "@"),
      sweep(
          "RunsWhereNothingHolds", {"runs", "s", "--where", "seed > > 3"}, [](const auto&) {}, "@"),
      sweep(
          "RunsWhereAnEscapeHolds", {"runs", "s", "--where", "\x1b[31m > 3"}, [](const auto&) {}, "@"),
      sweep(
          "RunsWhereBracketsAreDeep", {"runs", "s", "--where", std::string(100000, '(') + "seed > 3"},
          [](const auto&) {}, "@"),
      sweep(
          "RunsWhereNotIsDeep", {"runs", "s", "--where", repeated("not ", 10000) + "seed > 3"},
          [](const auto&) {}, "@"),
      sweep(
          "RunsOfNoColumn", {"runs", "s", "--columns", "nothing"}, [](const auto&) {}, "@"),
      sweep(
          "RunsSortedByNothing", {"runs", "s", "--sort", "nothing"}, [](const auto&) {}, "@"),
      sweep(
          "RunsWithAQuoteOfSql", {"runs", "s", "--where", "path = ''; drop table runs; --"},
          [](const auto&) {}, "@"),
      sweep(
          "ExportOfNoKind", {"runs", "export", "s", "--out", "x.xml"}, [](const auto&) {}, "@"),
      sweep(
          "ProbeOfASweep", {"probe", "s"}, [](const auto&) {}, "@"),
      sweep(
          "ContinueASweep", {"run", "--continue", "s"}, [](const auto&) {}, "@"),
      sweep(
          "ShowASweep", {"runs", "show", "s"}, [](const auto&) {}, "@"),
      sweep(
          "WatchAPortOfAnother", {"watch", "s", "--port", "-1"}, [](const auto&) {}, "@"),
  };
  add_record(cases, "M15_LossThatIsFloat32", "loss", filled<float>({2}), "@");
  add_record(cases, "M15_LossOfAnotherLength", "loss", filled<double>({1}), "@");
  add_record(cases, "M15_WeightsThatAreFloat64", "weights", filled<double>({2, 3, 8}), "@");
  add_record(cases, "H4_WeightsOfOtherSites", "weights", filled<float>({2, 3, 9}), "@");
  add_record(cases, "H4_WeightsOfNoTime", "weights", filled<float>({0, 3, 8}), "@");
  add_record(cases, "M15_StepsBeyondAllRuns", "step",
             file::Array{{2}, std::vector<std::int64_t>{0, std::int64_t{1} << 62}}, "@");
  add_record(cases, "StepsBelowNothing", "step", file::Array{{2}, std::vector<std::int64_t>{-1, 4}}, "@");
  add_record(cases, "StepsThatAreTheSame", "step", file::Array{{2}, std::vector<std::int64_t>{4, 4}}, "@");
  add_record(cases, "NoSteps", "step", std::nullopt, "@");
  add_record(cases, "StepsOfNothing", "step", file::Array{{0}, std::vector<std::int64_t>{}}, "@");
  add_record(cases, "NoWeights", "weights", std::nullopt, "@");
  return cases;
}

}  // namespace sluice::test
