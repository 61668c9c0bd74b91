// Compiled code on disk. A folder for each key has the shared object and a manifest with its hash.
//
// Loading code is running it. So a folder is used only where nobody but this user (and root) could have written: it, the folders above
// it, the entry and the files in it are theirs, and no one else may write or rename there. The hash finds what was cut short, damaged or replaced by
// accident; such entries are made anew. An entry gets its name when it is complete, by one rename, so processes need no locks.
#pragma once

#include <string>
#include <string_view>

namespace delassus::generation {

/// What the variables DELASSUS_CACHE, XDG_CACHE_HOME and HOME say; empty if they say nothing.
std::string default_cache_folder();

/// A folder that only this user sees, for the time that this lives.
class ScratchFolder {
 public:
  /// Throws an Error if there can be none.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(std::string_view name) const;

 private:
  std::string path_;
};

class CodeCache {
 public:
  /// Makes the folder if it is not there. An empty name is no cache.
  explicit CodeCache(const std::string& folder);

  /// Why it is not in use; empty if it is.
  const std::string& problem() const { return problem_; }
  /// The folder of an entry, be it there or not.
  std::string entry(const std::string& key) const;
  /// The shared object of an entry that is whole and ours; empty if there is none.
  std::string find(const std::string& key) const;
  /// Keeps a shared object, and replaces an entry that is not whole. False, with a problem, if it could not be written.
  bool store(const std::string& key, const std::string& shared_object);

 private:
  bool is_whole(const std::string& key) const;

  std::string folder_, problem_;
};

}  // namespace delassus::generation
