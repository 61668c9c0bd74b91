// What the command writes never costs the user a file: not what was read, and not what was there before if the disk is full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/command.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::read_bytes;
using testing::run_command;
using testing::run_shell;
using testing::TemporaryFolder;

/// A pendulum of two files, with a mesh.
struct Outputs : ::testing::Test {
  Outputs() {
    fs::create_hard_link(parts, folder.path("hard.xml"));
    fs::create_symlink(stone, folder.path("soft.obj"));
  }

  TemporaryFolder folder;
  std::string stone =
      folder.write("stone.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  std::string parts = folder.write("parts.xml", R"(<mujoco><asset><mesh file="stone.obj"/></asset></mujoco>)");
  std::string model = folder.write("model.xml", R"(<mujoco><include file="parts.xml"/><worldbody>
    <body name="bob" pos="0 0 3"><joint axis="0 1 0"/><geom type="mesh" mesh="stone"/></body></worldbody></mujoco>)");
};

TEST_F(Outputs, NeverGoToAFileThatWasRead) {
  const std::string with = " " + model + " ";
  const auto expect = [&](const std::string& command, const std::string& option, const std::string& file) {
    const std::string before = read_bytes(file);
    const CommandResult result = run_command(command + with + option + " " + file);
    EXPECT_EQ(result.exit_code, 2) << command << " " << option << " " << file;
    EXPECT_THAT(result.output, HasSubstr(option + " names ")) << command << " " << file;
    EXPECT_EQ(read_bytes(file), before) << command << " " << option << " " << file;
  };
  for (const char* name : {"model.xml", "parts.xml", "stone.obj", "hard.xml", "soft.obj", "./parts.xml"})
    expect("info", "--output", folder.path(name));
  expect("compute --contact bob", "--save-scene", folder.path("hard.xml"));
  expect("doctor", "--output", folder.path("parts.xml"));
  expect("simulate --seconds 0.01", "--csv", folder.path("soft.obj"));
  expect("simulate --seconds 0.01", "--output", folder.path("parts.xml"));
  expect("tour --quick", "--output", folder.path("parts.xml"));
}

TEST_F(Outputs, OfACheckNeverGoToAModelOrAReference) {
  const std::string reference = folder.write("reference.json", R"({"name": "x", "model": "model.xml", "joints": []})");
  const std::string call = "check " + reference + " --models " + folder.path("") + " -o ";
  for (const char* name : {"reference.json", "model.xml", "parts.xml"}) {
    const std::string before = read_bytes(folder.path(name));
    EXPECT_EQ(run_command(call + folder.path(name)).exit_code, 2) << name;
    EXPECT_EQ(read_bytes(folder.path(name)), before) << name;
  }
}

/// With a limit to the length of files as short as the shell knows, 512 or 1024 bytes.
TEST_F(Outputs, AFullDiskLeavesWhatWasThere) {
  const auto expect = [&](const std::string& arguments, const std::string& option, const std::string& name) {
    const std::string path = folder.write(name, "what was there");
    const CommandResult result = run_shell("ulimit -f 1; delassus " + arguments + " " + option + " " + path + " 2>&1");
    EXPECT_EQ(result.exit_code, 2) << arguments << " " << option;
    EXPECT_THAT(result.output, AllOf(HasSubstr("could not write all of '" + path), HasSubstr("is the disk full?")));
    EXPECT_EQ(read_bytes(path), "what was there") << arguments << " " << option;
    fs::remove(path);
  };
  const auto count = std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator());
  expect("info g1", "--output", "info.txt");
  expect("info g1", "--plot", "tree.svg");
  expect("compute g1-standing", "--output", "matrix.npy");
  expect("compute g1-standing -o /dev/null", "--save-scene", "scene.json");
  expect("scene go2-standing", "--output", "standing.json");
  expect("simulate g1-standing --seconds 0.05 --quiet", "--csv", "motion.csv");
  expect("simulate g1-standing --seconds 0.001 --quiet --json", "--output", "run.json");
  expect("man", "--output", "delassus.1");
  expect("completion bash", "--output", "bash");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator()), count);
}

TEST_F(Outputs, TheMotionIsThereWhenItIsWhole) {
  const std::string path = folder.write("motion.csv", "what was there");
  ASSERT_EQ(run_command("simulate incline --seconds 0.05 --every 1 --quiet --csv " + path).exit_code, 0);
  EXPECT_EQ(testing::lines_of(read_bytes(path)).size(), 52u);  // the names, the start, and 50 steps
}

}  // namespace
}  // namespace delassus
