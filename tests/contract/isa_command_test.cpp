// Instruction set levels (docs/isa.md): what DELASSUS_ISA does, and what is in the objects that the build makes for levels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "delassus/math/isa.hpp"
#include "support/command.hpp"

namespace delassus {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::run_shell;
using testing::TemporaryFolder;
using Json = nlohmann::json;

CommandResult run_at(const std::string& level, const std::string& arguments) {
  return run_shell("DELASSUS_ISA=" + level + " delassus " + arguments + " 2>&1");
}

/// Levels that this command has and this processor can run.
std::vector<std::string> levels_here() {
  std::vector<std::string> names;
  for (const IsaLevel level : compiled_isa_levels()) {
    if (level <= processor_isa()) names.emplace_back(name_of(level));
  }
  return names;
}

const std::filesystem::path kBuildTree = std::filesystem::path(DELASSUS_COMMAND).parent_path().parent_path();

/// Libraries with kernels for levels.
constexpr const char* kLibraries[] = {"core", "batch"};

struct LevelObject {
  IsaLevel level;
  std::string file, table;  // the one symbol that others see
};

std::vector<LevelObject> level_objects() {
  std::vector<LevelObject> all;
  for (const std::string library : kLibraries) {
    for (const IsaLevel level : compiled_isa_levels()) {
      const std::string v = "v" + std::string(1, name_of(level).back());
      all.push_back({level, (kBuildTree / "levels" / ("delassus_" + library + "_" + v + ".o")).string(),
                     "delassus_" + library + "_level_" + v});
    }
  }
  return all;
}

bool has_level_objects() { return compiled_isa_levels().front() != IsaLevel::kBase; }

int count(const std::string& command) {
  const CommandResult r = run_shell(command + " | wc -l");
  EXPECT_EQ(r.exit_code, 0) << command;
  return std::stoi(r.output);
}

TEST(IsaCommand, VersionNamesTheLevelInUse) {
  for (const std::string& level : levels_here()) {
    const Json version = Json::parse(run_at(level, "--version --json").output);
    EXPECT_EQ(version.at("isa"), level);
    EXPECT_THAT(version.at("isa_levels"), ::testing::Contains(level));
    EXPECT_THAT(run_at(level, "--version").output, HasSubstr("kernels  " + level + ", of "));
  }
  EXPECT_EQ(Json::parse(run_at("''", "--version --json").output).at("isa"), levels_here().back());
}

TEST(IsaCommand, AnImpossibleLevelEndsTheCommandBeforeItDoesAnything) {
  for (const char* arguments : {"--version", "compute go2-standing", "bench table1 go2-standing --quick"}) {
    const CommandResult r = run_at("avx2", arguments);
    EXPECT_EQ(r.exit_code, 2);
    EXPECT_THAT(r.output, AllOf(HasSubstr("DELASSUS_ISA is 'avx2', which is no level; it may be "),
                                HasSubstr(" here, or not set at all"), ::testing::Not(HasSubstr("left out"))));
  }
  // There is always one that this command was built without, or this processor lacks; or all are here.
  for (const char* level : {"base", "v2", "v3", "v4"}) {
    const auto here = levels_here();
    const bool possible =
        std::any_of(here.begin(), here.end(), [&](const std::string& n) { return n.ends_with(level); });
    EXPECT_EQ(run_at(level, "--version").exit_code, possible ? 0 : 2) << level;
  }
}

std::vector<double> matrix_at(const std::string& level, const std::string& scene, const std::string& algorithm) {
  const CommandResult r = run_at(level, "compute " + scene + " --json --algorithm " + algorithm);
  EXPECT_EQ(r.exit_code, 0) << r.output;
  std::vector<double> all;
  const Json document = Json::parse(r.output);
  for (const Json& row : document.at("delassus")) {
    for (const Json& x : row) all.push_back(x);
  }
  return all;
}

TEST(IsaCommand, LevelsAgreeWithAnAlgorithmThatHasNone) {
  for (const char* scene : {"go2-standing", "g1-fallen", "cassie-standing"}) {
    const std::vector<double> dense = matrix_at(levels_here().back(), scene, "dense");
    double largest = 0;
    for (const double x : dense) largest = std::max(largest, std::abs(x));
    for (const std::string& level : levels_here()) {
      const std::vector<double> condensed = matrix_at(level, scene, "condensed");
      ASSERT_EQ(condensed.size(), dense.size());
      // Two algorithms, each good to about a thousand roundings on robots.
      for (std::size_t k = 0; k < dense.size(); ++k) {
        EXPECT_NEAR(condensed[k], dense[k], 1e-12 * largest) << scene << " " << level << " " << k;
      }
    }
  }
}

TEST(IsaCommand, EachLevelRepeatsItsBits) {
  TemporaryFolder folder;
  for (const std::string& level : levels_here()) {
    std::string motion[2];
    for (int k = 0; k < 2; ++k) {
      const std::string csv = folder.path(level + std::to_string(k) + ".csv");
      const CommandResult r = run_at(level, "simulate g1-standing --quiet --seconds 0.05 --every 1 --csv " + csv);
      ASSERT_EQ(r.exit_code, 0) << r.output;
      motion[k] = testing::read_bytes(csv);
    }
    EXPECT_FALSE(motion[0].empty());
    EXPECT_EQ(motion[0], motion[1]) << level;
  }
}

TEST(IsaObjects, AllButTheTableIsLocal) {
  if (!has_level_objects() || !testing::has_program("nm"))
    GTEST_SKIP() << "no levels in this build, or no nm to look at them with";
  for (const LevelObject& object : level_objects()) {
    ASSERT_TRUE(std::filesystem::exists(object.file)) << object.file;
    const auto seen =
        testing::lines_of(run_shell("nm --extern-only --defined-only --format=posix " + object.file).output);
    ASSERT_EQ(seen.size(), 1U) << object.file;
    EXPECT_THAT(seen[0], ::testing::StartsWith(object.table + " "));
    // A group would be merged with that of the same name, which has code of another level.
    EXPECT_THAT(run_shell("readelf --section-groups " + object.file).output, HasSubstr("no section groups"));
  }
}

TEST(IsaObjects, EnginesOfBatchesCallNothingForPacksOutside) {
  if (!has_level_objects() || !testing::has_program("nm"))
    GTEST_SKIP() << "no levels in this build, or no nm to look at them with";
  for (const LevelObject& object : level_objects()) {
    if (object.table.find("batch") == std::string::npos) continue;
    // Kernels for packs of environments would be those of the build's flags, of a width that may differ.
    EXPECT_EQ(count("nm --demangle --undefined-only " + object.file + " | grep 'Pack<' | grep Environments"), 0)
        << object.file;
  }
}

TEST(IsaObjects, UseTheRegistersOfTheirLevel) {
  if (!has_level_objects() || !testing::has_program("objdump"))
    GTEST_SKIP() << "no levels in this build, or no objdump";
  for (const LevelObject& object : level_objects()) {
    const std::string code = "objdump -d --no-show-raw-insn " + object.file;
    EXPECT_EQ(count(code + " | grep %ymm") > 0, object.level >= IsaLevel::kV3) << code;
    EXPECT_EQ(count(code + " | grep %zmm") > 0, object.level >= IsaLevel::kV4) << code;
  }
}

TEST(IsaObjects, CodeOutsideTheLevelsIsForAnyProcessor) {
  const std::string flags = Json::parse(run_shell("delassus --version --json").output).at("flags");
  const bool any_processor = flags.find("-march=") == std::string::npos;
  if (!any_processor || !has_level_objects() || !testing::has_program("objdump")) {
    GTEST_SKIP() << "needs DELASSUS_ARCH= and levels";
  }
  for (const std::string name : kLibraries) {
    const std::string library = (kBuildTree / ("libdelassus_" + name + ".a")).string();
    if (!std::filesystem::exists(library)) GTEST_SKIP() << "needs static libraries";
    // Lines of members of the archive begin with their names.
    EXPECT_EQ(count("objdump -d --no-show-raw-insn '" + library + "' | awk '/file format/ {level = /^delassus_" + name +
                    "_v[234].o:/} !level && /%[yz]mm/'"),
              0)
        << library;
  }
}

}  // namespace
}  // namespace delassus
