// Compilers that are not there, fail or hang; and a cache in which somebody else had his hands.
#include "delassus/generate/compile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT: kill is POSIX's
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "delassus/model/builder.hpp"
#include "generate/code_cache.hpp"
#include "support/compare.hpp"
#include "support/compiled_code.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// IsEmpty() of gmock is not in its headers alone.
auto is_empty() { return ::testing::StrEq(""); }

/// Small, so that compilers take a moment: two links, the second of which touches the world.
Scene small_scene(double length = 0.5) {
  ModelBuilder b("small");
  const int upper = b.add_body("upper", kWorld, revolute("shoulder", {{0, 1, 0}}), box_inertial(1, {{0.1, 0.1, 0.5}}));
  b.add_body("lower", upper, revolute("elbow", {{0, 1, 0}}, translation(0, 0, length)),
             box_inertial(1, {{0.1, 0.1, 0.5}}));
  Scene scene(b.make_model());
  scene.q = {0.3, 0.4};
  PointContact contact;
  contact.a = attach(scene.model, "lower", {{0, 0, 0.4}});
  scene.constraints = {contact};
  return scene;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

class Compile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_c_compiler()) GTEST_SKIP() << "there is no compiler of C";
    std::string folder = fs::temp_directory_path() / "delassus-compile-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    root_ = folder;
    options_.cache = (root_ / "cache").string();
  }
  void TearDown() override {
    std::error_code ignored;
    if (!root_.empty()) fs::remove_all(root_, ignored);
  }

  GeneratedDelassus<double> compiled() { return compile(scene_.model, scene_.constraints, options_, &report_); }

  /// The numbers of the library, with code or without.
  void expect_works(GeneratedDelassus<double>& op) const {
    State<double> state(scene_.model, scene_.constraints);
    ASSERT_TRUE(state.update(scene_.q).ok());
    CondensedDelassus<double> library(state);
    ASSERT_TRUE(library.factor(state).ok());
    ASSERT_TRUE(op.factor(state).ok());
    EXPECT_EQ(op.in_code(), op.has_code());
    const std::vector<double> x{1, 2, 3};
    std::vector<double> y(3), z(3);
    op.apply(x, y);
    library.apply(x, z);
    EXPECT_LT(testing::relative_difference(y, z), 1e-13);  // rounding of some hundred operations
  }
  void expect_compiled_anew() {
    GeneratedDelassus<double> op = compiled();
    EXPECT_TRUE(op.has_code()) << op.reason();
    EXPECT_FALSE(report_.was_there);
    expect_works(op);
    GeneratedDelassus<double> again = compiled();
    EXPECT_TRUE(report_.was_there) << "the entry is whole again: " << report_.note;
    expect_works(again);
  }
  void expect_without(const ::testing::Matcher<std::string>& reason) {
    GeneratedDelassus<double> op = compiled();
    EXPECT_FALSE(op.has_code());
    EXPECT_THAT(op.reason(), reason);
    expect_works(op);
  }
  void expect_not_kept(const ::testing::Matcher<std::string>& note) {
    GeneratedDelassus<double> op = compiled();
    EXPECT_TRUE(op.has_code()) << op.reason();
    EXPECT_FALSE(report_.was_there);
    EXPECT_THAT(report_.folder, is_empty());
    EXPECT_THAT(report_.note, note);
    expect_works(op);
  }

  /// Makes an entry; its shared object.
  fs::path kept() {
    static_cast<void>(compiled());
    return fs::path(report_.folder) / "operator.so";
  }
  int entries() const {
    return static_cast<int>(std::distance(fs::directory_iterator(options_.cache), fs::directory_iterator()));
  }
  /// A compiler that knows what it is and then does this.
  std::string script(const std::string& body) const {
    const fs::path path = root_ / "a compiler";
    write(path, "#!/bin/sh\ncase \"$*\" in *-dM*) exec cc \"$@\";; esac\n" + body + "\n");
    fs::permissions(path, fs::perms(0700));
    return path.string();
  }

  fs::path root_;
  Scene scene_ = small_scene();
  CompileOptions options_;
  CompileReport report_;
};

TEST_F(Compile, KeepsAndFinds) {
  GeneratedDelassus<double> op = compiled();
  ASSERT_TRUE(op.has_code()) << op.reason();
  EXPECT_FALSE(report_.was_there);
  EXPECT_THAT(report_.note, is_empty());
  EXPECT_THAT(report_.folder, HasSubstr(fs::canonical(options_.cache).string()));
  EXPECT_THAT(report_.compiler, ::testing::StartsWith("/"));
  expect_works(op);
  EXPECT_EQ(fs::status(options_.cache).permissions(), fs::perms(0700));
  options_.compiler = report_.compiler;  // by its path it is the same
  GeneratedDelassus<double> again = compiled();
  EXPECT_TRUE(report_.was_there);
  expect_works(again);
  EXPECT_EQ(entries(), 1);
}

TEST_F(Compile, OtherCodeIsAnotherEntry) {
  static_cast<void>(compiled());
  options_.blocks = true;
  static_cast<void>(compiled());
  EXPECT_FALSE(report_.was_there);
  scene_ = small_scene(0.6);
  static_cast<void>(compiled());
  EXPECT_FALSE(report_.was_there);
  options_.compiler = "cc -O1";  // words
  GeneratedDelassus<double> op = compiled();
  EXPECT_FALSE(report_.was_there);
  expect_works(op);
  EXPECT_EQ(entries(), 4);
  options_.keep = false;
  expect_not_kept(is_empty());
  EXPECT_EQ(entries(), 4);
}

TEST_F(Compile, WhatWasChangedIsMadeAnew) {
  const fs::path object = kept(), manifest = object.parent_path() / "manifest.json";
  const std::string whole = bytes_of(object), said = bytes_of(manifest);
  ASSERT_GT(whole.size(), 1000U);
  std::string changed = whole;
  changed[changed.size() / 2] ^= 1;
  write(object, changed);
  expect_compiled_anew();
  write(object, whole.substr(0, whole.size() / 2));
  expect_compiled_anew();
  write(object, "");
  expect_compiled_anew();
  fs::remove(object);
  expect_compiled_anew();
  fs::remove(manifest);
  expect_compiled_anew();
  write(manifest, said.substr(0, said.size() / 2));
  expect_compiled_anew();
  write(manifest, "[]");
  expect_compiled_anew();
  EXPECT_EQ(entries(), 1) << "nothing is left of those before";
}

/// As an entry of another version under this name would be: its own manifest fits its shared object.
TEST_F(Compile, EntriesUnderAnotherNameAreMadeAnew) {
  const fs::path entry = kept().parent_path();
  options_.blocks = true;
  const fs::path other = kept().parent_path();
  fs::remove_all(entry);
  fs::rename(other, entry);
  options_.blocks = false;
  expect_compiled_anew();
}

TEST_F(Compile, WhatOthersMayWriteIsMadeAnew) {
  const fs::path object = kept();
  for (const fs::path& path : {object, object.parent_path() / "manifest.json", object.parent_path()}) {
    fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
    expect_compiled_anew();
    fs::permissions(path, fs::perms::group_write, fs::perm_options::add);
    expect_compiled_anew();
  }
  const fs::path elsewhere = root_ / "elsewhere.so";
  fs::rename(object, elsewhere);
  fs::create_symlink(elsewhere, object);
  expect_compiled_anew();
  fs::rename(object.parent_path(), root_ / "entry");
  fs::create_directory_symlink(root_ / "entry", object.parent_path());
  expect_compiled_anew();
  EXPECT_FALSE(fs::is_symlink(object.parent_path()));
}

TEST_F(Compile, WhatIsOfOthersIsMadeAnew) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const fs::path object = kept();
  for (const fs::path& path : {object, object.parent_path() / "manifest.json", object.parent_path()}) {
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    expect_compiled_anew();
  }
  ASSERT_EQ(chown(options_.cache.c_str(), 12345, 12345), 0);
  expect_not_kept(HasSubstr("belongs to somebody else"));
}

TEST_F(Compile, FoldersThatOthersChangeAreNoCache) {
  static_cast<void>(kept());
  fs::permissions(options_.cache, fs::perms(0777));
  expect_not_kept(AllOf(HasSubstr("others may write"), HasSubstr("chmod go-w")));
  fs::permissions(options_.cache, fs::perms(01777));  // others could add an entry before we do
  expect_not_kept(HasSubstr("others may write"));
  fs::permissions(options_.cache, fs::perms(0700));
  fs::permissions(root_, fs::perms(0777));  // others could put another folder in its place
  expect_not_kept(AllOf(HasSubstr("can be changed by others"), HasSubstr(root_.filename().string())));
  fs::permissions(root_, fs::perms(0700));
  static_cast<void>(compiled());
  EXPECT_TRUE(report_.was_there);
}

TEST_F(Compile, WorksWithoutCache) {
  write(root_ / "file", "");
  options_.cache = (root_ / "file" / "cache").string();
  expect_not_kept(HasSubstr("file"));
  options_.cache = (root_ / "file").string();
  expect_not_kept(HasSubstr("is no folder"));
  options_.cache = "/proc/delassus";  // where not even root can make folders
  expect_not_kept(HasSubstr("/proc/delassus"));
}

/// Where others could put another compiler's output into its place.
TEST_F(Compile, WantsAScratchFolderOfItsOwn) {
  const char* before = getenv("TMPDIR");
  const std::string kept = before ? before : "";
  setenv("TMPDIR", root_.c_str(), 1);
  fs::permissions(root_, fs::perms(0777));
  expect_without(AllOf(HasSubstr("can be changed by others"), HasSubstr("TMPDIR")));
  fs::permissions(root_, fs::perms(01777));
  EXPECT_TRUE(compiled().has_code());
  setenv("TMPDIR", (root_ / "nothing").c_str(), 1);
  expect_without(AllOf(HasSubstr("cannot make a folder"), HasSubstr("TMPDIR")));
  if (before) {
    setenv("TMPDIR", kept.c_str(), 1);
  } else {
    unsetenv("TMPDIR");
  }
}

TEST_F(Compile, ProcessesShareTheCache) {
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      GeneratedDelassus<double> op = compiled();
      expect_works(op);
      _exit(op.has_code() && report_.note.empty() && !HasFailure() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(entries(), 1);
  static_cast<void>(compiled());
  EXPECT_TRUE(report_.was_there);
}

TEST_F(Compile, OldLeftoversGo) {
  static_cast<void>(kept());
  const fs::path old = fs::path(options_.cache) / ".unfinished-old",
                 young = fs::path(options_.cache) / ".unfinished-young";
  fs::create_directory(old);
  fs::create_directory(young);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(48));
  options_.blocks = true;
  static_cast<void>(compiled());
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young)) << "somebody may be at it";
}

TEST_F(Compile, SaysThatThereIsNoCompiler) {
  options_.compiler = "no-such-compiler -O2";
  expect_without(AllOf(HasSubstr("no compiler 'no-such-compiler -O2'"), HasSubstr("option 'compiler'")));
  options_.compiler = (root_ / "nothing").string();
  expect_without(HasSubstr("nothing'"));
  write(root_ / "text", "no program");
  options_.compiler = (root_ / "text").string();
  expect_without(HasSubstr("no compiler"));
}

TEST_F(Compile, SaysHowACompilerFails) {
  options_.compiler = script("echo first >&2; echo 'made.c:1: error: it is broken' >&2; exit 3");
  expect_without(AllOf(HasSubstr(options_.compiler), HasSubstr("ended with status 3: made.c:1: error: it is broken")));
  options_.compiler = script("kill -11 $$");
  expect_without(HasSubstr("was ended by signal 11"));
  options_.compiler = script("exit 0");  // and leaves nothing
  expect_without(HasSubstr("cannot be loaded"));
  options_.compiler = script(R"(while [ "$1" != -o ]; do shift; done; echo junk > "$2")");
  expect_without(HasSubstr("cannot be loaded"));
  // A shared object without what is looked for.
  options_.compiler =
      script(R"(while [ "$1" != -o ]; do shift; done; echo 'int x;' | cc -shared -fPIC -x c -o "$2" -)");
  expect_without(HasSubstr("no table of functions"));
  EXPECT_EQ(entries(), 0) << "what does not load is not kept";
  write(root_ / "a compiler", "#!/bin/sh\necho 'cc: error: unknown' >&2\nexit 2\n");  // does not even know itself
  expect_without(HasSubstr("ended with status 2: cc: error: unknown"));
}

/// What it has started goes with it.
TEST_F(Compile, StopsACompilerThatHangs) {
  const fs::path number = root_ / "number";
  options_.compiler = script("sleep 1000 & echo $! > '" + number.string() + "'; wait");
  options_.seconds = 2;  // time for the first call, which has an answer
  expect_without(HasSubstr("was stopped after 2 s"));
  const pid_t sleeper = std::stoi(bytes_of(number));
  // Whoever adopts it may take a while to bury it.
  const auto is_gone = [&] {
    const std::string status = bytes_of("/proc/" + std::to_string(sleeper) + "/stat");
    return kill(sleeper, 0) != 0 || status.find(") Z ") != std::string::npos;
  };
  for (int k = 0; k < 500 && !is_gone(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(is_gone());
  options_.seconds = 0;
  EXPECT_THROW(static_cast<void>(compiled()), Error);
}

TEST_F(Compile, ArgumentsThatDoNotFitAreErrors) {
  scene_.constraints.emplace_back(PointContact{"heel", {99}});
  EXPECT_THROW(static_cast<void>(compiled()), Error);
  scene_.constraints.clear();
  const GeneratedDelassus<double> op = compiled();
  EXPECT_FALSE(op.has_code());
  EXPECT_THAT(op.reason(), HasSubstr("no constraints"));
}

TEST(CompileCache, FollowsTheVariables) {
  const auto with = [](const char* name, const char* value, const std::string& want) {
    const char* before = getenv(name);
    const std::string kept = before ? before : "";
    setenv(name, value, 1);
    EXPECT_EQ(generation::default_cache_folder(), want);
    if (before) {
      setenv(name, kept.c_str(), 1);
    } else {
      unsetenv(name);
    }
  };
  unsetenv("DELASSUS_CACHE");
  unsetenv("XDG_CACHE_HOME");
  with("DELASSUS_CACHE", "/a/b", "/a/b");
  with("XDG_CACHE_HOME", "/a", "/a/delassus");
  with("HOME", "/home/me", "/home/me/.cache/delassus");
}

}  // namespace
}  // namespace delassus
