#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "sluice/file/errors.hpp"
#include "sluice/file/npz.hpp"
#include "sluice/record/digest.hpp"
#include "test/fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace sluice::fuzz {
namespace {

constexpr std::size_t kMostUnpacked = std::size_t{1} << 20;

const Bytef* zlib_bytes(std::string_view bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, zlib_bytes(bytes), bytes.size()));
}

template <class Unsigned>
Unsigned little(std::string_view bytes, std::size_t at) {
  Unsigned value = 0;
  if (at <= bytes.size() && bytes.size() - at >= sizeof value)
    std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class Unsigned>
void put_little(std::string& bytes, std::size_t at, Unsigned value) {
  if (at <= bytes.size() && bytes.size() - at >= sizeof value)
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::uint32_t big(std::string_view bytes, std::size_t at) {
  return __builtin_bswap32(little<std::uint32_t>(bytes, at));
}

void put_big(std::string& bytes, std::size_t at, std::uint32_t value) {
  put_little(bytes, at, __builtin_bswap32(value));
}

struct Unpacked {
  std::string bytes;
  std::size_t used = 0;  ///< of what was packed
};

/// A deflate stream without anything around it; nothing where it is damaged or long.
std::optional<Unpacked> unpacked(std::string_view packed) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  static std::string room(kMostUnpacked, '\0');
  stream.next_in = const_cast<Bytef*>(zlib_bytes(packed));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(room.data());
  stream.avail_out = static_cast<uInt>(room.size());
  const int state = inflate(&stream, Z_FINISH);
  Unpacked result{room.substr(0, stream.total_out), stream.total_in};
  inflateEnd(&stream);
  if (state != Z_STREAM_END) return std::nullopt;
  return result;
}

/// Where the packed bytes of a member begin and how many they are.
struct Member {
  std::string name;
  std::size_t header = 0;  ///< in the directory
  std::size_t begins = 0;
  std::size_t length = 0;
  bool deflated = false;
};

std::vector<Member> members_of(std::string_view bytes) {
  std::vector<Member> members;
  for (std::size_t at = bytes.find("PK\1\2"); at != std::string_view::npos;
       at = bytes.find("PK\1\2", at + 4)) {
    const std::size_t local = little<std::uint32_t>(bytes, at + 42);
    if (bytes.size() < at + 46 || local > bytes.size() || bytes.size() - local < 30) continue;
    Member member{.name = std::string(bytes.substr(at + 46, little<std::uint16_t>(bytes, at + 28))),
                  .header = at};
    member.begins =
        local + 30 + little<std::uint16_t>(bytes, local + 26) + little<std::uint16_t>(bytes, local + 28);
    member.length = little<std::uint32_t>(bytes, at + 20);
    member.deflated = little<std::uint16_t>(bytes, at + 10) != 0;
    if (member.begins <= bytes.size() && bytes.size() - member.begins >= member.length)
      members.push_back(member);
  }
  return members;
}

void repair_digest(std::string& bytes, const std::string& name) {
  repair_zip(bytes);
  file::NamedArrays arrays;
  try {
    arrays = file::read_npz(file_with({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
  } catch (const InputError&) {
    return;
  }
  record::add_digest(arrays, name);
  const auto& words = std::get<std::vector<std::int64_t>>(arrays.back().second.data);
  for (const Member& member : members_of(bytes)) {
    const std::size_t numbers = words.size() * sizeof words[0];
    if (member.name != name + ".npy" || member.deflated || member.length < numbers) continue;
    std::memcpy(bytes.data() + member.begins + member.length - numbers, words.data(), numbers);
  }
  repair_zip(bytes);
}

}  // namespace

void repair_zip(std::string& bytes) {
  for (const Member& member : members_of(bytes)) {
    const std::string_view packed = std::string_view(bytes).substr(member.begins, member.length);
    if (!member.deflated) {
      put_little(bytes, member.header + 24, static_cast<std::uint32_t>(member.length));
      put_little(bytes, member.header + 16, crc_of(packed));
    } else if (const auto content = unpacked(packed)) {
      put_little(bytes, member.header + 24, static_cast<std::uint32_t>(content->bytes.size()));
      put_little(bytes, member.header + 16, crc_of(content->bytes));
    }
  }
}

void repair_checkpoint(std::string& bytes) { repair_digest(bytes, "checkpoint.digest"); }
void repair_end_state(std::string& bytes) { repair_digest(bytes, "state.digest"); }

void repair_gzip(std::string& bytes) {
  constexpr std::size_t kHeader = 10;  // of a stream without names and comments
  if (bytes.size() < kHeader || !bytes.starts_with("\x1f\x8b")) return;
  const auto content = unpacked(std::string_view(bytes).substr(kHeader));
  if (!content) return;
  bytes.resize(kHeader + content->used + 8);
  put_little(bytes, kHeader + content->used, crc_of(content->bytes));
  put_little(bytes, kHeader + content->used + 4, static_cast<std::uint32_t>(content->bytes.size()));
}

void repair_png(std::string& bytes) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = std::min<std::size_t>(big(bytes, at), bytes.size() - at - 12);
    put_big(bytes, at, static_cast<std::uint32_t>(length));
    const std::string_view content = std::string_view(bytes).substr(at + 8, length);
    if (std::string_view(bytes).substr(at + 4, 4) == "IDAT" && length > 6) {
      const auto pixels = unpacked(content.substr(2));
      if (pixels && pixels->used + 6 <= length) {
        const auto sum = adler32_z(1, zlib_bytes(pixels->bytes), pixels->bytes.size());
        put_big(bytes, at + 8 + 2 + pixels->used, static_cast<std::uint32_t>(sum));
      }
    }
    put_big(bytes, at + 8 + length, crc_of(std::string_view(bytes).substr(at + 4, 4 + length)));
    at += 12 + length;
  }
}

std::size_t mutate(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                   const Repair& repair) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 4 == 0) return size;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  repair(bytes);
  size = std::min(bytes.size(), max_size);
  std::memcpy(data, bytes.data(), size);
  return size;
}

}  // namespace sluice::fuzz
