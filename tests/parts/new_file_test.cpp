// Files are written whole or not at all.
#include "io/new_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "delassus/io/load.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::read_bytes;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

int files_in(const TemporaryFolder& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator()));
}

/// While it lives no file may become longer than this: what a full disk does to a program.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*signal_)(int);
};

TEST(NewFile, TakesThePlaceOfTheOldOneInTheEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.write("kept.txt", "old");
  io::NewFile file(path);
  file.write("ne");
  file.write("w");
  EXPECT_EQ(read_bytes(path), "old");
  file.keep();
  EXPECT_EQ(read_bytes(path), "new");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(NewFile, IsKeptByTheFirstAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.path("kept.txt");
  {
    io::NewFile first(path), second(path);
    first.write("first");
    second.write("second");
    EXPECT_TRUE(first.keep_if_first());
    EXPECT_FALSE(second.keep_if_first());
  }
  EXPECT_EQ(read_bytes(path), "first");
  EXPECT_FALSE(io::write_file_if_first(path, "third"));
  EXPECT_EQ(read_bytes(path), "first");
  EXPECT_EQ(files_in(folder), 1);
}

/// In containers many processes have the same number; one that was killed leaves its file.
TEST(NewFile, TakesNoNameThatIsTaken) {
  const TemporaryFolder folder;
  const std::string ours = ".delassus-" + std::to_string(getpid()) + "-";
  for (int k = 0; k < 1000; ++k) folder.write(ours + std::to_string(k), "of another");
  io::write_file(folder.path("kept.txt"), "ours");
  EXPECT_EQ(read_bytes(folder.path("kept.txt")), "ours");
  EXPECT_EQ(files_in(folder), 1001);
}

/// Where the current folder was removed, no path has an absolute form.
TEST(NewFile, ComparesPathsInAFolderThatIsGone) {
  const fs::path before = fs::current_path();
  {
    const TemporaryFolder folder;
    fs::current_path(folder.path(""));
  }
  EXPECT_FALSE(io::is_same_file("a", "b"));
  EXPECT_FALSE(io::is_same_file("a", "/dev/null"));
  EXPECT_TRUE(io::is_same_file("/dev/null", "/dev/null"));
  fs::current_path(before);
}

TEST(NewFile, LeavesNothingWhereItWasNotKept) {
  const TemporaryFolder folder;
  const std::string path = folder.write("kept.txt", "old");
  { io::NewFile(path).write("new"); }
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(NewFile, AFullDiskLeavesTheOldOne) {
  const TemporaryFolder folder;
  const std::string path = folder.write("kept.txt", "old");
  const std::string text(100000, 'x');
  {
    const FullDisk full(1000);
    EXPECT_THAT([&] { io::write_file(path, text); }, ThrowsMessage<Error>(HasSubstr("is the disk full?")));
  }
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(files_in(folder), 1);
  io::write_file(path, text);
  EXPECT_EQ(read_bytes(path), text);
}

TEST(NewFile, AFullDiskLeavesTheOldScene) {
  const TemporaryFolder folder;
  const std::string path = folder.path("scene.json");
  const Scene scene = load_embedded_robot("go2");
  save_scene(scene, path);
  const std::string before = read_bytes(path);
  {
    const FullDisk full(before.size() / 2);
    EXPECT_THAT([&] { save_scene(scene, path); }, ThrowsMessage<Error>(HasSubstr("is the disk full?")));
  }
  EXPECT_EQ(read_bytes(path), before);
}

TEST(NewFile, WhatIsNoRegularFileIsWrittenInPlace) {
  EXPECT_THAT([] { io::write_file("/dev/full", "text"); }, ThrowsMessage<Error>(HasSubstr("is the disk full?")));
  EXPECT_NO_THROW(io::write_file("/dev/null", "text"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(NewFile, FollowsLinksAndKeepsPermissions) {
  const TemporaryFolder folder;
  const std::string path = folder.write("kept.txt", "old"), link = folder.path("link.txt");
  fs::create_directory(folder.path("sub"));
  fs::create_symlink(path, link);
  chmod(path.c_str(), 0640);
  io::write_file(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_bytes(path), "new");
  struct stat now {};
  ASSERT_EQ(stat(path.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 0777U, 0640U);
}

TEST(NewFile, ANewOneHasThePermissionsThatTheUserGives) {
  const TemporaryFolder folder;
  const mode_t mask = umask(0027);
  io::write_file(folder.path("new.txt"), "new");
  umask(mask);
  struct stat now {};
  ASSERT_EQ(stat(folder.path("new.txt").c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 0777U, 0640U);
}

TEST(NewFile, SaysWhatToDoWithoutAFolder) {
  EXPECT_THAT([] { io::write_file("/nowhere/at/all.txt", "text"); },
              ThrowsMessage<Error>(HasSubstr("cannot write '/nowhere/at/all.txt': check that the folder exists")));
}

TEST(SameFile, IsSeenThroughLinksAndSpellings) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", "a"), other = folder.write("b.txt", "a");
  fs::create_symlink(path, folder.path("soft"));
  fs::create_hard_link(path, folder.path("hard"));
  for (const char* name : {"a.txt", "./a.txt", "soft", "hard"})
    EXPECT_TRUE(io::is_same_file(path, folder.path(name))) << name;
  EXPECT_FALSE(io::is_same_file(path, other));
  EXPECT_TRUE(io::is_same_file("not_there", "./not_there"));
  EXPECT_FALSE(io::is_same_file("", ""));
}

}  // namespace
}  // namespace delassus
