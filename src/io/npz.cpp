#include "io/npz.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include <fmt/format.h>
#include <zlib.h>

#include "delassus/math/error.hpp"
#include "io/little_endian.hpp"
#include "io/npy.hpp"
#include "io/text_file.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

// Parts of a zip file, by how they begin; and how many bytes they have before names.
constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr std::size_t kMostComment = 0xFFFF;
constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;  // sizes of more than 4 GiB
/// Deflate makes a byte out of no less than this part of one: who promises more lies.
constexpr std::size_t kMostRatio = 1032;
constexpr std::string_view kEnding = ".npy";
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kFirstDay = 0x21;  // 1 January 1980, the first that there is

std::uint16_t read_16(std::string_view data, std::size_t at) { return little_endian<std::uint16_t>(data, at); }
std::uint32_t read_32(std::string_view data, std::size_t at) { return little_endian<std::uint32_t>(data, at); }

const Bytef* bytes_of(std::string_view data) { return reinterpret_cast<const Bytef*>(data.data()); }

std::uint32_t checksum(std::string_view data) {
  return static_cast<std::uint32_t>(crc32(0, bytes_of(data), static_cast<uInt>(data.size())));
}

/// Where the end of the directory begins: the last place that says so, since a comment of any kind may follow.
std::size_t find_end(std::string_view bytes) {
  if (bytes.size() < kEndSize) return std::string_view::npos;
  const std::size_t last = bytes.size() - kEndSize, first = last > kMostComment ? last - kMostComment : 0;
  for (std::size_t at = last + 1; at-- > first;) {
    if (read_32(bytes, at) == kEnd) return at;
  }
  return std::string_view::npos;
}

/// Unpacks what was deflated into memory of the size that it should have. Whether it has.
bool inflate_into(std::string_view packed, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  const std::unique_ptr<z_stream, int (*)(z_streamp)> ends(&stream, inflateEnd);
  stream.next_in = const_cast<Bytef*>(bytes_of(packed));  // zlib only reads it
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  return inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0;
}

}  // namespace

NpzReader::NpzReader(std::string bytes, std::string file_name) : bytes_(std::move(bytes)), file_(std::move(file_name)) {
  if (bytes_.size() > kMaxFileSize) fail(fmt::format("has more than {} MiB", kMaxFileSize >> 20U));
  read_directory();
  check_apart();
}

void NpzReader::fail(const std::string& what) const { throw Error(file_ + ": " + what); }
void NpzReader::fail(const std::string& member, const std::string& what) const {
  throw Error(fmt::format("{}: {}: {}", file_, in_quotes(member), what));
}

void NpzReader::read_directory() {
  const std::size_t end = find_end(bytes_);
  if (end == std::string::npos) fail("is no .npz file as numpy.savez writes it, or cut short");
  const std::size_t entries = read_16(bytes_, end + 10);
  std::size_t at = read_32(bytes_, end + 16), total = 0;
  for (std::size_t k = 0; k < entries; ++k) {
    if (at > end || end - at < kCentralSize || read_32(bytes_, at) != kCentral)
      fail(fmt::format("its directory ends after {} of {} members; the file is damaged", k, entries));
    at = read_entry(at, total);
  }
}

/// One member of the directory; where the next one begins.
std::size_t NpzReader::read_entry(std::size_t at, std::size_t& total) {
  const std::size_t length = read_16(bytes_, at + 28);
  const std::size_t next = at + kCentralSize + length + read_16(bytes_, at + 30) + read_16(bytes_, at + 32);
  if (next > bytes_.size()) fail("its directory is damaged");
  std::string name = bytes_.substr(at + kCentralSize, length);
  if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  const std::uint16_t method = read_16(bytes_, at + 10);
  if ((read_16(bytes_, at + 8) & kEncrypted) != 0) fail(name, "is encrypted; write it without a password");
  if (method != kStored && method != kDeflated) fail(name, "is neither stored nor deflated, as numpy does");
  Member out;
  out.deflated = method == kDeflated;
  out.crc = read_32(bytes_, at + 16);
  out.packed = read_32(bytes_, at + 20);
  out.size = read_32(bytes_, at + 24);
  const std::size_t local = read_32(bytes_, at + 42);
  if (out.packed == kElsewhere || out.size == kElsewhere || local == kElsewhere || (total += out.size) > kMaxFileSize)
    fail(name, fmt::format("with it the file has more than {} MiB unpacked, which is the limit", kMaxFileSize >> 20U));
  if (local > bytes_.size() || bytes_.size() - local < kLocalSize || read_32(bytes_, local) != kLocal)
    fail(name, "is not where the directory says; the file is damaged");
  out.start = local + kLocalSize + read_16(bytes_, local + 26) + read_16(bytes_, local + 28);
  const bool fits = out.start <= bytes_.size() && out.packed <= bytes_.size() - out.start;
  const bool possible = out.deflated ? out.size / kMostRatio <= out.packed : out.size == out.packed;
  if (!fits || !possible) fail(name, "has another size than the directory says; the file is damaged");
  if (!members_.emplace(name, out).second) fail(name, "is there twice");
  return next;
}

/// Members that share bytes could be many times as large as their file.
void NpzReader::check_apart() const {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const auto& [name, member] : members_) places.emplace_back(member.start, member.start + member.packed);
  std::ranges::sort(places);
  for (std::size_t k = 1; k < places.size(); ++k) {
    if (places[k].first < places[k - 1].second) fail("has members that overlap; the file is damaged");
  }
}

std::string NpzReader::unpack(const std::string& name, const Member& member) const {
  const std::string_view packed = std::string_view(bytes_).substr(member.start, member.packed);
  std::string out(packed.substr(0, member.deflated ? 0 : packed.size()));
  if (member.deflated) {
    out.resize(member.size);
    if (!inflate_into(packed, out)) fail(name, "cannot be unpacked; the file is damaged");
  }
  if (checksum(out) != member.crc) fail(name, "has another checksum than the file says; it is damaged");
  return out;
}

NpzArray NpzReader::read(const std::string& name) const {
  const auto member = members_.find(name);
  if (member == members_.end()) fail(name, "is not in the file");
  return parse_npy(unpack(name, member->second), fmt::format("{}: {}", file_, in_quotes(name)));
}

// ------------------------------------------------------------------------------------------------ writing

void NpzWriter::add(const std::string& name, double value) {
  std::string bytes = npy_header("<f8", "()");
  append_little_endian(bytes, std::bit_cast<std::uint64_t>(value));
  add_member(name, bytes);
}

void NpzWriter::add(const std::string& name, std::int64_t value) {
  std::string bytes = npy_header("<i8", "()");
  append_little_endian(bytes, static_cast<std::uint64_t>(value));
  add_member(name, bytes);
}

void NpzWriter::add(const std::string& name, std::span<const double> values) {
  std::string bytes = npy_header("<f8", fmt::format("({},)", values.size()));
  for (const double value : values) append_little_endian(bytes, std::bit_cast<std::uint64_t>(value));
  add_member(name, bytes);
}

void NpzWriter::add(const std::string& name, std::span<const std::int64_t> values) {
  std::string bytes = npy_header("<i8", fmt::format("({},)", values.size()));
  for (const std::int64_t value : values) append_little_endian(bytes, static_cast<std::uint64_t>(value));
  add_member(name, bytes);
}

void NpzWriter::add_member(const std::string& name, const std::string& bytes) {
  const std::string full = name + std::string(kEnding);
  const auto offset = static_cast<std::uint32_t>(bytes_.size()), size = static_cast<std::uint32_t>(bytes.size());
  // What both places say of it: version, flags, method, time, date, checksum, sizes, length of the name, of what is beside.
  std::string said;
  for (const std::uint16_t x : {kVersion, std::uint16_t{0}, kStored, std::uint16_t{0}, kFirstDay})
    append_little_endian(said, x);
  for (const std::uint32_t x : {checksum(bytes), size, size}) append_little_endian(said, x);
  append_little_endian(said, static_cast<std::uint16_t>(full.size()));
  append_little_endian(said, std::uint16_t{0});

  append_little_endian(bytes_, kLocal);
  bytes_ += said + full + bytes;
  append_little_endian(directory_, kCentral);
  append_little_endian(directory_, kVersion);
  directory_ += said;
  directory_.append(10, '\0');  // comment, disk, attributes
  append_little_endian(directory_, offset);
  directory_ += full;
  ++count_;
}

std::string NpzWriter::finish() {
  std::string out = std::move(bytes_);
  const auto start = static_cast<std::uint32_t>(out.size()), size = static_cast<std::uint32_t>(directory_.size());
  out += directory_;
  append_little_endian(out, kEnd);
  for (const std::uint16_t x : {std::uint16_t{0}, std::uint16_t{0}, count_, count_}) append_little_endian(out, x);
  append_little_endian(out, size);
  append_little_endian(out, start);
  append_little_endian(out, std::uint16_t{0});
  return out;
}

}  // namespace delassus::io
