// Archives of arrays as numpy.savez, numpy.savez_compressed and numpy.load have them: a zip file with one .npy file for each array.
//
// Formats: PKWARE's APPNOTE.TXT, and numpy.lib.format. Members are stored or deflated; arrays are of bool, int32, int64, float32 or float64, little
// endian, row by row.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace delassus::io {

/// Numbers of one array, in its order. Whole numbers and truth values are `whole`, others `real`; the other one of the two is empty.
struct NpzArray {
  std::vector<std::int64_t> shape;  // none: a single number
  std::vector<std::int64_t> whole;
  std::vector<double> real;
  bool is_real = false;

  std::size_t size() const { return is_real ? real.size() : whole.size(); }
};

/// An archive in memory. Arrays are unpacked when they are asked for, so that others in the file may be of any kind. All members together may have
/// 64 MiB. Throws an Error that names the file and the member.
class NpzReader {
 public:
  NpzReader(std::string bytes, std::string file_name);

  bool has(const std::string& name) const { return members_.contains(name); }
  NpzArray read(const std::string& name) const;

 private:
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
  std::string unpack(const std::string& name, const Member& member) const;

  std::string bytes_, file_;
  std::map<std::string, Member> members_;  // without the end .npy of their names
};

/// Makes the bytes of an archive. Nothing is packed, and there are no times in it: the same arrays give the same bytes.
class NpzWriter {
 public:
  void add(const std::string& name, double value);
  void add(const std::string& name, std::int64_t value);
  void add(const std::string& name, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> values);
  /// No more can be added then.
  std::string finish();

 private:
  void add_member(const std::string& name, const std::string& bytes);

  std::string bytes_, directory_;
  std::uint16_t count_ = 0;
};

}  // namespace delassus::io
