/// npy and npz files as bytes, right or wrong, made without the code that reads them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

/// A header as numpy has it around this dictionary, and these bytes behind it.
inline std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string text = dictionary;
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  text.append(63 - (8 + length_bytes + text.size()) % 64, ' ');
  text += '\n';
  std::string header = std::string("\x93NUMPY") + version + '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) header += static_cast<char>(text.size() >> (8 * i));
  return header + text + data;
}
inline std::string npy(const std::string& element, const std::string& shape, const std::string& data) {
  return npy("{'descr': '" + element + "', 'fortran_order': False, 'shape': (" + shape + "), }", data);
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// A member of an archive; what is not said is right.
struct ZipMember {
  std::string name;
  std::string content;  ///< unpacked
  bool deflated = false;
  int method = -1;         ///< told in place of the true one
  std::int64_t size = -1;  ///< told, unpacked
  std::int64_t packed = -1;
  std::int64_t crc = -1;
  std::int64_t offset = -1;
};

inline std::string deflated(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// `count`, `start`: told in the end record in place of the true ones.
inline std::string zip(const std::vector<ZipMember>& members, std::int64_t count = -1,
                       std::int64_t start = -1) {
  std::string bytes, directory;
  for (const ZipMember& member : members) {
    const std::string packed = member.deflated ? deflated(member.content) : member.content;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(member.content.data()),
                           static_cast<uInt>(member.content.size()));
    const auto told = [](std::int64_t said, std::uint64_t is) {
      return said < 0 ? is : static_cast<std::uint64_t>(said);
    };
    const std::string facts = little_endian(told(member.method, member.deflated ? 8 : 0), 2) +
                              little_endian(0, 4) + little_endian(told(member.crc, crc), 4) +
                              little_endian(told(member.packed, packed.size()), 4) +
                              little_endian(told(member.size, member.content.size()), 4) +
                              little_endian(member.name.size(), 2) + little_endian(0, 2);
    const std::uint64_t offset = told(member.offset, bytes.size());
    bytes += "PK\3\4" + little_endian(20, 2) + little_endian(0, 2) + facts + member.name + packed;
    directory += "PK\1\2" + little_endian(20, 2) + little_endian(20, 2) + little_endian(0, 2) + facts +
                 little_endian(0, 10) + little_endian(offset, 4) + member.name;
  }
  const std::uint64_t at = bytes.size();
  const auto told = [](std::int64_t said, std::uint64_t is) {
    return said < 0 ? is : static_cast<std::uint64_t>(said);
  };
  return bytes + directory + "PK\5\6" + little_endian(0, 4) + little_endian(told(count, members.size()), 2) +
         little_endian(told(count, members.size()), 2) + little_endian(directory.size(), 4) +
         little_endian(told(start, at), 4) + little_endian(0, 2);
}

}  // namespace sluice::test
