/// Wrong inputs: one clear line that names the place, the key and what was expected; exit code 2; nothing
/// written.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "test/support/process.hpp"

namespace sluice {
namespace {

struct BadInput {
  std::string name;
  std::vector<std::string> arguments;
  std::string spec;     ///< written to bad.toml when not empty
  std::string message;  ///< the whole of standard error, without the newline
};
std::ostream& operator<<(std::ostream& out, const BadInput& bad) { return out << bad.name; }

const std::string kGood =
    "[task]\nkind = \"nlgp\"\n[network]\nkind = \"two-layer\"\nhidden = 4\n[dynamics]\nkind = \"sgd\"\nsteps "
    "= 3\n";

std::string with_task(const std::string& line) {
  return "[task]\nkind = \"nlgp\"\n" + line +
         "\n[network]\nkind = \"two-layer\"\n[dynamics]\nkind = \"sgd\"\n";
}
std::string with_network(const std::string& line) {
  return "[task]\nkind = \"nlgp\"\n[network]\nkind = \"two-layer\"\n" + line +
         "\n[dynamics]\nkind = \"sgd\"\n";
}
std::string with_dynamics(const std::string& line) {
  return "[task]\nkind = \"nlgp\"\n[network]\nkind = \"two-layer\"\n[dynamics]\nkind = \"sgd\"\n" + line +
         "\n";
}

std::vector<BadInput> bad_inputs() {
  const std::vector<std::string> run{"run", "bad.toml"};
  return {
      // the command line
      {"TorusOfPulses",
       {"run", "localization", "--set", "task={kind=\"pulse\",dim=2}"},
       "",
       "sluice: --set: task.dim = 2: expected 1: only tasks made of a latent Gaussian have a torus"},
      {"TorusTooLarge",
       {"run", "localization", "--set", "task.dim=2", "--set", "task.n=1025"},
       "",
       "sluice: --set: task.n = 1025: expected at most 1024 when dim = 2"},
      {"BumpsOnATorus", run, with_task("dim = 2\nn = 8") + "[network.init]\nlaw = \"bump\"\n",
       "sluice: network.init.law = \"bump\": expected task.dim = 1, its fields lie on a ring"},
      {"UnknownVerb", {"rum"}, "", "sluice: unknown verb 'rum'; did you mean 'run'? (see sluice --help)"},
      {"UnknownOption",
       {"run", "localization", "--treads", "2"},
       "",
       "sluice run: unknown option --treads; did you mean '--threads'? (see sluice run --help)"},
      {"UnexpectedArgument",
       {"run", "localization", "extra"},
       "",
       "sluice run: unexpected argument 'extra' (see sluice run --help)"},
      {"MissingExperiment", {"run"}, "", "sluice run: EXPERIMENT is required (see sluice run --help)"},
      {"NoThreads",
       {"run", "localization", "--threads", "0"},
       "",
       "sluice run: --threads: 0: expected an integer from 1 to 1024 (see sluice run --help)"},
      {"ThreadsNotANumber",
       {"run", "localization", "--threads", "two"},
       "",
       "sluice run: --threads: two: expected an integer from 1 to 1024 (see sluice run --help)"},
      {"HalfAThread",
       {"run", "localization", "--threads", "1.5"},
       "",
       "sluice run: --threads: 1.5: expected an integer from 1 to 1024 (see sluice run --help)"},
      {"SetTwoValues",
       {"run", "localization", "--set", "task.gain=3\nfoo=4"},
       "",
       "sluice: --set task.gain=3 foo=4: expected one value"},
      {"SetEmptyPart",
       {"run", "localization", "--set", "task..gain=3"},
       "",
       "sluice: --set task..gain=3: expected KEY=VALUE, for example task.gain=0.01"},
      {"SeedTooLarge",
       {"run", "localization", "--set", "seed=9.223372036854775808e18"},
       "",
       "sluice: --set: seed = [...]: expected an integer from 0 to 9223372036854775807"},
      {"SweepUnbalanced",
       {"sweep", "localization", "--over", "task.xi=[2,1],[1,2"},
       "",
       "sluice: task.xi=[2,1],[1,2: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100"},
      {"SweepTwiceTheSame",
       {"sweep", "localization", "--over", "task.gain=1,1"},
       "",
       "sluice: the point gain=1 comes twice"},
      {"NameTooLong", {"run", std::string(5000, 'x')}, "", "sluice: xxxx[...]"},
      {"ResumeAndOverwrite",
       {"run", "localization", "--resume", "--overwrite"},
       "",
       "sluice: --resume and --overwrite: expected one of them"},
      {"UnknownDevice",
       {"run", "localization", "--device", "tpu"},
       "",
       "sluice: device = \"tpu\": expected one of \"cpu\", \"gpu\", \"gpu:single\", \"gpu:tf32\", "
       "\"gpu:bfloat16\""},
      {"NoDeviceOrNotForThisNetwork",
       {"run", "localization", "--device", "gpu"},
       "",
       "sluice: device \"gpu\": [...]"},
      {"ShowUnknown",
       {"show", "localisation"},
       "",
       "sluice: localisation: no such experiment; did you mean 'localization'?"},
      {"UnknownShell",
       {"completion", "fish"},
       "",
       "sluice completion: SHELL: fish: expected bash or zsh (see sluice completion --help)"},
      {"MissingFile",
       {"run", "absent.toml"},
       "",
       "sluice: absent.toml: no such file and no such experiment; expected one of [...]"},
      {"MisspelledExperiment",
       {"run", "localisation"},
       "",
       "sluice: localisation: no such file and no such experiment; did you mean 'localization'?"},
      {"AFolder", {"run", "."}, "", "sluice: .: expected a file, found a folder"},
      {"SeedNotANumber",
       {"run", "localization", "--seed", "pi"},
       "",
       "sluice: --seed: seed = 'pi': expected an integer from 0 to 9223372036854775807"},
      {"NegativeSeed",
       {"run", "localization", "--seed=-1"},
       "",
       "sluice: --seed: seed = -1: expected an integer from 0 to 9223372036854775807"},
      {"SetWithoutValue",
       {"run", "localization", "--set", "task.gain"},
       "",
       "sluice: --set task.gain: expected KEY=VALUE, for example task.gain=0.01"},
      {"SetUnknownKey",
       {"run", "localization", "--set", "task.gian=3"},
       "",
       "sluice: --set: task.gian: unknown key; did you mean 'gain'?"},
      {"SetOutOfRange",
       {"run", "localization", "--set", "task.gain=0"},
       "",
       "sluice: --set: task.gain = 0: expected a number from 1e-6 to 1e6, or inf"},
      {"SetIntoAValue",
       {"run", "localization", "--set", "task.gain.deep=3"},
       "",
       "sluice: --set task.gain.deep=3: 'gain' is not a table"},
      {"SweepWithoutValues",
       {"sweep", "localization", "--over", "task.gain"},
       "",
       "sluice: task.gain: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100"},
      {"SweepWithAWrongPoint",
       {"sweep", "localization", "--over", "task.gain=3,-3"},
       "",
       "sluice: --over: task.gain = -3: expected a number from 1e-6 to 1e6, or inf (gain=-3)"},
      {"OutCannotBeMade",
       {"run", "localization", "--out", "/proc/sluice"},
       "",
       "sluice: /proc/sluice: cannot be used as a folder: No such file or directory"},
      {"OutIsAFile",
       {"run", "bad.toml", "--out", "bad.toml"},
       kGood,
       "sluice: bad.toml: cannot be used as a folder: it is a file"},
      {"SampleOfNothing", {"sample"}, "", "sluice sample: SPEC is required (see sluice sample --help)"},
      {"SampleUnknown",
       {"sample", "puls"},
       "",
       "sluice: puls: no such file and no such experiment or kind of task; did you mean 'pulse'?"},
      {"SampleNothing",
       {"sample", "pulse", "--count", "0"},
       "",
       "sluice sample: --count: 0: expected an integer from 2 to 100000000 (see sluice sample --help)"},
      {"SampleHalf",
       {"sample", "pulse", "--count", "7.5"},
       "",
       "sluice sample: --count: 7.5: expected an integer from 2 to 100000000 (see sluice sample --help)"},
      {"SampleOneClass",
       {"sample", "pulse", "--count", "10", "--set", "task.balance=0.01"},
       "",
       "sluice: count = 10: expected enough samples for both classes at task.balance = 0.01"},
      {"SampleCountOfADataset",
       {"sample", "dataset", "--count", "10"},
       "",
       "sluice: count = 10: expected none, a dataset has its own number of samples (1000)"},
      {"SampleWrongEnding",
       {"sample", "pulse", "--out", "x.csv"},
       "",
       "sluice: x.csv: expected a file ending in .npz, .svg, .pdf or .png"},
      {"SampleWithoutDots",
       {"sample", "pulse", "--out", "x.png", "--dpi", "0"},
       "",
       "sluice sample: --dpi: 0: expected an integer from 20 to 1200 (see sluice sample --help)"},
      {"SampleNoFolder",
       {"sample", "pulse", "--out", "no/x.npz"},
       "",
       "sluice: no/x.npz: no such folder: no"},
      {"KeyWithoutItsSection",
       {"run", "localization", "--set", "gain=3"},
       "",
       "sluice: --set: gain: unknown key; did you mean 'task.gain'?"},
      {"OptionThatIsAKey",
       {"run", "localization", "--steps", "100"},
       "",
       "sluice run: unknown option --steps; did you mean --set dynamics.steps=100? (see sluice run --help)"},
      {"SweepOfNothing",
       {"sweep", "localization", "--over", "task.gain=log(0,1,5)"},
       "",
       "sluice: log(0,1,5): expected log(FIRST, LAST, COUNT) with two positive numbers and COUNT from 2 to "
       "10000"},
      {"SampleUnknownKey",
       {"sample", "pulse", "--set", "task.gain=3"},
       "",
       "sluice: --set: task.gain: unknown key; expected one of [...]"},
      // the spec
      {"NotToml", run, "[task\n", "sluice: bad.toml:1: not valid TOML: [...]"},
      {"BinaryFile", run, std::string("\0\1\2\xff", 4), "sluice: bad.toml:1: not valid TOML: [...]"},
      {"EmptyFile", run, "\n", "sluice: bad.toml: task.kind: missing key; expected one of \"nlgp\", [...]"},
      {"KeyTwice", run, "seed = 1\nseed = 2\n", "sluice: bad.toml:2: not valid TOML: [...]"},
      {"UnknownKind", run, "[task]\nkind = \"nlpg\"\n",
       "sluice: bad.toml:2: task.kind = 'nlpg': expected one of \"nlgp\", [...]; did you mean \"nlgp\"?"},
      {"UnknownSection", run, kGood + "[pobe]\nevery = 3\n",
       "sluice: bad.toml:9: pobe: unknown key; did you mean 'probe'?"},
      {"KeyOfAnotherKind", run, "[task]\nkind = \"gaussian\"\ngain = 3.0\n",
       "sluice: bad.toml:3: task.gain: unknown key; expected one of kind, n, dim, xi, labels, balance"},
      {"WrongType", run, with_task("n = \"forty\""),
       "sluice: bad.toml:3: task.n = 'forty': expected an integer from 2 to 1048576"},
      {"NotAnInteger", run, with_task("n = 40.5"),
       "sluice: bad.toml:3: task.n = 40.5: expected an integer from 2 to 1048576"},
      {"TooSmall", run, with_task("n = 1"),
       "sluice: bad.toml:3: task.n = 1: expected an integer from 2 to 1048576"},
      {"PairOfThree", run, with_task("xi = [1, 2, 3]"),
       "sluice: bad.toml:3: task.xi = [ 1, 2, 3 ]: expected two numbers [a, b], each a positive number"},
      {"NegativeLength", run, with_task("xi = [2.0, -1.0]"),
       "sluice: bad.toml:3: task.xi = [ 2.0, -1.0 ]: expected two numbers [a, b], each a positive number"},
      {"EqualLabels", run, with_task("labels = [1, 1]"),
       "sluice: bad.toml:3: task.labels = [ 1, 1 ]: expected two different numbers"},
      {"OrderWithoutVariance", run, "[task]\nkind = \"norta\"\nmarginal = \"algebraic\"\norder = 2.0\n",
       "sluice: bad.toml:4: task.order = 2.0: expected a number above 2 (the variance does not exist below), "
       "at "
       "most 1000"},
      {"FreedomWithoutVariance", run, "[task]\nkind = \"student-t\"\nnu = 2.0\n",
       "sluice: bad.toml:3: task.nu = 2.0: expected a number above 2, at most 1e6"},
      {"NegativeSquareRadius", run, "[task]\nkind = \"scale-mixture\"\nlaw = \"two-point\"\nspread = 1.5\n",
       "sluice: bad.toml:4: task.spread = 1.5: expected at most 1 when law = \"two-point\""},
      {"WidthWithoutInteger", run, "[task]\nkind = \"pulse\"\nwidth_first = [0.28125, 0.296875]\n",
       "sluice: bad.toml:3: task.width_first = [ 0.28125, 0.296875 ]: expected [lo, hi] with an integer in "
       "[...]"},
      {"BlockThatDoesNotDivide", run, "[task]\nkind = \"block\"\nblock = [7, 2]\n",
       "sluice: bad.toml:3: task.block = [ 7, 2 ]: expected two proper divisors of n"},
      {"NegativeCoupling", run, "[task]\nkind = \"ising\"\ncoupling = [-1, 1]\n",
       "sluice: bad.toml:3: task.coupling = [ -1, 1 ]: expected two numbers [a, b], each a positive number "
       "up to 6"},
      {"NanGain", run, with_task("gain = nan"),
       "sluice: bad.toml:3: task.gain = nan: expected a number from 1e-6 to 1e6, or inf"},
      {"UnknownActivation", run, with_network("activation = \"rellu\""),
       "sluice: bad.toml:5: network.activation = 'rellu': expected one of \"relu\", [...]; "
       "did you mean \"relu\"?"},
      {"UnknownGateFunction", run,
       "[task]\nkind = \"nlgp\"\n[network]\nkind = \"deep-gated\"\ngate_shape = "
       "\"Phy(2*q)\"\n[dynamics]\nkind "
       "= \"sgd\"\n",
       "sluice: bad.toml:5: network.gate_shape = 'Phy(2*q)': expected \"logistic\" or a formula of q, "
       "\"Phi(2*q)\"; column 1: no function 'Phy'; [...]"},
      {"StepsAreNotLearned", run,
       "[task]\nkind = \"nlgp\"\n[network]\nkind = \"deep-gated\"\ngates = \"network\"\ngate_shape = \"q > "
       "1\"\n"
       "train = \"both\"\n[dynamics]\nkind = \"sgd\"\n",
       "sluice: bad.toml:7: network.train = 'both': expected \"weights\": hard gates have no gradient"},
      {"GateOfAVector", run,
       "[task]\nkind = \"nlgp\"\n[network]\nkind = \"gated-linear\"\ngate = { shape = \"x > 0\" "
       "}\n[dynamics]\nkind = "
       "\"sgd\"\n",
       "sluice: bad.toml:5: network.gate.shape = 'x > 0': expected \"half-space\" or a formula of q = "
       "⟨v, "
       "x⟩, \"Phi(2*q)\"; column 1: no symbol 'x'; [...]"},
      {"BiasWord", run, with_network("bias = \"learn\""),
       "sluice: bad.toml:5: network.bias = 'learn': expected one of \"none\", \"learned\" or a finite "
       "number; did you mean \"learned\"?"},
      {"UnknownReadout", run, with_network("readout = \"learnt\""),
       "sluice: bad.toml:5: network.readout = 'learnt': expected one of \"mean\", \"learned\"; did you mean "
       "\"learned\"?"},
      {"ReadoutInitOfTheMean", run, with_network("readout_init = { law = \"mean\" }"),
       "sluice: bad.toml:5: network.readout_init: unknown key; [...]"},
      {"ReadoutStdOfTheMeanLaw", run, with_network("readout = \"learned\"\nreadout_init = { std = 0.1 }"),
       "sluice: bad.toml:6: network.readout_init.std: unknown key; [...]"},
      {"NegativeReadoutStd", run,
       with_network("readout = \"learned\"\nreadout_init = { law = \"normal\", std = -0.5 }"),
       "sluice: bad.toml:6: network.readout_init.std = -0.5: expected a number, 0 or more"},
      {"WatchedReadoutOfTheMean", run, kGood + "[probe]\nwatch = [\"readout\"]\n",
       "sluice: probe.watch: readout needs network.readout = \"learned\""},
      {"InitWithoutPath", run, with_network("init = { law = \"file\" }"),
       "sluice: bad.toml:5: network.init.path: expected the path of an npy or npz file, or of a run's "
       "folder"},
      {"InitFileMissing", run, with_network("init = { law = \"file\", path = \"w0.npy\" }"),
       "sluice: w0.npy: cannot be read: No such file or directory"},
      {"InitNotAnArray", run, with_network("init = { law = \"file\", path = \"bad.toml\" }"),
       "sluice: bad.toml: not a complete npz archive (truncated?)"},
      {"OddBatch", run, with_dynamics("batch = 7"),
       "sluice: dynamics.batch = 7: expected an even number, half of it from each class"},
      {"BatchOfHalfASample", run, with_dynamics("batch = 7.5"),
       "sluice: bad.toml:7: dynamics.batch = 7.5: expected \"full\" or an integer from 1 to "
       "100000000"},
      {"FullBatchOfAnEndlessTask", run, with_dynamics("batch = \"full\""),
       "sluice: dynamics.batch = \"full\": expected a number of samples, or task.kind = \"dataset\""},
      {"BatchThatClassesDoNotDivide", run, with_task("balance = 0.3333"),
       "sluice: dynamics.batch = 1000: expected a number of samples that task.balance = 0.3333 divides into "
       "whole "
       "classes"},
      {"OneClassOnly", run, with_task("balance = 1"),
       "sluice: bad.toml:3: task.balance = 1: expected a number between 0 and 1, both excluded"},
      {"BatchLargerThanTheDataset", run,
       "[task]\nkind = \"dataset\"\nsamples = 10\nfrom = { kind = \"nlgp\" }\n[network]\nkind = "
       "\"two-layer\"\n[dynamics]\nkind = \"sgd\"\nbatch = 11\n",
       "sluice: dynamics.batch = 11: expected at most the 10 samples of the dataset, or \"full\""},
      {"DatasetOfDatasets", run, "[task]\nkind = \"dataset\"\nfrom = { kind = \"dataset\" }\n",
       "sluice: bad.toml:3: task.from.kind = 'dataset': expected one of \"nlgp\", [...]"},
      {"DatasetFileMissing", run,
       "[task]\nkind = \"dataset\"\npath = \"no.npz\"\n" + kGood.substr(kGood.find("[network]")),
       "sluice: [...]no.npz: cannot be read: No such file or directory"},
      {"DatasetNotAnArchive", run,
       "[task]\nkind = \"dataset\"\npath = \"bad.toml\"\n" + kGood.substr(kGood.find("[network]")),
       "sluice: [...]bad.toml: not a complete npz archive (truncated?)"},
      {"DatasetChanged", run,
       "[task]\nkind = \"dataset\"\npath = \"bad.toml\"\nchecksum = \"00000000\"\n" +
           kGood.substr(kGood.find("[network]")),
       "sluice: [...], expected 00000000 (task.checksum): the file has changed"},
      {"PredictTrainedByAFlow",
       {"predict", "single-unit", "--set", "dynamics.kind=flow", "--set", "dynamics.steps=1", "--train"},
       "",
       "sluice: dynamics.kind = \"flow\": expected an optimiser, for there to be training"},
      {"PredictUnknownPairs",
       {"predict", "single-unit", "--pairs", "gausian"},
       "",
       "sluice predict: --pairs: gausian: expected one of auto, gaussian, sampled (see sluice predict "
       "--help)"},
      {"PredictUnknownOperator",
       {"predict", "single-unit", "--operator", "meanfield"},
       "",
       "sluice predict: --operator: meanfield: expected one of auto, [...]"},
      {"PredictScoredOnPoints",
       {"predict", "single-unit", "--set", "task={kind=\"points\",n=4}", "--set", "dynamics.batch=\"full\"",
        "--train"},
       "",
       "sluice: task.kind = \"points\": predictions are scored on rings and tori"},
      {"PredictADeepNetwork",
       {"predict", "depth-relu"},
       "",
       "sluice: dynamics.kind = \"flow\": expected network.kind = \"two-layer\" or \"gated-linear\""},
      {"FreezeNothing",
       {"freeze", "nowhere"},
       "",
       "sluice: nowhere: expected the folder of a run or of a sweep, with record.npz and run.json, or a "
       "checkpoint"},
      {"OperatorOfTanhUnits",
       {"run", "localization", "--set", "network.activation=tanh", "--set",
        "dynamics={kind=\"flow\",operator=\"gaussian\"}"},
       "",
       "sluice: dynamics.operator = \"gaussian\": expected \"auto\" or \"sampled\"; the others are for flows "
       "in closed "
       "form and need network.activation = \"relu\" or \"erf\""},
      {"DeepFlow",
       {"run", "depth-frg", "--set", "dynamics={kind=\"flow\",batch=\"full\"}"},
       "",
       "sluice: dynamics.kind = \"flow\": expected network.kind = \"two-layer\" or \"gated-linear\""},
      {"RandomGatesOfBatches",
       {"run", "depth-frg", "--set", "dynamics.batch=20"},
       "",
       "sluice: network.gates = \"random\": expected dynamics.batch = \"full\": gates belong to samples"},
      {"HardGatesCannotLearn",
       {"run", "depth-galu", "--set", "network.train=both"},
       "",
       "sluice: --set: network.train = 'both': expected \"weights\": hard gates have no gradient"},
      {"GateKernelOfHardGates",
       {"run", "depth-relu", "--set", "probe.watch=[\"nu_gates\"]"},
       "",
       "sluice: probe.watch: nu_gates needs soft gates, network.beta below inf"},
      {"KernelRateOfATwoLayerNetwork",
       {"run", "localization", "--set", "dynamics.rate_unit=kernel"},
       "",
       "sluice: dynamics.rate_unit = \"kernel\": expected \"one\" for network.kind = \"two-layer\""},
      {"WideKernel",
       {"run", "depth-relu", "--set", "network={kind=\"deep-gated\",layers=\"circular\",kernel=3}"},
       "",
       "sluice: network.kernel = 3: expected at most the 2 inputs"},
      {"MnistNotThere",
       {"run", "mnist-relu", "--set", "task.path=nowhere"},
       "",
       "sluice: mnist: no files in [...]"},
      {"GatesOfNoRun",
       {"run", "depth-galu", "--set", "network.gate_init={law=\"file\",path=\"nowhere\"}"},
       "",
       "sluice: nowhere[...]"},
      {"KernelOfATwoLayerNetwork",
       {"kernel", "localization"},
       "",
       "sluice: network.kind = \"two-layer\": expected \"deep-gated\"; its kernels are those of deep "
       "networks"},
      {"KernelOfUnknownKind",
       {"kernel", "depth-frg", "--kind", "ntk"},
       "",
       "sluice kernel: --kind: ntk: expected one of tangent, strength, gates, paths, overlap (see sluice "
       "kernel --help)"},
      {"WidthsWithAWord",
       {"run", "mnist-relu", "--set", "network.widths=[100,\"x\"]"},
       "",
       "sluice: --set: network.widths = [ 100, 'x' ]: expected a list, each an integer from 1 to 100000"},
      {"TeacherOfTeachers", run, "[task]\nkind = \"teacher\"\ninputs = { kind = \"teacher\" }\n",
       "sluice: bad.toml:3: task.inputs.kind = 'teacher': expected one of \"nlgp\", [...]"},
      {"TrainLossOfAnEndlessTask", run, kGood + "[probe]\nwatch = [\"train_loss\"]\n",
       "sluice: probe.watch: train_loss needs a finite task: task.kind = \"dataset\", \"points\", "
       "\"mnist\" or \"cifar10\""},
      {"ZeroRate", run, with_dynamics("rate = 0"),
       "sluice: bad.toml:7: dynamics.rate = 0: expected a positive number"},
      {"UnknownProbe", run, kGood + "[probe]\nwatch = [\"ipr\", \"los\"]\n",
       "sluice: bad.toml:10: probe.watch = 'los': expected a list with elements from one of \"step\", "
       "[...]; did you mean \"loss\"?"},
  };
}

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, OneLineExitTwoNothingWritten) {
  const BadInput& bad = GetParam();
  const test::TempFolder folder;
  if (!bad.spec.empty()) std::ofstream(folder / "bad.toml", std::ios::binary) << bad.spec;
  const test::Said said = test::sluice(bad.arguments, folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
  const std::string_view gap = "[...]";
  const std::size_t at = bad.message.find(gap);
  if (at == std::string::npos) {
    EXPECT_EQ(said.err, bad.message + "\n");
  } else {
    const std::string tail = bad.message.substr(at + gap.size()) + "\n";
    EXPECT_EQ(said.err.substr(0, at), bad.message.substr(0, at));
    ASSERT_GE(said.err.size(), at + tail.size());
    EXPECT_EQ(said.err.substr(said.err.size() - tail.size()), tail);
  }
  const auto files = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  EXPECT_EQ(files, bad.spec.empty() ? 0 : 1) << "something was written";
}

INSTANTIATE_TEST_SUITE_P(All, BadInputs, testing::ValuesIn(bad_inputs()),
                         [](const auto& tested) { return tested.param.name; });

TEST(BadInputs, ThereAreEnoughOfThem) { EXPECT_GE(bad_inputs().size(), 25U); }

TEST(BadFiles, ATruncatedCheckpointIsNamedAndKept) {
  const test::TempFolder folder;
  const std::vector<std::string> begin{"run", "localization", "--set", "network.hidden=4", "--out", "r"};
  test::Process process(
      [&] {
        auto arguments = begin;
        arguments.insert(arguments.end(), {"--set", "dynamics.steps=100000000"});
        return arguments;
      }(),
      folder.path());
  while (!std::filesystem::exists(folder / "r/log.txt")) ::usleep(1000);
  process.signal(SIGTERM);
  ASSERT_EQ(process.wait().code, 128 + SIGTERM);
  const auto checkpoint = folder / "r/checkpoint.npz";
  std::filesystem::resize_file(checkpoint, std::filesystem::file_size(checkpoint) - 10);
  const test::Said said = test::sluice({"run", "r/spec.toml", "--out", "r", "--resume"}, folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(
      said.err,
      "sluice: r/checkpoint.npz: not a complete npz archive (truncated?); delete it, or overwrite the run "
      "to begin again\n");
  EXPECT_TRUE(std::filesystem::exists(checkpoint));
}

TEST(BadFiles, WeightsOfAnotherShapeAreRefused) {
  const test::TempFolder folder;
  ASSERT_EQ(test::sluice({"run", "localization", "--set", "network.hidden=3", "--set", "dynamics.steps=2",
                          "--out", "r", "--quiet"},
                         folder.path())
                .code,
            0);
  const test::Said said =
      test::sluice({"run", "localization", "--out", "s", "--set",
                    "network.init={law=\"file\",path=\"r/record.npz\",array=\"weights\"}"},
                   folder.path());
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "sluice: r/record.npz: array has shape [2, 3, 40], expected [100, 40] or [T, 100, 40] "
            "(network.hidden, task.n)\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "s"));
}

}  // namespace
}  // namespace sluice
