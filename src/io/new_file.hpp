// Files that are written whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace delassus::io {

/// A file that is written under another name in the same folder and takes its own in the end. Until then what had that name
/// stays as it was, whatever happens: a full disk, an exception, the end of the process. A link is followed, permissions are
/// kept, and what is no regular file (a pipe, /dev/stdout) is written in place.
class NewFile {
 public:
  /// Throws an Error that says what to do if there is no such folder, or it or the file may not be written.
  explicit NewFile(const std::string& path);
  /// Without keep(), nothing was written.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Where to write for those that open the file themselves.
  const std::string& temporary() const { return temporary_; }
  void write(std::string_view bytes);
  /// What was written has its name from now on. Throws an Error if not all of it could be written.
  void keep();
  /// The same where nothing has the name yet, and whether that is so: of several processes one is the first.
  bool keep_if_first();

 private:
  [[noreturn]] void fail_incomplete() const;
  void open();
  void flush() const;
  void close();

  std::string path_;       // as it was given
  std::string target_;     // the file itself
  std::string temporary_;  // equal to the target if that is written in place
  int file_ = -1;
};

/// All at once.
void write_file(const std::string& path, std::string_view bytes);
/// Unless the file is there already. Whether it was written.
bool write_file_if_first(const std::string& path, std::string_view bytes);

/// Whether two paths name one file, whatever they look like: links of both kinds are seen through. An empty path names none.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace delassus::io
