// Holds the source tree to its rules, and holds the rules to finding what breaks them.
#include "meta/source_tree.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "delassus/operators/algorithm.hpp"

namespace delassus::meta {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = DELASSUS_SOURCE_DIR;

std::string lines(const Findings& findings) {
  std::string text;
  for (const std::string& finding : findings) text += finding + "\n";
  return text;
}

TEST(SourceTree, IncludesPointDown) { EXPECT_EQ(lines(layering_findings(kRoot)), ""); }

TEST(SourceTree, PublicHeadersIncludeNoThirdParty) { EXPECT_EQ(lines(public_header_findings(kRoot)), ""); }

TEST(SourceTree, CoreStandsOnEigenAndOneFileOnBullet) { EXPECT_EQ(lines(core_source_findings(kRoot)), ""); }

TEST(SourceTree, OneHeaderHasTheWholeLibraryByName) { EXPECT_EQ(lines(umbrella_findings(kRoot)), ""); }

/// What users see. With the two that the build writes, 90 are installed at most: what only kernels include stands in src.
TEST(SourceTree, FewHeadersAreInstalled) { EXPECT_LE(public_headers(kRoot).size(), 88U); }

TEST(SourceTree, NoCatchAllFolders) { EXPECT_EQ(lines(folder_name_findings(kRoot)), ""); }

TEST(SourceTree, PagesShowTheCompiledExamples) { EXPECT_EQ(lines(example_findings(kRoot)), ""); }

TEST(SourceTree, AlgorithmsHavePagesBenchmarksAndProperties) {
  for (const Algorithm a : kExplicitAlgorithms) EXPECT_EQ(lines(algorithm_findings(kRoot, name_of(a))), "");
}

// A small tree that keeps all rules, in a scratch folder. Each test breaks one of them.
class PlantedTree : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / ("delassus-meta-" + std::to_string(::getpid()) + "-" + info->name());
    fs::remove_all(root_);
    write("include/delassus/delassus.hpp", "#include \"delassus/simulation/world.hpp\"\n");
    write("include/delassus/math/mat.hpp", "#include <array>\n#include <immintrin.h>\n");
    write("include/delassus/model/model.hpp", "#include \"delassus/math/mat.hpp\"\n");
    write("include/delassus/io/load.hpp", "#include \"delassus/model/model.hpp\"\n");
    write("include/delassus/dynamics/aba.hpp", "#include \"delassus/model/model.hpp\"\n");
    write("include/delassus/simulation/world.hpp", "#include \"delassus/dynamics/aba.hpp\"\n");
    write("src/dynamics/aba.cpp", "#include \"delassus/dynamics/aba.hpp\"\n#include <Eigen/Core>\n");
    write("src/io/load.cpp", "#include \"delassus/io/load.hpp\"\n#include <pugixml.hpp>\n");
    write("cli/main.cpp", "#include <CLI/CLI.hpp>\n#include \"delassus/delassus.hpp\"\n");
    write("examples/first.cpp", "int main() {}\n");
    write("examples/second.py", "pass\n");
    write("examples/third.cpp", "int f() {\n  // begin body\n  if (true)\n\n    return 1;\n  // end body\n}\n");
    write("docs/how-to/page.md", "<!-- example: third.cpp#body -->\n```cpp\nif (true)\n\n  return 1;\n```\n");
    write("README.md",
          "<!-- example: first.cpp -->\n\n```cpp\nint main() {}\n```\n\n```cpp\nunmarked\n```\n"
          "<!-- example: second.py -->\n```python\npass\n```\n");
    ASSERT_EQ(all(), "");
  }

  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  // What any of the rules finds.
  [[nodiscard]] std::string all() const {
    return lines(layering_findings(root_)) + lines(public_header_findings(root_)) + lines(core_source_findings(root_)) +
           lines(folder_name_findings(root_)) + lines(example_findings(root_));
  }

  fs::path root_;
};

TEST_F(PlantedTree, UpwardInclude) {
  write("include/delassus/math/mat.hpp", "\n#include \"delassus/model/model.hpp\"\n");
  EXPECT_EQ(all(),
            "include/delassus/math/mat.hpp:2: delassus/model/model.hpp: "
            "'math' may not include 'model', which does not stand below it\n");
}

TEST_F(PlantedTree, UpwardIncludeOfAPrivateHeader) {
  write("src/dynamics/sweep.hpp", "");
  write("src/model/model.cpp", "#include \"dynamics/sweep.hpp\"\n");
  EXPECT_EQ(all(),
            "src/model/model.cpp:1: dynamics/sweep.hpp: "
            "'model' may not include 'dynamics', which does not stand below it\n");
}

TEST_F(PlantedTree, CoreIncludesIo) {
  write("src/dynamics/aba.cpp", "#include <delassus/io/load.hpp>\n");
  EXPECT_EQ(all(),
            "src/dynamics/aba.cpp:1: delassus/io/load.hpp: "
            "the library of 'dynamics' does not link that of 'io'\n");
}

TEST_F(PlantedTree, ProgramsIncludeEachOther) {
  write("cli/shell/table.hpp", "");
  write("python/src/sweep.cpp", "#include \"cli/shell/table.hpp\"\n");
  EXPECT_EQ(all(),
            "python/src/sweep.cpp:1: cli/shell/table.hpp: "
            "'python' may not include 'cli/shell', which does not stand below it\n");
}

TEST_F(PlantedTree, CommandAndBenchmarksShareShellAndMeasure) {
  write("cli/shell/table.hpp", "");
  write("bench/measure/sweep.hpp", "#include \"cli/shell/table.hpp\"\n");
  write("bench/peers/peer.hpp", "#include \"cli/shell/table.hpp\"\n#include \"bench/measure/sweep.hpp\"\n");
  write("cli/tour/tour.cpp", "#include \"bench/measure/sweep.hpp\"\n");
  EXPECT_EQ(all(), "");
  write("cli/tour/tour.cpp", "#include \"bench/peers/peer.hpp\"\n");
  write("cli/tour/tour.hpp", "");
  write("bench/table1/table1.cpp", "#include \"cli/tour/tour.hpp\"\n");
  EXPECT_EQ(
      all(),
      "cli/tour/tour.cpp:1: bench/peers/peer.hpp: 'cli' may not include 'bench', which does not stand below it\n"
      "bench/table1/table1.cpp:1: cli/tour/tour.hpp: 'bench' may not include 'cli', which does not stand below it\n");
}

TEST_F(PlantedTree, LibraryIncludesItsUmbrella) {
  write("src/dynamics/aba.cpp", "#include \"delassus/delassus.hpp\"\n");
  EXPECT_EQ(all(),
            "src/dynamics/aba.cpp:1: delassus/delassus.hpp: "
            "the library does not include its umbrella header\n");
}

TEST_F(PlantedTree, HeaderThatTheUmbrellaLeavesOut) {
  EXPECT_EQ(lines(umbrella_findings(root_)),
            "include/delassus/dynamics/aba.hpp:1: delassus.hpp does not name it\n"
            "include/delassus/io/load.hpp:1: delassus.hpp does not name it\n"
            "include/delassus/math/mat.hpp:1: delassus.hpp does not name it\n"
            "include/delassus/model/model.hpp:1: delassus.hpp does not name it\n");
}

TEST_F(PlantedTree, RelativeInclude) {
  write("src/dynamics/sweep.hpp", "");
  write("src/dynamics/aba.cpp", "#include \"../dynamics/sweep.hpp\"\n");
  EXPECT_EQ(all(), "src/dynamics/aba.cpp:1: ../dynamics/sweep.hpp: write the path from the root\n");
}

TEST_F(PlantedTree, HeaderThatDoesNotExist) {
  write("src/dynamics/aba.cpp", "#include \"delassus/dynamics/abba.hpp\"\n");
  EXPECT_EQ(all(), "src/dynamics/aba.cpp:1: delassus/dynamics/abba.hpp: there is no such header\n");
}

TEST_F(PlantedTree, FolderWithoutALayer) {
  write("include/delassus/tools/a.hpp", "");
  EXPECT_EQ(all(), "include/delassus/tools/a.hpp:1: stands in no layer\n");
}

TEST_F(PlantedTree, ThirdPartyInPublicHeaders) {
  write("include/delassus/math/mat.hpp", "#include <Eigen/Core>\n");
  write("include/delassus/io/load.hpp",
        "#include <nlohmann/json.hpp>\n#include <pugixml.hpp>\n#include \"fmt/core.h\"\n");
  EXPECT_EQ(all(),
            "include/delassus/io/load.hpp:1: a public header includes nlohmann/json.hpp\n"
            "include/delassus/io/load.hpp:2: a public header includes pugixml.hpp\n"
            "include/delassus/io/load.hpp:3: a public header includes fmt/core.h\n"
            "include/delassus/math/mat.hpp:1: a public header includes Eigen/Core\n");
}

TEST_F(PlantedTree, ThirdPartyInCoreSources) {
  write("src/dynamics/aba.cpp", "#include <fmt/core.h>\n");
  EXPECT_EQ(all(), "src/dynamics/aba.cpp:1: core includes fmt/core.h\n");
  write("src/dynamics/aba.cpp", "#include <BulletCollision/btShape.h>\n");
  write("src/dynamics/bullet_engine.cpp", "#include <BulletCollision/btShape.h>\n");
  EXPECT_EQ(all(), "src/dynamics/aba.cpp:1: core includes BulletCollision/btShape.h\n");
}

TEST_F(PlantedTree, CatchAllFolder) {
  write("build-debug/utils/a.cpp", "");  // not ours
  write("src/io/utils/a.cpp", "");
  EXPECT_EQ(all(), "src/io/utils:1: a folder needs a name that says what is in it\n");
}

TEST_F(PlantedTree, ReadmeDiffersFromExample) {
  write("examples/first.cpp", "int main() { return 0; }\n");
  EXPECT_EQ(all(), "README.md:1: example first.cpp: differs from the file in examples\n");
}

TEST_F(PlantedTree, ReadmeDiffersFromExampleInPython) {
  write("examples/second.py", "print()\n");
  EXPECT_EQ(all(), "README.md:10: example second.py: differs from the file in examples\n");
}

TEST_F(PlantedTree, PageDiffersFromRegion) {
  write("docs/how-to/page.md", "\n<!-- example: third.cpp#body -->\n```cpp\nif (true) return 1;\n```\n");
  EXPECT_EQ(all(), "docs/how-to/page.md:2: example third.cpp: differs from the file in examples\n");
}

TEST_F(PlantedTree, RegionThatIsNotThereOrNotClosed) {
  write("examples/README.md", "<!-- example: third.cpp#bod -->\n```cpp\nint a;\n```\n");
  EXPECT_EQ(all(), "examples/README.md:1: example third.cpp: it has no lines between 'begin bod' and 'end bod'\n");
  write("examples/third.cpp", "  // begin body\n  if (true)\n\n    return 1;\n");
  write("examples/README.md", "");
  EXPECT_EQ(all(), "docs/how-to/page.md:1: example third.cpp: it has no lines between 'begin body' and 'end body'\n");
}

TEST_F(PlantedTree, ReadmeMarkerWithoutFileOrBlock) {
  write("README.md", "<!-- example: none.cpp -->\n```cpp\nint a;\n```\n<!-- example: first.cpp -->\ntext\n");
  EXPECT_EQ(all(),
            "README.md:1: example none.cpp: there is no such file in examples\n"
            "README.md:5: example first.cpp: no ```cpp block follows the marker\n");
}

TEST(Includes, LeavesOutCommentsAndStrings) {
  const auto found = includes_of(
      "// #include <a>\n"
      "#include <b>\n"
      "  #  include \"c//d.hpp\"  // why\n"
      "/* #include <e>\n"
      "#include <f> */ #include <g>\n"
      "const char* s = \"#include <h>\";\n");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].target, "b");
  EXPECT_FALSE(found[0].quoted);
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[1].target, "c//d.hpp");
  EXPECT_TRUE(found[1].quoted);
  EXPECT_EQ(found[2].target, "g");
  EXPECT_EQ(found[2].line, 5);
}

TEST_F(PlantedTree, AlgorithmWithNothing) {
  EXPECT_EQ(lines(algorithm_findings(root_, "pv-osimr")),
            "docs/algorithms/pv-osimr.md:1: algorithm without a page\n"
            "bench/micro:1: pv-osimr is not benchmarked\n"
            "tests/property/explicit_test.cpp:1: PvOsimrDelassus is not in the suite\n");
  write("docs/algorithms/pv-osimr.md", "");
  write("bench/micro/explicit.cpp", "add(\"pv-osimr\");");
  write("tests/property/explicit_test.cpp", "using Operator = PvOsimrDelassus<T>;");
  EXPECT_EQ(lines(algorithm_findings(root_, "pv-osimr")), "");
}

}  // namespace
}  // namespace delassus::meta
