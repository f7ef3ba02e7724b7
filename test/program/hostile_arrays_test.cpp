/// Headers of npy and npz files that are wrong, and arrays that are well-formed and do not fit.
#include <limits>

#include "test/program/hostile.hpp"
#include "test/support/zip_files.hpp"

namespace sluice::test {
namespace of_hostile_arrays {
namespace {

std::string zeros(std::size_t bytes) { return std::string(bytes, '\0'); }
std::string dictionary(const std::string& element, const std::string& shape,
                       const std::string& fortran = "False") {
  return "{'descr': " + element + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

/// w.npy has these bytes.
Hostile of_npy(const std::string& name, const std::string& bytes, const std::string& message) {
  return {name, {"probe", "w.npy", "ipr"}, message, holds("w.npy", bytes)};
}
/// w.npz has these bytes.
Hostile of_npz(const std::string& name, const std::string& bytes, const std::string& message) {
  return {name, {"probe", "w.npz", "ipr"}, message, holds("w.npz", bytes)};
}
/// These arrays, and what is asked of them.
Hostile of_arrays(const std::string& name, const std::vector<std::string>& words,
                  const file::NamedArrays& arrays, const std::string& message) {
  return {name, words, message, holds_arrays("w.npz", arrays)};
}

template <class T>
file::Array filled(const file::Shape& shape, T value = 1) {
  return {shape, std::vector<T>(static_cast<std::size_t>(file::element_count(shape)), value)};
}
const float kNaN = std::numeric_limits<float>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

const std::string kWeights = npy("<f4", "2, 3, 8", zeros(192));
const std::vector<std::string> kProbe{"probe", "w.npz", "ipr"};
const std::vector<std::string> kInit{
    "run",   "localization", "--set", "network.hidden=3",
    "--set", "task.n=8",     "--set", "network.init={law=\"file\",path=\"w.npz\"}"};
const std::vector<std::string> kData{
    "run", "localization", "--set", "task={kind=\"dataset\",path=\"w.npz\"}", "--set", "dynamics.batch=2"};
const std::vector<std::string> kLayers{"run", "depth-relu", "--set",
                                       "network.init={law=\"file\",path=\"w.npz\"}"};
const std::vector<std::string> kGates{"run",      "gated-pair", "--set",
                                      "task.n=8", "--set",      "network.gate={law=\"file\",path=\"w.npz\"}"};
const std::vector<std::string> kShape{"branch", "single-unit", "--from", "w.npy"};

}  // namespace
}  // namespace of_hostile_arrays

std::vector<Hostile> hostile_arrays() {
  using namespace of_hostile_arrays;
  return {
      of_npy("AnEmptyArray", "", "@"),
      of_npy("AMagicWordAlone", "\x93NUMPY", "@"),
      of_npy("AVersionThatIsNone", std::string("\x93NUMPY\x09\0\x10\0", 10), "@"),
      of_npy("AHeaderLongerThanTheFile", std::string("\x93NUMPY\1\0\xff\xff{}", 12), "@"),
      of_npy("AHeaderOf4GB", std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), "@"),
      of_npy("AHeaderThatIsNoDictionary", npy("no dictionary", ""), "@"),
      of_npy("AHeaderWithoutAShape", npy("{'descr': '<f4', 'fortran_order': False, }", ""), "@"),
      of_npy("AHeaderWithoutAnElement", npy("{'fortran_order': False, 'shape': (3,), }", ""), "@"),
      of_npy("AHeaderWithoutAnOrder", npy("{'descr': '<f4', 'shape': (3,), }", zeros(12)), "@"),
      of_npy("AShapeThatIsOpen", npy(dictionary("'<f4'", "(3, 8"), zeros(96)), "@"),
      of_npy("AShapeOfWords", npy(dictionary("'<f4'", "(three, 8)"), zeros(96)), "@"),
      of_npy("AShapeBelowNothing", npy("<f4", "-3, 8", zeros(96)), "@"),
      of_npy("AShapeBeyondAllNumbers", npy("<f4", "99999999999999999999, 8", zeros(96)), "@"),
      of_npy("AShapeThatOverflows", npy("<f4", "4611686018427387904, 4611686018427387904", zeros(96)), "@"),
      of_npy("AShapeThatOverflowsBehindNothing",
             npy("<f4", "0, 4611686018427387904, 4611686018427387904", ""), "@"),
      of_npy("AShapeThatOverflowsToNothing", npy("<f4", "4294967296, 4294967296", ""), "@"),
      of_npy("L2_AShapeOf100000Axes",
             npy(dictionary("'<f4'", "(" + repeated("1, ", 100000) + ")"), zeros(4), 2), "@"),
      of_npy("AShapeOfNothing", npy("<f4", "", zeros(4)), "@"),
      of_npy("ElementsOfPython", npy("|O", "3, 8", zeros(96)), "@"),
      of_npy("ElementsOfTexts", npy("<U3", "3, 8", zeros(288)), "@"),
      of_npy("ElementsOfComplexNumbers", npy("<c8", "3, 8", zeros(192)), "@"),
      of_npy("ElementsTheOtherWayRound", npy(">f4", "3, 8", zeros(96)), "@"),
      of_npy("ElementsOfRecords", npy(dictionary("[('a', '<f4')]", "(3, 8)"), zeros(96)), "@"),
      of_npy("L1_AnEscapeAsAnElement", npy("\x1b[31m", "3, 8", zeros(96)), "@"),
      of_npy("L2_AnElementOf100000Letters",
             npy(dictionary("'" + std::string(100000, 'f') + "'", "(3, 8)"), zeros(96), 2), "@"),
      of_npy("FewerElementsThanClaimed", npy("<f4", "3, 8", zeros(95)), "@"),
      of_npy("NoElements", npy("<f4", "3, 8", ""), "@"),
      of_npy("ABillionElementsThatAreNotThere", npy("<f8", "1000000000, 1000", zeros(96)), "@"),
      of_npy("IntegersForWeights", npy("<i8", "3, 8", zeros(192)), "@"),
      of_npy("ALineForWeights", npy("<f4", "24", zeros(96)), "@"),
      of_npy("FiveAxesForWeights", npy("<f4", "1, 1, 1, 3, 8", zeros(96)), "@"),
      of_npy("WeightsOfNoTime", npy("<f4", "0, 3, 8", ""), "@"),
      of_npy("WeightsOfNoUnit", npy("<f4", "2, 0, 8", ""), "@"),
      of_npy("WeightsOfNoSite", npy("<f4", "2, 3, 0", ""), "@"),
      // archives
      of_npz("AnEmptyArchive", "", "@"),
      of_npz("AnArchiveOfText", "not an archive, but long enough to hold the record of an end", "@"),
      of_npz("AnArchiveOfNothing", zip({}), "@"),
      of_npz("AnArchiveWithoutItsEnd", zip({{"weights.npy", kWeights}}).substr(0, 200), "@"),
      of_npz("AnEndAlone", "PK\5\6" + zeros(18), "@"),
      of_npz("MoreMembersThanThereAre", zip({{"weights.npy", kWeights}}, 2), "@"),
      of_npz("SixtyThousandMembersThatAreNotThere", zip({{"weights.npy", kWeights}}, 60000), "@"),
      of_npz("ADirectoryBehindTheEnd", zip({{"weights.npy", kWeights}}, -1, 1000000), "@"),
      of_npz("ADirectoryThatIsNone", zip({{"weights.npy", kWeights}}, -1, 10), "@"),
      of_npz("AMemberBehindTheEnd", zip({{.name = "weights.npy", .content = kWeights, .offset = 1000000}}),
             "@"),
      of_npz("AMemberThatIsNone", zip({{.name = "weights.npy", .content = kWeights, .offset = 7}}), "@"),
      of_npz("AMemberLongerThanTheFile",
             zip({{.name = "weights.npy", .content = kWeights, .packed = 1000000}}), "@"),
      of_npz("AMemberOfAnotherChecksum", zip({{.name = "weights.npy", .content = kWeights, .crc = 1}}), "@"),
      of_npz("AMemberPackedAsNobodyDoes", zip({{.name = "weights.npy", .content = kWeights, .method = 93}}),
             "@"),
      of_npz("AMemberThatIsNotPackedAfterAll",
             zip({{.name = "weights.npy", .content = kWeights, .method = 8}}), "@"),
      of_npz("AMemberThatIsPackedAfterAll",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .method = 0}}), "@"),
      of_npz("AMemberOfAnImpossibleSize",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .size = 0xFFFFFFF0}}), "@"),
      of_npz("AMemberThatEndsEarly",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .size = 1000}}), "@"),
      of_npz("AMemberThatGoesOn",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .size = 100}}), "@"),
      of_npz("AMemberThatIsNoArray", zip({{"weights.npy", "no array"}}), "@"),
      of_npz("AMemberOfNothing", zip({{"weights.npy", ""}}), "@"),
      of_npz("L8_TwoMembersOfOneName",
             zip({{"weights.npy", kWeights}, {"weights.npy", npy("<f4", "3, 8", zeros(96))}}), "@"),
      of_npz("L8_OneNameWithAndWithoutItsEnding", zip({{"weights.npy", kWeights}, {"weights", kWeights}}),
             "@"),
      of_npz("M7_MembersThatOverlap",
             zip({{"weights.npy", kWeights},
                  {.name = "step.npy", .content = npy("<i8", "2", zeros(16)), .offset = 0}}),
             "@"),
      of_npz("L1_AnEscapeAsAName", zip({{"\x1b[31m.npy", kWeights}, {"b.npy", kWeights}}), "@"),
      of_npz("L1_ANewlineAsAName", zip({{"a\nb.npy", "no array"}}), "@"),
      of_npz("L1_NoUtf8AsAName", zip({{"\xff.npy", "no array"}}), "@"),
      of_npz("L2_ANameOf64000Letters", zip({{std::string(64000, 'x') + ".npy", "no array"}}), "@"),
      of_npz("L2_AThousandNames", zip([] {
               std::vector<ZipMember> members;
               for (int i = 0; i < 1000; ++i)
                 members.push_back({"array" + std::to_string(i) + ".npy", npy("<f4", "", zeros(4))});
               return members;
             }()),
             "@"),
      {"M7_OneMegabyteThatIsAGigabyte",
       {"probe", "w.npz", "ipr"},
       "sluice: out of memory[...]",
       holds("w.npz", zip({{.name = "weights.npy",
                            .content = npy("|u1", "1000, 1000, 300", zeros(300'000'000)),
                            .deflated = true}})),
       1,
       {},
       [] {
         const rlimit limit{1'000'000'000, 1'000'000'000};
         ::setrlimit(RLIMIT_AS, &limit);
       }},
      {"M7_WhatLiesBesideTheWeightsIsNotUnpacked",
       and_then(kInit, {"--set", "dynamics.steps=1", "--set", "probe.samples=100", "--quiet", "--out", "r"}),
       "",
       holds("w.npz", zip({{.name = "weights.npy", .content = kWeights},
                           {.name = "more.npy",
                            .content = npy("|u1", "300000000", zeros(300'000'000)),
                            .deflated = true}})),
       0,
       {"r/"},
       [] {
         const rlimit limit{1'000'000'000, 1'000'000'000};
         ::setrlimit(RLIMIT_AS, &limit);
       }},
      // arrays that do not fit
      of_arrays("StepsThatDecrease", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"step", {{2}, std::vector<std::int64_t>{5, 2}}}},
                "@"),
      of_arrays("StepsThatAreNotAsManyAsTimes", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"step", {{3}, std::vector<std::int64_t>{1, 2, 3}}}},
                "@"),
      of_arrays("StepsThatAreFloats", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"step", filled<double>({2})}}, "@"),
      of_arrays("ABiasOfOtherUnits", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"bias", filled<float>({2, 4})}}, "@"),
      of_arrays("ABiasOfIntegers", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"bias", filled<std::int64_t>({2, 3})}}, "@"),
      of_arrays("NoWeights", kProbe, {{"a", filled<float>({2, 3, 8})}, {"b", filled<float>({2, 3, 8})}}, "@"),
      of_arrays("WeightsOfAnotherName", and_then(kProbe, {"--weights", "W"}),
                {{"a", filled<float>({2, 3, 8})}, {"b", filled<float>({2, 3, 8})}}, "@"),
      of_arrays("WeightsInNoLayout", and_then(kProbe, {"--layout", "sphere"}),
                {{"weights", filled<float>({2, 3, 8})}}, "@"),
      of_arrays("ATorusThatIsNoSquare", and_then(kProbe, {"--layout", "torus"}),
                {{"weights", filled<float>({3, 2, 4})}}, "@"),
      of_arrays("InputsThatAreNotThere", {"probe", "w.npz", "preactivation_kurtosis", "--inputs", "x"},
                {{"weights", filled<float>({2, 3, 8})}, {"step", {{2}, std::vector<std::int64_t>{1, 2}}}},
                "@"),
      of_arrays("InputsOfOtherSites", {"probe", "w.npz", "preactivation_kurtosis", "--inputs", "x"},
                {{"weights", filled<float>({2, 3, 8})}, {"x", filled<float>({10, 9})}}, "@"),
      of_arrays("AProbeThatIsNone", {"probe", "w.npz", "los"}, {{"weights", filled<float>({2, 3, 8})}}, "@"),
      of_arrays("AReferenceOfOtherUnits", {"probe", "w.npz", "reference_distance", "--reference", "w.npz"},
                {{"weights", filled<std::int64_t>({2, 3, 8})}}, "@"),
      of_arrays("InitOfOtherUnits", kInit, {{"weights", filled<float>({4, 8})}}, "@"),
      of_arrays("InitOfNoTime", kInit, {{"weights", filled<float>({0, 3, 8})}}, "@"),
      of_arrays("InitWithNaN", kInit, {{"weights", filled<float>({3, 8}, kNaN)}}, "@"),
      of_arrays("InitWithInfinity", kInit, {{"weights", filled<double>({3, 8}, kInf)}}, "@"),
      of_arrays("InitOfNumbersBeyondFloats", kInit, {{"weights", filled<double>({3, 8}, 1e300)}}, "@"),
      of_arrays("InitOfTwoArrays", kInit, {{"a", filled<float>({3, 8})}, {"b", filled<float>({3, 8})}}, "@"),
      of_arrays("InitOfAnotherArray", and_then(kInit, {"--set", "network.init.array=W"}),
                {{"weights", filled<float>({3, 8})}}, "@"),
      of_arrays("InitOfAnEntryTooFar", and_then(kInit, {"--set", "network.init.index=7"}),
                {{"weights", filled<float>({2, 3, 8})}}, "@"),
      of_arrays("GatesOfOtherSites", kGates, {{"weights", filled<float>({3, 9})}}, "@"),
      of_arrays("GatesWithNaN", kGates, {{"weights", filled<float>({2, 8}, kNaN)}}, "@"),
      of_arrays(
          "L7_LayersWithNaN",
          and_then(kLayers, {"--set", "task.n=8", "--set", "network.width=4", "--set", "network.depth=2"}),
          {{"layer1", filled<float>({4, 8}, kNaN)}, {"layer2", filled<float>({1, 4})}}, "@"),
      of_arrays("LayersOfOtherWidths",
                and_then(kLayers, {"--set", "network.width=4", "--set", "network.depth=2"}),
                {{"layer1", filled<float>({5, 2})}, {"layer2", filled<float>({1, 5})}}, "@"),
      of_arrays("LayersThatAreNotThere", kLayers, {{"weights", filled<float>({5, 2})}}, "@"),
      of_arrays("DataWithoutLabels", kData, {{"x", filled<float>({10, 8})}}, "@"),
      of_arrays("DataWithoutInputs", kData, {{"y", filled<float>({10})}}, "@"),
      of_arrays("DataOfALine", kData, {{"x", filled<float>({10})}, {"y", filled<float>({10})}}, "@"),
      of_arrays("DataOfNoRow", kData, {{"x", filled<float>({0, 8})}, {"y", filled<float>({0})}}, "@"),
      of_arrays("DataOfNoSite", kData, {{"x", filled<float>({10, 0})}, {"y", filled<float>({10})}}, "@"),
      of_arrays("DataOfOneSite", kData, {{"x", filled<float>({10, 1})}, {"y", filled<float>({10})}}, "@"),
      of_arrays("DataOfFiveAxes", kData, {{"x", filled<float>({10, 2, 2, 2, 2})}, {"y", filled<float>({10})}},
                "@"),
      of_arrays("DataWithFewerLabels", kData, {{"x", filled<float>({10, 8})}, {"y", filled<float>({9})}},
                "@"),
      of_arrays("DataWithNaN", kData, {{"x", filled<float>({10, 8}, kNaN)}, {"y", filled<float>({10})}}, "@"),
      of_arrays("DataWithInfiniteLabels", kData,
                {{"x", filled<float>({10, 8})}, {"y", filled<double>({10}, kInf)}}, "@"),
      of_arrays("DataOfOneClass", kData, {{"x", filled<float>({10, 8})}, {"y", filled<std::int64_t>({10})}},
                "@"),
      of_arrays("DataOfOtherNames", and_then(kData, {"--set", "task.x=images"}),
                {{"x", filled<float>({10, 8})}, {"y", filled<float>({10})}}, "@"),
      of_arrays(
          "ATestShareOfEverything", and_then(kData, {"--set", "task.test=0.99"}),
          {{"x", filled<float>({10, 8})}, {"y", {{10}, std::vector<float>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}}}},
          "@"),
      of_arrays("WeightsForTheoryInTwoArrays", {"theory", "response", "--weights", "w.npz"},
                {{"a", filled<float>({40})}, {"b", filled<float>({40})}}, "@"),
      of_arrays("WeightsForTheoryOfOtherSites", {"theory", "response", "--weights", "w.npz"},
                {{"a", filled<float>({39})}}, "@"),
      of_arrays("WeightsForTheoryWithNaN", {"theory", "response", "--weights", "w.npz"},
                {{"a", filled<float>({40}, kNaN)}}, "@"),
      {"AStartThatIsAnArchiveOfNothing", kShape, "@", holds("w.npy", zip({}))},
      {"AStartOfOtherSites", kShape, "@", holds("w.npy", npy("<f4", "7", zeros(28)))},
      {"AStartOfNothing", kShape, "@", holds("w.npy", npy("<f4", "40", zeros(160)))},
      {"AStartOfNaN", kShape, "@", holds("w.npy", npy("<f4", "40", repeated("\xff\xff\xff\x7f", 40)))},
      {"AClaimWithAnArchiveOfNothing",
       {"check", "mine.toml"},
       "@",
       all_of({holds("w.npy", zip({})),
               holds("mine.toml",
                     "[task]\nkind = \"gaussian\"\nn = 6\n[symbols]\nw = \"w.npy\"\n[[expect]]\nclass = "
                     "1\nmean = \"x[0]^2\"\nequals = 1\n")})},
      {"KernelFromAnArchive",
       {"kernel", "depth-frg", "--from", "w.npz"},
       "@",
       holds_arrays("w.npz", {{"layer1", filled<float>({2, 2})}})},
      {"PredictAgainstAnArchive",
       {"predict", "single-unit", "--against", "w.npz"},
       "@",
       holds_arrays("w.npz", {{"weights", filled<float>({2, 2})}})},
  };
}

}  // namespace sluice::test
