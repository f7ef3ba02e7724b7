#include "sluice/file/sha256.hpp"

#include <gtest/gtest.h>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
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
