// --help of every command, and that its examples work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "support/command.hpp"
#include "support/matplotlib.hpp"
#include "support/pendulum.hpp"
#include "support/recording.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::lines_of;
using ::testing::Not;
using testing::run_command;
using testing::run_shell;
using testing::TemporaryFolder;

/// "", "list ", "bench ", "bench table1 " and so on, as completion knows them: what has a description and is no option.
std::vector<std::string> all_commands(const std::string& parent = "") {
  std::vector<std::string> out{parent};
  for (const std::string& line : lines_of(run_command("complete -- " + parent + "''").output)) {
    const std::size_t tab = line.find('\t');
    if (line.starts_with('-') || tab == std::string::npos || tab + 1 == line.size()) continue;
    for (const std::string& command : all_commands(parent + line.substr(0, tab) + " ")) out.push_back(command);
  }
  return out;
}

struct Example {
  std::string line, comment;
};

std::vector<Example> examples_of(const std::string& command) {
  std::vector<Example> out;
  for (const std::string& line : lines_of(run_command(command + "--help").output)) {
    const std::size_t comment = line.find("  # ");
    if (!line.starts_with("  delassus ") || comment == std::string::npos) continue;
    out.push_back({line.substr(2, line.find_last_not_of(' ', comment) - 1), line.substr(comment + 4)});
  }
  return out;
}

TEST(Help, KnowsAllCommands) {
  const std::vector<std::string> commands = all_commands();
  for (const char* name : {"list ",
                           "info ",
                           "scene ",
                           "compute ",
                           "check ",
                           "doctor ",
                           "simulate ",
                           "serve ",
                           "opcount ",
                           "bench ",
                           "bench table1 ",
                           "bench planner ",
                           "bench constrained ",
                           "bench contact ",
                           "bench simulation ",
                           "bench lanes ",
                           "bench batch ",
                           "bench swimmer ",
                           "bench scaling ",
                           "bench once ",
                           "tour ",
                           "demo box ",
                           "completion ",
                           "man "}) {
    EXPECT_THAT(commands, ::testing::Contains(name));
  }
}

TEST(Help, HasUsageOptionsAndExamplesForEveryCommand) {
  for (const std::string& command : all_commands()) {
    const CommandResult help = run_command(command + "--help");
    SCOPED_TRACE(help.output);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.output, AllOf(HasSubstr("\nUsage: delassus " + command), HasSubstr("\nOptions:\n"),
                                   HasSubstr("\n  -h, --help"), HasSubstr("\nExamples:\n")));
    // What CLI11 would say by itself.
    EXPECT_THAT(help.output, AllOf(Not(HasSubstr("TEXT")), Not(HasSubstr("REQUIRED")), Not(HasSubstr("INT"))));
    EXPECT_GE(examples_of(command).size(), 2U);
    for (const std::string& line : lines_of(help.output)) EXPECT_LE(line.size(), 120U) << line;
  }
}

TEST(Help, GroupsCommandsAndSaysExitCodes) {
  EXPECT_THAT(run_command("--help").output,
              AllOf(HasSubstr("\nModels and scenes:\n  list "), HasSubstr("\nExit codes:\n  0  "),
                    HasSubstr("NO_COLOR"), HasSubstr("docs/command.md"), Not(HasSubstr("  complete "))));
}

/// All of them in one folder that has what they name; the order of help is the order in which they run.
TEST(Help, ExamplesWork) {
  const TemporaryFolder folder;
  folder.write("robot.urdf", R"(<robot name="brick"><link name="brick"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>)");
  ASSERT_EQ(run_command("scene stem:2x1 -o " + folder.path("scene.json")).exit_code, 0);
  std::filesystem::create_directory(folder.path("reference"));
  folder.write("study.json", R"({"format": "delassus-sweep-1", "scene": "incline", "seconds": 0.01, "cases": 6,
    "parameters": {"friction": {"uniform": [0.1, 1]}}, "keep": {"final": ["speed"]}})");
  folder.write("reference/pendulum.urdf", testing::kPendulum);
  folder.write("reference/pendulum.json", testing::pendulum_reference(0.3, 1.2, 0.7).dump());
  std::set<std::string> done;
  for (const std::string& command : all_commands()) {
    for (const auto& [line, comment] : examples_of(command)) {
      const bool draws = line.find("--plot") != std::string::npos && !line.starts_with("delassus info");
      const bool reads_man = line.find("| man") != std::string::npos;
      if (comment.find("minute") != std::string::npos || !done.insert(line).second) continue;
      if (draws && !testing::has_matplotlib()) continue;
      if (line.find("--html") != std::string::npos && !testing::has_viewer()) continue;
      if (reads_man && !testing::has_program("man")) continue;
      if (line.starts_with("delassus bench gpu")) continue;  // needs a card
      if (line.starts_with("mpirun")) continue;              // of more ranks than this machine has cores
      const CommandResult r = run_shell("cd " + folder.path("") + " && { " + line + "; } 2>&1");
      EXPECT_EQ(r.exit_code, 0) << line << "\n" << r.output;
    }
  }
  EXPECT_GE(done.size(), 20U);
}

}  // namespace
}  // namespace delassus
