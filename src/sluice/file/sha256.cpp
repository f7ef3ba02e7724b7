#include "sluice/file/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sluice/file/byte_source.hpp"

namespace sluice::file {
namespace {

class Digest {
 public:
  Digest() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    require(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }
  void add(std::span<const std::uint8_t> bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  std::string finish() {
    std::array<unsigned char, 32> digest{};
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
    std::string text;
    for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
    return text;
  }

 private:
  static void require(bool done) {
    if (!done) throw std::runtime_error("libcrypto has no SHA-256");
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::span<const std::uint8_t> bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.finish();
}

std::string sha256_of_content(const std::filesystem::path& path) {
  ByteSource source(path);
  Digest digest;
  std::vector<std::uint8_t> piece(1 << 20);
  while (const std::size_t got = source.read(piece)) digest.add(std::span(piece).first(got));
  return digest.finish();
}

}  // namespace sluice::file
