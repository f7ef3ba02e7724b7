#include "sluice/file/sha256.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/sha256_block.hpp"
#include "test/support/idx_files.hpp"
#include "test/support/temp_folder.hpp"

namespace sluice::file {
namespace {

std::string digest_of(const std::string& text) {
  return sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(Sha256, GivesTheExamplesOfTheStandard) {
  EXPECT_EQ(digest_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/// The digests here are made by one of the two; both must be known to be right.
TEST(Sha256, ThePlainWayAndTheProcessorsOwnAgree) {
  if (!processor_has_sha()) GTEST_SKIP() << "this processor has no instructions for it";
  std::mt19937 random(7);
  ShaState plain = sha_start(), own = plain;
  for (int i = 0; i < 1000; ++i) {
    std::array<std::uint8_t, kShaBlock> block{};
    for (std::uint8_t& byte : block) byte = static_cast<std::uint8_t>(random());
    compress_plainly(plain, block.data());
    compress_by_processor(own, block.data());
    ASSERT_EQ(plain, own) << i;
  }
}

/// Lengths around the end of a block, where the padding takes one block or two; pieces of a file that end within a block.
TEST(Sha256, AgreesWithHashlibAtEveryLength) {
  const test::TempFolder folder;
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * i + 7 * i);
  for (std::size_t length = 0; length <= bytes.size(); ++length)
    write_atomically(folder / fmt::format("{:03}", length), bytes.substr(0, length));
  write_atomically(folder / "long", std::string((1 << 20) + 37, 'y') + bytes);
  const std::string script = folder / "digests.py";
  write_atomically(
      script,
      "import hashlib, pathlib, sys\n"
      "folder = pathlib.Path(sys.argv[1])\n"
      "names = [f'{length:03}' for length in range(301)] + ['long']\n"
      "text = ''.join(hashlib.sha256((folder / name).read_bytes()).hexdigest() + '\\n' for name in names)\n"
      "(folder / 'digests').write_text(text)\n");
  ASSERT_EQ(std::system(fmt::format("{} {} {}", SYSTEM_PYTHON, script, folder.path().string()).c_str()), 0);
  std::string ours;
  for (std::size_t length = 0; length <= bytes.size(); ++length)
    ours += digest_of(bytes.substr(0, length)) + '\n';
  ours += sha256_of_content(folder / "long") + '\n';
  EXPECT_EQ(ours, read_text(folder / "digests"));
}

TEST(Sha256, OfAFileIsThatOfItsContentPackedOrNot) {
  const test::TempFolder folder;
  const std::string text(3'000'000, 'x');  // more than a piece
  write_atomically(folder / "plain", text);
  write_atomically(folder / "packed", test::gzipped(text));
  EXPECT_EQ(sha256_of_content(folder / "plain"), digest_of(text));
  EXPECT_EQ(sha256_of_content(folder / "packed"), digest_of(text));
  EXPECT_THROW(sha256_of_content(folder / "absent"), InputError);
}

}  // namespace
}  // namespace sluice::file
