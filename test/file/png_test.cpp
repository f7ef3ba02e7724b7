#include "sluice/file/png.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/json_labels.hpp"
#include "test/support/png_files.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace of_png_test {
namespace {

/// Bytes that no filter and no packing makes short.
std::string noise(std::size_t count) {
  std::string bytes;
  std::uint32_t state = 7;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    bytes += static_cast<char>(state >> 24);
  }
  return bytes;
}

constexpr std::uint32_t kColumns = 16, kRows = 10;
const std::string kPixels = noise(std::size_t{3} * kColumns * kRows);

struct File {
  test::TempFolder folder;
  std::filesystem::path path = folder / "p.png";

  std::string error(const std::string& bytes, const RgbSize& expected = {}) const {
    std::ofstream(path, std::ios::binary)
        << bytes;  // no atomic file: hundreds of syncs would take half a minute
    return error_of([&] { read_rgb_png(path, expected); });
  }
  std::string error_of_labels(const std::string& text) const {
    std::ofstream(path) << text;
    return error_of([&] { read_json_labels(path, 10); });
  }
  /// Without the path, which it must begin with; one line.
  std::string error_of(const std::function<void()>& act) const {
    try {
      act();
    } catch (const InputError& error) {
      const std::string text = error.what(), begin = path.string() + ": ";
      EXPECT_TRUE(text.starts_with(begin)) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
      return text.substr(std::min(text.size(), begin.size()));
    }
    return "nothing wrong";
  }
};

TEST(Png, GivesTheBytesOfEveryPixel) {
  const File file;
  write_atomically(file.path, test::rgb_png(kColumns, kPixels));
  const RgbImage image = read_rgb_png(file.path, {.rows = kRows, .columns = kColumns});
  EXPECT_EQ(image.rows, kRows);
  EXPECT_EQ(image.columns, kColumns);
  EXPECT_EQ(std::string(image.pixels.begin(), image.pixels.end()), kPixels);
  write_atomically(file.path, test::rgb_png(1, "abc"));
  EXPECT_EQ(read_rgb_png(file.path).pixels, (std::vector<std::uint8_t>{'a', 'b', 'c'}));
}

// What a viewer would correct by is none of our business.
TEST(Png, TakesColoursAsTheyStand) {
  const File file;
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  parts.between =
      test::png_chunk("gAMA", test::big_endian(45455)) + test::png_chunk("sRGB", std::string(1, '\0'));
  write_atomically(file.path, parts.bytes());
  const RgbImage image = read_rgb_png(file.path);
  EXPECT_EQ(std::string(image.pixels.begin(), image.pixels.end()), kPixels);
}

// Several chunks of pixels, and more of them than the first piece of memory holds.
TEST(Png, ReadsLargeOnes) {
  const File file;
  const std::string pixels(std::size_t{3} * 1024 * 6000, 'x');
  test::PngParts parts = test::rgb_parts(1024, pixels);
  const std::string packed = test::zlib_packed(parts.rows_of_bytes);
  std::string bytes = test::kPngSignature + parts.header();
  for (std::size_t at = 0; at < packed.size(); at += 1000)
    bytes += test::png_chunk("IDAT", packed.substr(at, 1000));
  write_atomically(file.path, bytes + test::png_chunk("IEND", ""));
  const RgbImage image = read_rgb_png(file.path);
  EXPECT_TRUE(std::equal(image.pixels.begin(), image.pixels.end(), pixels.begin(), pixels.end()));
}

TEST(Png, RefusesEveryPrefix) {
  const File file;
  const std::string bytes = test::rgb_png(kColumns, kPixels);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    ASSERT_NE(file.error(bytes.substr(0, length)), "nothing wrong") << length;
  EXPECT_EQ(file.error(bytes.substr(0, bytes.size() / 2)), "damaged PNG: truncated");
  EXPECT_EQ(file.error(bytes.substr(0, bytes.size() - 12)), "damaged PNG: truncated") << "without its end";
}

// Every byte is under a checksum or in the signature, a length or a name.
TEST(Png, RefusesEveryFlippedBit) {
  const File file;
  const std::string bytes = test::rgb_png(kColumns, kPixels);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 1 << at % 8);
    ASSERT_NE(file.error(flipped), "nothing wrong") << at;
  }
}

TEST(Png, RefusesAWrongChecksumOfPixels) {
  const File file;
  std::string bytes = test::rgb_png(kColumns, kPixels);
  bytes[bytes.size() - 13] ^= 1;
  EXPECT_EQ(file.error(bytes), "damaged PNG: IDAT: CRC error");
}

TEST(Png, RefusesAWrongChecksumOfWhatAViewerSkips) {
  const File file;
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  parts.between = test::png_chunk("tEXt", std::string("Author\0me", 9));
  EXPECT_EQ(file.error(parts.bytes()), "nothing wrong");
  parts.between.back() ^= 1;
  EXPECT_EQ(file.error(parts.bytes()), "damaged PNG: tEXt: CRC error");
}

TEST(Png, RefusesAnEmptyFile) { EXPECT_EQ(File().error(""), "0 bytes, expected a PNG"); }

TEST(Png, RefusesATextFile) {
  EXPECT_EQ(File().error("not a picture, but a text\n"), "expected a PNG, found another beginning");
}

TEST(Png, RefusesAnotherWidth) {
  EXPECT_EQ(File().error(test::rgb_png(kColumns, kPixels), {.rows = kRows, .columns = 32}),
            "16 columns and 10 rows, expected 32 columns and 10 rows");
}

TEST(Png, RefusesAnotherHeight) {
  EXPECT_EQ(File().error(test::rgb_png(kColumns, kPixels), {.rows = 11, .columns = kColumns}),
            "16 columns and 10 rows, expected 16 columns and 11 rows");
  EXPECT_EQ(File().error(test::rgb_png(kColumns, kPixels), {.rows = 11}),
            "16 columns and 10 rows, expected any number of columns and 11 rows");
}

TEST(Png, RefusesGrey) {
  test::PngParts parts{.columns = 2, .rows = 1, .rows_of_bytes = std::string(3, '\0'), .colors = 0};
  EXPECT_EQ(File().error(parts.bytes()), "PNG of grey with 8 bits, expected RGB with 8");
  parts.colors = 4;
  parts.rows_of_bytes = std::string(5, '\0');
  EXPECT_EQ(File().error(parts.bytes()), "PNG of grey and alpha with 8 bits, expected RGB with 8");
}

TEST(Png, RefusesSixteenBits) {
  const test::PngParts parts{.columns = 2, .rows = 1, .rows_of_bytes = std::string(13, '\0'), .depth = 16};
  EXPECT_EQ(File().error(parts.bytes()), "PNG of RGB with 16 bits, expected RGB with 8");
}

TEST(Png, RefusesAlpha) {
  const test::PngParts parts{.columns = 2, .rows = 1, .rows_of_bytes = std::string(9, '\0'), .colors = 6};
  EXPECT_EQ(File().error(parts.bytes()), "PNG of RGB and alpha with 8 bits, expected RGB with 8");
}

TEST(Png, RefusesAPalette) {
  const test::PngParts parts{.columns = 2,
                             .rows = 1,
                             .rows_of_bytes = std::string(3, '\0'),
                             .colors = 3,
                             .between = test::png_chunk("PLTE", "abc")};
  EXPECT_EQ(File().error(parts.bytes()), "PNG of a palette with 8 bits, expected RGB with 8");
}

TEST(Png, RefusesInterlacedRows) {
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  parts.interlaced = 1;
  EXPECT_EQ(File().error(parts.bytes()), "interlaced PNG, expected rows one after the other");
}

TEST(Png, RefusesFewerRowsThanItPromises) {
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  ++parts.rows;
  EXPECT_EQ(File().error(parts.bytes()), "damaged PNG: Not enough image data");
}

TEST(Png, RefusesARowThatIsShort) {
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  parts.rows_of_bytes.pop_back();
  EXPECT_EQ(File().error(parts.bytes()), "damaged PNG: Not enough image data");
}

TEST(Png, RefusesMoreRowsThanItPromises) {
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  --parts.rows;
  EXPECT_TRUE(File().error(parts.bytes()).starts_with("damaged PNG: ")) << File().error(parts.bytes());
}

TEST(Png, RefusesPixelsThatAreNotPacked) {
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  const std::string bytes =
      test::kPngSignature + parts.header() + test::png_chunk("IDAT", kPixels) + test::png_chunk("IEND", "");
  EXPECT_TRUE(File().error(bytes).starts_with("damaged PNG: ")) << File().error(bytes);
}

TEST(Png, RefusesWhatHasNoPixels) {
  const test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  EXPECT_TRUE(File()
                  .error(test::kPngSignature + parts.header() + test::png_chunk("IEND", ""))
                  .starts_with("damaged PNG: "));
}

TEST(Png, RefusesBytesAfterItsEnd) {
  EXPECT_EQ(File().error(test::rgb_png(kColumns, kPixels) + "x"), "damaged PNG: bytes after its end");
}

// A header of forty bytes must not cost gigabytes.
TEST(Png, RefusesAbsurdSizesBeforeItAllocates) {
  test::PngParts parts = test::rgb_parts(kColumns, kPixels);
  parts.columns = parts.rows = 900'000;
  const std::string text = File().error(parts.bytes());
  EXPECT_TRUE(text.starts_with("900000 columns and 900000 rows, which need more than the file's ")) << text;
  parts.columns = 0xFFFFFFFF;
  EXPECT_TRUE(File().error(parts.bytes()).starts_with("damaged PNG: ")) << File().error(parts.bytes());
  parts.columns = 0;
  EXPECT_EQ(File().error(parts.bytes()), "damaged PNG: Invalid IHDR data");
}

TEST(Png, AMissingFileIsNamed) {
  const File file;
  EXPECT_EQ(file.error_of([&] { read_rgb_png(file.path); }), "cannot be read: No such file or directory");
}

TEST(Png, AFolderIsNoFile) {
  const File file;
  std::filesystem::create_directory(file.path);
  EXPECT_EQ(file.error_of([&] { read_rgb_png(file.path); }), "expected a file, found a folder");
  EXPECT_EQ(file.error_of([&] { read_json_labels(file.path, 10); }), "expected a file, found a folder");
}

// What the source throws passes through libpng's frames and arrives.
TEST(Png, PackedOnceMoreItIsReadOrRefused) {
  const File file;
  const std::string packed = test::gzipped(test::rgb_png(kColumns, kPixels));
  EXPECT_EQ(file.error(packed), "nothing wrong");
  EXPECT_EQ(file.error(packed.substr(0, packed.size() / 2)), "truncated gzip: the stream has no end");
}

TEST(JsonLabels, AreTheListInItsOrder) {
  const File file;
  write_atomically(file.path, "[3, 8,\n8,0]");
  EXPECT_EQ(read_json_labels(file.path, 10), (std::vector<std::uint8_t>{3, 8, 8, 0}));
  write_atomically(file.path, "[]");
  EXPECT_TRUE(read_json_labels(file.path, 10).empty());
}

TEST(JsonLabels, RefuseWhatIsNotJson) {
  for (const char* text : {"", "[1, 2", "1, 2]", "[1, 2] 3", "[1 2]", "labels", "[01]"})
    EXPECT_EQ(File().error_of_labels(text), "not JSON, expected a list of integers from 0 to 9") << text;
}

TEST(JsonLabels, RefuseWhatIsNoList) {
  for (const char* text : {"3", "\"abc\"", "{\"a\": 1}", "null"})
    EXPECT_EQ(File().error_of_labels(text), "expected one flat list of integers from 0 to 9") << text;
}

TEST(JsonLabels, RefuseNestedLists) {
  EXPECT_EQ(File().error_of_labels("[[1, 2], [3]]"), "expected one flat list of integers from 0 to 9");
  EXPECT_EQ(File().error_of_labels(std::string(1'000'000, '[')),
            "expected one flat list of integers from 0 to 9");
}

TEST(JsonLabels, RefuseLabelsOutOfRange) {
  EXPECT_EQ(File().error_of_labels("[1, 10]"), "label 10 in row 1, expected integers from 0 to 9");
  EXPECT_EQ(File().error_of_labels("[-1]"), "label -1 in row 0, expected integers from 0 to 9");
  EXPECT_EQ(File().error_of_labels("[18446744073709551615]"),
            "label 18446744073709551615 in row 0, expected integers from 0 to 9");
}

TEST(JsonLabels, RefuseNumbersThatAreNoIntegers) {
  EXPECT_EQ(File().error_of_labels("[0, 1, 2.0]"), "label 2.0 in row 2, expected integers from 0 to 9");
  EXPECT_EQ(File().error_of_labels("[1e0]"), "label 1.0 in row 0, expected integers from 0 to 9");
}

TEST(JsonLabels, RefuseOtherValues) {
  EXPECT_EQ(File().error_of_labels("[null]"), "label null in row 0, expected integers from 0 to 9");
  EXPECT_EQ(File().error_of_labels("[true]"), "label true in row 0, expected integers from 0 to 9");
  EXPECT_EQ(File().error_of_labels("[\"3\"]"), "label \"3\" in row 0, expected integers from 0 to 9");
}

}  // namespace
}  // namespace of_png_test
}  // namespace sluice::file
