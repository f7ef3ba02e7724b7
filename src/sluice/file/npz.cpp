#include "sluice/file/npz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <set>

#include "sluice/file/atomic_file.hpp"
#include "sluice/file/errors.hpp"
#include "sluice/file/npy.hpp"
#include "sluice/math/memory.hpp"

namespace sluice::file {
namespace of_npz {

/// A member of an archive, as its directory has it.
struct Entry {
  std::string name;
  std::uint16_t method = 0;  // stored
  std::uint32_t checksum = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  bool zip64 = false;
};

}  // namespace of_npz

namespace {

using of_npz::Entry;

// Signatures and constants of the zip format (PKWARE APPNOTE 6.3).
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kZip64End = 0x06064b50;
constexpr std::uint32_t kZip64Locator = 0x07064b50;
constexpr std::uint16_t kZip64Extra = 0x0001;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kDate1980 = 0x0021;  // fixed: equal arrays give equal bytes
constexpr std::uint32_t kInZip64 = 0xFFFFFFFF;
constexpr std::size_t kChunk = 1 << 20;

/// Little-endian fields, appended.
class Fields {
 public:
  template <class Unsigned>
  Fields& add(Unsigned value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  Fields& text(std::string_view more) {
    bytes_ += more;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Little-endian fields, taken from the front. Running out of bytes means a truncated archive.
class FieldReader {
 public:
  FieldReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  template <class Unsigned>
  Unsigned take() {
    Unsigned value;
    std::memcpy(&value, take_bytes(sizeof(Unsigned)).data(), sizeof(Unsigned));
    return value;
  }
  std::string_view take_bytes(std::size_t count) {
    if (bytes_.size() < count) throw InputError(file_ + ": truncated npz archive");
    const std::string_view head = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return head;
  }
  void skip(std::size_t count) { take_bytes(count); }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

/// zlib takes 32-bit lengths: feed it in pieces.
template <class Use>
void in_pieces(std::string_view bytes, const Use& use) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kChunk))) use(bytes.substr(0, kChunk));
}

class Deflater {
 public:
  /// Of so many bytes.
  Deflater(AtomicFile& out, std::uint64_t size) : out_(out) {
    // Level 1: float weights shrink by 10–20 % at any level, and level 6 takes three times as long.
    if (deflateInit2(&stream_, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
    // A curve of twenty numbers does not need a megabyte of zeros.
    buffer_.resize(std::min<std::uint64_t>(kChunk, deflateBound(&stream_, size)));
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(std::string_view bytes) {
    in_pieces(bytes, [&](std::string_view piece) { pump(piece, Z_NO_FLUSH); });
  }
  void finish() { pump({}, Z_FINISH); }

 private:
  void pump(std::string_view piece, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));  // zlib never writes there
    stream_.avail_in = static_cast<uInt>(piece.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, flush);
      out_.write({buffer_.data(), buffer_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  AtomicFile& out_;
  std::string buffer_;
  z_stream stream_{};
};

std::string local_header(const Entry& entry) {
  Fields fields;
  fields.add(kLocalHeader).add(std::uint16_t{entry.zip64 ? std::uint16_t{45} : std::uint16_t{20}});
  fields.add(std::uint16_t{0}).add(entry.method).add(std::uint16_t{0}).add(kDate1980).add(entry.checksum);
  fields.add(entry.zip64 ? kInZip64 : static_cast<std::uint32_t>(entry.packed_size));
  fields.add(entry.zip64 ? kInZip64 : static_cast<std::uint32_t>(entry.size));
  fields.add(static_cast<std::uint16_t>(entry.name.size()))
      .add(std::uint16_t{entry.zip64 ? std::uint16_t{20} : std::uint16_t{0}});
  fields.text(entry.name);
  if (entry.zip64) fields.add(kZip64Extra).add(std::uint16_t{16}).add(entry.size).add(entry.packed_size);
  return fields.bytes();
}

std::string central_header(const Entry& entry) {
  Fields fields;
  const auto version = std::uint16_t{entry.zip64 ? std::uint16_t{45} : std::uint16_t{20}};
  fields.add(kCentralHeader).add(version).add(version).add(std::uint16_t{0}).add(entry.method);
  fields.add(std::uint16_t{0}).add(kDate1980).add(entry.checksum);
  fields.add(entry.zip64 ? kInZip64 : static_cast<std::uint32_t>(entry.packed_size));
  fields.add(entry.zip64 ? kInZip64 : static_cast<std::uint32_t>(entry.size));
  fields.add(static_cast<std::uint16_t>(entry.name.size()))
      .add(std::uint16_t{entry.zip64 ? std::uint16_t{28} : std::uint16_t{0}});
  fields.add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint32_t{0600U << 16});
  fields.add(entry.zip64 ? kInZip64 : static_cast<std::uint32_t>(entry.offset)).text(entry.name);
  if (entry.zip64) {
    fields.add(kZip64Extra).add(std::uint16_t{24}).add(entry.size).add(entry.packed_size).add(entry.offset);
  }
  return fields.bytes();
}

Entry write_entry(AtomicFile& out, const std::string& name, std::string_view header,
                  std::string_view elements, Packing packing, std::uint64_t zip64_above) {
  Entry entry{.name = name + ".npy", .method = packing == Packing::stored ? kStored : kDeflated};
  entry.offset = out.size();
  entry.size = header.size() + elements.size();
  entry.zip64 = entry.offset > zip64_above || entry.size > zip64_above / 2;  // deflate may grow a little
  out.write(local_header(entry));
  const std::uint64_t data_start = out.size();

  uLong checksum = crc32(0, nullptr, 0);
  for (const std::string_view part : {header, elements}) {
    in_pieces(part, [&](std::string_view piece) {
      checksum =
          crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
    });
  }
  entry.checksum = static_cast<std::uint32_t>(checksum);

  if (packing == Packing::stored) {
    out.write(header);
    out.write(elements);
  } else {
    Deflater deflater(out, entry.size);
    deflater.write(header);
    deflater.write(elements);
    deflater.finish();
  }
  entry.packed_size = out.size() - data_start;
  out.patch(entry.offset, local_header(entry));
  return entry;
}

void write_directory(AtomicFile& out, const std::vector<Entry>& entries, std::uint64_t zip64_above) {
  const std::uint64_t start = out.size();
  for (const Entry& entry : entries) out.write(central_header(entry));
  const std::uint64_t length = out.size() - start;
  const std::uint64_t count = entries.size();
  const bool zip64 = start + length > zip64_above || count >= 0xFFFF;
  Fields fields;
  if (zip64) {
    fields.add(kZip64End).add(std::uint64_t{44}).add(std::uint16_t{45}).add(std::uint16_t{45});
    fields.add(std::uint32_t{0}).add(std::uint32_t{0}).add(count).add(count).add(length).add(start);
    fields.add(kZip64Locator).add(std::uint32_t{0}).add(start + length).add(std::uint32_t{1});
  }
  const auto short_count = zip64 ? std::uint16_t{0xFFFF} : static_cast<std::uint16_t>(count);
  fields.add(kEndOfDirectory).add(std::uint16_t{0}).add(std::uint16_t{0}).add(short_count).add(short_count);
  fields.add(zip64 ? kInZip64 : static_cast<std::uint32_t>(length));
  fields.add(zip64 ? kInZip64 : static_cast<std::uint32_t>(start)).add(std::uint16_t{0});
  out.write(fields.bytes());
}

struct Directory {
  std::uint64_t start = 0;
  std::uint64_t count = 0;
};

Directory find_directory(std::string_view bytes, const std::string& file) {
  constexpr std::size_t kEndSize = 22;
  const std::string signature = Fields().add(kEndOfDirectory).bytes();
  const std::size_t at =
      bytes.size() < kEndSize ? std::string_view::npos : bytes.rfind(signature, bytes.size() - kEndSize);
  if (at == std::string_view::npos) throw InputError(file + ": not a complete npz archive (truncated?)");
  FieldReader end(bytes.substr(at + 10), file);
  Directory directory{.count = end.take<std::uint16_t>()};
  end.skip(4);
  directory.start = end.take<std::uint32_t>();
  if (directory.start != kInZip64 && directory.count != 0xFFFF) return directory;

  if (at < 20) throw InputError(file + ": npz archive without its zip64 directory");
  FieldReader locator(bytes.substr(at - 20), file);
  if (locator.take<std::uint32_t>() != kZip64Locator) return directory;
  locator.skip(4);
  const auto offset = locator.take<std::uint64_t>();
  if (offset > bytes.size()) throw InputError(file + ": truncated npz archive");
  FieldReader zip64(bytes.substr(offset), file);
  zip64.skip(32);
  directory.count = zip64.take<std::uint64_t>();
  zip64.skip(8);
  directory.start = zip64.take<std::uint64_t>();
  return directory;
}

/// Sizes that do not fit 32 bits stand in the zip64 extra field, in this order, only those that overflowed.
void read_zip64_extra(FieldReader extra, const std::string& file, Entry& entry) {
  while (extra.left() >= 4) {
    const auto tag = extra.take<std::uint16_t>();
    const auto length = extra.take<std::uint16_t>();
    FieldReader field(extra.take_bytes(length), file);
    if (tag != kZip64Extra) continue;
    if (entry.size == kInZip64) entry.size = field.take<std::uint64_t>();
    if (entry.packed_size == kInZip64) entry.packed_size = field.take<std::uint64_t>();
    if (entry.offset == kInZip64) entry.offset = field.take<std::uint64_t>();
  }
}

std::vector<Entry> read_directory(std::string_view bytes, const std::string& file) {
  const Directory directory = find_directory(bytes, file);
  if (directory.start > bytes.size()) throw InputError(file + ": truncated npz archive");
  FieldReader fields(bytes.substr(directory.start), file);
  std::vector<Entry> entries;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    if (fields.take<std::uint32_t>() != kCentralHeader) throw InputError(file + ": damaged npz directory");
    Entry entry;
    fields.skip(6);
    entry.method = fields.take<std::uint16_t>();
    fields.skip(4);
    entry.checksum = fields.take<std::uint32_t>();
    entry.packed_size = fields.take<std::uint32_t>();
    entry.size = fields.take<std::uint32_t>();
    const auto name_length = fields.take<std::uint16_t>();
    const auto extra_length = fields.take<std::uint16_t>();
    const auto comment_length = fields.take<std::uint16_t>();
    fields.skip(8);
    entry.offset = fields.take<std::uint32_t>();
    entry.name = fields.take_bytes(name_length);
    read_zip64_extra(FieldReader(fields.take_bytes(extra_length), file), file, entry);
    fields.skip(comment_length);
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// Where a member's packed bytes lie in the archive.
std::string_view packed_bytes(std::string_view bytes, const Entry& entry, const std::string& file) {
  if (entry.offset > bytes.size()) throw InputError(file + ": truncated npz archive");
  FieldReader fields(bytes.substr(entry.offset), file);
  if (fields.take<std::uint32_t>() != kLocalHeader) throw InputError(file + ": damaged npz archive");
  fields.skip(22);
  const auto name_length = fields.take<std::uint16_t>();
  const auto extra_length = fields.take<std::uint16_t>();
  fields.skip(std::size_t{name_length} + extra_length);
  return fields.take_bytes(entry.packed_size);
}

/// A few bytes that thousands of members share would unpack to any size: every byte belongs to one of them at most.
void require_apart(std::string_view bytes, const std::vector<Entry>& entries, const std::string& file) {
  // From a member's header to the end of its bytes.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  for (const Entry& entry : entries) {
    const std::string_view packed = packed_bytes(bytes, entry, file);
    spans.emplace_back(entry.offset,
                       static_cast<std::uint64_t>(packed.data() - bytes.data()) + packed.size());
  }
  std::ranges::sort(spans);
  for (std::size_t i = 1; i < spans.size(); ++i)
    if (spans[i].first < spans[i - 1].second)
      throw InputError(file + ": damaged npz archive (members overlap)");
}

std::string inflate_all(std::string_view packed, const Entry& entry, const std::string& where) {
  // Deflate cannot shrink by more than 1032:1, so a larger claim is damage, not a reason to allocate.
  if (entry.size / 1032 > packed.size() + 1) throw InputError(where + ": damaged (impossible size)");
  std::string raw(entry.size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closer(&stream, inflateEnd);
  std::size_t used = 0;
  std::size_t made = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::size_t in = std::min(packed.size() - used, kChunk);
    const std::size_t out = std::min(raw.size() - made, kChunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + used));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(raw.data() + made);
    stream.avail_out = static_cast<uInt>(out);
    state = inflate(&stream, Z_NO_FLUSH);
    used += in - stream.avail_in;
    made += out - stream.avail_out;
  }
  if (state != Z_STREAM_END || made != raw.size())
    throw InputError(where + ": damaged (cannot be decompressed)");
  return raw;
}

}  // namespace

namespace {

void write_members(const std::filesystem::path& path, const NamedViews& arrays, const NamedTexts& texts,
                   Packing packing, IfTaken if_taken, std::uint64_t zip64_above) {
  AtomicFile out(path, if_taken);
  std::vector<Entry> entries;
  for (const auto& [name, array] : arrays)
    entries.push_back(write_entry(out, name, npy_header(*array), raw_bytes(*array), packing, zip64_above));
  for (const auto& [name, list] : texts)
    entries.push_back(write_entry(out, name, npy_of_texts(list), {}, packing, zip64_above));
  write_directory(out, entries, zip64_above);
  out.commit();
}

}  // namespace

void write_npz(const std::filesystem::path& path, const NamedArrays& arrays, Packing packing,
               IfTaken if_taken, std::uint64_t zip64_above) {
  write_members(path, views_of(arrays), {}, packing, if_taken, zip64_above);
}

void write_npz(const std::filesystem::path& path, const NamedArrays& arrays, const NamedTexts& texts,
               Packing packing, IfTaken if_taken, std::uint64_t zip64_above) {
  write_members(path, views_of(arrays), texts, packing, if_taken, zip64_above);
}

void write_npz(const std::filesystem::path& path, const NamedViews& arrays, Packing packing) {
  write_members(path, arrays, {}, packing, IfTaken::replace, kMostWithoutZip64);
}

void write_npy(const std::filesystem::path& path, const Array& array, IfTaken if_taken) {
  AtomicFile out(path, if_taken);
  out.write(npy_header(array));
  out.write(raw_bytes(array));
  out.commit();
}

struct Archive::Members {
  std::string file;
  std::string bytes;
  std::vector<Entry> entries = {};  // none: a single array
  std::vector<std::optional<Array>> read = {};
  double unpacked = 0;  // bytes of those read

  const Array& member(std::size_t i) {
    if (!read[i]) read[i] = entries.empty() ? parse(bytes, file) : unpack(entries[i]);
    return *read[i];
  }

 private:
  Array unpack(const Entry& entry) {
    const std::string where = fmt::format("{}: {}", file, entry.name);
    const std::string_view packed = packed_bytes(bytes, entry, file);
    std::string inflated;
    if (entry.method == kDeflated) {
      require_memory(static_cast<double>(entry.size), where);
      inflated = inflate_all(packed, entry, where);
    } else if (entry.method != kStored) {
      throw InputError(fmt::format("{}: compression method {} is not supported", where, entry.method));
    }
    const std::string_view raw = entry.method == kStored ? packed : std::string_view(inflated);
    uLong checksum = crc32(0, nullptr, 0);
    in_pieces(raw, [&](std::string_view piece) {
      checksum =
          crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()), static_cast<uInt>(piece.size()));
    });
    if (checksum != entry.checksum) throw InputError(where + ": damaged (checksum does not match)");
    return parse(raw, where);
  }

  /// Elements become floats, doubles or 64-bit integers: bytes that stand for eight each.
  Array parse(std::string_view raw, const std::string& where) {
    const double kept = static_cast<double>(bytes_in_memory(raw, where));
    require_memory(kept, where);
    unpacked += kept;
    return parse_npy(raw, where);
  }

  void require_memory(double more, const std::string& where) const {
    const double most = math::affordable_bytes();
    if (unpacked + more > most)
      throw InputError(fmt::format("{}: {:.1f} GB unpacked, expected arrays of at most {:.1f} GB in all",
                                   where, 1e-9 * (unpacked + more), 1e-9 * most));
  }
};

Archive::Archive(const std::filesystem::path& path)
    : members_(std::make_unique<Members>(
          Members{.file = path.string(),
                  .bytes = read_text(path, static_cast<std::uint64_t>(math::affordable_bytes()))})) {
  const std::string& file = members_->file;
  if (members_->bytes.starts_with("\x93NUMPY")) {
    names_ = {"array"};
  } else {
    members_->entries = read_directory(members_->bytes, file);
    require_apart(members_->bytes, members_->entries, file);
    std::set<std::string> seen;
    for (const Entry& entry : members_->entries) {
      std::string name = entry.name;
      if (name.ends_with(".npy")) name.resize(name.size() - 4);
      // Of two, one reader would take the first and another the last.
      if (!seen.insert(name).second)
        throw InputError(
            fmt::format("{}: {}: expected one member of this name, found several", file, entry.name));
      names_.push_back(std::move(name));
    }
  }
  members_->read.resize(names_.size());
}

Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

bool Archive::holds(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }

const Array* Archive::find(const std::string& name) const {
  const auto at = std::ranges::find(names_, name);
  return at == names_.end() ? nullptr : &members_->member(static_cast<std::size_t>(at - names_.begin()));
}

NamedArrays Archive::take() && {
  NamedArrays arrays;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    members_->member(i);
    arrays.emplace_back(names_[i], std::move(*members_->read[i]));
  }
  return arrays;
}

NamedArrays read_npz(const std::filesystem::path& path) try {
  return Archive(path).take();
} catch (const std::bad_alloc&) {
  throw InputError(fmt::format("{}: no memory is left for its arrays", path.string()));
}

}  // namespace sluice::file
