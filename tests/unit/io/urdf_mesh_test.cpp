// Where the meshes of a URDF are looked for, and what is said of those that are not there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "delassus/scenes/load_named.hpp"
#include "unit/io/urdf_text.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;
using io_test::contains;
using io_test::robot;
using io_test::TemporaryFolder;

constexpr const char* kStone = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";

/// The file robots/stone.urdf, whose mesh is in the package `stones`.
struct PackageMesh : ::testing::Test {
  PackageMesh() {
    unsetenv("ROS_PACKAGE_PATH");
    fs::create_directories(folder.path("robots"));
    fs::create_directories(folder.path("ws/stones/meshes"));
    folder.file("ws/stones/meshes/stone.obj", kStone);
  }
  ~PackageMesh() override { unsetenv("ROS_PACKAGE_PATH"); }

  static std::string urdf(const std::string& mesh) {
    return robot("<link name='stone'><collision><geometry><mesh filename='" + mesh +
                 "'/></geometry></collision></link>");
  }
  Scene load_with(const std::vector<std::string>& package_paths) const {
    const std::string path = folder.file("robots/stone.urdf", urdf("package://stones/meshes/stone.obj"));
    NamedOptions options;
    options.package_paths = package_paths;
    return load_named(path, options);
  }

  TemporaryFolder folder;
};

TEST_F(PackageMesh, IsNotFoundBesideTheFileAndTheReportSaysWhereItWasLookedFor) {
  const Scene scene = load_with({folder.path("other")});
  EXPECT_TRUE(scene.model.description().shapes.empty());
  ASSERT_EQ(scene.report.missing.size(), 1u);
  const MissingFile& missing = scene.report.missing[0];
  EXPECT_EQ(missing.name, "package://stones/meshes/stone.obj");
  EXPECT_EQ(missing.line, 2);
  ASSERT_GE(missing.tried.size(), 3u);
  EXPECT_EQ(missing.tried[0], folder.path("other/stones/meshes/stone.obj"));
  EXPECT_EQ(missing.tried[1], folder.path("robots/stones/meshes/stone.obj"));
  EXPECT_EQ(missing.tried[2], folder.path("stones/meshes/stone.obj"));
  EXPECT_TRUE(contains(to_text(scene.report),
                       "stone.urdf:2: warning: the file 'package://stones/meshes/stone.obj' is not there"));
  EXPECT_TRUE(contains(to_text(scene.report), "looked for '" + folder.path("other/stones/meshes/stone.obj") + "', '"));
}

TEST_F(PackageMesh, IsFoundInAFolderOfPackagesOrInThePackage) {
  for (const char* path : {"ws", "ws/", "ws/stones", "ws/stones/"}) {
    const Scene scene = load_with({folder.path("none"), folder.path(path)});
    EXPECT_EQ(scene.model.description().shapes.size(), 1u) << path;
    EXPECT_TRUE(scene.report.missing.empty()) << path;
  }
}

TEST_F(PackageMesh, IsFoundWhereTheEnvironmentSays) {
  setenv("ROS_PACKAGE_PATH", (":/nowhere:" + folder.path("ws")).c_str(), 1);
  EXPECT_EQ(load_with({}).model.description().shapes.size(), 1u);
}

TEST_F(PackageMesh, EachMissingFileIsNamedOnceAndManyAreCounted) {
  std::string links = "<link name='a'/>", joints;
  for (int k = 0; k < 1200; ++k) {
    const std::string n = std::to_string(k);
    links += "<link name='" + n + "'><collision><geometry><mesh filename='" + std::to_string(k / 2 * 2) +
             ".stl'/></geometry></collision></link>\n";
    joints += io_test::joint("j" + n, "fixed", "a", n);
  }
  const Scene scene = parse_urdf(robot(links + joints), "many.urdf");
  EXPECT_EQ(scene.report.missing.size(), 600u);
  EXPECT_TRUE(contains(describe_missing(scene.report), "600 files are not there, the first of them '0.stl'"));
}

}  // namespace
}  // namespace delassus
