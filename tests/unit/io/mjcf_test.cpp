// MJCF: what its elements mean, with numbers that follow from MuJoCo's documentation.
#include <gtest/gtest.h>

#include <numbers>

#include "delassus/io/load.hpp"
#include "delassus/kinematics/frames.hpp"
#include "unit/io/corpus.hpp"

namespace delassus {
namespace {

namespace fs = std::filesystem;
using io_test::contains;
using io_test::corpus;
using io_test::error_of;

constexpr double kPi = std::numbers::pi;
/// Some roundings of numbers near one.
constexpr double kRounding = 1e-14;

Scene parse(const std::string& inside) { return parse_mjcf("<mujoco>" + inside + "</mujoco>", "m.xml", ""); }
Scene parse_world(const std::string& bodies) { return parse("<worldbody>" + bodies + "</worldbody>"); }

void expect_near(const Vec3<double>& got, const Vec3<double>& want) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(got[i], want[i], kRounding) << i;
}
void expect_near(const Mat3<double>& got, const Mat3<double>& want) {
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(got.a[i], want.a[i], kRounding) << i;
}

const Ignored* ignored(const Scene& scene, const std::string& what) {
  for (const Ignored& i : scene.report.ignored) {
    if (i.what == what) return &i;
  }
  return nullptr;
}

TEST(MjcfErrors, CorpusOfBadFiles) {
  const std::vector<fs::path> files = io_test::files_with(corpus() / "mjcf" / "bad", ".xml");
  ASSERT_GT(files.size(), 60U);
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.filename().string());
    const std::vector<std::string> parts = io_test::expected_parts(path);
    ASSERT_FALSE(parts.empty()) << "says nowhere what to expect";
    const std::string message = error_of([&] { load_mjcf(path.string()); });
    for (const std::string& part : parts) EXPECT_TRUE(contains(message, part));
  }
}

TEST(MjcfErrors, TooManyDefaults) {
  std::string open, close, geoms;
  for (int i = 0; i < 100; ++i) {
    open += "<default class='c" + std::to_string(i) + "'>";
    close += "</default>";
    geoms += "<geom/>";
  }
  EXPECT_EQ(error_of([&] { parse("<default>" + open + close + "</default>"); }),
            "m.xml:1: default: classes are nested more than 64 deep");
  EXPECT_EQ(error_of([&] { parse("<default>" + geoms + "</default>"); }),
            "m.xml:1: default: its class has too many elements; merge them");
}

TEST(MjcfErrors, TooManyIncludes) {
  const io_test::TemporaryFolder folder;
  std::string text = "<mujoco>\n";
  for (int i = 0; i < 300; ++i) {
    const std::string name = "part" + std::to_string(i) + ".xml";
    folder.file(name, "<mujocoinclude/>");
    text += "<include file='" + name + "'/>\n";
  }
  const std::string path = folder.file("main.xml", text + "</mujoco>");
  EXPECT_TRUE(contains(error_of([&] { load_mjcf(path); }), "main.xml:257: include: more than 256 files are included"));
}

TEST(Mjcf, Orientations) {
  const Scene scene = parse(R"(<compiler eulerseq="zxY"/><worldbody>
    <body name="quat" quat="2 0 0 2"/>
    <body name="axisangle" axisangle="0 0 3 90"/>
    <body name="euler" euler="90 90 0"/>
    <body name="fixed" euler="90 0 90"/>
    <body name="xyaxes" xyaxes="0 2 0 -1 5 0"/>
    <body name="zaxis" zaxis="0 3 0"/>
    <body name="down" zaxis="0 0 -1"/></worldbody>)");
  const auto R = [&](int i) { return scene.model.description().bodies[static_cast<std::size_t>(i)].placement.R; };
  const Mat3<double> quarter{{0, -1, 0, 1, 0, 0, 0, 0, 1}};
  expect_near(R(0), quarter);
  expect_near(R(1), quarter);
  expect_near(R(2), quarter * Mat3<double>{{1, 0, 0, 0, 0, -1, 0, 1, 0}});
  expect_near(R(3), Mat3<double>{{0, 0, 1, 0, 1, 0, -1, 0, 0}} * quarter);
  expect_near(R(4), quarter);
  expect_near(R(5), {{1, 0, 0, 0, 0, 1, 0, -1, 0}});
  expect_near(R(6), {{1, 0, 0, 0, -1, 0, 0, 0, -1}});
}

TEST(Mjcf, OrientationsOfClasses) {
  const Scene scene =
      parse(R"(<default><geom type="box" size="1 2 3" mass="1" axisangle="0 0 1 90"/></default><worldbody>
    <body><geom/></body><body><geom quat="0 1 0 0"/></body>
    <body><geom name="doubtful" euler="0 0 0"/></body><body><geom axisangle="0 0 1 0"/></body></worldbody>)");
  const auto first = [&](int i) {
    return scene.model.description().bodies[static_cast<std::size_t>(i)].inertial.inertia(0, 0);
  };
  // (4 + 9) / 3 about the box's x axis, (1 + 9) / 3 about its y axis.
  EXPECT_NEAR(first(0), 10. / 3, kRounding);
  EXPECT_NEAR(first(1), 10. / 3, kRounding) << "a quat gives way";
  EXPECT_NEAR(first(2), 13. / 3, kRounding);
  EXPECT_NEAR(first(3), 13. / 3, kRounding);
  ASSERT_EQ(scene.report.warnings.size(), 1U);
  EXPECT_EQ(scene.report.warnings[0].message,
            "takes euler and not axisangle, which a class around has; versions of MuJoCo differ");
}

TEST(Mjcf, FlagsOfTheOptions) {
  const std::string rest = R"(<worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody>
    <equality><weld body1="b"/></equality>)";
  EXPECT_EQ(parse("<option gravity='0 0 -1'/>" + rest).model.gravity(), (Vec3<double>{{0, 0, -1}}));
  const Scene weightless = parse("<option><flag gravity='disable'/></option><option gravity='0 0 -1'/>" + rest);
  EXPECT_EQ(weightless.model.gravity(), (Vec3<double>{{0, 0, 0}}));
  EXPECT_EQ(weightless.constraints.size(), 1U);
  for (const char* flag : {"equality", "constraint"}) {
    const Scene loose = parse("<option><flag " + std::string(flag) + "='disable'/></option>" + rest);
    EXPECT_TRUE(loose.constraints.empty());
    EXPECT_NE(ignored(loose, "equality/weld (disabled by a flag)"), nullptr);
  }
}

TEST(Mjcf, MisspeltWordsGetAHint) {
  const Scene scene = parse_world(R"(<body poss="1 2 3"><jiont/><geom size="1" rgba="1 0 0 1"/></body>)");
  EXPECT_NE(ignored(scene, "worldbody/body@poss (did you mean 'pos'?)"), nullptr);
  EXPECT_NE(ignored(scene, "worldbody/body/jiont (did you mean 'joint'?)"), nullptr);
  EXPECT_NE(ignored(scene, "worldbody/body/geom@rgba"), nullptr);
}

TEST(Mjcf, AxesMatterToHingesAndSlidesOnly) {
  const Scene scene = parse_world(R"(<body><joint type="ball" axis="0 0 0"/><geom size="1"/></body>
    <body><joint type="free" axis="0 0 0" pos="1 2 3"/><geom size="1"/></body>)");
  EXPECT_EQ(scene.model.nv(), 9);
}

TEST(Mjcf, ArmatureOfFreeJoints) {
  const std::string armature = "<default><joint armature='2'/></default><worldbody><body><geom size='1'/>";
  const Scene joint = parse(armature + "<joint type='free'/></body></worldbody>");
  EXPECT_EQ(joint.model.dofs()[0].armature, 2);
  ASSERT_EQ(joint.report.warnings.size(), 1U);
  EXPECT_TRUE(contains(joint.report.warnings[0].message, "resists accelerations in the body's axes here"));
  // This element has no defaults.
  const Scene free = parse(armature + "<freejoint/></body></worldbody>");
  EXPECT_EQ(free.model.dofs()[0].armature, 0);
  EXPECT_TRUE(free.report.warnings.empty());
}

TEST(Mjcf, InertiaOfGeoms) {
  const Scene scene = parse_world(R"(
    <body><geom size="0.2"/></body>
    <body><geom type="box" size="1 2 3" mass="6" pos="1 0 0"/></body>
    <body><geom type="cylinder" fromto="0 0 1 0 4 1" size="0.5" density="2"/></body>
    <body><geom type="ellipsoid" size="1 2 3" mass="5"/></body>
    <body><geom type="capsule" size="1 1" mass="5"/></body>
    <body><geom size="1" mass="1" pos="1 0 0"/><geom size="1" mass="3" pos="-1 0 0"/><geom type="plane" size="1 1 1"/></body>)");
  const auto in = [&](int i) { return scene.model.description().bodies[static_cast<std::size_t>(i)].inertial; };
  const auto moments = [&](int i) {
    const Sym3<double> I = in(i).inertia;
    return Vec3<double>{{I(0, 0), I(1, 1), I(2, 2)}};
  };
  EXPECT_NEAR(in(0).mass, 1000 * 4 * kPi / 3 * 0.008, 1e-12);
  expect_near(in(1).com, {{1, 0, 0}});
  expect_near(moments(1), {{26, 20, 10}});
  EXPECT_NEAR(in(2).mass, 2 * kPi, kRounding);
  expect_near(in(2).com, {{0, 2, 1}});
  const double across = 2 * kPi * (0.25 / 4 + 4. / 3);
  expect_near((1 / (2 * kPi)) * moments(2), (1 / (2 * kPi)) * Vec3<double>{{across, 2 * kPi * 0.125, across}});
  expect_near(moments(3), {{13, 10, 5}});
  // Cylinder of mass 3 and a sphere of mass 2, cut in halves that are moved apart by one each.
  expect_near(moments(4),
              {{3 * (0.25 + 1. / 3) + 2 * (0.4 + 1 + 0.75), 3 * (0.25 + 1. / 3) + 2 * (0.4 + 1 + 0.75), 1.5 + 0.8}});
  expect_near(in(5).com, {{-0.5, 0, 0}});
  expect_near(moments(5), {{1.6, 4.6, 4.6}});
}

TEST(Mjcf, GroupsAndModesOfInertia) {
  const std::string bodies = R"(<worldbody><body><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
    <geom size="1" mass="3" group="1"/><geom size="1" mass="4" group="2"/></body>
    <body><geom size="1" mass="5"/></body></worldbody>)";
  const auto masses = [&](const std::string& compiler) {
    const Scene scene = parse("<compiler " + compiler + "/>" + bodies);
    return std::pair(scene.model.description().bodies[0].inertial.mass,
                     scene.model.description().bodies[1].inertial.mass);
  };
  EXPECT_EQ(masses(""), std::pair(2.0, 5.0));
  EXPECT_EQ(masses("inertiafromgeom='false'"), std::pair(2.0, 0.0));
  EXPECT_EQ(masses("inertiafromgeom='true'"), std::pair(7.0, 5.0));
  EXPECT_EQ(masses("inertiafromgeom='true' inertiagrouprange='1 1'"), std::pair(3.0, 0.0));
}

TEST(Mjcf, MassesThatTheCompilerChanges) {
  const std::string bodies = R"(<worldbody>
    <body><inertial pos="0 0 0" mass="1" diaginertia="1 2 9"/></body>
    <body><inertial pos="0 0 0" mass="3" diaginertia="1 2 3"/></body></worldbody>)";
  const auto inertials = [&](const std::string& compiler) {
    const Scene scene = parse("<compiler " + compiler + "/>" + bodies);
    std::vector<double> out;
    for (const BodyDescription& body : scene.model.description().bodies) {
      out.push_back(body.inertial.mass);
      for (int i = 0; i < 3; ++i) out.push_back(body.inertial.inertia(i, i));
    }
    return out;
  };
  EXPECT_EQ(inertials(""), (std::vector<double>{1, 1, 2, 9, 3, 1, 2, 3}));
  EXPECT_EQ(inertials("balanceinertia='true'"), (std::vector<double>{1, 4, 4, 4, 3, 1, 2, 3}));
  EXPECT_EQ(inertials("boundmass='2' boundinertia='2'"), (std::vector<double>{2, 2, 2, 9, 3, 2, 2, 3}));
  EXPECT_EQ(inertials("settotalmass='2'"), (std::vector<double>{0.5, 0.5, 1, 4.5, 1.5, 0.5, 1, 1.5}));
  EXPECT_EQ(inertials("balanceinertia='true' boundmass='5' settotalmass='20'"),
            (std::vector<double>{10, 8, 8, 8, 10, 2, 4, 6}));
}

TEST(Mjcf, SeveralJointsTurnAboutTheirOwnPoints) {
  const Scene scene = parse_world(R"(<body name="b" pos="1 0 0"><geom size="0.1"/>
    <joint name="first" pos="0 1 0"/><joint name="second" axis="0 0 1" pos="1 0 0"/></body>)");
  Kinematics<double> kin(scene.model);
  // A quarter turn about (1, 1): the origin goes to (2, 1), the second axis to (2, 2); another one about
  // that.
  update_kinematics<double>(scene.model, std::vector<double>{kPi / 2, kPi / 2}, kin);
  expect_near(frame_pose(scene.model, kin, scene.model.find_frame("b")).p, {{3, 2, 0}});
}

TEST(Mjcf, CoordinatesLimitsAndSprings) {
  const Scene scene = parse(R"(<compiler angle="degree"/><worldbody><body><geom size="0.1"/>
    <joint name="h" ref="90" range="0 180" springref="45" stiffness="3" armature="0.1" damping="0.2" frictionloss="0.3"/>
    <joint name="s" type="slide" ref="2" range="1 4"/>
    <joint name="none" axis="1 0 0" range="0 0"/></body></worldbody>
    <keyframe><key qpos="180 3 1"/></keyframe>)");
  const DofProperties& h = scene.model.dofs()[0];
  EXPECT_NEAR(h.lower, -kPi / 2, kRounding);
  EXPECT_NEAR(h.upper, kPi / 2, kRounding);
  EXPECT_NEAR(h.reference, kPi / 2, kRounding);
  EXPECT_NEAR(h.spring_reference, -kPi / 4, kRounding);
  EXPECT_EQ(h.stiffness, 3);
  EXPECT_EQ(h.armature, 0.1);
  EXPECT_EQ(h.damping, 0.2);
  EXPECT_EQ(h.friction_loss, 0.3);
  EXPECT_EQ(scene.model.dofs()[1].lower, -1);
  EXPECT_EQ(scene.model.dofs()[1].upper, 2);
  EXPECT_TRUE(std::isinf(scene.model.dofs()[2].upper));
  // A keyframe has radians whatever the compiler says.
  EXPECT_NEAR(scene.model.description().keyframes[0].q[0], 180 - kPi / 2, 1e-12);
  EXPECT_EQ(scene.model.description().keyframes[0].q[1], 1);
}

TEST(Mjcf, AutolimitsOff) {
  const Scene scene = parse(R"(<compiler autolimits="false"/><worldbody><body><geom size="0.1"/>
    <joint range="-1 1"/><joint axis="1 0 0" limited="true" range="-1 1"/></body></worldbody>)");
  EXPECT_TRUE(std::isinf(scene.model.dofs()[0].upper));
  EXPECT_NEAR(scene.model.dofs()[1].upper, kPi / 180, kRounding);
}

struct Zoo : ::testing::Test {
  Scene scene = load((corpus() / "mjcf" / "good" / "zoo.xml").string());
  const ModelDescription& description = scene.model.description();
};

TEST_F(Zoo, NamesAndTree) {
  EXPECT_EQ(scene.model.name(), "zoo");
  EXPECT_EQ(description.gravity, (Vec3<double>{{0, 0, -3.7}}));
  std::vector<std::string> names;
  for (const BodyDescription& body : description.bodies) {
    names.push_back(body.name);
    for (const JointDescription& joint : body.joints) names.push_back(joint.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"trunk", "trunk_joint0", "body_2", "hip", "body_2_joint1", "shin", "knee",
                                             "ball", "swivel", "rail"}));
  std::vector<std::string> frames;
  for (const FrameDescription& frame : description.frames) frames.push_back(frame.name);
  EXPECT_EQ(frames, (std::vector<std::string>{"mark", "site_1", "trunk_site"}));
  EXPECT_EQ(description.frames[0].body, kWorld);
}

TEST_F(Zoo, Defaults) {
  const auto armature = [&](const char* joint) {
    return scene.model.dofs()[static_cast<std::size_t>(scene.model.link(scene.model.find_joint(joint)).v)].armature;
  };
  EXPECT_EQ(armature("hip"), 0.02);
  EXPECT_EQ(armature("knee"), 0.03);
  EXPECT_EQ(armature("trunk_joint0"), 0);
  EXPECT_EQ(scene.model.joint(scene.model.find_joint("hip")).axis, (Vec3<double>{{0, 1, 0}}));
  ASSERT_EQ(description.shapes.size(), 4U);
  EXPECT_EQ(description.shapes[0].condim, 6);
  const ShapeDescription& thigh = description.shapes[1];
  EXPECT_EQ(thigh.kind, ShapeKind::kCapsule);
  EXPECT_EQ(thigh.size, (Vec3<double>{{0.02, 0.3, 0}}));
  EXPECT_EQ(thigh.friction, (Vec3<double>{{0.7, 0.005, 0.0001}}));
  EXPECT_EQ(description.shapes[2].size, (Vec3<double>{{0.01, 0, 0}}));
}

TEST_F(Zoo, StateAndKeyframes) {
  const std::vector<double> q0{0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  for (std::size_t i = 0; i < q0.size(); ++i) EXPECT_NEAR(scene.q[i], q0[i], kRounding) << i;
  ASSERT_EQ(description.keyframes.size(), 2U);
  const Keyframe& home = description.keyframes[0];
  const std::vector<double> q{1, 2, 3, 0, 0, 1, 0, 0.25, 0, 0, 0, 0, 0, 1, 0.2};
  EXPECT_EQ(home.q, q);
  // Half a turn about z: the velocity in world axes, seen from the body.
  EXPECT_EQ(std::vector<double>(home.v.begin(), home.v.begin() + 6), (std::vector<double>{4, 5, 6, -1, -2, 3}));
  EXPECT_EQ(description.keyframes[1].q, scene.q);
  EXPECT_EQ(description.excludes, (std::vector<ContactExclusion>{{0, 2}, {kWorld, 3}}));
}

TEST_F(Zoo, Equalities) {
  ASSERT_EQ(scene.constraints.size(), 4U);
  const auto& connect = std::get<LoopClosure>(scene.constraints[0]);
  EXPECT_EQ(connect.name, "connect 0");
  // At the start the trunk is turned by half a turn, so the shin stands at (0, -0.2, 0.4).
  expect_near(connect.second.offset.p, {{-2, -0.2, 0.3}});
  const auto& curve = std::get<JointPolynomial>(scene.constraints[1]);
  EXPECT_EQ(curve.coefficients, (std::array<double, 5>{0.1, 0.5, 0.2, 0, 0}));
  const auto& weld = std::get<LoopClosure>(scene.constraints[2]);
  expect_near(weld.first.offset.p, {{1, 0, 0}});  // where the anchor lies
  expect_near(weld.second.offset.p, {{0, 0, 0.5}});
  EXPECT_NEAR(std::get<Distance>(scene.constraints[3]).length, 0.4 + 0.01 + 0.1, kRounding);
}

TEST_F(Zoo, ReportListsWhatIsNotRead) {
  for (const char* what :
       {"compiler@fitaabb", "option@timestep", "option/flag@contact", "default/default/motor",
        "asset/mesh (its file is not there)", "worldbody/light", "geom (its mesh is not read)",
        "geom (contype 0 and conaffinity 0) as a shape", "equality/connect@solref", "equality/weld (active is false)",
        "equality/distance", "equality/tendon", "contact/pair", "tendon/fixed", "keyframe/key@ctrl"}) {
    EXPECT_NE(ignored(scene, what), nullptr) << what << "\n" << to_text(scene.report);
  }
  const Ignored* motors = ignored(scene, "actuator/motor");
  ASSERT_NE(motors, nullptr);
  EXPECT_EQ(motors->count, 2);
  EXPECT_NE(ignored(scene, "worldbody/body/joint@range"), nullptr) << "the cone of a ball joint";
}

TEST_F(Zoo, IsWrittenAndReadBack) {
  const std::string text = write_scene(scene);
  EXPECT_EQ(write_scene(parse_scene(text, "zoo.json", "")), text);
}

TEST(Mjcf, WeldOfTheInitialPose) {
  const Scene scene = parse(R"(<worldbody><body name="a" pos="1 0 0" quat="1 0 0 1"><freejoint/><geom size="1"/></body>
    <body name="b" pos="1 2 0"><freejoint/><geom size="1"/></body></worldbody>
    <equality><weld body1="a" body2="b" anchor="0 0 3"/><weld body1="b"/></equality>)");
  const auto& weld = std::get<LoopClosure>(scene.constraints[0]);
  EXPECT_EQ(row_count(weld), 6);
  EXPECT_EQ(weld.axes, LoopAxes::kWorldAxes);
  expect_near(weld.first.offset.p, {{2, 0, 3}});
  expect_near(weld.first.offset.R, {{0, 1, 0, -1, 0, 0, 0, 0, 1}});
  expect_near(weld.second.offset.p, {{0, 0, 3}});
  EXPECT_EQ(std::get<LoopClosure>(scene.constraints[1]).second.frame, 0);
}

TEST(Mjcf, WarningsAndStrictReading) {
  const std::string text = "<mujoco><worldbody>\n<body name='b'><joint/></body></worldbody></mujoco>";
  const Scene scene = parse_mjcf(text, "m.xml", "");
  ASSERT_EQ(scene.report.warnings.size(), 1U);
  EXPECT_EQ(scene.report.warnings[0].line, 2);
  EXPECT_TRUE(contains(scene.report.warnings[0].message, "moves but has no mass"));
  EXPECT_TRUE(
      contains(error_of([&] { parse_mjcf(text, "m.xml", "", {true}); }), "1 warning, which strict reading refuses"));
}

TEST(Mjcf, IncludedFilesAreNamedInTheReport) {
  const io_test::TemporaryFolder folder;
  folder.file("part.xml", "<mujocoinclude>\n<geom size='1' rgba='1 0 0 1'/></mujocoinclude>");
  const std::string path =
      folder.file("main.xml", "<mujoco>\n<worldbody>\n<include file='part.xml'/></worldbody></mujoco>");
  const Scene scene = load_mjcf(path);
  EXPECT_EQ(scene.model.description().shapes.size(), 1U);
  ASSERT_EQ(scene.report.ignored.size(), 1U);
  EXPECT_EQ(scene.report.ignored[0].what, "geom@rgba (" + folder.path("part.xml") + ":2)");
  EXPECT_EQ(scene.report.ignored[0].line, 3);
}

TEST(Mjcf, AllRobotsLoad) {
  const fs::path robots{DELASSUS_TEST_ROBOTS_DIR};
  if (!fs::is_directory(robots)) GTEST_SKIP() << "the robot files are not here; set DELASSUS_ROBOTS to their folder";
  int models = 0;
  for (const fs::path& path : io_test::files_with(robots, ".xml")) {
    if (io_test::read_file(path).find("<mujoco ") == std::string::npos) continue;
    SCOPED_TRACE(path.string());
    ++models;
    EXPECT_NO_THROW({
      const Scene scene = load(path.string());
      EXPECT_GT(scene.model.nv(), 0);
      EXPECT_GT(scene.model.mass(), 0);
      const std::string text = write_scene(scene);
      EXPECT_EQ(write_scene(parse_scene(text, "scene.json", "")), text);
    });
  }
  EXPECT_GT(models, 30);
}

}  // namespace
}  // namespace delassus
