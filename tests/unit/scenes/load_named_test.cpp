// What a user may name as a model: files, robots, scenes and generated scenes, in that order.
#include "delassus/scenes/load_named.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace delassus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr UrdfOptions::Base kFixed = UrdfOptions::Base::kFixed, kFloating = UrdfOptions::Base::kFloating;

std::string error_of(const std::string& name, const NamedOptions& options = {}) {
  try {
    load_named(name, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

NamedOptions with_base(UrdfOptions::Base base) {
  NamedOptions options;
  options.base = base;
  options.base_choice = "the choice";
  return options;
}

TEST(LoadNamed, RobotsFloatUnlessTheyAreHeld) {
  EXPECT_EQ(load_named("go2").model.nv(), 18);
  EXPECT_EQ(load_named("go2", with_base(kFloating)).model.nv(), 18);
  EXPECT_EQ(load_named("go2", with_base(kFixed)).model.nv(), 12);
}

TEST(LoadNamed, ScenesAndGeneratedScenes) {
  EXPECT_EQ(load_named("go2-standing").constraints.size(), 4U);
  EXPECT_GT(load_named("stem:30x7").model.nv(), load_named("stem:5x2").model.nv());
}

TEST(LoadNamed, FilesComeFirstAndAreHeld) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("delassus-named-" + std::to_string(::getpid()) + ".urdf");
  std::ofstream(path) << "<robot name='one'><link name='a'/></robot>";
  EXPECT_EQ(load_named(path.string()).model.nv(), 0);
  NamedOptions strict;
  strict.strict = true;
  EXPECT_EQ(error_of(path.string(), strict), "");
  std::filesystem::remove(path);
}

TEST(LoadNamed, FoldersHideNoRobots) {
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path scratch =
      std::filesystem::temp_directory_path() / ("delassus-folder-" + std::to_string(::getpid()));
  std::filesystem::create_directories(scratch / "go2");
  std::filesystem::current_path(scratch);
  EXPECT_EQ(error_of("go2", {}), "");
  EXPECT_THAT(error_of(scratch.string(), {}), HasSubstr("directory"));
  std::filesystem::current_path(before);
  std::filesystem::remove_all(scratch);
}

TEST(LoadNamed, NamesThatNoFileCanHave) {
  EXPECT_THAT(error_of(std::string(5000, 'x'), {}), HasSubstr("neither a file nor a robot"));
}

TEST(LoadNamed, WhatSaysItselfHowItIsHeld) {
  EXPECT_THAT(error_of("panda", with_base(kFloating)),
              AllOf(HasSubstr("'panda' is an MJCF model"), HasSubstr("leave out the choice"), HasSubstr("freejoint")));
  EXPECT_THAT(error_of("go2-standing", with_base(kFixed)), HasSubstr("'go2-standing' is a scene"));
}

TEST(LoadNamed, UnknownNames) {
  NamedOptions options;
  options.list = "the list";
  EXPECT_THAT(error_of("go2-stnding", options),
              AllOf(HasSubstr("neither a file nor a robot or scene that is known by name"),
                    HasSubstr("did you mean 'go2-standing'?"), HasSubstr("the list shows them")));
}

}  // namespace
}  // namespace delassus
