#include "io/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kEveryone = 0666;  // less what the user's mask takes

/// In the same folder, so that renaming moves no bytes; of a length that every file system takes.
std::string name_beside(const std::string& target) {
  static std::atomic<int> count = 0;
  const std::string name = ".delassus-" + std::to_string(getpid()) + "-" + std::to_string(count++);
  return (fs::path(target).parent_path() / name).string();
}

/// The file that a link leads to, be it there or not.
std::string without_links(const std::string& path) {
  std::error_code failure;
  if (!fs::is_symlink(path, failure)) return path;
  const fs::path target = fs::weakly_canonical(path, failure);
  return failure ? path : target.string();
}

[[noreturn]] void fail_to_open(const std::string& path) {
  throw Error("cannot write " + in_quotes(path) + ": check that the folder exists and may be written");
}

}  // namespace

NewFile::NewFile(const std::string& path) : path_(path), target_(without_links(path)) { open(); }

void NewFile::open() {
  struct stat old {};
  const bool exists = stat(target_.c_str(), &old) == 0;
  if (exists && access(target_.c_str(), W_OK) != 0) fail_to_open(path_);
  const bool in_place = exists && !S_ISREG(old.st_mode);
  do {  // the name is taken where a process of the same number, in a container or on another machine, writes or was killed
    temporary_ = in_place ? target_ : name_beside(target_);
    file_ = ::open(temporary_.c_str(), in_place ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                   kEveryone);
  } while (file_ < 0 && errno == EEXIST && !in_place);
  if (file_ < 0) fail_to_open(path_);
  if (exists && !in_place) fchmod(file_, old.st_mode & 07777U);
}

NewFile::~NewFile() {
  close();
  if (temporary_ != target_) unlink(temporary_.c_str());
}

void NewFile::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

void NewFile::fail_incomplete() const {
  throw Error("could not write all of " + in_quotes(path_) + ": is the disk full?");
}

void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_incomplete();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Some file systems find out that they are full only now.
void NewFile::flush() const {
  if (fsync(file_) != 0) fail_incomplete();
}

void NewFile::keep() {
  if (temporary_ == target_) return;
  flush();
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail_incomplete();
  temporary_ = target_;
}

bool NewFile::keep_if_first() {
  flush();
  if (link(temporary_.c_str(), target_.c_str()) == 0) return true;  // under both names, until this ends
  struct stat there {};
  if (errno == EEXIST || stat(target_.c_str(), &there) == 0) return false;
  keep();  // a file system without links
  return true;
}

void write_file(const std::string& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.keep();
}

bool write_file_if_first(const std::string& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  return file.keep_if_first();
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code unknown, none;  // where the current folder was removed
  const fs::path first = fs::absolute(a, unknown), second = unknown ? fs::path() : fs::absolute(b, unknown);
  return (!unknown && first.lexically_normal() == second.lexically_normal()) || fs::equivalent(a, b, none);
}

}  // namespace delassus::io
