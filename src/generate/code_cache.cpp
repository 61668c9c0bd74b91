#include "generate/code_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "delassus/math/error.hpp"
#include "io/new_file.hpp"
#include "io/sha256.hpp"
#include "model/wording.hpp"

namespace delassus::generation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kObject = "operator.so";
constexpr const char* kManifest = "manifest.json";
constexpr const char* kFormat = "delassus-compiled";
constexpr const char* kUnfinished = ".unfinished-";
constexpr std::int64_t kLargest = std::int64_t{256} << 20U;

const char* variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  return value && *value ? value : nullptr;
}

std::string words_of_errno() { return std::generic_category().message(errno); }

/// A new folder that begins with these letters; empty, with errno, if there can be none.
std::string make_private_folder(const std::string& beginning) {
  std::string path = beginning + "XXXXXX";
  return mkdtemp(path.data()) ? path : "";
}

bool only_ours(const struct stat& file) {
  return file.st_uid == geteuid() && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Whether nobody else can put another thing in the place of what stands in this folder: it is ours or root's, and others do not write there,
/// or, as in /tmp, not to what they do not own.
bool others_keep_out(const struct stat& folder) {
  const bool trusted = folder.st_uid == geteuid() || folder.st_uid == 0;
  return trusted && ((folder.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (folder.st_mode & S_ISVTX) != 0);
}

/// What is wrong with a folder without links in its path; empty if nothing is.
std::string fault_of(const fs::path& folder) {
  struct stat at {};
  if (lstat(folder.c_str(), &at) != 0) return in_quotes(folder.string()) + ": " + words_of_errno();
  if (!S_ISDIR(at.st_mode)) return in_quotes(folder.string()) + " is no folder";
  if (!only_ours(at))
    return in_quotes(folder.string()) +
           " belongs to somebody else or others may write there; chmod go-w, or name another folder";
  for (fs::path above = folder.parent_path();; above = above.parent_path()) {
    if (lstat(above.c_str(), &at) != 0 || !others_keep_out(at))
      return in_quotes(above.string()) + " can be changed by others, and with it what lies below; name another folder";
    if (above == above.parent_path()) return "";
  }
}

bool read_all(int file, std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t more = ::read(file, bytes.data() + done, bytes.size() - done);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    done += static_cast<std::size_t>(more);
  }
  return true;
}

/// All of a file that only this user could have written, and nothing if that is not so.
std::string read_own_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return "";
  struct stat at {};
  std::string bytes;
  if (fstat(file, &at) == 0 && S_ISREG(at.st_mode) && only_ours(at) && at.st_size <= kLargest) {
    bytes.resize(static_cast<std::size_t>(at.st_size));
    if (!read_all(file, bytes)) bytes.clear();
  }
  ::close(file);
  return bytes;
}

/// Left by processes that were killed.
void remove_old_leftovers(const fs::path& folder) {
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
    std::error_code failed;
    if (!at->path().filename().string().starts_with(kUnfinished)) continue;
    if (now - fs::last_write_time(at->path(), failed) > std::chrono::hours(24) && !failed)
      fs::remove_all(at->path(), failed);
  }
}

}  // namespace

std::string default_cache_folder() {
  if (const char* folder = variable("DELASSUS_CACHE")) return folder;
  const char* caches = variable("XDG_CACHE_HOME");
  if (caches && *caches == '/') return std::string(caches) + "/delassus";  // relative ones are to be ignored
  const char* home = variable("HOME");
  return home ? std::string(home) + "/.cache/delassus" : "";
}

ScratchFolder::ScratchFolder() {
  const char* folder = variable("TMPDIR");
  path_ = make_private_folder(std::string(folder ? folder : "/tmp") + "/delassus-");
  if (path_.empty())
    throw Error(fmt::format("cannot make a folder in {}: {}; let TMPDIR name one that may be written",
                            in_quotes(folder ? folder : "/tmp"), words_of_errno()));
  std::error_code failed;
  path_ = fs::canonical(path_, failed).string();
  const std::string fault = failed ? failed.message() : fault_of(path_);
  if (fault.empty()) return;
  fs::remove(path_, failed);
  throw Error(fault + " in TMPDIR");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string ScratchFolder::file(std::string_view name) const { return (fs::path(path_) / name).string(); }

CodeCache::CodeCache(const std::string& folder) {
  if (folder.empty()) {
    problem_ = "there is no folder for it: HOME is not set";
    return;
  }
  std::error_code failed;
  const fs::path path = fs::absolute(folder, failed);
  if (!failed) fs::create_directories(path.parent_path(), failed);
  if (!failed && mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) failed = {errno, std::generic_category()};
  const fs::path real = failed ? path : fs::canonical(path, failed);
  problem_ = failed ? in_quotes(folder) + ": " + failed.message() : fault_of(real);
  folder_ = real.string();
}

std::string CodeCache::entry(const std::string& key) const { return (fs::path(folder_) / key).string(); }

bool CodeCache::is_whole(const std::string& key) const {
  struct stat at {};
  const fs::path folder = entry(key);
  if (lstat(folder.c_str(), &at) != 0 || !S_ISDIR(at.st_mode) || !only_ours(at)) return false;
  const auto manifest = nlohmann::json::parse(read_own_file((folder / kManifest).string()), nullptr, false);
  const auto says = [&](const char* word, const std::string& what) {
    return manifest.is_object() && manifest.contains(word) && manifest[word].is_string() && manifest[word] == what;
  };
  if (!says("format", kFormat) || !says("key", key)) return false;
  const std::string object = read_own_file((folder / kObject).string());
  return !object.empty() && says("sha256", io::sha256_hex(object));
}

std::string CodeCache::find(const std::string& key) const {
  return problem_.empty() && is_whole(key) ? (fs::path(entry(key)) / kObject).string() : "";
}

bool CodeCache::store(const std::string& key, const std::string& shared_object) {
  if (!problem_.empty()) return false;
  remove_old_leftovers(folder_);
  const std::string made = make_private_folder(entry(kUnfinished));
  if (made.empty()) {
    problem_ = in_quotes(folder_) + ": " + words_of_errno();
    return false;
  }
  std::error_code ignored;
  try {
    const nlohmann::ordered_json manifest{{"format", kFormat}, {"key", key}, {"sha256", io::sha256_hex(shared_object)}};
    io::write_file(made + "/" + kObject, shared_object);
    io::write_file(made + "/" + kManifest, manifest.dump(2) + "\n");
    for (const char* name : {kObject, kManifest}) fs::permissions(made + "/" + name, fs::perms(0600));
  } catch (const std::exception& failed) {
    problem_ = failed.what();
    fs::remove_all(made, ignored);
    return false;
  }
  // Another process may have been first: then its entry stays. One that is not whole goes.
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (rename(made.c_str(), entry(key).c_str()) == 0) return true;
    if (is_whole(key)) break;
    const std::string aside = make_private_folder(entry(kUnfinished));
    if (!aside.empty() && rename(entry(key).c_str(), (aside + "/old").c_str()) != 0) fs::remove(entry(key), ignored);
    fs::remove_all(aside, ignored);
  }
  fs::remove_all(made, ignored);
  const bool there = is_whole(key);
  if (!there) problem_ = in_quotes(entry(key)) + " is not whole and cannot be replaced; remove it";
  return there;
}

}  // namespace delassus::generation
