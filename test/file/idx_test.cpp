#include "sluice/file/idx.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/math/permutation.hpp"
#include "test/support/idx_files.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

using test::gzipped;
using test::idx;

const std::string kPixels("\0\1\2\3\4\5\6\7\x8\x9\xfe\xff", 12);
const std::string kThreeImages = test::idx_images(2, 2, kPixels);
const std::string kThreeLabels = test::idx_labels(std::string("\0\x9\5", 3));

std::string error_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing wrong";
}

TEST(Idx, ReadsImagesAndLabelsPlainAndPacked) {
  const test::TempFolder folder;
  for (const bool packed : {false, true}) {
    write_atomically(folder / "images", packed ? gzipped(kThreeImages) : kThreeImages);
    write_atomically(folder / "labels", packed ? gzipped(kThreeLabels) : kThreeLabels);
    const LabelledImages both = read_labelled_images(folder / "images", folder / "labels", 10);
    EXPECT_EQ(both.images.count, 3);
    EXPECT_EQ(both.images.rows, 2);
    EXPECT_EQ(both.images.columns, 2);
    EXPECT_EQ(std::string(both.images.pixels.begin(), both.images.pixels.end()), kPixels);
    EXPECT_EQ(both.labels, (std::vector<std::uint8_t>{0, 9, 5}));
  }
}

// More than the pieces in which gzip is unpacked, and a stream whose last piece is exactly full.
TEST(Idx, ReadsFilesOfManyPieces) {
  const test::TempFolder folder;
  for (const std::size_t count : {std::size_t{1} << 18, (std::size_t{1} << 18) - 8, std::size_t{3'000'000}}) {
    std::string labels(count, '\0');
    for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<char>((i * i / 7) % 10);
    write_atomically(folder / "labels.gz", gzipped(test::idx_labels(labels)));
    const std::vector<std::uint8_t> read = read_idx_labels(folder / "labels.gz", 10);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), labels.begin(), labels.end())) << count;
  }
}

struct Damage {
  std::string name;
  std::string bytes;
  bool labels;
  std::string message;  ///< after the path
};
std::ostream& operator<<(std::ostream& out, const Damage& damage) { return out << damage.name; }

std::string without_last(std::string bytes, std::size_t count) {
  bytes.resize(bytes.size() - count);
  return bytes;
}
std::string with_byte(std::string bytes, std::size_t from_end, char flip) {
  bytes[bytes.size() - from_end] = static_cast<char>(bytes[bytes.size() - from_end] ^ flip);
  return bytes;
}

std::vector<Damage> damages() {
  const std::string packed = gzipped(kThreeImages);
  const std::string huge = gzipped(idx({2049, 4294967295}, ""));
  return {
      // the header
      {"Empty", "", false, "0 bytes, expected an IDX header of 16 (images)"},
      {"EmptyLabels", "", true, "0 bytes, expected an IDX header of 8 (labels)"},
      {"HalfAMagicNumber", kThreeImages.substr(0, 3), false,
       "3 bytes, expected an IDX header of 16 (images)"},
      {"TruncatedHeader", kThreeImages.substr(0, 10), false,
       "10 bytes, expected an IDX header of 16 (images)"},
      {"TruncatedHeaderOfLabels", kThreeLabels.substr(0, 7), true,
       "7 bytes, expected an IDX header of 8 (labels)"},
      {"LabelsForImages", kThreeLabels, false, "magic number 2049, expected 2051 (IDX images)"},
      {"ImagesForLabels", kThreeImages, true, "magic number 2051, expected 2049 (IDX labels)"},
      {"FloatElements", idx({0x0D03, 3, 2, 2}, kPixels), false,
       "magic number 3331, expected 2051 (IDX images)"},
      {"TwoDimensions", idx({0x0802, 3, 4}, kPixels), false, "magic number 2050, expected 2051 (IDX images)"},
      {"LittleEndian", idx({0x03080000, 3, 2, 2}, kPixels), false,
       "magic number 50855936, expected 2051 (IDX images)"},
      {"Text", "<!DOCTYPE html>", false, "magic number 1008813135, expected 2051 (IDX images)"},
      {"NoImages", idx({2051, 0, 2, 2}, ""), false, "shape [0, 2, 2], expected no zero"},
      {"NoRows", idx({2051, 3, 0, 2}, ""), false, "shape [3, 0, 2], expected no zero"},
      {"NoColumns", idx({2051, 3, 2, 0}, ""), false, "shape [3, 2, 0], expected no zero"},
      {"NoLabels", idx({2049, 0}, ""), true, "shape [0], expected no zero"},
      {"HugeCount", idx({2051, 4294967295, 2, 2}, kPixels), false,
       "shape [4294967295, 2, 2], which needs more than the file's 28 bytes: truncated?"},
      {"ProductThatOverflows", idx({2051, 1U << 31, 1U << 31, 4}, kPixels), false,
       "shape [2147483648, 2147483648, 4], which needs more than the file's 28 bytes: truncated?"},
      {"HugeCountPacked", huge, true,
       "shape [4294967295], which needs more than the file's " + std::to_string(huge.size()) +
           " bytes of gzip: truncated?"},
      // the body
      {"TruncatedBody", without_last(kThreeImages, 1), false,
       "11 bytes after the header, expected 12 for shape [3, 2, 2]: truncated"},
      {"NoBody", kThreeImages.substr(0, 16), false,
       "0 bytes after the header, expected 12 for shape [3, 2, 2]: truncated"},
      {"TruncatedLabels", without_last(kThreeLabels, 1), true,
       "2 bytes after the header, expected 3 for shape [3]: truncated"},
      {"ExtraByte", kThreeImages + '\0', false, "more bytes after the header than the 12 of shape [3, 2, 2]"},
      {"ExtraLabel", kThreeLabels + '\0', true, "more bytes after the header than the 3 of shape [3]"},
      {"LabelOutOfRange", test::idx_labels("\1\2\xA\3"), true, "label 10 in row 2, expected 0 to 9"},
      // gzip
      {"GzipMagicAlone", "\x1f\x8b", false, "truncated gzip: the stream has no end"},
      {"GzipTruncated", without_last(packed, 12), false, "truncated gzip: the stream has no end"},
      {"GzipWithoutItsTrailer", without_last(packed, 3), false, "truncated gzip: the stream has no end"},
      {"GzipBadCrc", with_byte(packed, 8, 1), false, "damaged gzip: incorrect data check"},
      {"GzipBadLength", with_byte(packed, 4, 1), false, "damaged gzip: incorrect length check"},
      {"GzipBadMethod", with_byte(packed, packed.size() - 2, 1), false,
       "damaged gzip: unknown compression method"},
      {"GzipThenRubbish", packed + "x", false, "damaged gzip: bytes after the end of the stream"},
      {"GzipOfTooFew", gzipped(without_last(kThreeImages, 2)), false,
       "10 bytes after the header, expected 12 for shape [3, 2, 2]: truncated"},
      {"GzipOfTooMany", gzipped(kThreeImages + "xy"), false,
       "more bytes after the header than the 12 of shape [3, 2, 2]"},
      {"GzipTwice", gzipped(packed), false, "magic number 529205248, expected 2051 (IDX images)"},
      {"GzipOfNothing", gzipped(""), false, "0 bytes, expected an IDX header of 16 (images)"},
  };
}

class Damaged : public testing::TestWithParam<Damage> {};

TEST_P(Damaged, IsRefusedInOneLine) {
  const test::TempFolder folder;
  const std::filesystem::path path = folder / "file";
  write_atomically(path, GetParam().bytes);
  const std::string said = error_of([&] {
    if (GetParam().labels) {
      read_idx_labels(path, 10);
    } else {
      read_idx_images(path);
    }
  });
  EXPECT_EQ(said, path.string() + ": " + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(Idx, Damaged, testing::ValuesIn(damages()),
                         [](const auto& which) { return which.param.name; });

// 65536 · 65537 · (2³² − 2¹⁶ + 1) = 2⁶⁴ + 65536, and a packed file large enough that 65536 · 65537 elements could be in it.
TEST(Idx, RefusesAProductThatOverflowsToASmallOne) {
  const test::TempFolder folder;
  std::string noise(5'000'000, '\0');
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>(math::mix(i));
  const std::string packed = gzipped(idx({2051, 65536, 65537, 4294901761}, noise));
  ASSERT_GT(packed.size() * 1032, std::uint64_t{65536} * 65537);
  write_atomically(folder / "it", packed);
  EXPECT_EQ(error_of([&] { read_idx_images(folder / "it"); }),
            (folder / "it").string() +
                ": shape [65536, 65537, 4294901761], which needs more than the file's " +
                std::to_string(packed.size()) + " bytes of gzip: truncated?");
}

// A promise that gzip could keep, but does not: 5 GB must not be allocated to find out.
TEST(Idx, MemoryFollowsWhatGzipHoldsNotWhatItPromises) {
  const test::TempFolder folder;
  std::string noise(5'000'000, '\0');
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>(math::mix(i));
  write_atomically(folder / "it", gzipped(idx({2051, 1000, 1000, 5000}, noise)));
  const auto most_memory = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // KiB
  };
  const auto before = most_memory();
  EXPECT_EQ(
      error_of([&] { read_idx_images(folder / "it"); }),
      (folder / "it").string() +
          ": 5000000 bytes after the header, expected 5000000000 for shape [1000, 1000, 5000]: truncated");
  EXPECT_LT(most_memory() - before, 1'000'000);
}

TEST(Idx, RefusesLabelsOfAnotherNumber) {
  const test::TempFolder folder;
  write_atomically(folder / "images", kThreeImages);
  write_atomically(folder / "labels", test::idx_labels("\1\2"));
  EXPECT_EQ(error_of([&] { read_labelled_images(folder / "images", folder / "labels", 10); }),
            (folder / "labels").string() + ": 2 labels, expected 3, one for each image of " +
                (folder / "images").string());
}

TEST(Idx, RefusesWhatIsNoFile) {
  const test::TempFolder folder;
  const std::string path = (folder / "it").string();
  const auto read = [&] { read_idx_images(path); };
  EXPECT_EQ(error_of(read), path + ": cannot be read: No such file or directory");
  std::filesystem::create_directory(path);
  EXPECT_EQ(error_of(read), path + ": expected a file, found a folder");
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(error_of(read), path + ": expected a file, found a device or pipe") << "and it must not wait";
}

TEST(Idx, RefusesWhatMayNotBeRead) {
  const test::TempFolder folder;
  write_atomically(folder / "it", kThreeImages);
  std::filesystem::permissions(folder / "it", std::filesystem::perms::none);
  const bool root = ::geteuid() == 0;  // who may read everything
  constexpr uid_t kNobody = 65534;
  if (root && ::seteuid(kNobody) != 0) GTEST_SKIP() << "root, and cannot be anybody else";
  const std::string said = error_of([&] { read_idx_images(folder / "it"); });
  ASSERT_TRUE(!root || ::seteuid(0) == 0);
  EXPECT_EQ(said, (folder / "it").string() + ": cannot be read: Permission denied");
}

// Whatever the bytes, an answer or an InputError, and never an answer of another size than the header says.
RC_GTEST_PROP(Idx, AnyBytesAreReadOrRefused, ()) {
  const test::TempFolder folder;
  std::string bytes = *rc::gen::elementOf(std::vector<std::string>{kThreeImages, gzipped(kThreeImages)});
  const int flips = *rc::gen::inRange(1, 4);
  for (int i = 0; i < flips; ++i) {
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  }
  bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
  std::ofstream(folder / "it", std::ios::binary) << bytes;
  try {
    const IdxImages images = read_idx_images(folder / "it");
    RC_ASSERT(images.pixels.size() == static_cast<std::size_t>(images.count * images.rows * images.columns));
    RC_ASSERT(images.pixels.size() == kPixels.size());  // a sound file cannot claim another number of bytes
  } catch (const InputError& error) {
    RC_ASSERT(std::string(error.what()).starts_with((folder / "it").string() + ": "));
  }
}

}  // namespace
}  // namespace sluice::file
