// What is not a URDF, or a wrong one: every message names the file, the line, the element.
#include <gtest/gtest.h>

#include "delassus/io/load.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

using io_test::contains;
using io_test::corpus;
using io_test::error_of;
using io_test::expected_parts;
using io_test::TemporaryFolder;

namespace fs = std::filesystem;

TEST(UrdfErrors, CorpusOfBadFiles) {
  const std::vector<fs::path> files = io_test::files_with(corpus() / "urdf" / "bad", ".urdf");
  ASSERT_GT(files.size(), 60U);
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.filename().string());
    const std::vector<std::string> parts = expected_parts(path);
    ASSERT_FALSE(parts.empty()) << "says nowhere what to expect";
    const std::string message = error_of([&] { load_urdf(path.string()); });
    for (const std::string& part : parts) EXPECT_TRUE(contains(message, part));
  }
}

TEST(UrdfErrors, Files) {
  const TemporaryFolder folder;
  const std::string missing = folder.path("missing.urdf");
  EXPECT_EQ(error_of([&] { load_urdf(missing); }), missing + ": there is no such file");
  EXPECT_EQ(error_of([&] { load(missing); }), missing + ": there is no such file");
  const std::string directory = fs::path(missing).parent_path().string();
  EXPECT_EQ(error_of([&] { load_urdf(directory); }), directory + ": is a directory; name a file in it");
  EXPECT_EQ(error_of([&] { load_urdf("/dev/null"); }), "/dev/null: is not a regular file");
  const std::string empty = folder.file("empty.urdf", "");
  EXPECT_EQ(error_of([&] { load(empty); }), empty + ": is empty");
}

TEST(UrdfErrors, LargeFileIsRefusedUnread) {
  const TemporaryFolder folder;
  const std::string path = folder.file("large.urdf", "garbage");
  fs::resize_file(path, 100U << 20U);  // sparse: takes no disk
  EXPECT_EQ(error_of([&] { load(path); }),
            path + ": is 100 MiB large, and the limit is 64 MiB; is it a robot description?");
  const std::string text((64U << 20U) + 1, ' ');
  EXPECT_TRUE(contains(error_of([&] { parse_urdf(text, "r.urdf"); }), "r.urdf: is 64 MiB large"));
}

TEST(UrdfErrors, DeepNesting) {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < 200'000; ++i) text += "\n<a>";
  std::string closed = text;
  for (int i = 0; i < 200'000; ++i) closed += "</a>";
  EXPECT_EQ(error_of([&] { parse_urdf(closed + "</robot>", "deep.urdf"); }),
            "deep.urdf:257: elements are nested more than 256 deep; is it a robot description?");
  EXPECT_TRUE(contains(error_of([&] { parse_urdf(text, "open.urdf"); }), "open.urdf:200001: is not well-formed XML"));
}

TEST(UrdfErrors, TooManyNodes) {
  std::string text = "<robot>";
  for (int i = 0; i < 8'000'000; ++i) text += "<a/>";
  EXPECT_TRUE(contains(error_of([&] { parse_urdf(text + "</robot>", "r.urdf"); }),
                       "r.urdf: holds more than 8000000 elements and attributes"));
}

TEST(UrdfErrors, CouplingsOverTooManyJoints) {
  std::string text = "<robot name='r'><link name='l0'/>";
  const int links = 4000;
  for (int i = 1; i <= links; ++i) {
    const std::string k = std::to_string(i), above = std::to_string(i - 1);
    text += "<link name='l" + k + "'/><joint name='j" + k + "' type='" + (i == 1 ? "continuous" : "fixed") +
            "'><parent link='l" + above + "'/><child link='l" + k + "'/></joint><coupling name='c" + k +
            "'><predecessor link='l0'/><successor link='l" + std::to_string(links) + "'/><ratio value='1'/></coupling>";
  }
  EXPECT_TRUE(contains(error_of([&] { parse_urdf(text + "</robot>", "r.urdf"); }),
                       "r.urdf:1: coupling 'c2501': the couplings of this file pass too many joints"));
}

TEST(UrdfErrors, NamesAreCutAndCleanedInMessages) {
  const std::string message = error_of([] {
    parse_urdf("<robot name='r'><link name='a'/><link name='b'/><joint name='" + std::string(100'000, 'x') +
                   "' type='&#27;[31m'/></robot>",
               "r.urdf");
  });
  EXPECT_LT(message.size(), 600U);
  EXPECT_TRUE(contains(message, "its type '?[31m' is unknown"));
}

TEST(UrdfErrors, SeveralAtOnce) {
  const std::string message = error_of([] {
    parse_urdf(
        "<robot name='r'>\n<link name='a'><inertial><mass value='1'/><inertia ixx='-1' iyy='1' "
        "izz='1'/></inertial></link>\n"
        "<link name='b'/>\n<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
        "<dynamics friction='-1'/></joint></robot>",
        "r.urdf");
  });
  EXPECT_EQ(message,
            "r.urdf:2: link 'a': has a negative moment of inertia\n"
            "r.urdf:4: joint 'j': has a friction loss that is negative or not finite");
}

TEST(Load, TellsFormatsByContent) {
  const TemporaryFolder folder;
  const std::string urdf = "\n <robot name='r'><link name='a'/></robot>";
  EXPECT_EQ(load(folder.file("a.xml", urdf)).model.name(), "r");
  EXPECT_EQ(load(folder.file("a.txt", urdf)).model.name(), "r");
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  EXPECT_EQ(load(folder.file("a.urdf", urdf), options).model.nv(), 6);
  const std::string scene = R"({"format":"delassus-scene","version":1,"model":{"name":"s","bodies":[]}})";
  EXPECT_EQ(load(folder.file("s.json", scene)).model.name(), "s");
  EXPECT_EQ(load(folder.file("s.urdf", scene)).model.name(), "s");

  const std::string mjcf = folder.file("m.xml", "<mujoco model='m'/>");
  EXPECT_EQ(load(mjcf).model.name(), "m");
  EXPECT_EQ(load(folder.file("n.xml", "<?xml version='1.0'?><!-- <robot> -->\n<mujoco\nmodel='n'/>")).model.name(),
            "n");
  EXPECT_EQ(error_of([&] { load_urdf(mjcf); }), mjcf + ": is an MJCF file, not a URDF; read it with load or load_mjcf");
  const std::string other = folder.file("o.bin",
                                        "\x7F"
                                        "ELF");
  EXPECT_EQ(error_of([&] { load(other); }), other + ": is neither a URDF or MJCF (XML) nor a scene (JSON)");
  const std::string broken = folder.file("b.json", "[1,\n2,\n}");
  EXPECT_TRUE(contains(error_of([&] { load(broken); }), broken + ":3: is not valid JSON"));
}

}  // namespace
}  // namespace delassus
