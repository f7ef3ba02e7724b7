#include "sluice/file/npz.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

using test::TempFolder;

template <class T>
Array random_array(const Shape& shape) {
  std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
  for (T& value : values) value = static_cast<T>(*rc::gen::inRange(-100'000, 100'000)) / T{8};
  return {shape, values};
}

NamedArrays random_arrays() {
  NamedArrays arrays;
  const auto count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i) {
    const auto axes = *rc::gen::inRange<std::size_t>(0, 4);
    const Shape shape = *rc::gen::container<Shape>(axes, rc::gen::inRange<std::int64_t>(0, 6));
    const int kind = *rc::gen::inRange(0, 3);
    arrays.emplace_back("array" + std::to_string(i), kind == 0   ? random_array<float>(shape)
                                                     : kind == 1 ? random_array<double>(shape)
                                                                 : random_array<std::int64_t>(shape));
  }
  return arrays;
}

RC_GTEST_PROP(Npz, ReadsBackWhatWasWritten, ()) {
  const TempFolder folder;
  const NamedArrays arrays = random_arrays();
  const Packing packing = *rc::gen::element(Packing::stored, Packing::compressed);
  const std::uint64_t zip64_above = *rc::gen::element<std::uint64_t>(0, 300, 0xFFFFFFFE);
  write_npz(folder / "a.npz", arrays, packing, IfTaken::replace, zip64_above);
  RC_ASSERT(read_npz(folder / "a.npz") == arrays);
}

TEST(Npz, EqualArraysGiveEqualBytes) {
  const TempFolder folder;
  const NamedArrays arrays{{"x", {{3}, std::vector<float>{1, 2, 3}}}};
  write_npz(folder / "a.npz", arrays, Packing::compressed);
  write_npz(folder / "b.npz", arrays, Packing::compressed);
  EXPECT_EQ(read_text(folder / "a.npz"), read_text(folder / "b.npz"));
}

std::string sample_archive(const TempFolder& folder, Packing packing) {
  const NamedArrays arrays{{"x", {{4, 25}, std::vector<float>(100, 1.5F)}},
                           {"step", {{2}, std::vector<std::int64_t>{0, 50}}}};
  write_npz(folder / "whole.npz", arrays, packing);
  return read_text(folder / "whole.npz");
}

TEST(Npz, EveryTruncationIsRefusedWithTheFilesName) {
  const TempFolder folder;
  for (const Packing packing : {Packing::stored, Packing::compressed}) {
    const std::string whole = sample_archive(folder, packing);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      std::ofstream(folder / "cut.npz", std::ios::binary) << whole.substr(0, length);
      try {
        read_npz(folder / "cut.npz");
        FAIL() << "accepted " << length << " of " << whole.size() << " bytes";
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("cut.npz"), std::string::npos);
      }
    }
  }
}

TEST(Npz, NoFlippedByteGoesUnnoticedInTheData) {
  const TempFolder folder;
  for (const Packing packing : {Packing::stored, Packing::compressed}) {
    const std::string whole = sample_archive(folder, packing);
    const NamedArrays arrays = read_npz(folder / "whole.npz");
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
      std::ofstream(folder / "damaged.npz", std::ios::binary) << damaged;
      try {
        const NamedArrays read = read_npz(folder / "damaged.npz");
        // Bytes that do not carry data (time stamps, names) may change; the numbers may not.
        ASSERT_EQ(read.size(), arrays.size()) << at;
        for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].second, arrays[i].second) << at;
      } catch (const InputError&) {
        SUCCEED();
      }
    }
  }
}

TEST(Npz, ReadsASingleNpy) {
  const TempFolder folder;
  const Array array{{2, 2}, std::vector<double>{1, 2, 3, 4}};
  write_npy(folder / "w.npy", array);
  EXPECT_EQ(read_npz(folder / "w.npy"), (NamedArrays{{"array", array}}));
}

TEST(Npz, SaysWhatIsWrong) {
  const TempFolder folder;
  std::ofstream(folder / "text.npz") << "not an archive, but long enough to hold one's end record";
  EXPECT_THROW(read_npz(folder / "text.npz"), InputError);
  EXPECT_THROW(read_npz(folder / "absent.npz"), InputError);
  EXPECT_THROW(read_npz(folder.path()), InputError);
}

/// Thousands of members on the same few bytes would unpack to any size.
TEST(Safety, M7_MembersOfAnArchiveMayNotOverlap) {
  const TempFolder folder;
  write_npz(folder / "a.npz",
            {{"a", {{4}, std::vector<double>{1, 2, 3, 4}}}, {"b", {{1}, std::vector<double>{1}}}},
            Packing::stored);
  std::string bytes = read_text(folder / "a.npz");
  const std::size_t first = bytes.find("PK\1\2"), second = bytes.find("PK\1\2", first + 4);
  bytes.replace(second + 42, 4, bytes, first + 42, 4);  // the second lies where the first does
  write_atomically(folder / "b.npz", bytes);
  std::string said;
  try {
    read_npz(folder / "b.npz");
  } catch (const InputError& error) {
    said = error.what();
  }
  EXPECT_EQ(said, (folder / "b.npz").string() + ": damaged npz archive (members overlap)");
}

}  // namespace
}  // namespace sluice::file
