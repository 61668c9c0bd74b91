#include "io/npz.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include "delassus/math/error.hpp"
#include "io/little_endian.hpp"
#include "io/npy.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

// Parts of a zip file, by how they begin; and how many bytes they have before names.
constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr std::size_t kMostComment = 0xFFFF, kMostName = 0xFFFF;
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

/// The bytes of a file where the system has them, to be read when they are looked at.
std::shared_ptr<const void> map_file(const std::string& path, std::size_t& size) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error(path + ": cannot be opened; check that it is there, and its permissions");
  struct stat about {};
  const bool fits = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
  size = fits ? static_cast<std::size_t>(about.st_size) : 0;
  void* const bytes = fits ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  ::close(file);
  if (bytes == MAP_FAILED) throw Error(path + ": is empty or no regular file, and no archive of arrays");
  return {bytes, [size](void* mapped) { munmap(mapped, size); }};
}

}  // namespace

NpzReader::NpzReader(std::string bytes, std::string file_name, std::size_t most_bytes)
    : file_(std::move(file_name)), most_bytes_(most_bytes) {
  auto owner = std::make_shared<const std::string>(std::move(bytes));
  bytes_ = *owner;
  owner_ = std::move(owner);
  read_directory();
}

NpzReader::NpzReader(std::shared_ptr<const void> owner, std::string_view bytes, std::string file_name,
                     std::size_t most_bytes)
    : owner_(std::move(owner)), bytes_(bytes), file_(std::move(file_name)), most_bytes_(most_bytes) {
  read_directory();
}

NpzReader NpzReader::map(const std::string& path) {
  std::size_t size = 0;
  std::shared_ptr<const void> owner = map_file(path, size);
  const std::string_view bytes(static_cast<const char*>(owner.get()), size);
  return NpzReader(std::move(owner), bytes, path, kMostZipBytes);
}

void NpzReader::fail(const std::string& what) const { throw Error(file_ + ": " + what); }
void NpzReader::fail(const std::string& member, const std::string& what) const {
  throw Error(where(member) + ": " + what);
}
std::string NpzReader::where(const std::string& member) const {
  return fmt::format("{}: {}", file_, in_quotes(member));
}

void NpzReader::read_directory() {
  if (bytes_.size() > most_bytes_) fail(fmt::format("has more than {} MiB", most_bytes_ >> 20U));
  const std::size_t end = find_end(bytes_);
  if (end == std::string::npos) fail("is no .npz file as numpy.savez writes it, or cut short");
  const std::size_t entries = read_16(bytes_, end + 10);
  std::size_t at = read_32(bytes_, end + 16), total = 0;
  for (std::size_t k = 0; k < entries; ++k) {
    if (at > end || end - at < kCentralSize || read_32(bytes_, at) != kCentral)
      fail(fmt::format("its directory ends after {} of {} members; the file is damaged", k, entries));
    at = read_entry(at, total);
  }
  check_apart();
}

/// One member of the directory; where the next one begins.
std::size_t NpzReader::read_entry(std::size_t at, std::size_t& total) {
  const std::size_t length = read_16(bytes_, at + 28);
  const std::size_t next = at + kCentralSize + length + read_16(bytes_, at + 30) + read_16(bytes_, at + 32);
  if (next > bytes_.size()) fail("its directory is damaged");
  std::string name(bytes_.substr(at + kCentralSize, length));
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
  if (out.packed == kElsewhere || out.size == kElsewhere || local == kElsewhere || (total += out.size) > most_bytes_)
    fail(name, fmt::format("with it the file has more than {} MiB unpacked, which is the limit", most_bytes_ >> 20U));
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

std::string NpzReader::unpack(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) fail(name, "is not in the file");
  const Member& member = found->second;
  const std::string_view packed = bytes_.substr(member.start, member.packed);
  std::string out(packed.substr(0, member.deflated ? 0 : packed.size()));
  if (member.deflated) {
    out.resize(member.size);
    if (!inflate_into(packed, out)) fail(name, "cannot be unpacked; the file is damaged");
  }
  if (checksum(out) != member.crc) fail(name, "has another checksum than the file says; it is damaged");
  return out;
}

NpzArray NpzReader::read(const std::string& name) const { return parse_npy(unpack(name), where(name)); }

std::vector<std::string> NpzReader::read_texts(const std::string& name) const {
  return parse_npy_texts(unpack(name), where(name));
}

// ------------------------------------------------------------------------------------------------ writing

namespace {

/// A tuple as Python writes it.
std::string tuple_of(std::span<const std::int64_t> shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

template <class Number>
void append_numbers(std::string& out, std::span<const Number> values) {
  if constexpr (std::endian::native == std::endian::little) {
    out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  } else {
    for (const Number value : values) append_little_endian(out, std::bit_cast<std::uint64_t>(value));
  }
}

/// What the local header and the directory both say of a member: version, flags, method, time, date, checksum, sizes, length of the name, of what is beside.
std::string description_of(std::string_view data, std::size_t name) {
  std::string out;
  for (const std::uint16_t x : {kVersion, std::uint16_t{0}, kStored, std::uint16_t{0}, kFirstDay})
    append_little_endian(out, x);
  const auto size = static_cast<std::uint32_t>(data.size());
  for (const std::uint32_t x : {checksum(data), size, size}) append_little_endian(out, x);
  append_little_endian(out, static_cast<std::uint16_t>(name));
  append_little_endian(out, std::uint16_t{0});
  return out;
}

}  // namespace

void NpzWriter::add(const std::string& name, double value) { add(name, {&value, 1}, {}); }
void NpzWriter::add(const std::string& name, std::int64_t value) { add(name, {&value, 1}, {}); }

void NpzWriter::add(const std::string& name, std::span<const double> values) {
  add(name, values, std::array{static_cast<std::int64_t>(values.size())});
}
void NpzWriter::add(const std::string& name, std::span<const std::int64_t> values) {
  add(name, values, std::array{static_cast<std::int64_t>(values.size())});
}

void NpzWriter::add(const std::string& name, std::span<const double> values, std::span<const std::int64_t> shape) {
  add_numbers(name, values, shape);
}
void NpzWriter::add(const std::string& name, std::span<const std::int64_t> values,
                    std::span<const std::int64_t> shape) {
  add_numbers(name, values, shape);
}

template <class Number>
void NpzWriter::add_numbers(const std::string& name, std::span<const Number> values,
                            std::span<const std::int64_t> shape) {
  const std::int64_t asked = std::reduce(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  if (asked != static_cast<std::int64_t>(values.size()))
    throw Error(fmt::format("{} has {} numbers, and the shape {} asks for {}", in_quotes(name), values.size(),
                            tuple_of(shape), asked));
  const std::string header = npy_header(std::is_same_v<Number, double> ? "<f8" : "<i8", tuple_of(shape));
  const std::size_t start = begin_member(name, header.size() + values.size_bytes());
  bytes_ += header;
  append_numbers(bytes_, values);
  end_member(name, start);
}

void NpzWriter::add_text(const std::string& name, std::string_view text) {
  // No kind of byte string has length 0.
  const std::string header = npy_header(fmt::format("|S{}", std::max(text.size(), std::size_t{1})), "()");
  const std::size_t start = begin_member(name, header.size() + std::max(text.size(), std::size_t{1}));
  bytes_.append(header).append(text).append(text.empty() ? 1 : 0, '\0');
  end_member(name, start);
}

void NpzWriter::add_texts(const std::string& name, std::span<const std::string> texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  const std::string header = npy_header(fmt::format("|S{}", longest), fmt::format("({},)", texts.size()));
  const std::size_t start = begin_member(name, header.size() + longest * texts.size());
  bytes_ += header;
  for (const std::string& text : texts) bytes_.append(text).append(longest - text.size(), '\0');
  end_member(name, start);
}

/// Leaves room for the header of a member with so much data, which follows. Where it begins.
std::size_t NpzWriter::begin_member(const std::string& name, std::size_t data) {
  const std::size_t full = name.size() + kEnding.size(), start = bytes_.size(), before = kLocalSize + full;
  const std::size_t others = directory_.size() + kCentralSize + full + kEndSize;
  if (full > kMostName || count_ == kMostZipMembers || data > kMostZipBytes ||
      start + before + data + others > kMostZipBytes) {
    throw Error(fmt::format("{} does not fit into an .npz file, which ends at 4 GiB and {} arrays; write less into one",
                            in_quotes(name), kMostZipMembers));
  }
  bytes_.reserve(start + before + data);
  bytes_.append(before, '\0');
  return start;
}

void NpzWriter::end_member(const std::string& name, std::size_t start) {
  const std::string full = name + std::string(kEnding);
  const std::string said =
      description_of(std::string_view(bytes_).substr(start + kLocalSize + full.size()), full.size());
  std::string header;
  append_little_endian(header, kLocal);
  header += said + full;
  bytes_.replace(start, header.size(), header);
  append_little_endian(directory_, kCentral);
  append_little_endian(directory_, kVersion);
  directory_ += said;
  directory_.append(10, '\0');  // comment, disk, attributes
  append_little_endian(directory_, static_cast<std::uint32_t>(start));
  directory_ += full;
  ++count_;
}

std::string NpzWriter::finish() {
  std::string out = std::move(bytes_);
  const auto start = static_cast<std::uint32_t>(out.size()), size = static_cast<std::uint32_t>(directory_.size());
  const auto count = static_cast<std::uint16_t>(count_);
  out += directory_;
  append_little_endian(out, kEnd);
  for (const std::uint16_t x : {std::uint16_t{0}, std::uint16_t{0}, count, count}) append_little_endian(out, x);
  append_little_endian(out, size);
  append_little_endian(out, start);
  append_little_endian(out, std::uint16_t{0});
  return out;
}

}  // namespace delassus::io
