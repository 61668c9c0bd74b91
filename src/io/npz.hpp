// Archives of arrays as numpy.savez, numpy.savez_compressed and numpy.load have them: a zip file with one .npy file for each array.
//
// Formats: PKWARE's APPNOTE.TXT, and numpy.lib.format. Members are stored or deflated; arrays are of bool, int32, int64, float32 or float64, little
// endian, row by row, or of byte strings of one length (|S).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_file.hpp"

namespace delassus::io {

/// Numbers of one array, in its order. Whole numbers and truth values are `whole`, others `real`; the other one of the two is empty.
struct NpzArray {
  std::vector<std::int64_t> shape;  // none: a single number
  std::vector<std::int64_t> whole;
  std::vector<double> real;
  bool is_real = false;

  std::size_t size() const { return is_real ? real.size() : whole.size(); }
};

/// What an archive without the extension zip64 can have.
inline constexpr std::size_t kMostZipBytes = 0xFFFFFFFE, kMostZipMembers = 0xFFFF;

/// An archive in memory. Arrays are unpacked when they are asked for, so that others in the file may be of any kind. All members together may have
/// 64 MiB, unless another limit is given. Throws an Error that names the file and the member.
class NpzReader {
 public:
  NpzReader(std::string bytes, std::string file_name, std::size_t most_bytes = kMaxFileSize);
  /// A file of our own of any size: of it, what is asked for is read.
  static NpzReader map(const std::string& path);

  bool has(const std::string& name) const { return members_.contains(name); }
  NpzArray read(const std::string& name) const;
  /// Byte strings, one or a list of them, without the zeros at their ends.
  std::vector<std::string> read_texts(const std::string& name) const;

 private:
  NpzReader(std::shared_ptr<const void> owner, std::string_view bytes, std::string file_name, std::size_t most_bytes);

  struct Member {
    std::size_t start = 0, packed = 0, size = 0;
    std::uint32_t crc = 0;
    bool deflated = false;
  };

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const std::string& member, const std::string& what) const;
  void read_directory();
  std::size_t read_entry(std::size_t at, std::size_t& total);
  void check_apart() const;
  std::string unpack(const std::string& name) const;
  std::string where(const std::string& member) const;

  std::shared_ptr<const void> owner_;  // of the bytes
  std::string_view bytes_;
  std::string file_;
  std::size_t most_bytes_;
  std::map<std::string, Member> members_;  // without the end .npy of their names
};

/// Makes the bytes of an archive. Nothing is packed, and there are no times in it: the same arrays give the same bytes. Throws an Error where they do
/// not fit into an archive, which ends at 4 GiB, or are not as many as their shape says.
class NpzWriter {
 public:
  void add(const std::string& name, double value);
  void add(const std::string& name, std::int64_t value);
  void add(const std::string& name, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> values);
  /// Arrays of any shape, row by row.
  void add(const std::string& name, std::span<const double> values, std::span<const std::int64_t> shape);
  void add(const std::string& name, std::span<const std::int64_t> values, std::span<const std::int64_t> shape);
  /// As byte strings, which end before zeros at their ends.
  void add_text(const std::string& name, std::string_view text);
  void add_texts(const std::string& name, std::span<const std::string> texts);
  /// No more can be added then.
  std::string finish();

 private:
  template <class Number>
  void add_numbers(const std::string& name, std::span<const Number> values, std::span<const std::int64_t> shape);
  std::size_t begin_member(const std::string& name, std::size_t data);
  void end_member(const std::string& name, std::size_t start);

  std::string bytes_, directory_;
  std::size_t count_ = 0;
};

}  // namespace delassus::io
