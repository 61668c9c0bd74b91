// `delassus sweep` as a user meets it: the same bytes however the rows came about, nothing lost by a kill, and clear errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "model/splitmix.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;
using testing::CommandResult;
using testing::has_program;
using ::testing::HasSubstr;
using testing::read_bytes;
using testing::run_command;
using testing::run_shell;
using testing::TemporaryFolder;
using Json = nlohmann::json;

/// Boxes that slide down slopes of several frictions, and some that start inside the slope and fail.
std::string study(int cases, const std::string& seconds = "0.05") {
  return R"({"format": "delassus-sweep-1", "name": "slopes", "scene": "incline:20", "seconds": )" + seconds +
         R"(, "cases": )" + std::to_string(cases) +
         R"(, "seed": 11, "parameters": {"friction": {"uniform": [0, 1]}, "height": {"choice": {"of": [0, 0.1, -0.2]}}},
  "keep": {"final": ["q", "speed"], "max": ["contact_force"], "events": {"fast": {"quantity": "speed", "above": 0.1}},
           "trajectory": {"of": ["height"], "rate": 200}}})";
}

struct Sweeps {
  explicit Sweeps(int cases, const std::string& seconds = "0.05")
      : spec(folder.write("study.json", study(cases, seconds))) {}

  std::string line(const std::string& results, const std::string& options = "") const {
    return "sweep " + spec + " --quiet -o " + folder.path(results) + " " + options;
  }
  Json run(const std::string& results, const std::string& options = "") const {
    const CommandResult out = run_shell("delassus " + line(results, options) + " --json");
    EXPECT_EQ(out.exit_code, 0) << results;
    return Json::parse(out.output, nullptr, false);
  }
  std::string bytes(const std::string& results) const { return read_bytes(folder.path(results)); }

  /// Their bytes are no text to be shown.
  bool same(const std::string& a, const std::string& b) const { return bytes(a) == bytes(b); }

  const TemporaryFolder folder;
  const std::string spec;
};

TEST(SweepCommand, SameBytesForAnyThreadsAndShards) {
  const Sweeps s(100);
  const Json whole = s.run("whole.h5", "--threads 1");
  EXPECT_EQ(whole.at("computed"), 100);
  EXPECT_TRUE(whole.at("complete"));
  EXPECT_GT(whole.at("failed"), 10);
  EXPECT_LT(whole.at("failed"), 60);
  EXPECT_FALSE(fs::exists(s.folder.path("whole.h5.parts")));
  s.run("threads.h5", "--threads 2");
  EXPECT_TRUE(s.same("threads.h5", "whole.h5"));
  for (const int shards : {2, 7, 64}) {
    const std::string name = "by" + std::to_string(shards) + ".h5";
    for (int k = shards - 1; k >= 0; --k) s.run(name, "--shard " + std::to_string(k) + "/" + std::to_string(shards));
    EXPECT_FALSE(fs::exists(s.folder.path(name)));
    EXPECT_EQ(run_command("sweep merge " + s.folder.path(name)).exit_code, 0);
    EXPECT_TRUE(s.same(name, "whole.h5")) << shards;
  }
  s.run("whole.npz");
  s.run("again.npz", "--threads 1");
  EXPECT_TRUE(s.same("again.npz", "whole.npz"));
}

/// It starts for any user, and what it keeps to the end is no leak of ours.
constexpr const char* kMpi = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 ";

TEST(SweepCommand, SameBytesOnRanksOfMpi) {
  if (!has_program("mpirun")) GTEST_SKIP() << "mpirun is not there";
  const Sweeps s(60);
  s.run("whole.h5");
  const std::string mpirun = std::string(kMpi) + "mpirun --oversubscribe -n 3 delassus ";
  const CommandResult out = run_shell(mpirun + s.line("ranks.h5", "--json"));
  if (out.exit_code != 0 && !fs::exists(fs::path(DELASSUS_COMMAND).replace_filename("delassus-mpi")))
    GTEST_SKIP() << "built without MPI";
  ASSERT_EQ(out.exit_code, 0) << out.output;
  EXPECT_EQ(Json::parse(out.output, nullptr, false).at("computed"), 60);
  EXPECT_TRUE(s.same("ranks.h5", "whole.h5"));
  EXPECT_THAT(run_shell(mpirun + s.line("ranks.h5")).output, HasSubstr("has all 60 cases already"));
  EXPECT_NE(run_shell(mpirun + "sweep " + s.folder.path("none.json") + " 2>&1").exit_code, 0);  // and does not hang
}

/// Rows that others cannot see would be lost.
TEST(SweepCommand, RanksThatShareNoFolderAreTold) {
  if (!has_program("mpirun") || !fs::exists(fs::path(DELASSUS_COMMAND).replace_filename("delassus-mpi")))
    GTEST_SKIP() << "mpirun is not there, or the command was built without MPI";
  const Sweeps s(60);
  fs::create_directory(s.folder.path("a"));
  fs::create_directory(s.folder.path("b"));
  const auto rank = [&](const std::string& folder) {
    return "-n 1 -wdir " + s.folder.path(folder) + " delassus sweep " + s.spec + " --quiet -o x.h5";
  };
  const CommandResult out = run_shell(std::string(kMpi) + "timeout -s KILL 60 mpirun --oversubscribe " + rank("a") +
                                      " : " + rank("b") + " 2>&1");
  EXPECT_NE(out.exit_code, 0);
  EXPECT_THAT(out.output, HasSubstr("does not see the folder"));
  EXPECT_FALSE(fs::exists(s.folder.path("b/x.h5.parts")));
}

TEST(SweepCommand, ARankThatIsAloneNeedsNoMpi) {
  const Sweeps s(20);
  for (const char* launcher : {"PMI_SIZE=1 PMI_RANK=0", "PMIX_RANK=0 SLURM_STEP_NUM_TASKS=1"}) {
    const CommandResult out =
        run_shell(std::string("SLURM_JOB_ID=1 ") + launcher + " delassus " + s.line("a.h5", "--shard 0/2") + " 2>&1");
    EXPECT_EQ(out.exit_code, 0) << launcher;
    EXPECT_THAT(out.output, HasSubstr("10 of 20 cases are done")) << launcher;
  }
}

/// The others do not wait for it for ever, and nobody says that all is done.
TEST(SweepCommand, EndsAllRanksOfMpiWithOneThatIsStopped) {
  if (!has_program("mpirun") || !fs::exists(fs::path(DELASSUS_COMMAND).replace_filename("delassus-mpi")))
    GTEST_SKIP() << "mpirun is not there, or the command was built without MPI";
  const Sweeps s(100'000, "1");
  const std::string line = "delassus " + s.line("a.h5"), parts = s.folder.path("a.h5.parts");
  // A part of anybody says that all ranks are at work.
  const std::string script = s.folder.write("stopped.sh", "PATH=" + fs::path(DELASSUS_COMMAND).parent_path().string() +
                                                              ":$PATH\n" + line + " &\nuntil ls " + parts +
                                                              "/*.npz; do sleep 0.1; done\nkill -TERM $!\nwait $!\n");
  const CommandResult out = run_shell(std::string(kMpi) + "timeout -s KILL 60 mpirun --oversubscribe -n 1 " + line +
                                      " : -n 1 sh " + script + " 2>&1");
  EXPECT_NE(out.exit_code, 0);
  EXPECT_THAT(out.output, HasSubstr("a rank was stopped by a signal; the same command goes on with what is done"));
  EXPECT_THAT(run_command("sweep status " + s.folder.path("a.h5")).output, HasSubstr("missing: "));
}

TEST(SweepCommand, ASecondRunGoesOnAndAThirdHasNothingToDo) {
  const Sweeps s(50);
  s.run("a.h5");
  s.run("b.h5", "--shard 1/3");
  const Json status = Json::parse(run_shell("delassus sweep status --json " + s.folder.path("b.h5")).output);
  EXPECT_EQ(status.at("done"), 17);
  EXPECT_EQ(status.at("missing"), Json::parse("[[0, 16], [33, 50]]"));
  EXPECT_EQ(s.run("b.h5").at("computed"), 33);
  EXPECT_TRUE(s.same("b.h5", "a.h5"));
  const Json finished = Json::parse(run_shell("delassus sweep status --json " + s.folder.path("b.h5")).output);
  EXPECT_EQ(finished.at("complete"), true);
  EXPECT_THAT(run_command("sweep status " + s.folder.path("b.h5")).output, HasSubstr("has all 50 cases"));
  const auto written = fs::last_write_time(s.folder.path("b.h5"));
  EXPECT_EQ(s.run("b.h5").at("computed"), 0);
  EXPECT_EQ(fs::last_write_time(s.folder.path("b.h5")), written);
}

/// Manifests of parts that are done, and when each was written.
std::map<std::string, fs::file_time_type> parts_in(const std::string& folder) {
  std::map<std::string, fs::file_time_type> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && name != "sweep.json") out[name] = entry.last_write_time();
  }
  return out;
}

/// Starts the command in a process of its own.
pid_t start(const std::vector<std::string>& words) {
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> arguments;
  std::vector<std::string> copies = words;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(DELASSUS_COMMAND, arguments.data());
  _exit(127);
}

/// Kills it again and again at random moments. What was done stays as it was, and in the end the bytes are those of a run that nobody disturbed.
void kill_often(int kills, std::uint64_t seed) {
  const Sweeps s(800, "0.2");
  s.run("calm.h5");
  const std::string parts = s.folder.path("killed.h5.parts");
  SplitMix random(seed);
  int killed = 0;
  std::map<std::string, fs::file_time_type> before;
  for (int k = 0; k < kills; ++k) {
    const pid_t child =
        start({"delassus", "sweep", s.spec, "--quiet", "-o", s.folder.path("killed.h5"), "--threads", "2"});
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(random.uniform(5e3, 150e3))));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status) ? 1 : 0;
    if (fs::exists(s.folder.path("killed.h5"))) break;
    const auto after = parts_in(parts);
    for (const auto& [name, written] : before) {
      ASSERT_TRUE(after.contains(name)) << name;
      EXPECT_EQ(after.at(name), written) << name << " was computed again";
    }
    before = after;
  }
  EXPECT_GT(killed, 0);
  s.run("killed.h5");
  EXPECT_TRUE(s.same("killed.h5", "calm.h5"));
}

TEST(SweepCommand, KillsLoseNothing) { kill_often(10, 1); }
TEST(LongSweepCommand, KillsLoseNothing) {
  for (std::uint64_t seed = 2; seed < 12; ++seed) kill_often(10, seed);
}

TEST(SweepCommand, StopsInGoodOrder) {
  const Sweeps s(100000, "1");
  const pid_t child = start({"delassus", "sweep", s.spec, "--quiet", "-o", s.folder.path("a.h5")});
  for (int k = 0; k < 400 && parts_in(s.folder.path("a.h5.parts")).empty(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  const std::string text = run_command("sweep status " + s.folder.path("a.h5")).output;
  EXPECT_THAT(text, HasSubstr("of 100000 cases are done"));
  EXPECT_THAT(text, HasSubstr("missing: "));
  for (const auto& entry : fs::directory_iterator(s.folder.path("a.h5.parts")))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".delassus")) << "a temporary file was left";
}

// ---------------------------------------------------------------------------------------------------- what is wrong

void expect_refused(const std::string& line, const std::string& text) {
  const CommandResult out = run_command(line);
  EXPECT_EQ(out.exit_code, 2) << line << out.output;
  EXPECT_THAT(out.output, HasSubstr(text)) << line;
}

TEST(SweepCommand, NamesWhatIsWrongAndOverwritesNothing) {
  const Sweeps s(20);
  expect_refused("sweep", "needs SPEC");
  expect_refused("sweep " + s.spec + " --shard 3/3", "--shard '3/3': give K/N with a K from 0 to N - 1");
  expect_refused("sweep " + s.spec + " -o " + s.folder.path("a.csv"), ".npz");
  expect_refused("sweep " + s.spec + " -o " + s.folder.path("none/a.h5"), "cannot make the folder");
  expect_refused("sweep " + s.folder.path("none.json"), "none.json");
  expect_refused("sweep merge " + s.folder.path("none.h5"), "there is no sweep");
  const std::string other = s.folder.write("other.h5", "something else");
  EXPECT_EQ(run_command("sweep " + s.spec + " -o " + other).exit_code, 2);
  EXPECT_EQ(read_bytes(other), "something else");
  s.run("a.h5");
  const std::string bytes = s.bytes("a.h5"), changed = s.folder.write("changed.json", study(21));
  expect_refused("sweep " + changed + " -o " + s.folder.path("a.h5"), "has the results of another specification");
  EXPECT_TRUE(s.bytes("a.h5") == bytes);
}

TEST(SweepCommand, NamesPartsThatAreDamaged) {
  const Sweeps s(20);
  s.run("a.h5", "--shard 0/2");
  const std::string parts = s.folder.path("a.h5.parts");
  expect_refused("sweep merge " + s.folder.path("a.h5"), "cases 10 to 19 are missing");
  const std::string changed = s.folder.write("changed.json", study(21));
  expect_refused("sweep " + changed + " -o " + s.folder.path("a.h5"), "is of another specification");
  s.run("a.h5", "--shard 1/2");
  const std::string manifest = parts + "/" + parts_in(parts).begin()->first, text = read_bytes(manifest);
  s.folder.write("a.h5.parts/" + fs::path(manifest).filename().string(), text.substr(0, text.size() / 2));
  expect_refused(s.line("a.h5"), "the manifest is damaged: remove it, and the same command computes its cases anew");
  s.folder.write("a.h5.parts/" + fs::path(manifest).filename().string(), text);
  const std::string rows = fs::path(manifest).replace_extension(".npz").string();
  std::string bytes = read_bytes(rows);
  bytes[bytes.size() / 2] ^= 1;
  s.folder.write("a.h5.parts/" + fs::path(rows).filename().string(), bytes);
  expect_refused("sweep merge " + s.folder.path("a.h5"), "is damaged");
  fs::remove(rows);  // and its manifest says that it was there
  s.run("a.h5");
  s.run("calm.h5");
  EXPECT_TRUE(s.same("a.h5", "calm.h5"));
}

TEST(SweepCommand, RefusesFoldersOfOtherBuilds) {
  const Sweeps s(20);
  s.run("a.h5", "--shard 0/2");
  std::string head = read_bytes(s.folder.path("a.h5.parts/sweep.json"));
  const std::size_t at = head.find(R"("isa": ")");
  ASSERT_NE(at, std::string::npos);
  head.insert(at + 8, "other ");
  s.folder.write("a.h5.parts/sweep.json", head);
  expect_refused(s.line("a.h5"), "was begun by another build or on another kind of processor");
}

TEST(SweepCommand, ChecksWithoutSimulating) {
  const Sweeps s(20);
  const CommandResult out = run_command("sweep " + s.spec + " --check");
  EXPECT_EQ(out.exit_code, 0);
  EXPECT_THAT(out.output, HasSubstr("slopes: 20 cases"));
  EXPECT_THAT(out.output, HasSubstr("parameters/friction"));
  const Json json = Json::parse(run_shell("delassus sweep " + s.spec + " --check --json").output);
  EXPECT_EQ(json.at("cases"), 20);
  EXPECT_EQ(json.at("columns")[0].at("name"), "case");
  expect_refused("sweep --check " + s.folder.write("bad.json", R"({"format": "delassus-sweep-1",
"scene": "incline:20", "seconds": 1, "cases": 2,
"parameters": {"frction": 1}})"),
                 "bad.json:3: /parameters/frction: there is no parameter 'frction' (did you mean 'friction'?)");
}

}  // namespace
}  // namespace delassus
