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

/// w.npz with this member of a hundred million bytes, which become 64-bit integers, beside weights where it is not they.
Prepare holds_bomb(const std::string& name, const std::string& shape) {
  return [=](const std::filesystem::path& folder) {
    std::vector<ZipMember> members{
        {.name = name, .content = npy("|u1", shape, zeros(100'000'000)), .deflated = true}};
    if (name != "weights.npy")
      members.push_back({.name = "weights.npy", .content = npy("<f4", "2, 3, 8", zeros(192))});
    holds("w.npz", zip(members))(folder);
  };
}
void little_memory() {
  const rlimit limit{700'000'000, 700'000'000};
  ::setrlimit(RLIMIT_AS, &limit);
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
      of_npy("AnEmptyArray", "", "sluice: w.npy: not a complete npz archive (truncated?)"),
      of_npy("AMagicWordAlone", "\x93NUMPY", "sluice: w.npy: not an npy array"),
      of_npy("AVersionThatIsNone", std::string("\x93NUMPY\x09\0\x10\0", 10),
             "sluice: w.npy: npy version 9 is not known"),
      of_npy("AHeaderLongerThanTheFile", std::string("\x93NUMPY\1\0\xff\xff{}", 12),
             "sluice: w.npy: npy header is truncated"),
      of_npy("AHeaderOf4GB", std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14),
             "sluice: w.npy: npy header is truncated"),
      of_npy("AHeaderThatIsNoDictionary", npy("no dictionary", ""),
             "sluice: w.npy: npy header has no 'descr'"),
      of_npy("AHeaderWithoutAShape", npy("{'descr': '<f4', 'fortran_order': False, }", ""),
             "sluice: w.npy: npy header has no 'shape'"),
      of_npy("AHeaderWithoutAnElement", npy("{'fortran_order': False, 'shape': (3,), }", ""),
             "sluice: w.npy: npy header has no 'descr'"),
      of_npy("AHeaderWithoutAnOrder", npy("{'descr': '<f4', 'shape': (3,), }", zeros(12)),
             "sluice: w.npy: npy header has no 'fortran_order'"),
      of_npy("AShapeThatIsOpen", npy(dictionary("'<f4'", "(3, 8"), zeros(96)),
             "sluice: w.npy: npy header has no shape"),
      of_npy("AShapeOfWords", npy(dictionary("'<f4'", "(three, 8)"), zeros(96)),
             "sluice: w.npy: npy header has a malformed shape"),
      of_npy("AShapeBelowNothing", npy("<f4", "-3, 8", zeros(96)),
             "sluice: w.npy: npy header has a malformed shape"),
      of_npy("AShapeBeyondAllNumbers", npy("<f4", "99999999999999999999, 8", zeros(96)),
             "sluice: w.npy: npy header has a malformed shape"),
      of_npy("AShapeThatOverflows", npy("<f4", "4611686018427387904, 4611686018427387904", zeros(96)),
             "sluice: w.npy: npy header has an impossible shape"),
      of_npy("AShapeThatOverflowsBehindNothing",
             npy("<f4", "0, 4611686018427387904, 4611686018427387904", ""),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found [0, 4611686018427387904, 4611686018427387904]"),
      of_npy("AShapeThatOverflowsToNothing", npy("<f4", "4294967296, 4294967296", ""),
             "sluice: w.npy: npy header has an impossible shape"),
      of_npy("L2_AShapeOf100000Axes",
             npy(dictionary("'<f4'", "(" + repeated("1, ", 100000) + ")"), zeros(4), 2),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
             "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
             "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
             "1, 1, 1, 1, 1, 1, 1, 1, 1, …1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
             "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
             "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"),
      of_npy("AShapeOfNothing", npy("<f4", "", zeros(4)),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found []"),
      of_npy(
          "ElementsOfPython", npy("|O", "3, 8", zeros(96)),
          "sluice: w.npy: element type '|O' is not supported (expected float32, float64, int64 or smaller)"),
      of_npy(
          "ElementsOfTexts", npy("<U3", "3, 8", zeros(288)),
          "sluice: w.npy: element type '<U3' is not supported (expected float32, float64, int64 or smaller)"),
      of_npy(
          "ElementsOfComplexNumbers", npy("<c8", "3, 8", zeros(192)),
          "sluice: w.npy: element type '<c8' is not supported (expected float32, float64, int64 or smaller)"),
      of_npy(
          "ElementsTheOtherWayRound", npy(">f4", "3, 8", zeros(96)),
          "sluice: w.npy: element type '>f4' is not supported (expected float32, float64, int64 or smaller)"),
      of_npy("ElementsOfRecords", npy(dictionary("[('a', '<f4')]", "(3, 8)"), zeros(96)),
             "sluice: w.npy: structured arrays are not supported"),
      of_npy("L1_AnEscapeAsAnElement", npy("\x1b[31m", "3, 8", zeros(96)),
             "sluice: w.npy: element type '\\x1b[31m' is not supported (expected float32, float64, int64 or "
             "smaller)"),
      of_npy("L2_AnElementOf100000Letters",
             npy(dictionary("'" + std::string(100000, 'f') + "'", "(3, 8)"), zeros(96), 2),
             "sluice: w.npy: element type "
             "'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
             "ffffffffffffffffffffffffffffffffffffff…ffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
             "ffffffffff' is not supported (expected float32, float64, int64 or smaller)"),
      of_npy("FewerElementsThanClaimed", npy("<f4", "3, 8", zeros(95)),
             "sluice: w.npy: truncated: 95 of 96 bytes"),
      of_npy("NoElements", npy("<f4", "3, 8", ""), "sluice: w.npy: truncated: 0 of 96 bytes"),
      of_npy("ABillionElementsThatAreNotThere", npy("<f8", "1000000000, 1000", zeros(96)),
             "sluice: w.npy: truncated: 96 of 8000000000000 bytes"),
      of_npy("IntegersForWeights", npy("<i8", "3, 8", zeros(192)),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found integers [3, 8]"),
      of_npy("ALineForWeights", npy("<f4", "24", zeros(96)),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found [24]"),
      of_npy("FiveAxesForWeights", npy("<f4", "1, 1, 1, 3, 8", zeros(96)),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found [1, 1, 1, 3, 8]"),
      of_npy("WeightsOfNoTime", npy("<f4", "0, 3, 8", ""),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found [0, 3, 8]"),
      of_npy("WeightsOfNoUnit", npy("<f4", "2, 0, 8", ""),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found [2, 0, 8]"),
      of_npy("WeightsOfNoSite", npy("<f4", "2, 3, 0", ""),
             "sluice: w.npy: array: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, w], "
             "found [2, 3, 0]"),
      // archives
      of_npz("AnEmptyArchive", "", "sluice: w.npz: not a complete npz archive (truncated?)"),
      of_npz("AnArchiveOfText", "not an archive, but long enough to hold the record of an end",
             "sluice: w.npz: not a complete npz archive (truncated?)"),
      of_npz("AnArchiveOfNothing", zip({}), "sluice: w.npz: no array 'weights'; it has no array"),
      of_npz("AnArchiveWithoutItsEnd", zip({{"weights.npy", kWeights}}).substr(0, 200),
             "sluice: w.npz: not a complete npz archive (truncated?)"),
      of_npz("AnEndAlone", "PK\5\6" + zeros(18), "sluice: w.npz: no array 'weights'; it has no array"),
      of_npz("MoreMembersThanThereAre", zip({{"weights.npy", kWeights}}, 2),
             "sluice: w.npz: damaged npz directory"),
      of_npz("SixtyThousandMembersThatAreNotThere", zip({{"weights.npy", kWeights}}, 60000),
             "sluice: w.npz: damaged npz directory"),
      of_npz("ADirectoryBehindTheEnd", zip({{"weights.npy", kWeights}}, -1, 1000000),
             "sluice: w.npz: truncated npz archive"),
      of_npz("ADirectoryThatIsNone", zip({{"weights.npy", kWeights}}, -1, 10),
             "sluice: w.npz: damaged npz directory"),
      of_npz("AMemberBehindTheEnd", zip({{.name = "weights.npy", .content = kWeights, .offset = 1000000}}),
             "sluice: w.npz: truncated npz archive"),
      of_npz("AMemberThatIsNone", zip({{.name = "weights.npy", .content = kWeights, .offset = 7}}),
             "sluice: w.npz: damaged npz archive"),
      of_npz("AMemberLongerThanTheFile",
             zip({{.name = "weights.npy", .content = kWeights, .packed = 1000000}}),
             "sluice: w.npz: truncated npz archive"),
      of_npz("AMemberOfAnotherChecksum", zip({{.name = "weights.npy", .content = kWeights, .crc = 1}}),
             "sluice: w.npz: weights.npy: damaged (checksum does not match)"),
      of_npz("AMemberPackedAsNobodyDoes", zip({{.name = "weights.npy", .content = kWeights, .method = 93}}),
             "sluice: w.npz: weights.npy: compression method 93 is not supported"),
      of_npz("AMemberThatIsNotPackedAfterAll",
             zip({{.name = "weights.npy", .content = kWeights, .method = 8}}),
             "sluice: w.npz: weights.npy: damaged (cannot be decompressed)"),
      of_npz("AMemberThatIsPackedAfterAll",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .method = 0}}),
             "sluice: w.npz: weights.npy: damaged (checksum does not match)"),
      of_npz("AMemberOfAnImpossibleSize",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .size = 0xFFFFFFF0}}),
             "sluice: w.npz: weights.npy: damaged (impossible size)"),
      of_npz("AMemberThatEndsEarly",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .size = 1000}}),
             "sluice: w.npz: weights.npy: damaged (cannot be decompressed)"),
      of_npz("AMemberThatGoesOn",
             zip({{.name = "weights.npy", .content = kWeights, .deflated = true, .size = 100}}),
             "sluice: w.npz: weights.npy: damaged (cannot be decompressed)"),
      of_npz("AMemberThatIsNoArray", zip({{"weights.npy", "no array"}}),
             "sluice: w.npz: weights.npy: not an npy array"),
      of_npz("AMemberOfNothing", zip({{"weights.npy", ""}}), "sluice: w.npz: weights.npy: not an npy array"),
      of_npz("L8_TwoMembersOfOneName",
             zip({{"weights.npy", kWeights}, {"weights.npy", npy("<f4", "3, 8", zeros(96))}}),
             "sluice: w.npz: weights.npy: expected one member of this name, found several"),
      of_npz("L8_OneNameWithAndWithoutItsEnding", zip({{"weights.npy", kWeights}, {"weights", kWeights}}),
             "sluice: w.npz: weights: expected one member of this name, found several"),
      of_npz("M7_MembersThatOverlap",
             zip({{"weights.npy", kWeights},
                  {.name = "step.npy", .content = npy("<i8", "2", zeros(16)), .offset = 0}}),
             "sluice: w.npz: damaged npz archive (members overlap)"),
      of_npz("L1_AnEscapeAsAName", zip({{"\x1b[31m.npy", kWeights}, {"b.npy", kWeights}}),
             "sluice: w.npz: no array 'weights'; it has \\x1b[31m [2, 3, 8], b [2, 3, 8]"),
      of_npz("L1_ANewlineAsAName", zip({{"a\nb.npy", "no array"}}),
             "sluice: w.npz: a\\nb.npy: not an npy array"),
      of_npz("L1_NoUtf8AsAName", zip({{"\xff.npy", "no array"}}),
             "sluice: w.npz: \\xff.npy: not an npy array"),
      of_npz("L2_ANameOf64000Letters", zip({{std::string(64000, 'x') + ".npy", "no array"}}),
             "sluice: w.npz: "
             "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
             "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
             "xxxxxx.npy: not an npy array"),
      of_npz("L2_AThousandNames", zip([] {
               std::vector<ZipMember> members;
               for (int i = 0; i < 1000; ++i)
                 members.push_back({"array" + std::to_string(i) + ".npy", npy("<f4", "", zeros(4))});
               return members;
             }()),
             "sluice: w.npz: no array 'weights'; it has array0 [], array1 [], array2 [], array3 [], array4 "
             "[], array5 [], array6 [], array7 [], array8 [], array9 [], array10 [], array11 [], array12 [], "
             "array13 [], array14 [], array15 [], array16 [], array17 [], array18 [], array19 [], array20 "
             "[], array21 [], array22 [], array23 [], array24 [], array25 [], array26 [], array27 [], "
             "array28 [], array29 [], array30 …84 [], array985 [], array986 [], array987 [], array988 [], "
             "array989 [], array990 [], array991 [], array992 [], array993 [], array994 [], array995 [], "
             "array996 [], array997 [], array998 [], array999 []"),
      {"M7_AHundredKilobytesThatAreAGigabyte",
       {"probe", "w.npz", "ipr"},
       "sluice: w.npz: weights.npy: 0.8 GB unpacked, expected arrays of at most 0.7 GB in all",
       holds_bomb("weights.npy", "1000, 1000, 100"),
       2,
       {},
       little_memory},
      {"M7_WhatLiesBesideTheWeightsIsNotUnpacked",
       with(kInit, {"--set", "dynamics.steps=1", "--set", "probe.samples=100", "--quiet", "--out", "r"}),
       "",
       holds_bomb("more.npy", "100000000"),
       0,
       {"r/"},
       little_memory},
      // arrays that do not fit
      of_arrays(
          "StepsThatDecrease", kProbe,
          {{"weights", filled<float>({2, 3, 8})}, {"step", {{2}, std::vector<std::int64_t>{5, 2}}}},
          "sluice: w.npz: step: expected [2] increasing integers, as weights has times, found 2 after 5"),
      of_arrays("StepsThatAreNotAsManyAsTimes", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"step", {{3}, std::vector<std::int64_t>{1, 2, 3}}}},
                "sluice: w.npz: step: expected [2] increasing integers, as weights has times, found [3]"),
      of_arrays(
          "StepsThatAreFloats", kProbe,
          {{"weights", filled<float>({2, 3, 8})}, {"step", filled<double>({2})}},
          "sluice: w.npz: step: expected [2] increasing integers, as weights has times, found floats [2]"),
      of_arrays("ABiasOfOtherUnits", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"bias", filled<float>({2, 4})}},
                "sluice: w.npz: bias: expected floats [2, 3], as weights has times and units, found [2, 4]"),
      of_arrays("ABiasOfIntegers", kProbe,
                {{"weights", filled<float>({2, 3, 8})}, {"bias", filled<std::int64_t>({2, 3})}},
                "sluice: w.npz: bias: expected floats [2, 3], as weights has times and units, found integers "
                "[2, 3]"),
      of_arrays("NoWeights", kProbe, {{"a", filled<float>({2, 3, 8})}, {"b", filled<float>({2, 3, 8})}},
                "sluice: w.npz: no array 'weights'; it has a [2, 3, 8], b [2, 3, 8]"),
      of_arrays("WeightsOfAnotherName", with(kProbe, {"--weights", "W"}),
                {{"a", filled<float>({2, 3, 8})}, {"b", filled<float>({2, 3, 8})}},
                "sluice: w.npz: no array 'W'; it has a [2, 3, 8], b [2, 3, 8]"),
      of_arrays("WeightsInNoLayout", with(kProbe, {"--layout", "sphere"}),
                {{"weights", filled<float>({2, 3, 8})}},
                "sluice probe: --layout: sphere: expected one of auto, ring, torus, image (see sluice probe "
                "--help)"),
      of_arrays("ATorusThatIsNoSquare", with(kProbe, {"--layout", "torus"}),
                {{"weights", filled<float>({3, 2, 4})}},
                "sluice: w.npz: weights: expected float32 or float64 weights [T, K, h, h] or [K, h, h], "
                "found [3, 2, 4]"),
      of_arrays("InputsThatAreNotThere", {"probe", "w.npz", "preactivation_kurtosis", "--inputs", "x"},
                {{"weights", filled<float>({2, 3, 8})}, {"step", {{2}, std::vector<std::int64_t>{1, 2}}}},
                "sluice: w.npz: no array 'x' for inputs"),
      of_arrays("InputsOfOtherSites", {"probe", "w.npz", "preactivation_kurtosis", "--inputs", "x"},
                {{"weights", filled<float>({2, 3, 8})}, {"x", filled<float>({10, 9})}},
                "sluice: w.npz: x: expected floats [N, 8], as weights has sites, found [10, 9]"),
      of_arrays("AProbeThatIsNone", {"probe", "w.npz", "los"}, {{"weights", filled<float>({2, 3, 8})}},
                "sluice: los: no such probe; did you mean 'loss'?"),
      of_arrays("AReferenceOfOtherUnits", {"probe", "w.npz", "reference_distance", "--reference", "w.npz"},
                {{"weights", filled<std::int64_t>({2, 3, 8})}},
                "sluice: w.npz: weights: expected float32 or float64 weights [T, K, n], [K, n] or [T, K, h, "
                "w], found integers [2, 3, 8]"),
      of_arrays(
          "InitOfOtherUnits", kInit, {{"weights", filled<float>({4, 8})}},
          "sluice: w.npz: array has shape [4, 8], expected [3, 8] or [T, 3, 8] (network.hidden, task.n)"),
      of_arrays("InitOfNoTime", kInit, {{"weights", filled<float>({0, 3, 8})}},
                "sluice: w.npz: network.init.index = -1: expected an entry of [T, K, n] with T = 0"),
      of_arrays("InitWithNaN", kInit, {{"weights", filled<float>({3, 8}, kNaN)}},
                "sluice: w.npz: weights contain NaN or infinity"),
      of_arrays("InitWithInfinity", kInit, {{"weights", filled<double>({3, 8}, kInf)}},
                "sluice: w.npz: weights contain NaN or infinity"),
      of_arrays("InitOfNumbersBeyondFloats", kInit, {{"weights", filled<double>({3, 8}, 1e300)}},
                "sluice: w.npz: weights contain NaN or infinity"),
      of_arrays("InitOfTwoArrays", kInit, {{"a", filled<float>({3, 8})}, {"b", filled<float>({3, 8})}},
                "sluice: w.npz: network.init.array = \"\": expected one of a, b"),
      of_arrays("InitOfAnotherArray", with(kInit, {"--set", "network.init.array=W"}),
                {{"weights", filled<float>({3, 8})}},
                "sluice: w.npz: network.init.array = \"W\": expected one of weights"),
      of_arrays("InitOfAnEntryTooFar", with(kInit, {"--set", "network.init.index=7"}),
                {{"weights", filled<float>({2, 3, 8})}},
                "sluice: w.npz: network.init.index = 7: expected an entry of [T, K, n] with T = 2"),
      of_arrays(
          "GatesOfOtherSites", kGates, {{"weights", filled<float>({3, 9})}},
          "sluice: w.npz: array has shape [3, 9], expected [2, 8] or [T, 2, 8] (network.hidden, task.n)"),
      of_arrays("GatesWithNaN", kGates, {{"weights", filled<float>({2, 8}, kNaN)}},
                "sluice: w.npz: weights contain NaN or infinity"),
      of_arrays("L7_LayersWithNaN",
                with(kLayers, {"--set", "task.n=8", "--set", "network.width=4", "--set", "network.depth=2"}),
                {{"layer1", filled<float>({4, 8}, kNaN)}, {"layer2", filled<float>({1, 4})}},
                "sluice: w.npz: array \"layer1\" contains NaN or infinity"),
      of_arrays("LayersOfOtherWidths",
                with(kLayers, {"--set", "network.width=4", "--set", "network.depth=2"}),
                {{"layer1", filled<float>({5, 2})}, {"layer2", filled<float>({1, 5})}},
                "sluice: w.npz: array \"layer1\" has shape [5, 2], expected [4, 2]"),
      of_arrays("LayersThatAreNotThere", kLayers, {{"weights", filled<float>({5, 2})}},
                "sluice: w.npz: no array \"layer1\" [100, 2]; expected the run of a deep gated network"),
      of_arrays("DataWithoutLabels", kData, {{"x", filled<float>({10, 8})}},
                "sluice: [...]/w.npz: task.y = \"y\": no such array; expected one of x"),
      of_arrays("DataWithoutInputs", kData, {{"y", filled<float>({10})}},
                "sluice: [...]/w.npz: task.x = \"x\": no such array; expected one of y"),
      of_arrays("DataOfALine", kData, {{"x", filled<float>({10})}, {"y", filled<float>({10})}},
                "sluice: [...]/w.npz: x has shape [10], expected [P, n], [P, h, w] or [P, 3, h, w] with P, "
                "n, h and w at least 2"),
      of_arrays("DataOfNoRow", kData, {{"x", filled<float>({0, 8})}, {"y", filled<float>({0})}},
                "sluice: [...]/w.npz: x has shape [0, 8], expected [P, n], [P, h, w] or [P, 3, h, w] with P, "
                "n, h and w at least 2"),
      of_arrays("DataOfNoSite", kData, {{"x", filled<float>({10, 0})}, {"y", filled<float>({10})}},
                "sluice: [...]/w.npz: x has shape [10, 0], expected [P, n], [P, h, w] or [P, 3, h, w] with "
                "P, n, h and w at least 2"),
      of_arrays("DataOfOneSite", kData, {{"x", filled<float>({10, 1})}, {"y", filled<float>({10})}},
                "sluice: [...]/w.npz: x has shape [10, 1], expected [P, n], [P, h, w] or [P, 3, h, w] with "
                "P, n, h and w at least 2"),
      of_arrays("DataOfFiveAxes", kData, {{"x", filled<float>({10, 2, 2, 2, 2})}, {"y", filled<float>({10})}},
                "sluice: [...]/w.npz: x has shape [10, 2, 2, 2, 2], expected [P, n], [P, h, w] or [P, 3, h, "
                "w] with P, n, h and w at least 2"),
      of_arrays("DataWithFewerLabels", kData, {{"x", filled<float>({10, 8})}, {"y", filled<float>({9})}},
                "sluice: [...]/w.npz: y has shape [9], expected [10], one label per row of x"),
      of_arrays("DataWithNaN", kData, {{"x", filled<float>({10, 8}, kNaN)}, {"y", filled<float>({10})}},
                "sluice: [...]/w.npz: x: expected finite numbers, found NaN or infinity"),
      of_arrays("DataWithInfiniteLabels", kData,
                {{"x", filled<float>({10, 8})}, {"y", filled<double>({10}, kInf)}},
                "sluice: [...]/w.npz: y: expected finite numbers, found NaN or infinity"),
      of_arrays("DataOfOneClass", kData, {{"x", filled<float>({10, 8})}, {"y", filled<std::int64_t>({10})}},
                "sluice: [...]/w.npz: y: expected at least two different labels, found only 1"),
      of_arrays("DataOfOtherNames", with(kData, {"--set", "task.x=images"}),
                {{"x", filled<float>({10, 8})}, {"y", filled<float>({10})}},
                "sluice: [...]/w.npz: task.x = \"images\": no such array; expected one of x, y"),
      of_arrays(
          "ATestShareOfEverything", with(kData, {"--set", "task.test=0.99"}),
          {{"x", filled<float>({10, 8})}, {"y", {{10}, std::vector<float>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}}}},
          "sluice: [...]/w.npz: task.test = 0.99: expected a share that leaves rows on both sides of 10"),
      of_arrays("WeightsForTheoryInTwoArrays", {"theory", "response", "--weights", "w.npz"},
                {{"a", filled<float>({40})}, {"b", filled<float>({40})}},
                "sluice: w.npz: 2 arrays: expected one"),
      of_arrays("WeightsForTheoryOfOtherSites", {"theory", "response", "--weights", "w.npz"},
                {{"a", filled<float>({39})}}, "sluice: w.npz: shape [39]: expected [40] or [K, 40]"),
      of_arrays("WeightsForTheoryWithNaN", {"theory", "response", "--weights", "w.npz"},
                {{"a", filled<float>({40}, kNaN)}}, "sluice: w.npz: expected finite numbers"),
      {"AStartThatIsAnArchiveOfNothing", kShape, "sluice: w.npy: 0 arrays: expected one",
       holds("w.npy", zip({}))},
      {"AStartOfOtherSites", kShape, "sluice: w.npy: shape [7]: expected [40]",
       holds("w.npy", npy("<f4", "7", zeros(28)))},
      {"AStartOfNothing", kShape, "sluice: w.npy: expected weights, found zeros alone",
       holds("w.npy", npy("<f4", "40", zeros(160)))},
      {"AStartOfNaN", kShape, "sluice: w.npy: expected finite numbers",
       holds("w.npy", npy("<f4", "40", repeated("\xff\xff\xff\x7f", 40)))},
      of_arrays("WeightsOfNaNToMeasure", kProbe, {{"weights", filled<float>({6, 8}, kNaN)}},
                "sluice: w.npz: weights: expected finite numbers, in float32"),
      of_arrays("WeightsOfNaNToDraw", {"figure", "w.npz", "fields", "--out", "f.svg"},
                {{"weights", filled<double>({6, 8}, kInf)}},
                "sluice: w.npz: weights: expected finite numbers, in float32"),
      of_arrays("WeightsBeyondFloat32", kProbe, {{"weights", filled<double>({6, 8}, 1e300)}},
                "sluice: w.npz: weights: expected finite numbers, in float32"),
      of_arrays("BiasesOfNaN", kProbe,
                {{"weights", filled<float>({6, 8})}, {"bias", filled<float>({6}, kNaN)}},
                "sluice: w.npz: bias: expected finite numbers, in float32"),
      of_arrays("InputsOfNaN", {"probe", "w.npz", "--inputs", "u", "--out", "p.npz"},
                {{"weights", filled<float>({6, 8})}, {"u", filled<float>({10, 8}, kNaN)}},
                "sluice: w.npz: u: expected finite numbers, in float32"),
      {"AClaimWithAnArchiveOfNothing",
       {"check", "mine.toml"},
       "sluice: mine.toml:5: symbols.w: w.npy: 0 arrays: expected one",
       all_of({holds("w.npy", zip({})),
               holds("mine.toml",
                     "[task]\nkind = \"gaussian\"\nn = 6\n[symbols]\nw = \"w.npy\"\n[[expect]]\nclass = "
                     "1\nmean = \"x[0]^2\"\nequals = 1\n")})},
      {"KernelFromAnArchive",
       {"kernel", "depth-frg", "--from", "w.npz"},
       "sluice: w.npz: array \"layer1\" has shape [2, 2], expected [100, 1]",
       holds_arrays("w.npz", {{"layer1", filled<float>({2, 2})}})},
      {"PredictAgainstAnArchive",
       {"predict", "single-unit", "--against", "w.npz"},
       "sluice: w.npz/record.npz: cannot be read: Not a directory",
       holds_arrays("w.npz", {{"weights", filled<float>({2, 2})}})},
  };
}

}  // namespace sluice::test
