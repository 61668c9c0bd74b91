// What the report of a URDF says; encodings, locales, and long files.
#include <gtest/gtest.h>

#include <clocale>
#include <locale>

#include "unit/io/urdf_text.hpp"

namespace delassus {
namespace {

using io_test::contains;
using io_test::error_of;
using io_test::joint;
using io_test::joint_of;
using io_test::load_good;
using io_test::robot;
using io_test::solid;

TEST(UrdfReport, ReportListsWhatIsDoubtfulOrNotRead) {
  const Scene scene = load_good("doubtful.urdf");
  const std::vector<std::pair<int, std::string>> expected{
      {1, "has no name"},
      {2, "triangle inequality"},
      {11, "moves but has no mass in its subtree: its joint may be singular"},
      {15, "size that is not above zero"},
      {17, "lower limit above its upper limit"},
      {28, "neither lower nor upper"},
      {30, "second <origin>"}};
  ASSERT_EQ(scene.report.warnings.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(scene.report.warnings[i].line, expected[i].first);
    EXPECT_TRUE(contains(scene.report.warnings[i].message, expected[i].second));
  }
  const std::vector<Ignored> ignored{{"robot (text)", 1, 1},
                                     {"link/visual", 3, 2},
                                     {"link/collision/geometry/mesh (its file is not there)", 14, 1},
                                     {"joint/limit@soft", 19, 1},
                                     {"joint/safety_controller", 20, 1},
                                     {"joint/limit@lower", 24, 1},
                                     {"joint/limit@upper", 24, 1},
                                     {"gazebo", 32, 1},
                                     {"vendor:tag", 33, 1}};
  EXPECT_EQ(scene.report.ignored, ignored);
  EXPECT_EQ(scene.report.more_ignored, 0);
  EXPECT_EQ(joint_of(scene, "no_range").placement.p[0], 1);  // the first origin

  const std::string text = to_text(scene.report);
  EXPECT_TRUE(contains(text, "doubtful.urdf:11: warning: link 'c': moves but"));
  EXPECT_TRUE(contains(text, "doubtful.urdf:3: not read: link/visual (2 times)\n"));
}

TEST(UrdfReport, StrictRefusesEveryWarning) {
  UrdfOptions options;
  options.strict = true;
  const std::string message = error_of([&] { load_good("doubtful.urdf", options); });
  EXPECT_TRUE(contains(message, "7 warnings, which strict reading refuses"));
  EXPECT_TRUE(contains(message, "doubtful.urdf:2: warning: link 'a'"));
  EXPECT_TRUE(contains(message, "doubtful.urdf:30: warning: joint 'no_range'"));
  EXPECT_FALSE(contains(message, "gazebo"));
  EXPECT_NO_THROW(load_good("every_joint.urdf", options));
}

TEST(UrdfReport, ReportIsBounded) {
  std::string attributes;
  for (int i = 0; i < 1500; ++i) attributes += " a" + std::to_string(i) + "='1'";
  std::string links = solid("base");
  for (int i = 0; i < 1200; ++i) {
    links += "<link name='l" + std::to_string(i) + "'/>" +
             joint("j" + std::to_string(i), "continuous", "base", "l" + std::to_string(i));
  }
  const Scene scene = parse_urdf("<robot name='r'" + attributes + ">" + links + "</robot>", "r.urdf");
  EXPECT_EQ(scene.report.ignored.size(), 1000U);
  EXPECT_EQ(scene.report.more_ignored, 500);
  EXPECT_EQ(scene.report.warnings.size(), 1000U);
  EXPECT_EQ(scene.report.more_warnings, 200);
  EXPECT_TRUE(contains(to_text(scene.report), "r.urdf: and 200 more warnings\n"));
  EXPECT_TRUE(contains(to_text(scene.report), "not read: and 500 more, of other kinds\n"));
}

TEST(UrdfText, Encodings) {
  EXPECT_EQ(load_good("utf8_bom.urdf").model.description().bodies[0].name, "fu\xC3\x9F");
  const Scene latin1 = load_good("latin1.urdf");
  EXPECT_EQ(latin1.model.description().bodies[0].name, "fu\xC3\x9F");
  ASSERT_EQ(latin1.report.warnings.size(), 1U);
  EXPECT_EQ(latin1.report.warnings[0].line, 2);
  const Scene utf16 = load_good("utf16.urdf");
  EXPECT_EQ(utf16.model.name(),
            "gr\xC3\xB6\xC3\x9F"
            "e");
  EXPECT_EQ(utf16.model.description().bodies[0].name, "fu\xC3\x9F\xF0\x9F\xA6\xB6");
  ASSERT_EQ(utf16.report.ignored.size(), 1U);
  EXPECT_EQ(utf16.report.ignored[0].line, 3);
}

/// 1.5 is written 1,5.
class DecimalComma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(UrdfText, NumbersDoNotDependOnTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // if it is installed
  const Scene scene = load_good("every_joint.urdf");
  const Scene again = parse_scene(write_scene(scene), "again.json", "");
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
  EXPECT_EQ(joint_of(scene, "turn").dofs[0].lower, -1.5);
  EXPECT_EQ(scene.model.description(), again.model.description());
}

TEST(UrdfText, LongChainLoadsWithoutRecursion) {
  constexpr int kLinks = 100'000;
  std::string links, joints;
  for (int i = 0; i < kLinks; ++i) {
    links += solid("l" + std::to_string(i));
    // The last joint first: the worst order for a loader that looks for parents one by one.
    const int k = kLinks - 1 - i;
    if (k > 0)
      joints += joint("j" + std::to_string(k), "continuous", "l" + std::to_string(k - 1), "l" + std::to_string(k));
  }
  const Scene scene = parse_urdf(robot(joints + links), "chain.urdf");
  EXPECT_EQ(scene.model.nv(), kLinks - 1);
  EXPECT_EQ(scene.model.depth(), kLinks - 1);
  EXPECT_EQ(scene.model.joint_name(0), "j1");
}

}  // namespace
}  // namespace delassus
