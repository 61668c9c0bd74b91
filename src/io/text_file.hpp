// Files of text: reading them with limits, their encoding, their lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace delassus::io {

/// No robot description comes near this size; what does is refused before it is read.
inline constexpr std::size_t kMaxFileSize = std::size_t{64} << 20U;

/// Throws an Error that names the file if it is missing, not a regular file, too large, empty or not
/// readable.
std::string read_text_file(const std::string& path);
/// While it lives, it notes which files this thread reads with read_text_file: all that a description is made of.
class FilesRead {
 public:
  FilesRead();
  ~FilesRead();
  FilesRead(const FilesRead&) = delete;
  FilesRead& operator=(const FilesRead&) = delete;

  /// Absolute paths, each once, in the order in which they were read.
  const std::vector<std::string>& files() const { return files_; }
  void note(const std::string& path);

 private:
  FilesRead* outer_;
  std::vector<std::string> files_;
};

/// The same limits for the size of a text that is in memory already.
void require_text_size(std::uintmax_t size, const std::string& file_name);

/// A text as UTF-8 without byte order mark. UTF-16 is told by its mark. Bytes that are no UTF-8 are taken as
/// Latin-1, which is what they are in practice; `foreign` is the offset of the first one in the result, or
/// npos.
struct Utf8Text {
  std::string text;
  std::size_t foreign = std::string::npos;
};
Utf8Text to_utf8(std::string_view raw);

/// The line, from 1, of an offset in a text. Keeps one count per block of the text instead of one entry per
/// line, so a file of newlines takes no more memory than any other.
class LineTable {
 public:
  explicit LineTable(std::string_view text);
  int line(std::size_t offset) const;

 private:
  std::string_view text_;
  std::vector<int> newlines_before_block_;
};

}  // namespace delassus::io
