/// Command lines of the verbs that study, draw and show, which cannot be.
#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_studies {
namespace {

/// e, whose record has the weights of the end alone.
Prepare run_of_end_alone() {
  static const Made made(with(kTinyRun, {"--set", "probe.weights=\"end\""}), "e");
  return made.copy();
}

}  // namespace
}  // namespace of_hostile_studies

std::vector<Hostile> hostile_studies() {
  using namespace of_hostile_studies;
  return {
      {"ShowUnknown",
       {"show", "localisation"},
       "sluice: localisation: no such experiment; did you mean 'localization'?"},
      {"SampleOfNothing", {"sample"}, "sluice sample: SPEC is required (see sluice sample --help)"},
      {"SampleUnknown",
       {"sample", "puls"},
       "sluice: puls: no such file and no such experiment or kind of task; did you mean 'pulse'?"},
      {"SampleNothing",
       {"sample", "pulse", "--count", "0"},
       "sluice sample: --count: 0: expected an integer from 2 to 100000000 (see sluice sample --help)"},
      {"SampleHalf",
       {"sample", "pulse", "--count", "7.5"},
       "sluice sample: --count: 7.5: expected an integer from 2 to 100000000 (see sluice sample --help)"},
      {"SampleOneClass",
       {"sample", "pulse", "--count", "10", "--set", "task.balance=0.01"},
       "sluice: count = 10: expected enough samples for both classes at task.balance = 0.01"},
      {"SampleCountOfADataset",
       {"sample", "dataset", "--count", "10"},
       "sluice: count = 10: expected none, a dataset has its own number of samples (1000)"},
      {"SampleWrongEnding",
       {"sample", "pulse", "--out", "x.csv"},
       "sluice: x.csv: expected a file ending in .npz, .svg, .pdf or .png"},
      {"SampleWithoutDots",
       {"sample", "pulse", "--out", "x.png", "--dpi", "0"},
       "sluice sample: --dpi: 0: expected an integer from 20 to 1200 (see sluice sample --help)"},
      {"SampleNoFolder", {"sample", "pulse", "--out", "no/x.npz"}, "sluice: no/x.npz: no such folder: no"},
      {"SampleUnknownKey",
       {"sample", "pulse", "--set", "task.gain=3"},
       "sluice: --set: task.gain: unknown key; expected one of [...]"},
      {"PredictTrainedByAFlow",
       {"predict", "single-unit", "--set", "dynamics.kind=flow", "--set", "dynamics.steps=1", "--train"},
       "sluice: dynamics.kind = \"flow\": expected an optimiser, for there to be training"},
      {"PredictUnknownPairs",
       {"predict", "single-unit", "--pairs", "gausian"},
       "sluice predict: --pairs: gausian: expected one of auto, gaussian, sampled (see sluice predict "
       "--help)"},
      {"PredictUnknownOperator",
       {"predict", "single-unit", "--operator", "meanfield"},
       "sluice predict: --operator: meanfield: expected one of auto, [...]"},
      {"PredictScoredOnPoints",
       {"predict", "single-unit", "--set", "task={kind=\"points\",n=4}", "--set", "dynamics.batch=\"full\"",
        "--train"},
       "sluice: task.kind = \"points\": predictions are scored on rings and tori"},
      {"PredictADeepNetwork",
       {"predict", "depth-relu"},
       "sluice: dynamics.kind = \"flow\": expected network.kind = \"two-layer\" or \"gated-linear\""},
      {"FreezeNothing",
       {"freeze", "nowhere"},
       "sluice: nowhere: expected the folder of a run or of a sweep, with record.npz and run.json, or a "
       "checkpoint"},
      {"KernelOfATwoLayerNetwork",
       {"kernel", "localization"},
       "sluice: network.kind = \"two-layer\": expected \"deep-gated\"; its kernels are those of deep "
       "networks"},
      {"KernelOfUnknownKind",
       {"kernel", "depth-frg", "--kind", "ntk"},
       "sluice kernel: --kind: ntk: expected one of tangent, strength, gates, paths, overlap (see sluice "
       "kernel --help)"},
      {"SampleOutOfAnEmptyVariable",
       {"sample", "pulse", "--out", ""},
       "sluice sample: --out: expected a value, found none (see sluice sample --help)"},
      {"ShowNothing", {"show"}, "sluice show: NAME is required (see sluice show --help)"},
      {"SampleBeyondAllNumbers",
       {"sample", "pulse", "--count", "1e99"},
       "sluice sample: --count: 1e99: expected an integer from 2 to 100000000 (see sluice sample --help)"},
      {"SampleLessThanNothing",
       {"sample", "pulse", "--count=-5"},
       "sluice sample: --count: -5: expected an integer from 2 to 100000000 (see sluice sample --help)"},
      {"CheckNoClaim",
       {"check", "N0.99999999999999999999"},
       "sluice: N0.99999999999999999999: no such claim; `sluice check --list` has all ids"},
      {"CheckSamplesOfAWord",
       {"check", "N0.12", "--samples", "many"},
       "sluice check: --samples: many: expected an integer from 10000 to 1000000000 (see sluice check "
       "--help)"},
      {"CheckASeedBelowZero",
       {"check", "N0.12", "--seed=-3"},
       "sluice check: --seed: -3: expected an integer, 0 or more (see sluice check --help)"},
      {"TheoryOfNothing",
       {"theory", "nothing"},
       "sluice: nothing: no such quantity; expected one of covariance, spectrum, response, pair-response, "
       "amplifier, normalisation, initial-loss, start-loss, steady-states, advantage, landscape, flow-error, "
       "dominance, dominance-shapes, characteristic, uncertainty, modulation, mode-map, basis, "
       "localized-panel, gram-entries, gram-spectrum, gram-variance, …"},
      {"TheoryInNoFormat",
       {"theory", "spectrum", "--format", "xml"},
       "sluice theory: --format: xml: expected one of table, csv, json, npy (see sluice theory --help)"},
      {"BranchOfNoRange", {"branch", "single-unit", "--range", "3"}, "sluice: --range 3: expected LOW:HIGH"},
      {"BranchOfAnEmptyRange",
       {"branch", "single-unit", "--range", "3:1"},
       "sluice: --range 3:1: expected LOW < HIGH"},
      {"BranchAtAWord",
       {"branch", "single-unit", "--at", "here"},
       "sluice: --at here: expected a gain from 0.001 to 1000"},
      {"BranchAtAlmostNothing",
       {"branch", "single-unit", "--at", "1e-320"},
       "sluice: --at 1e-320: expected a gain from 0.001 to 1000"},
      {"BranchOverNothing",
       {"branch", "single-unit", "--over", "nothing"},
       "sluice branch: unknown option --over; did you mean --set sweep.over=nothing? (see sluice branch "
       "--help)"},
      {"BranchFromNowhere",
       {"branch", "single-unit", "--from", "nowhere"},
       "sluice: start nowhere: expected flat, mode:K, site, bond or a file of weights, FILE.npy"},
      {"BranchFromAModeTooMany",
       {"branch", "single-unit", "--from", "mode:999999999999999999999"},
       "sluice: mode:999999999999999999999: expected mode:K with K from 0 to 20"},
      {"SearchNothing", {"search"}, "sluice search: SPEC is required (see sluice search --help)"},
      {"RaceNothing",
       {"race", "nothing"},
       "sluice: nothing: no such file and no such experiment; expected one of cifar10-galu, "
       "cifar10-gates-only, cifar10-relu, cifar10-soft-relu, cifar10-two-classes, deep-linear, depth-frg, "
       "depth-galu, depth-relu, digits-frozen, digits-galu, digits-gates-only, digits-learned-gates, "
       "digits-relu, digits-soft-galu, digits-soft-relu, mnist-galu, mnist-relu, absolute-loss, …"},
      {"ReduceNothing",
       {"reduce", "nothing"},
       "sluice: nothing: expected the folder of a run or of a sweep, with record.npz and run.json, or a "
       "checkpoint"},
      {"FreezeAtAWord",
       {"freeze", "nowhere", "--at", "first"},
       "sluice freeze: --at: first: expected an integer, 0 or more (see sluice freeze --help)"},
      {"FreezeBeyondAllNumbers",
       {"freeze", "nowhere", "--at", "99999999999999999999"},
       "sluice freeze: --at: 99999999999999999999: expected an integer, 0 or more (see sluice freeze "
       "--help)"},
      {"ReportNothing", {"report"}, "sluice report: RUN is required (see sluice report --help)"},
      {"ReportNowhere",
       {"report", "nowhere"},
       "sluice: nowhere: expected the folder of a run or of a sweep, with record.npz and run.json, or a "
       "checkpoint"},
      {"FigureNothing",
       {"figure"},
       "sluice: figure: expected RUN, the folder of a run or sweep, or an npz file"},
      {"FigureNowhere", {"figure", "nowhere"}, "sluice: nowhere: cannot be read: No such file or directory"},
      {"ProbeNowhere", {"probe", "nowhere"}, "sluice: nowhere: cannot be read: No such file or directory"},
      {"PredictOutOfNoKind",
       {"predict", "single-unit", "--out", "thesis.tex"},
       "sluice: thesis.tex: expected a file ending in .npy"},
      {"L1_EscapeInAName",
       {"show", "loc\x1b]0;owned\x07"},
       "sluice: loc\\x1b]0;owned\\x07: no such experiment; expected one of cifar10-galu, cifar10-gates-only, "
       "cifar10-relu, cifar10-soft-relu, cifar10-two-classes, deep-linear, depth-frg, depth-galu, "
       "depth-relu, digits-frozen, digits-galu, digits-gates-only, digits-learned-gates, digits-relu, "
       "digits-soft-galu, digits-soft-relu, mnist-galu, mnist-relu, absolute-loss, …"},
      {"ASpectrumOverAlmostNothingAsPng",
       {"theory", "spectrum", "--out", "x.png", "--xlim=1e-307,2e-307"},
       "sluice: --xlim 1e-307,2e-307: too little apart for an axis"},
      {"ASpectrumOverAlmostNothingAsSvg",
       {"theory", "spectrum", "--out", "x.svg", "--xlim=1e-307,2e-307"},
       "sluice: --xlim 1e-307,2e-307: too little apart for an axis"},
      {"PredictionOfATrainingThatDiverges",
       {"predict", "single-unit", "--set", "task.n=8", "--set", "dynamics.rate=30", "--set",
        "dynamics.steps=200", "--train"},
       "sluice: training diverged within 200 steps: expected finite weights",
       [](const auto&) {},
       1},
      {"BumpsOfFieldsThatAreNone",
       {"predict", "localization", "--operator", "bumps"},
       "sluice: dynamics.operator = \"bumps\": no closed response for these weights; expected another "
       "operator"},
      {"TheoryInAFormatThatTheFileIsNot",
       {"theory", "covariance", "--format", "csv", "--out", "x.json"},
       "sluice: --format csv: --out x.json ends in .json; leave --format out, or choose another ending"},
      {"TheoryInDotsWithoutAPicture",
       {"theory", "covariance", "--dpi", "300"},
       "sluice: --dpi: dots per inch of a .png; expected a picture that ends so"},
      {"FigureInDotsThatHasNone",
       {"figure", "r", "unit_map", "--out", "x.svg", "--dpi", "300"},
       "sluice: --dpi: dots per inch of a .png; expected a picture that ends so"},
      {"WeightsOfACurve",
       {"figure", "s", "curve", "--out", "x.svg", "--weights", "flow_weights"},
       "sluice: weights = flow_weights: expected a run or a file with it, found several runs in s",
       finished_sweep()},
      {"LayoutOfAComparison",
       {"figure", "s", "comparison", "--out", "x.svg", "--layout", "torus"},
       "sluice: layout = torus: expected a run or a file with it, found several runs in s",
       finished_sweep()},
      {"OtherWeightsAmongTheFiguresOfARun",
       {"figure", "r", "unit_map", "--weights", "readout"},
       "sluice: --weights: expected --out FILE with it: figures of the folder itself are those without "
       "options",
       finished_run()},
      {"PredictionHeldAgainstAnotherStart",
       {"predict", "r/spec.toml", "--seed", "7", "--against", "r"},
       "sluice: r/record.npz: weights: expected those of seed 7 at the start, found some of another start, "
       "whose units cannot be compared one by one; predict the run's own spec.toml, with its seed",
       finished_run()},
      {"PredictionHeldAgainstTheEndOfAnotherStart",
       {"predict", "e/spec.toml", "--seed", "7", "--against", "e"},
       "sluice: e/spec.toml: seed = 1: expected 7; this one is of another start, whose units cannot be "
       "compared one by one; predict the run's own spec.toml, with its seed",
       run_of_end_alone()},
  };
}

}  // namespace sluice::test
