/// Specs that are TOML: keys, types and ranges of every section and family.
#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_specs {
namespace {

const std::vector<std::string> kGatedPair{"gated-pair",        "--set",  "task.n=8", "--set",
                                          "network.gate.at=2", "--quiet"};
const std::vector<std::string> kTinyFlow{"localization",     "--set", "task.n=8",        "--set",
                                         "network.hidden=3", "--set", "dynamics.steps=4"};
std::vector<std::string> asked(const std::string& verb, const std::vector<std::string>& spec,
                               const std::vector<std::string>& more) {
  return test::with(test::with({verb}, spec), more);
}
const std::string kFlowDiverged = "sluice: the flow diverged within 4 steps: expected finite weights";

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

Hostile of_spec(const std::string& name, const std::string& text, const std::string& message) {
  return {name, {"run", "bad.toml"}, message, holds("bad.toml", text)};
}
/// A task of this kind with these lines.
Hostile task(const std::string& name, const std::string& kind, const std::string& lines,
             const std::string& message) {
  return of_spec(name,
                 "[task]\nkind = \"" + kind + "\"\n" + lines + "\n" + kGood.substr(kGood.find("[network]")),
                 message);
}
Hostile network(const std::string& name, const std::string& kind, const std::string& lines,
                const std::string& message) {
  return of_spec(name,
                 "[task]\nkind = \"nlgp\"\nn = 8\n[network]\nkind = \"" + kind + "\"\n" + lines +
                     "\n[dynamics]\nkind = \"sgd\"\n",
                 message);
}
/// Another section, or more of one that is there.
Hostile with(const std::string& name, const std::string& section, const std::string& line,
             const std::string& message) {
  return of_spec(name,
                 section == "dynamics" ? with_dynamics(line) : kGood + "[" + section + "]\n" + line + "\n",
                 message);
}

}  // namespace
}  // namespace of_hostile_specs

std::vector<Hostile> hostile_specs() {
  using namespace of_hostile_specs;
  return {
      of_spec("BumpsOnATorus", with_task("dim = 2\nn = 8") + "[network.init]\nlaw = \"bump\"\n",
              "sluice: network.init.law = \"bump\": expected task.dim = 1, its fields lie on a ring"),
      of_spec("NotToml", "[task\n", "sluice: bad.toml:1: not valid TOML: [...]"),
      of_spec("BinaryFile", std::string("\0\1\2\xff", 4), "sluice: bad.toml:1: not valid TOML: [...]"),
      of_spec("EmptyFile", "\n", "sluice: bad.toml: task.kind: missing key; expected one of \"nlgp\", [...]"),
      of_spec("KeyTwice", "seed = 1\nseed = 2\n", "sluice: bad.toml:2: not valid TOML: [...]"),
      of_spec(
          "UnknownKind", "[task]\nkind = \"nlpg\"\n",
          "sluice: bad.toml:2: task.kind = 'nlpg': expected one of \"nlgp\", [...]; did you mean \"nlgp\"?"),
      of_spec("UnknownSection", kGood + "[pobe]\nevery = 3\n",
              "sluice: bad.toml:9: pobe: unknown key; did you mean 'probe'?"),
      of_spec(
          "KeyOfAnotherKind", "[task]\nkind = \"gaussian\"\ngain = 3.0\n",
          "sluice: bad.toml:3: task.gain: unknown key; expected one of kind, n, dim, xi, labels, balance"),
      of_spec("WrongType", with_task("n = \"forty\""),
              "sluice: bad.toml:3: task.n = 'forty': expected an integer from 2 to 1048576"),
      of_spec("NotAnInteger", with_task("n = 40.5"),
              "sluice: bad.toml:3: task.n = 40.5: expected an integer from 2 to 1048576"),
      of_spec("TooSmall", with_task("n = 1"),
              "sluice: bad.toml:3: task.n = 1: expected an integer from 2 to 1048576"),
      of_spec(
          "PairOfThree", with_task("xi = [1, 2, 3]"),
          "sluice: bad.toml:3: task.xi = [ 1, 2, 3 ]: expected two numbers [a, b], each a positive number"),
      of_spec(
          "NegativeLength", with_task("xi = [2.0, -1.0]"),
          "sluice: bad.toml:3: task.xi = [ 2.0, -1.0 ]: expected two numbers [a, b], each a positive number"),
      of_spec("EqualLabels", with_task("labels = [1, 1]"),
              "sluice: bad.toml:3: task.labels = [ 1, 1 ]: expected two different numbers"),
      of_spec("OrderWithoutVariance", "[task]\nkind = \"norta\"\nmarginal = \"algebraic\"\norder = 2.0\n",
              "sluice: bad.toml:4: task.order = 2.0: expected a number from 2.1 (at 2 the variance no longer "
              "exists) to 1000"),
      of_spec("FreedomWithoutVariance", "[task]\nkind = \"student-t\"\nnu = 2.0\n",
              "sluice: bad.toml:3: task.nu = 2.0: expected a number above 2, at most 1e6"),
      of_spec("NegativeSquareRadius", "[task]\nkind = \"scale-mixture\"\nlaw = \"two-point\"\nspread = 1.5\n",
              "sluice: bad.toml:4: task.spread = 1.5: expected at most 1 when law = \"two-point\""),
      of_spec("WidthWithoutInteger", "[task]\nkind = \"pulse\"\nwidth_first = [0.28125, 0.296875]\n",
              "sluice: bad.toml:3: task.width_first = [ 0.28125, 0.296875 ]: expected [lo, hi] with an "
              "integer in "
              "[...]"),
      of_spec("BlockThatDoesNotDivide", "[task]\nkind = \"block\"\nblock = [7, 2]\n",
              "sluice: bad.toml:3: task.block = [ 7, 2 ]: expected two proper divisors of n"),
      of_spec("NegativeCoupling", "[task]\nkind = \"ising\"\ncoupling = [-1, 1]\n",
              "sluice: bad.toml:3: task.coupling = [ -1, 1 ]: expected two numbers [a, b], each a positive "
              "number "
              "up to 6"),
      of_spec("NanGain", with_task("gain = nan"),
              "sluice: bad.toml:3: task.gain = nan: expected a number from 1e-6 to 1e6, or inf"),
      of_spec("UnknownActivation", with_network("activation = \"rellu\""),
              "sluice: bad.toml:5: network.activation = 'rellu': expected one of \"relu\", [...]; "
              "did you mean \"relu\"?"),
      of_spec("UnknownGateFunction",
              "[task]\nkind = \"nlgp\"\n[network]\nkind = \"deep-gated\"\ngate_shape = "
              "\"Phy(2*q)\"\n[dynamics]\nkind "
              "= \"sgd\"\n",
              "sluice: bad.toml:5: network.gate_shape = 'Phy(2*q)': expected \"logistic\" or a formula of q, "
              "\"Phi(2*q)\"; column 1: no function 'Phy'; [...]"),
      of_spec(
          "StepsAreNotLearned",
          "[task]\nkind = \"nlgp\"\n[network]\nkind = \"deep-gated\"\ngates = \"network\"\ngate_shape = \"q "
          "> "
          "1\"\n"
          "train = \"both\"\n[dynamics]\nkind = \"sgd\"\n",
          "sluice: bad.toml:7: network.train = 'both': expected \"weights\": hard gates have no gradient"),
      of_spec("GateOfAVector",
              "[task]\nkind = \"nlgp\"\n[network]\nkind = \"gated-linear\"\ngate = { shape = \"x > 0\" "
              "}\n[dynamics]\nkind = "
              "\"sgd\"\n",
              "sluice: bad.toml:5: network.gate.shape = 'x > 0': expected \"half-space\" or a formula of q = "
              "⟨v, "
              "x⟩, \"Phi(2*q)\"; column 1: no symbol 'x'; [...]"),
      of_spec("BiasWord", with_network("bias = \"learn\""),
              "sluice: bad.toml:5: network.bias = 'learn': expected one of \"none\", \"learned\" or a finite "
              "number; did you mean \"learned\"?"),
      of_spec("UnknownReadout", with_network("readout = \"learnt\""),
              "sluice: bad.toml:5: network.readout = 'learnt': expected one of \"mean\", \"learned\"; did "
              "you mean "
              "\"learned\"?"),
      of_spec("ReadoutInitOfTheMean", with_network("readout_init = { law = \"mean\" }"),
              "sluice: bad.toml:5: network.readout_init: unknown key; [...]"),
      of_spec("ReadoutStdOfTheMeanLaw", with_network("readout = \"learned\"\nreadout_init = { std = 0.1 }"),
              "sluice: bad.toml:6: network.readout_init.std: unknown key; [...]"),
      of_spec("NegativeReadoutStd",
              with_network("readout = \"learned\"\nreadout_init = { law = \"normal\", std = -0.5 }"),
              "sluice: bad.toml:6: network.readout_init.std = -0.5: expected a number, 0 or more"),
      of_spec("WatchedReadoutOfTheMean", kGood + "[probe]\nwatch = [\"readout\"]\n",
              "sluice: probe.watch: readout needs network.readout = \"learned\""),
      of_spec("InitWithoutPath", with_network("init = { law = \"file\" }"),
              "sluice: bad.toml:5: network.init.path: expected the path of an npy or npz file, or of a run's "
              "folder"),
      of_spec("InitFileMissing", with_network("init = { law = \"file\", path = \"w0.npy\" }"),
              "sluice: w0.npy: cannot be read: No such file or directory"),
      of_spec("InitNotAnArray", with_network("init = { law = \"file\", path = \"bad.toml\" }"),
              "sluice: bad.toml: not a complete npz archive (truncated?)"),
      of_spec("OddBatch", with_dynamics("batch = 7"),
              "sluice: dynamics.batch = 7: expected an even number, half of it from each class"),
      of_spec("BatchOfHalfASample", with_dynamics("batch = 7.5"),
              "sluice: bad.toml:7: dynamics.batch = 7.5: expected \"full\" or an integer from 1 to "
              "100000000"),
      of_spec("FullBatchOfAnEndlessTask", with_dynamics("batch = \"full\""),
              "sluice: dynamics.batch = \"full\": expected a number of samples, or task.kind = \"dataset\""),
      of_spec("BatchThatClassesDoNotDivide", with_task("balance = 0.3333"),
              "sluice: dynamics.batch = 1000: expected a number of samples that task.balance = 0.3333 "
              "divides into "
              "whole "
              "classes"),
      of_spec("OneClassOnly", with_task("balance = 1"),
              "sluice: bad.toml:3: task.balance = 1: expected a number between 0 and 1, both excluded"),
      of_spec("BatchLargerThanTheDataset",
              "[task]\nkind = \"dataset\"\nsamples = 10\nfrom = { kind = \"nlgp\" }\n[network]\nkind = "
              "\"two-layer\"\n[dynamics]\nkind = \"sgd\"\nbatch = 11\n",
              "sluice: dynamics.batch = 11: expected at most the 10 samples of the dataset, or \"full\""),
      of_spec("DatasetOfDatasets", "[task]\nkind = \"dataset\"\nfrom = { kind = \"dataset\" }\n",
              "sluice: bad.toml:3: task.from.kind = 'dataset': expected one of \"nlgp\", [...]"),
      of_spec("DatasetFileMissing",
              "[task]\nkind = \"dataset\"\npath = \"no.npz\"\n" + kGood.substr(kGood.find("[network]")),
              "sluice: [...]no.npz: cannot be read: No such file or directory"),
      of_spec("DatasetNotAnArchive",
              "[task]\nkind = \"dataset\"\npath = \"bad.toml\"\n" + kGood.substr(kGood.find("[network]")),
              "sluice: [...]bad.toml: not a complete npz archive (truncated?)"),
      of_spec("DatasetChanged",
              "[task]\nkind = \"dataset\"\npath = \"bad.toml\"\nchecksum = \"00000000\"\n" +
                  kGood.substr(kGood.find("[network]")),
              "sluice: [...], expected 00000000 (task.checksum): the file has changed"),
      of_spec("TeacherOfTeachers", "[task]\nkind = \"teacher\"\ninputs = { kind = \"teacher\" }\n",
              "sluice: bad.toml:3: task.inputs.kind = 'teacher': expected one of \"nlgp\", [...]"),
      of_spec("TrainLossOfAnEndlessTask", kGood + "[probe]\nwatch = [\"train_loss\"]\n",
              "sluice: probe.watch: train_loss needs a finite task: task.kind = \"dataset\", \"points\", "
              "\"mnist\" or \"cifar10\""),
      of_spec("ZeroRate", with_dynamics("rate = 0"),
              "sluice: bad.toml:7: dynamics.rate = 0: expected a positive number"),
      of_spec("UnknownProbe", kGood + "[probe]\nwatch = [\"ipr\", \"los\"]\n",
              "sluice: bad.toml:10: probe.watch = 'los': expected a list with elements from one of \"step\", "
              "[...]; did you mean \"loss\"?"),
      task("TaskNlgpGainMinus1", "nlgp", "gain = -1",
           "sluice: bad.toml:3: task.gain = -1: expected a number from 1e-6 to 1e6, or inf"),
      task("TaskNlgpGainX", "nlgp", "gain = \"x\"",
           "sluice: bad.toml:3: task.gain = 'x': expected a number from 1e-6 to 1e6, or inf"),
      task("TaskNlgpGain1E7", "nlgp", "gain = 1e7",
           "sluice: bad.toml:3: task.gain = 10000000.0: expected a number from 1e-6 to 1e6, or inf"),
      task("TaskNlgpXi01", "nlgp", "xi = [0, 1]",
           "sluice: bad.toml:3: task.xi = [ 0, 1 ]: expected two numbers [a, b], each a positive number"),
      task("TaskNlgpXi1", "nlgp", "xi = [1]",
           "sluice: bad.toml:3: task.xi = [ 1 ]: expected two numbers [a, b], each a positive number"),
      task("TaskNlgpXiA", "nlgp", "xi = \"a\"",
           "sluice: bad.toml:3: task.xi = 'a': expected two numbers [a, b], each a positive number"),
      task("TaskNlgpXiInf1", "nlgp", "xi = [inf, 1]",
           "sluice: bad.toml:3: task.xi = [ inf, 1 ]: expected two numbers [a, b], each a positive number"),
      task("TaskNlgpXiNan1", "nlgp", "xi = [nan, 1]",
           "sluice: bad.toml:3: task.xi = [ nan, 1 ]: expected two numbers [a, b], each a positive "
           "number"),
      task("TaskNlgpLabelsInf1", "nlgp", "labels = [inf, 1]",
           "sluice: bad.toml:3: task.labels = [ inf, 1 ]: expected two numbers [a, b], each a finite number"),
      task("TaskNlgpBalance0", "nlgp", "balance = 0",
           "sluice: bad.toml:3: task.balance = 0: expected a number between 0 and 1, both excluded"),
      task("TaskNlgpBalance2", "nlgp", "balance = 2",
           "sluice: bad.toml:3: task.balance = 2: expected a number between 0 and 1, both excluded"),
      task("TaskNlgpDim3", "nlgp", "dim = 3",
           "sluice: bad.toml:3: task.dim = 3: expected an integer from 1 to 2"),
      task("TaskNlgpDim0", "nlgp", "dim = 0",
           "sluice: bad.toml:3: task.dim = 0: expected an integer from 1 to 2"),
      task("TaskNlgpNormalize3", "nlgp", "normalize = 3",
           "sluice: bad.toml:3: task.normalize = 3: expected one of \"unit\", \"none\""),
      task("TaskNlgpScale0", "nlgp", "scale = 0",
           "sluice: bad.toml:3: task.scale = 0: expected a positive number"),
      task("TaskNlgpScaleMinus1", "nlgp", "scale = -1",
           "sluice: bad.toml:3: task.scale = -1: expected a positive number"),
      task("TaskNlgpScaleNan", "nlgp", "scale = nan",
           "sluice: bad.toml:3: task.scale = nan: expected a positive number"),
      task("TaskGaussianCloneGain0", "gaussian-clone", "gain = 0",
           "sluice: bad.toml:3: task.gain = 0: expected a number from 1e-6 to 1e6, or inf"),
      task("TaskStudentTNu1E7", "student-t", "nu = 1e7",
           "sluice: bad.toml:3: task.nu = 10000000.0: expected a number above 2, at most 1e6"),
      task("TaskStudentTNuNan", "student-t", "nu = nan",
           "sluice: bad.toml:3: task.nu = nan: expected a number above 2, at most 1e6"),
      task("TaskShellRadius0", "shell", "radius = 0",
           "sluice: bad.toml:3: task.radius: unknown key; expected one of kind, n, dim, xi, labels, balance"),
      task("TaskScaleMixtureLawX", "scale-mixture", "law = \"x\"",
           "sluice: bad.toml:3: task.law = 'x': expected one of \"lognormal\", \"exponential\", "
           "\"two-point\""),
      task("TaskScaleMixtureSpreadMinus1", "scale-mixture", "spread = -1",
           "sluice: bad.toml:3: task.spread = -1: expected a positive number up to 3"),
      task("TaskNortaMarginalX", "norta", "marginal = \"x\"",
           "sluice: bad.toml:3: task.marginal = 'x': expected one of \"normal\", \"uniform\", \"laplace\", "
           "\"sign\", \"algebraic\""),
      task("TaskNortaMarginalAlgebraicOrder1001", "norta", "marginal = \"algebraic\"\norder = 1001",
           "sluice: bad.toml:4: task.order = 1001: expected a number from 2.1 (at 2 the variance no longer "
           "exists) to 1000"),
      task("TaskIsingCoupling71", "ising", "coupling = [7, 1]",
           "sluice: bad.toml:3: task.coupling = [ 7, 1 ]: expected two numbers [a, b], each a positive "
           "number up to 6"),
      task("TaskIsingCoupling01", "ising", "coupling = [0, 1]",
           "sluice: bad.toml:3: task.coupling = [ 0, 1 ]: expected two numbers [a, b], each a positive "
           "number up to 6"),
      task("TaskPulseWidthFirst0501", "pulse", "width_first = [0.5, 0.1]",
           "sluice: bad.toml:3: task.width_first = [ 0.5, 0.1 ]: expected [lo, hi] with an "
           "integer in [lo·n, hi·n), all of them from 1 to n − 1"),
      task("TaskPulseWidthFirst23", "pulse", "width_first = [2, 3]",
           "sluice: bad.toml:3: task.width_first = [ 2, 3 ]: expected two numbers [a, b], each a number from "
           "0 to 1"),
      task("TaskPulseN2", "pulse", "n = 2",
           "sluice: bad.toml:1: task.width_first: expected [lo, hi] with an integer in [lo·n, hi·n), all of "
           "them from 1 to n − 1"),
      task("TaskBlockBlock32N8", "block", "block = [3, 2]\nn = 8",
           "sluice: bad.toml:3: task.block = [ 3, 2 ]: expected two proper divisors of n"),
      task("TaskBlockBlock81N8", "block", "block = [8, 1]\nn = 8",
           "sluice: bad.toml:3: task.block = [ 8, 1 ]: expected two proper divisors of n"),
      task("TaskTeacherOfNothing", "teacher", "",
           "sluice: bad.toml: task.inputs.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
           "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", "
           "\"pulse\", \"block\""),
      task("TaskTeacherInputs3", "teacher", "inputs = 3",
           "sluice: bad.toml:3: task.inputs = 3: expected a table"),
      task("TaskTeacherInputsKindNlgpN8NetworkKindX", "teacher",
           "inputs = { kind = \"nlgp\", n = 8 }\nnetwork = { kind = \"x\" }",
           "sluice: bad.toml:4: task.network.kind = 'x': expected \"two-layer\""),
      task("TaskDatasetOfNothing", "dataset", "",
           "sluice: bad.toml: task.from.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
           "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", "
           "\"pulse\", \"block\", \"teacher\", \"function\""),
      task("TaskDatasetPath", "dataset", "path = \"\"",
           "sluice: bad.toml: task.from.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
           "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", "
           "\"pulse\", \"block\", \"teacher\", \"function\""),
      task("TaskDatasetPath2", "dataset", "path = \".\"", "sluice: [...]/: expected a file, found a folder"),
      task("TaskDatasetPathDevZero", "dataset", "path = \"/dev/zero\"",
           "sluice: /dev/zero: expected a file, found a device or pipe"),
      task("TaskDatasetSamples0FromKindNlgp", "dataset", "samples = 0\nfrom = { kind = \"nlgp\" }",
           "sluice: bad.toml:3: task.samples = 0: expected an integer from 2 to 100000000"),
      task("TaskDatasetFrom", "dataset", "from = {}",
           "sluice: bad.toml:3: task.from.kind: missing key; expected one of \"nlgp\", \"gaussian\", "
           "\"gaussian-clone\", \"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", "
           "\"pulse\", \"block\", \"teacher\", \"function\""),
      task("TaskDatasetFromKindNlgpTest2", "dataset", "from = { kind = \"nlgp\" }\ntest = 2",
           "sluice: bad.toml:4: task.test: unknown key; expected one of kind, path, samples, from, seed"),
      task("TaskPointsN1", "points", "n = 1",
           "sluice: dynamics.batch = 1000: expected at most the 200 samples of the dataset, or \"full\""),
      task("TaskPointsN1E9", "points", "n = 1e9",
           "sluice: bad.toml:3: task.n = 1000000000.0: expected an integer from 1 to 1000000"),
      task("TaskMnistPath", "mnist", "path = \".\"",
           "sluice: mnist: no files in [...]/: fetch the data set, or give task.path; `sluice data get "
           "mnist` fetches it"),
      task("TaskMnistSamples0", "mnist", "samples = 0",
           "sluice: bad.toml:3: task.samples = 0: expected \"all\" or an integer from 1 to 2147483647"),
      task("TaskMnistClasses11VariantBinary", "mnist", "classes = [1, 1]\nvariant = \"binary\"",
           "sluice: bad.toml:3: task.classes = [ 1, 1 ]: expected two different classes"),
      task("TaskMnistVariantX", "mnist", "variant = \"x\"",
           "sluice: bad.toml:3: task.variant = 'x': expected one of \"standard\", \"random-labels\", "
           "\"random-pixels\", \"binary\""),
      task("TaskCifarPathNowhere", "cifar10", "path = \"nowhere\"",
           "sluice: cifar10: no files in [...]/nowhere: fetch the data set, or give task.path; `sluice data "
           "get cifar10` fetches it"),
      task("TaskCifarCropMinus1", "cifar10", "crop = -1",
           "sluice: bad.toml:3: task.crop = -1: expected an integer from 0 to 8"),
      task("TaskCifarStandardizeX", "cifar10", "standardize = \"x\"",
           "sluice: bad.toml:3: task.standardize = 'x': expected one of \"none\", \"channel\""),
      task("TaskFunctionOfNothing", "function", "",
           "sluice: task.source = \"\": expected the SHA-256 of the source of a function, 64 digits"),
      task("TaskFunctionSourceAbc", "function", "source = \"abc\"",
           "sluice: task.source = \"abc\": expected the SHA-256 of the source of a function, 64 digits"),
      network("NetworkHidden0", "two-layer", "hidden = 0",
              "sluice: bad.toml:6: network.hidden = 0: expected an integer from 1 to 1000000"),
      network("NetworkHidden1E7", "two-layer", "hidden = 1e7",
              "sluice: bad.toml:6: network.hidden = 10000000.0: expected an integer from 1 to 1000000"),
      network("NetworkActivationH", "two-layer", "activation = \"h*\"",
              "sluice: bad.toml:6: network.activation = 'h*': expected one of \"relu\", \"erf\", "
              "\"sigmoid\", \"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; column 3: "
              "expected a number, a name or '(', found the end"),
      network("NetworkActivationX", "two-layer", "activation = \"x\"",
              "sluice: bad.toml:6: network.activation = 'x': expected one of \"relu\", \"erf\", \"sigmoid\", "
              "\"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; column 1: no symbol 'x'; "
              "there are h, pi, inf"),
      network(
          "NetworkActivation10", "two-layer", "activation = \"1/0\"",
          "sluice: bad.toml:6: network.activation = '1/0': expected one of \"relu\", \"erf\", \"sigmoid\", "
          "\"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; it does not depend on h"),
      network("NetworkActivation", "two-layer", "activation = \"\"",
              "sluice: bad.toml:6: network.activation = '': expected one of \"relu\", \"erf\", \"sigmoid\", "
              "\"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; column 1: expected a "
              "number, a name or '(', found the end"),
      network("NetworkActivationAccent", "two-layer", "activation = \"é\"",
              "sluice: bad.toml:6: network.activation = 'é': expected one of \"relu\", \"erf\", \"sigmoid\", "
              "\"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; column 1: no symbol 'é'; "
              "there are h, pi, inf"),
      network(
          "NetworkBiasNan", "two-layer", "bias = nan",
          "sluice: bad.toml:6: network.bias = nan: expected one of \"none\", \"learned\" or a finite number"),
      network(
          "NetworkBiasInf", "two-layer", "bias = inf",
          "sluice: bad.toml:6: network.bias = inf: expected one of \"none\", \"learned\" or a finite number"),
      network(
          "NetworkBiasX", "two-layer", "bias = \"x\"",
          "sluice: bad.toml:6: network.bias = 'x': expected one of \"none\", \"learned\" or a finite number"),
      network("NetworkInitStdNan", "two-layer", "init = { std = nan }",
              "sluice: bad.toml:6: network.init.std: unknown key; expected one of law, scale, truncated"),
      network("NetworkInitLawFilePath", "two-layer", "init = { law = \"file\", path = \"\" }",
              "sluice: bad.toml:6: network.init.path = '': expected the path of an npy or npz file, or of a "
              "run's folder"),
      network("NetworkInitLawFilePathDevZero", "two-layer", "init = { law = \"file\", path = \"/dev/zero\" }",
              "sluice: /dev/zero: expected a file, found a device or pipe"),
      network("NetworkInitLawBumpAt99", "two-layer", "init = { law = \"bump\", at = 99 }",
              "sluice: bad.toml:6: network.init.at: unknown key; did you mean 'law'?"),
      network("NetworkStd1", "two-layer", "std = 1",
              "sluice: bad.toml:6: network.std: unknown key; did you mean 'network.init.std' or "
              "'network.readout_init.std'?"),
      network("NetworkDepth0", "deep-gated", "depth = 0",
              "sluice: bad.toml:6: network.depth = 0: expected an integer from 2 to 1000"),
      network("NetworkDepth1E9", "deep-gated", "depth = 1e9",
              "sluice: bad.toml:6: network.depth = 1000000000.0: expected an integer from 2 to 1000"),
      network("NetworkWidth0", "deep-gated", "width = 0",
              "sluice: bad.toml:6: network.width = 0: expected an integer from 1 to 100000"),
      network("NetworkWidth1E9", "deep-gated", "width = 1e9",
              "sluice: bad.toml:6: network.width = 1000000000.0: expected an integer from 1 to 100000"),
      network(
          "NetworkWidths0", "deep-gated", "widths = [0]",
          "sluice: bad.toml:6: network.widths = [ 0 ]: expected a list, each an integer from 1 to 100000"),
      network("NetworkWidthsA", "deep-gated", "widths = \"a\"",
              "sluice: bad.toml:6: network.widths = 'a': expected a list, each an integer from 1 to 100000"),
      network("NetworkGatesX", "deep-gated", "gates = \"x\"",
              "sluice: bad.toml:6: network.gates = 'x': expected one of \"own\", \"network\", \"random\", "
              "\"open\", \"function\""),
      network("NetworkBetaMinus1", "deep-gated", "beta = -1",
              "sluice: bad.toml:6: network.beta = -1: expected a positive number or inf"),
      network("NetworkBetaNan", "deep-gated", "beta = nan",
              "sluice: bad.toml:6: network.beta = nan: expected a positive number or inf"),
      network("NetworkLayersConvolutional", "deep-gated", "layers = \"convolutional\"",
              "sluice: bad.toml:4: network.channels: expected a list of numbers of channels, one for each "
              "convolution"),
      network("NetworkLayersConvolutionalChannels", "deep-gated", "layers = \"convolutional\"\nchannels = []",
              "sluice: bad.toml:7: network.channels = []: expected a list of numbers of channels, one for "
              "each convolution"),
      network("NetworkGateShapePhiGatesNetwork", "deep-gated", "gate_shape = \"Phi(\"\ngates = \"network\"",
              "sluice: bad.toml:6: network.gate_shape = 'Phi(': expected \"logistic\" or a formula of q, "
              "\"Phi(2*q)\"; column 5: expected a number, a name or '(', found the end"),
      network("NetworkGate3", "gated-linear", "gate = 3",
              "sluice: bad.toml:6: network.gate = 3: expected a table"),
      network("NetworkGateLawX", "gated-linear", "gate = { law = \"x\" }",
              "sluice: bad.toml:6: network.gate.law = 'x': expected one of \"bump\", \"hat\", \"gabor\", "
              "\"fourier\", \"random\", \"always\", \"coin\", \"file\", \"run\", \"function\""),
      network("NetworkGateLawRun", "gated-linear", "gate = { law = \"run\" }",
              "sluice: bad.toml:6: network.gate.path: expected the folder of a run"),
      network("NetworkGateLawRunPathNo", "gated-linear", "gate = { law = \"run\", path = \"no\" }",
              "sluice: no: cannot be read: No such file or directory"),
      network("NetworkGateLawRunPathBadToml", "gated-linear", "gate = { law = \"run\", path = \"bad.toml\" }",
              "sluice: bad.toml: not a complete npz archive (truncated?)"),
      network("NetworkGateLawFile", "gated-linear", "gate = { law = \"file\" }",
              "sluice: bad.toml:6: network.gate.path: expected the path of an npy or npz file"),
      network("NetworkGateLawCoinShare2", "gated-linear", "gate = { law = \"coin\", share = 2 }",
              "sluice: bad.toml:6: network.gate.share: unknown key; did you mean 'network.bias_init.share'?"),
      network("NetworkGateLawFourierFrequency1e300", "gated-linear",
              "gate = { law = \"fourier\", frequency = 1e300 }",
              "sluice: bad.toml:6: network.gate.frequency = 1e+300: expected a number from 0 to 1000000000"),
      network("NetworkInitLawGaborFrequency1e300", "two-layer",
              "init = { law = \"gabor\", frequency = 1e300 }",
              "sluice: bad.toml:6: network.init.frequency = 1e+300: expected a number from 0 to 1000000000"),
      network("NetworkGateShapeQ", "gated-linear", "gate = { shape = \"q >\" }",
              "sluice: bad.toml:6: network.gate.shape = 'q >': expected \"half-space\" or a formula of q = "
              "⟨v, x⟩, \"Phi(2*q)\"; column 4: expected a number, a name or '(', found the end"),
      network("NetworkGates0", "gated-linear", "gates = 0",
              "sluice: bad.toml:6: network.gates: unknown key; did you mean 'gate'?"),
      with("DynamicsRateInf", "dynamics", "rate = inf",
           "sluice: bad.toml:7: dynamics.rate = inf: expected a positive number"),
      with("DynamicsRateMinus1", "dynamics", "rate = -1",
           "sluice: bad.toml:7: dynamics.rate = -1: expected a positive number"),
      with("DynamicsRateX", "dynamics", "rate = \"x\"",
           "sluice: bad.toml:7: dynamics.rate = 'x': expected a positive number"),
      with("DynamicsLossX", "dynamics", "loss = \"x\"",
           "sluice: bad.toml:7: dynamics.loss = 'x': expected one of \"half-squared\", \"l1\", "
           "\"cross-entropy\""),
      with("DynamicsMomentum2", "dynamics", "momentum = 2",
           "sluice: bad.toml:7: dynamics.momentum: unknown key; expected one of kind, precision, loss, rate, "
           "weight_decay, batch, epochs, steps, patience, schedule, rate_unit"),
      with("DynamicsEpsilon0", "dynamics", "epsilon = 0",
           "sluice: bad.toml:7: dynamics.epsilon: unknown key; expected one of kind, precision, loss, rate, "
           "weight_decay, batch, epochs, steps, patience, schedule, rate_unit"),
      with("DynamicsMoments21", "dynamics", "moments = [2, 1]",
           "sluice: bad.toml:7: dynamics.moments: unknown key; expected one of kind, precision, loss, rate, "
           "weight_decay, batch, epochs, steps, patience, schedule, rate_unit"),
      with("DynamicsBatch0", "dynamics", "batch = 0",
           "sluice: bad.toml:7: dynamics.batch = 0: expected \"full\" or an integer from 1 to 100000000"),
      with("DynamicsBatchMinus2", "dynamics", "batch = -2",
           "sluice: bad.toml:7: dynamics.batch = -2: expected \"full\" or an integer from 1 to 100000000"),
      with("DynamicsBatchAll", "dynamics", "batch = \"all\"",
           "sluice: bad.toml:7: dynamics.batch = 'all': expected \"full\" or an integer from 1 to 100000000; "
           "did you mean \"full\"?"),
      with("DynamicsBatch3", "dynamics", "batch = 3",
           "sluice: dynamics.batch = 3: expected an even number, half of it from each class"),
      with("DynamicsPatienceMinus1", "dynamics", "patience = -1",
           "sluice: bad.toml:7: dynamics.patience = -1: expected an integer from 0 to 1000000000"),
      with("DynamicsPrecisionHalf", "dynamics", "precision = \"half\"",
           "sluice: bad.toml:7: dynamics.precision = 'half': expected one of \"strict\", \"fast\""),
      with("DynamicsPrecisionFast", "dynamics", "precision = \"fast\"",
           "sluice: bad.toml: dynamics.precision = \"fast\": expected device \"gpu\", found \"cpu\""),
      with("DynamicsRateUnitX", "dynamics", "rate_unit = \"x\"",
           "sluice: bad.toml:7: dynamics.rate_unit = 'x': expected one of \"one\", \"depth\", \"kernel\""),
      with("DynamicsTolerance0", "dynamics", "tolerance = 0",
           "sluice: bad.toml:7: dynamics.tolerance: unknown key; expected one of kind, precision, loss, "
           "rate, weight_decay, batch, epochs, steps, patience, schedule, rate_unit"),
      with("DynamicsOperatorX", "dynamics", "operator = \"x\"",
           "sluice: bad.toml:7: dynamics.operator: unknown key; expected one of kind, precision, loss, rate, "
           "weight_decay, batch, epochs, steps, patience, schedule, rate_unit"),
      with("DynamicsStepsMinus2", "dynamics", "steps = -2",
           "sluice: bad.toml:7: dynamics.steps = -2: expected an integer from 0 to 1000000000000"),
      with("DynamicsSteps25", "dynamics", "steps = 2.5",
           "sluice: bad.toml:7: dynamics.steps = 2.5: expected an integer from 0 to 1000000000000"),
      with("DynamicsStepsInf", "dynamics", "steps = inf",
           "sluice: bad.toml:7: dynamics.steps = inf: expected an integer from 0 to 1000000000000"),
      with("DynamicsSteps2", "dynamics", "steps = \"2\"",
           "sluice: bad.toml:7: dynamics.steps = '2': expected an integer from 0 to 1000000000000"),
      with("ProbeEvery0", "probe", "every = 0",
           "sluice: bad.toml:10: probe.every = 0: expected an integer from 1 to 1000000000000"),
      with("ProbeEveryMinus1", "probe", "every = -1",
           "sluice: bad.toml:10: probe.every = -1: expected an integer from 1 to 1000000000000"),
      with("ProbeSamples1", "probe", "samples = 1",
           "sluice: bad.toml:10: probe.samples = 1: expected an even integer from 2 to 100000000"),
      with("ProbeSamples3", "probe", "samples = 3",
           "sluice: bad.toml:10: probe.samples = 3: expected an even integer from 2 to 100000000"),
      with("ProbeWatchLoss", "probe", "watch = \"loss\"",
           "sluice: bad.toml:10: probe.watch = 'loss': expected a list with elements from one of \"step\", "
           "\"weights\", \"bias\", \"loss\", \"accuracy\", \"train_loss\", \"train_accuracy\", \"rate\", "
           "\"ipr\", \"flow_weights\", \"flow_distance\", \"readout\", \"offset\", \"entropy\", "
           "\"position\", \"position_variance\", \"position_spread\", \"power\", \"power_peak\", "
           "\"mean_frequency\", \"class\", \"gabor_centre\", \"gabor_width\", …"),
      with("ProbeWatchX", "probe", "watch = [\"x\"]",
           "sluice: bad.toml:10: probe.watch = 'x': expected a list with elements from one of \"step\", "
           "\"weights\", \"bias\", \"loss\", \"accuracy\", \"train_loss\", \"train_accuracy\", \"rate\", "
           "\"ipr\", \"flow_weights\", \"flow_distance\", \"readout\", \"offset\", \"entropy\", "
           "\"position\", \"position_variance\", \"position_spread\", \"power\", \"power_peak\", "
           "\"mean_frequency\", \"class\", \"gabor_centre\", \"gabor_width\", …"),
      with("ProbeWatch1", "probe", "watch = [1]",
           "sluice: bad.toml:10: probe.watch = 1: expected a list with elements from one of \"step\", "
           "\"weights\", \"bias\", \"loss\", \"accuracy\", \"train_loss\", \"train_accuracy\", \"rate\", "
           "\"ipr\", \"flow_weights\", \"flow_distance\", \"readout\", \"offset\", \"entropy\", "
           "\"position\", \"position_variance\", \"position_spread\", \"power\", \"power_peak\", "
           "\"mean_frequency\", \"class\", \"gabor_centre\", \"gabor_width\", …"),
      with("ProbeWatchLossSpectra2", "probe", "watch = [\"loss\", \"spectra2\"]",
           "sluice: bad.toml:10: probe.watch = 'spectra2': expected a list with elements from one of "
           "\"step\", \"weights\", \"bias\", \"loss\", \"accuracy\", \"train_loss\", \"train_accuracy\", "
           "\"rate\", \"ipr\", \"flow_weights\", \"flow_distance\", \"readout\", \"offset\", \"entropy\", "
           "\"position\", \"position_variance\", \"position_spread\", \"power\", \"power_peak\", "
           "\"mean_frequency\", \"class\", \"gabor_centre\", \"gabor_width\", …"),
      with("ProbeWeightsX", "probe", "weights = \"x\"",
           "sluice: bad.toml:10: probe.weights = 'x': expected one of \"always\", \"end\""),
      with("ProbeAt11", "probe", "at = [1, 1]",
           "sluice: bad.toml:10: probe.at: unknown key; did you mean 'network.gate.at'?"),
      with("RecordCompress3", "record", "compress = 3",
           "sluice: bad.toml:10: record.compress = 3: expected true or false"),
      with("StartRun3", "start", "run = 3", "sluice: bad.toml:10: start.run = 3: expected a string"),
      with("StartRunNowhere", "start", "run = \"nowhere\"",
           "sluice: start.run: [...]/nowhere: no such run; expected its folder"),
      with("StartRunBadToml", "start", "run = \"bad.toml\"",
           "sluice: [...]/bad.toml: not a complete npz archive (truncated?)"),
      with("StartRun", "start", "run = \".\"",
           "sluice: start.run: [...]/: expected the folder of a run that has ended; resume it first"),
      with("SweepOver3", "sweep", "over = 3", "sluice: bad.toml:10: sweep.over = 3: expected a string"),
      with("SweepShareSamplesX", "sweep", "share_samples = \"x\"",
           "sluice: bad.toml:10: sweep.share_samples = 'x': expected true or false"),
      task("L6_AnOrderBarelyAbove2", "norta", "marginal = \"algebraic\"\norder = 2.0000000001",
           "sluice: bad.toml:4: task.order = 2.0000000001: expected a number from 2.1 (at 2 the variance no "
           "longer exists) to 1000"),
      network("L2_AFormulaOf40000Letters", "two-layer", "activation = \"" + repeated("h+", 20000) + "h\"",
              "sluice: bad.toml:6: network.activation = "
              "'h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h+h…: expected one of \"relu\", "
              "\"erf\", \"sigmoid\", \"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; "
              "column 4002: more than 2000 operations"),
      network("AFormulaIn500Brackets", "two-layer",
              "activation = \"" + std::string(500, '(') + "h" + std::string(500, ')') + "\"",
              "sluice: bad.toml:6: network.activation = "
              "'(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((…: expected one of \"relu\", "
              "\"erf\", \"sigmoid\", \"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; "
              "column 201: more than 200 brackets or signs inside one another"),
      network("AFormulaOf5000Signs", "two-layer", "activation = \"" + std::string(5000, '-') + "h\"",
              "sluice: bad.toml:6: network.activation = "
              "'-----------------------------------------------------------…: expected one of \"relu\", "
              "\"erf\", \"sigmoid\", \"tanh\", \"linear\", \"soft-relu\" or a formula of h, \"h*erf(h)\"; "
              "column 401: more than 200 brackets or signs inside one another"),
      // What is allowed one by one, and leaves the numbers together.
      {"LabelsBeyondFloat32ToSample",
       {"sample", "nlgp", "--set", "task.labels=[1e300,0]", "--out", "x.npz"},
       "sluice: task: its labels leave the range of float32: expected finite numbers"},
      {"InputsBeyondFloat32ToSample",
       {"sample", "nlgp", "--set", "task.scale=1e300", "--out", "x.npz"},
       "sluice: task: its inputs leave the range of float32: expected finite numbers"},
      {"InputsBeyondFloat32ToDraw",
       {"sample", "nlgp", "--set", "task.scale=1e300", "--out", "x.svg"},
       "sluice: task: its inputs leave the range of float32: expected finite numbers"},
      {"NoiseBeyondFloat32ToSample",
       {"sample", "teacher", "--set", "task.noise=1e300", "--out", "x.npz"},
       "sluice: task: its labels leave the range of float32: expected finite numbers"},
      {"ARaceBehindAGateThatIsNoNumber",
       asked("race", kGatedPair, {"--set", "network.gate.shape=log(q)", "--out", "x.csv"}),
       "sluice: gated-pair: a moment behind its gates is not a finite number"},
      {"ARaceWithLabelsBeyondFloat64",
       asked("race", kGatedPair, {"--set", "task.labels=[1e300,0]", "--out", "x.csv"}),
       "sluice: gated-pair: a moment behind its gates is not a finite number"},
      {"ASearchWithLabelsBeyondFloat64",
       asked("search", kGatedPair,
             {"--set", "task.labels=[1e300,0]", "--samples", "1000", "--candidates", "20"}),
       "sluice: task.kind = \"nlgp\": a moment of its samples is not a finite number"},
      {"ASearchOnInputsWhoseSquaresAreNoNumbers",
       asked("search", kGatedPair, {"--set", "task.scale=1e30", "--samples", "1000", "--candidates", "20"}),
       "sluice: task.kind = \"nlgp\": a moment of its samples is not a finite number"},
      {"AKernelBehindGatesThatNeverOpen",
       {"kernel", "depth-frg", "--set", "network.mu=1e-300", "--out", "k.npy"},
       "sluice: tangent: an entry of this kernel is not a finite number in float32"},
      {"GramEntriesBehindGatesThatNeverOpen",
       {"theory", "gram-entries", "depth-frg", "--set", "network.mu=1e-300"},
       "sluice: network: at depth 2 an entry of K₀ is not a finite number in float32"},
      {"APredictionOfLabelsBeyondFloat32",
       asked("predict", kTinyFlow, {"--set", "task.labels=[1e300,0]", "--out", "x.npy"}), kFlowDiverged,
       [](const auto&) {}, 1},
      {"APredictionOfALogarithm",
       asked("predict", kTinyFlow, {"--set", "network.activation=log(h)", "--out", "x.npy"}), kFlowDiverged,
       [](const auto&) {}, 1},
      {"StartLossOfOtherLabels",
       {"theory", "start-loss", "--set", "task.labels=[2,0]"},
       "sluice: start-loss: task.labels: expected [1, 0]"},
      {"SteadyStatesOfABias",
       {"theory", "steady-states", "gaussian-control", "--set", "network.bias=-3"},
       "sluice: steady-states: network.bias: expected \"none\""},
  };
}

}  // namespace sluice::test
