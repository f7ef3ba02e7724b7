/// Overrides and axes that cannot be: --set, --over.
#include "test/program/hostile.hpp"

namespace sluice::test {
namespace of_hostile_overrides {
namespace {

/// run localization with these overrides
Hostile set(const std::string& name, const std::vector<std::string>& assignments,
            const std::string& message) {
  std::vector<std::string> words{"run", "localization"};
  for (const std::string& assignment : assignments) words.insert(words.end(), {"--set", assignment});
  return {name, words, message};
}

/// sweep localization over these axes
Hostile over(const std::string& name, const std::vector<std::string>& axes, const std::string& message) {
  std::vector<std::string> words{"sweep", "localization"};
  for (const std::string& axis : axes) words.insert(words.end(), {"--over", axis});
  return {name, words, message};
}

}  // namespace
}  // namespace of_hostile_overrides

std::vector<Hostile> hostile_overrides() {
  using namespace of_hostile_overrides;
  return {
      set("SetNothing", {""}, "sluice: --set : expected KEY=VALUE, for example task.gain=0.01"),
      set("SetNoKey", {"=1"}, "sluice: --set =1: expected KEY=VALUE, for example task.gain=0.01"),
      set("SetADot", {".=1"}, "sluice: --set .=1: expected KEY=VALUE, for example task.gain=0.01"),
      set("SetANegativeWord", {"task.n=-8x"},
          "sluice: --set: task.n = '-8x': expected an integer from 2 to 1048576"),
      set("SetASection", {"task=3"}, "sluice: --set: task = 3: expected a table"),
      set("SetAnEmptySection", {"network={}"},
          "sluice: --set: network.kind: missing key; expected one of \"two-layer\", \"deep-gated\", "
          "\"gated-linear\""),
      set("SetAKindThatIsANumber", {"task.kind=3"},
          "sluice: --set: task.kind = 3: expected one of \"nlgp\", \"gaussian\", \"gaussian-clone\", "
          "\"student-t\", \"shell\", \"scale-mixture\", \"norta\", \"ising\", \"pulse\", \"block\", "
          "\"teacher\", \"dataset\", \"points\", \"mnist\", \"cifar10\", \"function\""),
      set("SetADate", {"task.n=1979-05-27"},
          "sluice: --set: task.n = 1979-05-27: expected an integer from 2 to 1048576"),
      set("SetATime", {"task.gain=07:32:00"},
          "sluice: --set: task.gain = 07:32:00: expected a number from 1e-6 to 1e6, or inf"),
      set("SetAFlag", {"task.gain=true"},
          "sluice: --set: task.gain = true: expected a number from 1e-6 to 1e6, or inf"),
      set("SetNaN", {"dynamics.rate=nan"}, "sluice: --set: dynamics.rate = nan: expected a positive number"),
      set("SetBeyondAllNumbers", {"dynamics.rate=1e400"},
          "sluice: --set: dynamics.rate = '1e400': expected a positive number"),
      set("SetTheLargestInteger", {"task.n=9223372036854775807"},
          "sluice: --set: task.n = 9223372036854775807: expected an integer from 2 to 1048576"),
      set("SetBeyondTheLargestInteger", {"task.n=9223372036854775808"},
          "sluice: --set: task.n = '9223372036854775808': expected an integer from 2 to 1048576"),
      set("SetTheLeastInteger", {"task.n=-9223372036854775808"},
          "sluice: --set: task.n = -9223372036854775808: expected an integer from 2 to 1048576"),
      set("SetMoreSitesThanThereMayBe", {"task.n=1048577"},
          "sluice: --set: task.n = 1048577: expected an integer from 2 to 1048576"),
      set("SetMoreUnitsThanThereMayBe", {"network.hidden=1e18"},
          "sluice: --set: network.hidden = 1e+18: expected an integer from 1 to 1000000"),
      set("SetMoreStepsThanThereMayBe", {"dynamics.steps=1e18"},
          "sluice: --set: dynamics.steps = 1e+18: expected an integer from 0 to 1000000000000"),
      set("M11_MoreTimesThanARecordHolds", {"dynamics.steps=1e12", "probe.every=1"},
          "sluice: probe.every = 1: expected a record of at most [...] GiB, found [...] GiB at 1000000000001 "
          "probe times: raise it, or watch less"),
      set("M13_DotsInAKey", {"task" + repeated(".a", 200) + "=1"},
          "sluice: --set "
          "task.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a."
          "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.….a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a."
          "a.a=1: expected at most 100 names in a key"),
      set("M13_ListsInLists", {"task.n=" + std::string(200, '[') + std::string(200, ']')},
          "sluice: --set: expected at most 100 tables and lists in each other, also by dots in a key"),
      set("L4_ACommentInAValue", {"task.n=8#0"},
          "sluice: --set: task.n = '8#0': expected an integer from 2 to 1048576"),
      set("L4_ACommentBehindAValue", {"task.n=8 # sites"},
          "sluice: --set: task.n = '8 # sites': expected an integer from 2 to 1048576"),
      set("L1_EscapeInAKey", {"task.\x1b[31mn=1"},
          "sluice: --set: task.\\x1b[31mn: unknown key; expected one of kind, n, dim, xi, labels, balance, "
          "gain, normalize, scale"),
      set("L1_DirectionsInAKey", {"task.\u202egain=1"},
          "sluice: --set: task.\\u202egain: unknown key; expected one of kind, n, dim, xi, labels, balance, "
          "gain, normalize, scale"),
      set("L1_NewlineInAKey", {"task.n\n=1"}, "sluice: --set: task.n\\n: unknown key; did you mean 'n'?"),
      set("SetNoUtf8", {"title=\xff"}, "sluice: --set title=\\xff: expected text in UTF-8"),
      set("SetNoUtf8AsAKey", {"ti\xfftle=1"},
          "sluice: --set: ti\\xfftle: unknown key; did you mean 'title'?"),
      set("L2_AKeyOf100000Letters", {"task." + std::string(100000, 'x') + "=1"},
          "sluice: --set: "
          "task."
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:"
          " unknown key; expected one of kind, n, dim, xi, labels, balance, gain, normalize, scale"),
      set("L2_AValueOf100000Letters", {"task.kind=" + std::string(100000, 'y')},
          "sluice: --set: task.kind = 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…: "
          "expected one of \"nlgp\", \"gaussian\", \"gaussian-clone\", \"student-t\", \"shell\", "
          "\"scale-mixture\", \"norta\", \"ising\", \"pulse\", \"block\", \"teacher\", \"dataset\", "
          "\"points\", \"mnist\", \"cifar10\", \"function\""),
      over("OverNothing", {""}, "sluice: : expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100"),
      over("OverNoKey", {"=1"}, "sluice: =1: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100"),
      over("OverNoValue", {"seed="},
           "sluice: seed=: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100"),
      over("OverAMissingValue", {"seed=1,,2"},
           "sluice: seed=1,,2: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100"),
      over("OverAllIntegers", {"seed=-9223372036854775808..9223372036854775807"},
           "sluice: -9223372036854775808..9223372036854775807: expected FIRST..LAST with FIRST ≤ LAST and at "
           "most 10000 integers"),
      over("OverIntegersBackwards", {"seed=5..1"},
           "sluice: 5..1: expected FIRST..LAST with FIRST ≤ LAST and at most 10000 integers"),
      over("OverTooManyIntegers", {"seed=1..1000000"},
           "sluice: 1..1000000: expected FIRST..LAST with FIRST ≤ LAST and at most 10000 integers"),
      over("OverALineOfTwo", {"task.gain=lin(1,2)"},
           "sluice: lin(1,2): expected lin(FIRST, LAST, COUNT) with two numbers and COUNT from 2 to 10000"),
      over("OverALineOfOne", {"task.gain=lin(1,2,1)"},
           "sluice: lin(1,2,1): expected lin(FIRST, LAST, COUNT) with two numbers and COUNT from 2 to 10000"),
      over("OverALineBeyondAllNumbers", {"task.gain=lin(-1e308,1e308,3)"},
           "sluice: lin(-1e308,1e308,3): expected lin(FIRST, LAST, COUNT) with two numbers and COUNT from 2 "
           "to 10000"),
      over("OverADecadeOfAlmostNothing", {"task.gain=log(1e-320,1,3)"},
           "sluice: log(1e-320,1,3): expected log(FIRST, LAST, COUNT) with two positive numbers and COUNT "
           "from 2 to 10000"),
      over("OverADecadeOfNaN", {"task.gain=log(nan,1,3)"},
           "sluice: log(nan,1,3): expected log(FIRST, LAST, COUNT) with two positive numbers and COUNT from "
           "2 to 10000"),
      over("M11_AGridOf1000000000000Points",
           {"task.gain=lin(1,100,1000)", "dynamics.rate=lin(1,100,1000)", "network.bias=lin(1,100,1000)",
            "seed=1..1000"},
           "sluice: dynamics.rate: expected at most 100000 points in all"),
      over("OverOneKeyTwice", {"seed=1", "seed=2"}, "sluice: seed: swept twice"),
      over("OverAnOpenQuote", {"title=\"a,b"},
           "sluice: title=\"a,b: expected KEY=VALUE,VALUE,…, for example task.gain=0.01,3,100"),
      over("OverAValueWithoutItsFollower", {"network.hidden,dynamics.rate=10:0.5,40"},
           "sluice: 40: expected a value for each of the 2 keys, with colons between them"),
      over("OverAnUnknownKey", {"task.gian=1,2"},
           "sluice: --over: task.gian: unknown key; did you mean 'gain'?"),
      over("M14_OverATableAndAPartOfIt", {"task.n=8,16", "task={kind=\"nlgp\"}"},
           "sluice: task: expected no axis over a part of it, found task.n"),
      over("L5_TheSameGainInOtherWords", {"task.gain=3,3.0"},
           "sluice: gain=3.0: the same run as gain=3, in other words"),
      over("L5_TheSameSeedInOtherWords", {"seed=1, 1"},
           "sluice: seed= 1: the same run as seed=1, in other words"),
      over("L5_TheSameInfinityInOtherWords", {"task.gain=inf,+inf"},
           "sluice: gain=+inf: the same run as gain=inf, in other words"),
      over("M5_APointThatCannotRun", {"dynamics.batch=10,11"},
           "sluice: dynamics.batch = 11: expected an even number, half of it from each class (batch=11)"),
      over("M5_AProbeThatCannotBe", {"probe.watch=[\"ipr\"],[\"train_loss\"]"},
           "sluice: probe.watch: train_loss needs a finite task: task.kind = \"dataset\", \"points\", "
           "\"mnist\" or \"cifar10\" (watch=[\"train_loss\"])"),
      over("M5_ANameTooLongForAFolder", {"title=\"" + std::string(260, 'a') + "\",\"b\""},
           "sluice: "
           "runs/localization/"
           "title="
           "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
           "aaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\": cannot be "
           "used as a folder: the name is too long "
           "(title="
           "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
           "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
           "\")"),
  };
}

}  // namespace sluice::test
