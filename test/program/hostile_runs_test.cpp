/// Runs and sweeps that were tampered with: what every file of a folder may say, held against the others.
#include <limits>

#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_runs {
namespace {

using Words = std::vector<std::string>;

const Words kResume = with(kTinyRun, {"--out", "r", "--resume"});
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
  return {
      name, words, message, all_of({finished_sweep(), change}), 2, {"s/.sluice-index.sqlite"}};  // a cache
}

}  // namespace
}  // namespace of_hostile_runs

std::vector<Hostile> hostile_runs() {
  using namespace of_hostile_runs;
  std::vector<Hostile> cases{
      // run.json
      run("AConclusionOfNothing", kReport, holds("r/run.json", ""),
          "sluice: r/run.json: expected a JSON object"),
      run("AConclusionThatIsCut", kReport, ends_after("r/run.json", 100),
          "sluice: r/run.json: expected a JSON object"),
      run("AConclusionThatIsNoJson", kReport, holds("r/run.json", "status = finished"),
          "sluice: r/run.json: expected a JSON object"),
      run("AConclusionThatIsAList", kReport, holds("r/run.json", "[1, 2]"),
          "sluice: r/run.json: expected a JSON object"),
      run("AConclusionThatIsANumber", kReport, holds("r/run.json", "1e999"),
          "sluice: r/run.json: expected a JSON object"),
      run("AConclusionOf100000Lists", kReport, holds("r/run.json", std::string(100000, '[')),
          "sluice: r/run.json: expected a JSON object"),
      run("AConclusionThatIsNoUtf8", kReport, holds("r/run.json", "{\"status\": \"\xff\"}"),
          "sluice: r/run.json: expected a JSON object"),
      run("AConclusionWithoutInputs", kReport,
          holds("r/run.json", "{\"status\": \"finished\", \"sluice\": \"0.1.0\", \"spec\": \"2-0\"}"),
          "sluice: r/spec.toml: not the spec that made r/record.npz"),
      run("AConclusionOfAnotherSpec", kReport, says("r/run.json", "\"spec\": \"2-", "\"spec\": \"2-f"),
          "sluice: r/spec.toml: not the spec that made r/record.npz"),
      run("AConclusionWhoseSpecIsAWord", kReport, says("r/run.json", "\"spec\": \"2-", "\"spec\": \"2-zz"),
          "sluice: r/spec.toml: not the spec that made r/record.npz"),
      run("InputsOfNoColumn", kReport, says("r/run.json", "\"columns\": 8", "\"columns\": 0"),
          "sluice: r/run.json: inputs: 1 rows, 0 columns and 1 channels cannot be those of a ring"),
      run("InputsOfOtherColumns", kReport, says("r/run.json", "\"columns\": 8", "\"columns\": 9"),
          "sluice: r/run.json: inputs: 1 rows, 9 columns and 1 channels, expected 8 in all, as weights has "
          "sites"),
      run("InputsBelowNothing", kReport, says("r/run.json", "\"columns\": 8", "\"columns\": -8"),
          "sluice: r/run.json: inputs: 1 rows, -8 columns and 1 channels cannot be those of a ring"),
      run("InputsBeyondAllNumbers", kReport,
          says("r/run.json", "\"columns\": 8", "\"columns\": 9223372036854775807"),
          "sluice: r/run.json: inputs: 1 rows, 9223372036854775807 columns and 1 channels cannot be those of "
          "a ring"),
      run("InputsOnATorusThatIsNone", kReport, says("r/run.json", "\"ring\"", "\"torus\""),
          "sluice: r/run.json: inputs: 1 rows, 8 columns and 1 channels cannot be those of a torus"),
      run("AConclusionForResuming", kResume, holds("r/run.json", "{"),
          "sluice: r/run.json: was changed since sluice wrote it; move it away"),
      good("L1_AStatusForTheTable", {"runs", "show", "r"},
           all_of({finished_run(), says("r/run.json", "\"finished\"", "\"\\u001b[31mfinished\\n\"")}), {}),
      run("ADivergedRunContinued", {"run", "--continue", "r", "--out", "q"},
          says("r/run.json", "\"finished\"", "\"diverged\""),
          "sluice: start.run: [...]/r: it diverged; there is nothing to go on from"),
      run("AStatusThatIsANumberContinued", {"run", "--continue", "r", "--out", "q"},
          says("r/run.json", "\"finished\"", "3"),
          "sluice: start.run: [...]/r: expected the folder of a run that has ended; resume it first"),
      // spec.toml
      run("M9_ASpecOfAnotherSeed", kReport, says("r/spec.toml", "\nseed = 1", "\nseed = 7"),
          "sluice: r/spec.toml: not the spec that made r/record.npz"),
      run("M9_ASpecOfAnotherSeedForProbe", {"probe", "r"}, says("r/spec.toml", "\nseed = 1", "\nseed = 7"),
          "sluice: r/spec.toml: not the spec that made r/record.npz"),
      run("M9_ASpecOfAnotherSeedForFigure", {"figure", "r", "learning"},
          says("r/spec.toml", "\nseed = 1", "\nseed = 7"),
          "sluice: r/spec.toml: not the spec that made r/record.npz"),
      run("M9_ASpecOfAnotherSeedForFreeze", {"freeze", "r"}, says("r/spec.toml", "\nseed = 1", "\nseed = 7"),
          "sluice: r/spec.toml: not the spec that made r/record.npz"),
      run("H4_ASpecOfFewerSites", {"probe", "r"}, says("r/spec.toml", "n = 8", "n = 4"),
          "sluice: r/record.npz: weights: expected float32 [2, 3, 4], found float32 [2, 3, 8]"),
      run("H4_ASpecOfMoreUnits", {"probe", "r"}, says("r/spec.toml", "hidden = 3", "hidden = 300"),
          "sluice: r/record.npz: weights: expected float32 [2, 300, 8], found float32 [2, 3, 8]"),
      run("ASpecThatIsNoToml", kReport, holds("r/spec.toml", "[task"),
          "sluice: r/spec.toml:1: not valid TOML: Error while parsing table header: encountered end-of-file"),
      run("ASpecOfNothing", kReport, holds("r/spec.toml", ""),
          "sluice: r/spec.toml: task.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
          "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", \"pulse\", "
          "\"block\", \"teacher\", \"dataset\", \"points\", \"mnist\", \"cifar10\", \"function\""),
      run("ASpecOfAnUnknownKey", kReport, says("r/spec.toml", "\nseed = 1", "\nsede = 1"),
          "sluice: r/spec.toml:5: sede: unknown key; did you mean 'seed'?"),
      run("NoSpec", kReport, lacks("r/spec.toml"),
          "sluice: r/spec.toml: cannot be read: No such file or directory"),
      run("NoSpecForResuming", {"run", "r/spec.toml", "--out", "r", "--resume"}, lacks("r/spec.toml"),
          "sluice: r/spec.toml: no such file and no such experiment; expected one of cifar10-galu, "
          "cifar10-gates-only, cifar10-relu, cifar10-soft-relu, cifar10-two-classes, deep-linear, depth-frg, "
          "depth-galu, depth-relu, digits-frozen, digits-galu, digits-gates-only, digits-learned-gates, "
          "digits-relu, digits-soft-galu, digits-soft-relu, mnist-galu, mnist-relu, absolute-loss, …"),
      run("NoSpecForProbe", {"probe", "r"}, lacks("r/spec.toml"),
          "sluice: r/spec.toml: cannot be read: No such file or directory"),
      run("NoSpecForContinuing", {"run", "--continue", "r"}, lacks("r/spec.toml"),
          "sluice: --continue r: not the folder of a run: it has no spec.toml"),
      // record.npz
      run("NoRecord", kReport, lacks("r/record.npz"),
          "sluice: r: expected the folder of a run or of a sweep, with record.npz and run.json, or a "
          "checkpoint"),
      run("NoRecordForProbe", {"probe", "r"}, lacks("r/record.npz"),
          "sluice: r: no record.npz; expected the folder of a run, or an npz file"),
      run("NoRecordForFigure", {"figure", "r"}, lacks("r/record.npz"),
          "sluice: r: no record.npz; expected the folder of a run, or an npz file"),
      run("ARecordThatIsCut", kReport, ends_after("r/record.npz", 500),
          "sluice: r/record.npz: not a complete npz archive (truncated?)"),
      run("ARecordOfNothing", kReport, holds("r/record.npz", ""),
          "sluice: r/record.npz: not a complete npz archive (truncated?)"),
      run("ARecordThatIsCutForProbe", {"probe", "r"}, ends_after("r/record.npz", 500),
          "sluice: r/record.npz: not a complete npz archive (truncated?)"),
      run("ARecordThatIsCutForFreeze", {"freeze", "r"}, ends_after("r/record.npz", 500),
          "sluice: r/record.npz: not a complete npz archive (truncated?)"),
      run("ARecordThatIsCutForInit",
          {"run", "localization", "--set", "network.init={law=\"file\",path=\"r\"}"},
          ends_after("r/record.npz", 500), "sluice: r/record.npz: not a complete npz archive (truncated?)"),
      run(
          "ARecordOfOtherUnitsForInit",
          {"run", "localization", "--set", "network.init={law=\"file\",path=\"r\"}"}, [](const auto&) {},
          "sluice: r: array has shape [2, 3, 8], expected [100, 40] or [T, 100, 40] (network.hidden, "
          "task.n)"),
      run(
          "ARecordOfOtherSitesForPredict", {"predict", "localization", "--against", "r"}, [](const auto&) {},
          "sluice: r/record.npz: weights: expected float32 [2, 100, 40], found float32 [2, 3, 8]"),
      run("ADivergedRunForPredict",
          {"predict", "localization", "--set", "network.hidden=3", "--set", "task.n=8", "--set",
           "dynamics.steps=4", "--against", "r"},
          has_array("r/record.npz", "weights", filled<float>({2, 3, 8}, static_cast<float>(kNaN))),
          "sluice: r/record.npz: weights: expected finite ones at the end"),
      // state.npz, and what goes on from it
      run("AStateThatIsCut", {"run", "--continue", "r", "--out", "q"}, ends_after("r/state.npz", 300),
          "sluice: [...]/r/state.npz: not a complete npz archive (truncated?)"),
      run("AStateWithAnotherStep", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "state.step", filled<std::int64_t>({1}, 3)),
          "sluice: [...]/r/state.npz: damaged: its arrays are not those that were saved"),
      run("AStateWithoutAStep", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "state.step", std::nullopt),
          "sluice: [...]/r/state.npz: not the end of a run: no array 'state.step'"),
      run("AStateWithoutADigest", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "state.digest", std::nullopt),
          "sluice: [...]/r/state.npz: damaged: its arrays are not those that were saved"),
      run("AStateOfOtherWeights", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "weights", filled<float>({3, 9})),
          "sluice: [...]/r/state.npz: damaged: its arrays are not those that were saved"),
      run("AStateOfAnArrayMore", {"run", "--continue", "r", "--out", "q"},
          has_array("r/state.npz", "lost", filled<float>({3})),
          "sluice: [...]/r/state.npz: damaged: its arrays are not those that were saved"),
      run("AStateThatIsAFolder", {"run", "--continue", "r", "--out", "q"},
          all_of({lacks("r/state.npz"), holds_folder("r/state.npz")}),
          "sluice: [...]/r/state.npz: expected a file, found a folder"),
      run(
          "AStateOfOtherUnits", {"run", "--continue", "r", "--set", "network.hidden=4", "--out", "q"},
          [](const auto&) {},
          "sluice: [...]/r/state.npz: weights: expected [4, 8] as this network has it, found [3, 8]"),
      run(
          "AStateOfOtherSites", {"run", "--continue", "r", "--set", "task.n=9", "--out", "q"},
          [](const auto&) {},
          "sluice: [...]/r/state.npz: weights: expected [3, 9] as this network has it, found [3, 8]"),
      run(
          "ContinuedIntoItself", {"run", "--continue", "r", "--out", "r"}, [](const auto&) {},
          "sluice: --out r: expected another folder than that of the run that is continued"),
      run(
          "ContinuedAndSet", {"run", "--continue", "r", "--set", "start.run=r"}, [](const auto&) {},
          "sluice: --continue r and --set start.run=r: expected one of them"),
      // deep
      deep("H4_NormsOfOneAxis", "weight_norms", filled<double>({6}),
           "sluice: d/record.npz: weight_norms: expected float64 [2, 1 or more], found float64 [6]"),
      deep("H4_ASpectrumOfNoTime", "tangent_spectrum", filled<double>({0, 3}),
           "sluice: d/record.npz: tangent_spectrum: expected float64 [2, 1 or more], found float64 [0, 3]"),
      deep("H4_ASpectrumThatIsANumber", "tangent_spectrum", filled<double>({}),
           "sluice: d/record.npz: tangent_spectrum: expected float64 [2, 1 or more], found float64 []"),
      deep("H4_NoLoss", "loss", filled<double>({0}),
           "sluice: d/record.npz: loss: expected float64 [2], found float64 [0]"),
      deep("H4_NoAccuracy", "accuracy", filled<double>({0}),
           "sluice: d/record.npz: accuracy: expected float64 [2], found float64 [0]"),
      deep("M15_StepsThatAreFloats", "step", filled<double>({2}),
           "sluice: d/record.npz: step: expected int64 [2], found float64 [2]"),
      deep("M15_LossThatIsFloat32", "loss", filled<float>({3}),
           "sluice: d/record.npz: loss: expected float64 [2], found float32 [3]"),
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
      sweep("APointWithoutASpec", {"report", "s"}, lacks("s/seed=2/spec.toml"),
            "sluice: s/seed=2/spec.toml: cannot be read: No such file or directory"),
      sweep("APointOfAnotherSpec", {"report", "s"}, says("s/seed=2/spec.toml", "\nseed = 2", "\nseed = 3"),
            "sluice: s/seed=2/spec.toml: not the spec that made s/seed=2/record.npz"),
      sweep("APointThatIsCut", {"report", "s"}, ends_after("s/seed=2/record.npz", 300),
            "sluice: s/seed=2/record.npz: not a complete npz archive (truncated?)"),
      sweep(
          "AFigureThatIsNone", {"figure", "s", "nothing"}, [](const auto&) {},
          "sluice: nothing: no such figure; expected one of receptive_fields, evolution, learning, biases, "
          "unit_curves, unit_map, time_map, spectra, kinds, gabor_fits, sign_flipping, gate_structure, "
          "pair_covariance, flow_comparison, error, alignment, alignment_raw, tangent_trace, gates, "
          "gate_overlap, gate_paths, tangent_spectrum, weight_norms, curve, …"),
      sweep(
          "AFigureOfNoRuns", {"figure", "s", "comparison", "--runs", "x*", "--out", "f.svg"},
          [](const auto&) {}, "sluice: x*: no such run; there are seed=1 seed=2"),
      sweep(
          "ACurveOverNothing", {"figure", "s", "curve", "--x", "nothing", "--out", "f.svg"},
          [](const auto&) {}, "sluice: no column 'nothing' in any of these runs"),
      sweep("ACurveOfAPlanWithAFolderTwice", {"figure", "s", "curve", "--out", "f.svg"},
            says("s/sweep.json", "\"folder\": \"seed=2\"", "\"folder\": \"./seed=1\""),
            "sluice: s/sweep.json: points: expected a folder of its own for each, found './seed=1' twice"),
      sweep(
          "ACurveWhereNothingHolds", {"figure", "s", "curve", "--where", "seed >", "--out", "f.svg"},
          [](const auto&) {},
          "sluice: filter \"seed >\", column 7: expected a number or a text, found the end"),
      sweep(
          "L1_ACurveOverAnEscape", {"figure", "s", "curve", "--x", "\x1b[31m", "--out", "f.svg"},
          [](const auto&) {}, "sluice: no column '\\x1b[31m' in any of these runs"),
      sweep(
          "RunsWhereNothingHolds", {"runs", "s", "--where", "seed > > 3"}, [](const auto&) {},
          "sluice: filter \"seed > > 3\", column 8: expected a number or a text, found '>'"),
      sweep(
          "RunsWhereAnEscapeHolds", {"runs", "s", "--where", "\x1b[31m > 3"}, [](const auto&) {},
          "sluice: filter \"\\x1b[31m > 3\", column 1: no column '\\x1b[31m' in any of these runs"),
      sweep(
          "RunsWhereBracketsAreDeep", {"runs", "s", "--where", std::string(100000, '(') + "seed > 3"},
          [](const auto&) {},
          "sluice: filter "
          "\"(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
          "((((((((((((((((((((((((((((((((((((…((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
          "((seed > 3\", column 13: too many brackets within each other"),
      sweep(
          "RunsWhereNotIsDeep", {"runs", "s", "--where", repeated("not ", 10000) + "seed > 3"},
          [](const auto&) {},
          "sluice: filter \"not not not not not not not not not not not not not not not not not not not not "
          "not not not not not not not not not not not not not not not not not not not not not not not not "
          "not not not not not not not not not not not not not not not not not not not not not not not not "
          "not not not not not not not not not not not not not not not not not not not not not not not not "
          "not not not not …ot not not not not not not not not not not not not not not not not not not not "
          "not not not not not not not not not not not not not not not not seed > 3\", column 49: too many "
          "brackets within each other"),
      sweep(
          "RunsOfNoColumn", {"runs", "s", "--columns", "nothing"}, [](const auto&) {},
          "sluice: no column 'nothing' in any of these runs"),
      sweep(
          "RunsSortedByNothing", {"runs", "s", "--sort", "nothing"}, [](const auto&) {},
          "sluice: no column 'nothing' in any of these runs"),
      sweep(
          "RunsWithAQuoteOfSql", {"runs", "s", "--where", "path = ''; drop table runs; --"},
          [](const auto&) {},
          "sluice: filter \"path = ''; drop table runs; --\", column 10: expected 'and', 'or' or the end, "
          "found ';'"),
      sweep(
          "ExportOfNoKind", {"runs", "export", "s", "--out", "x.xml"}, [](const auto&) {},
          "sluice: x.xml: expected a file ending in .csv or .npz"),
      sweep(
          "ProbeOfASweep", {"probe", "s"}, [](const auto&) {},
          "sluice: s: a sweep; expected one of the runs in it"),
      sweep(
          "ContinueASweep", {"run", "--continue", "s"}, [](const auto&) {},
          "sluice: --continue s: not the folder of a run: it has no spec.toml"),
      sweep(
          "ShowASweep", {"runs", "show", "s"}, [](const auto&) {}, "sluice: s: expected the folder of a run"),
      sweep(
          "WatchAPortOfAnother", {"watch", "s", "--port", "-1"}, [](const auto&) {},
          "sluice watch: --port: -1: expected a port from 0 to 65535 (see sluice watch --help)"),
  };
  add_record(cases, "M15_LossThatIsFloat32", "loss", filled<float>({2}),
             "sluice: r/record.npz: loss: expected float64 [2], found float32 [2]");
  add_record(cases, "M15_LossOfAnotherLength", "loss", filled<double>({1}),
             "sluice: r/record.npz: loss: expected float64 [2], found float64 [1]");
  add_record(cases, "M15_WeightsThatAreFloat64", "weights", filled<double>({2, 3, 8}),
             "sluice: r/record.npz: weights: expected float32 [2, 3, 8], found float64 [2, 3, 8]");
  add_record(cases, "H4_WeightsOfOtherSites", "weights", filled<float>({2, 3, 9}),
             "sluice: r/record.npz: weights: expected float32 [2, 3, 8], found float32 [2, 3, 9]");
  add_record(cases, "H4_WeightsOfNoTime", "weights", filled<float>({0, 3, 8}),
             "sluice: r/record.npz: weights: expected float32 [2, 3, 8], found float32 [0, 3, 8]");
  add_record(
      cases, "M15_StepsBeyondAllRuns", "step",
      file::Array{{2}, std::vector<std::int64_t>{0, std::int64_t{1} << 62}},
      "sluice: r/record.npz: step: expected increasing numbers from 0 to 4, found 0 to 4611686018427387904");
  add_record(cases, "StepsBelowNothing", "step", file::Array{{2}, std::vector<std::int64_t>{-1, 4}},
             "sluice: r/record.npz: step: expected increasing numbers from 0 to 4, found -1 to 4");
  add_record(cases, "StepsThatAreTheSame", "step", file::Array{{2}, std::vector<std::int64_t>{4, 4}},
             "sluice: r/record.npz: step: expected increasing numbers from 0 to 4, found 4 to 4");
  add_record(cases, "NoSteps", "step", std::nullopt,
             "sluice: r/record.npz: no array 'step'; expected int64 [T]");
  add_record(cases, "StepsOfNothing", "step", file::Array{{0}, std::vector<std::int64_t>{}},
             "sluice: r/record.npz: step: expected int64 [T], found int64 [0]");
  add_record(cases, "NoWeights", "weights", std::nullopt,
             "sluice: r/record.npz: no array 'weights'; expected float32 [2, 3, 8]");
  return cases;
}

}  // namespace sluice::test
