// `delassus simulate` as a user meets it. What the motions are is a matter of tests/oracle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/command.hpp"

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
using Json = nlohmann::json;

Json simulate(const std::string& arguments, int exit_code = 0) {
  const CommandResult result = run_shell("delassus simulate --json " + arguments + " 2>/dev/null");
  EXPECT_EQ(result.exit_code, exit_code) << arguments;
  return Json::parse(result.output);
}

TEST(Simulate, SaysWhatHappenedAndWhatTheorySays) {
  const CommandResult result = run_command("simulate incline:35 --seconds 0.5");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("incline:35: 1 body, nv 6; contacts rigid, operator condensed"),
                    HasSubstr("0.5 s in 500 steps\n"), HasSubstr("times as fast\n"), HasSubstr("us median"),
                    HasSubstr("4 at the end, at most 4\n"), HasSubstr("0 steps inexact"),
                    HasSubstr("by theory 0.804422 m/s\n"), Not(HasSubstr("\x1b"))));
  const Json json = simulate("incline:35 --seconds 0.5");
  EXPECT_EQ(json.at("steps"), 500);
  EXPECT_EQ(json.at("failure"), "");
  EXPECT_EQ(json.at("contacts").at("most"), 4);
  EXPECT_EQ(json.at("inexact_steps"), 0);
  EXPECT_GT(json.at("real_time_factor"), 0);
  EXPECT_LT(json.at("velocity_residual_m_s"), 1e-7);
  EXPECT_EQ(json.at("tolerance_m_s"), 1e-8);
  // What falls is not more than what moves: friction takes the rest.
  const Json &before = json.at("energy").at("before"), &after = json.at("energy").at("after");
  EXPECT_LT(after.at("kinetic_j").get<double>() + after.at("potential_j").get<double>(),
            before.at("kinetic_j").get<double>() + before.at("potential_j").get<double>());
  const Json& theory = json.at("theory")[0];
  EXPECT_NEAR(theory.at("measured").get<double>(), theory.at("theory").get<double>(), 1e-6);
}

TEST(Simulate, WritesTheMotion) {
  const TemporaryFolder folder;
  const std::string csv = folder.path("ball.csv");
  ASSERT_EQ(run_command("simulate bouncing-ball --seconds 0.1 --every 100 --csv " + csv).exit_code, 0);
  const std::vector<std::string> lines = lines_of(testing::read_bytes(csv));
  ASSERT_EQ(lines.size(), 12U);  // names, the start, and every 10 ms
  EXPECT_THAT(lines[0], AllOf(HasSubstr("time,\"q.ball_free.x\","), HasSubstr(",\"v.ball_free.wx\","),
                              HasSubstr(",kinetic_energy,potential_energy,contacts,penetration,iterations,"
                                        "velocity_residual,force_residual")));
  const auto columns = [](const std::string& line) { return std::ranges::count(line, ','); };
  for (std::size_t k = 1; k < lines.size(); ++k) {
    EXPECT_EQ(columns(lines[k]), columns(lines[0]));
    double time = 0, x = 0, y = 0, z = 0;
    ASSERT_EQ(std::sscanf(lines[k].c_str(), "%lf,%lf,%lf,%lf", &time, &x, &y, &z), 4);
    EXPECT_NEAR(time, 0.01 * static_cast<double>(k - 1), 1e-12);
    EXPECT_NEAR(z, -9.81 * time * (time + 1e-4) / 2, 1e-12);  // it falls, in steps of 0.1 ms
  }
}

TEST(Simulate, EverySolverCarriesABox) {
  const Json expected = simulate("sliding-block --seconds 0.1").at("q");
  const std::string help = run_command("simulate --help").output;
  struct Case {
    const char* solver;
    double bound;
  };
  // Coulomb's law is solved to 1e-8 m/s, and springs sink less than a millimetre. The convex law lifts what slides, with up to mu times
  // its speed of 2 m/s, until gravity wins: (0.6 m/s)²/(2 g) is 18 mm.
  for (const Case& c : {Case{"rigid", 1e-8}, Case{"convex", 2e-2}, Case{"pgs", 1e-8}, Case{"relaxed", 2e-2},
                        Case{"soft-implicit", 1e-3}, Case{"soft", 1e-3}}) {
    EXPECT_THAT(help, HasSubstr(c.solver));
    const Json json = simulate("sliding-block --seconds 0.1 --algorithm ltl --solver " + std::string(c.solver));
    EXPECT_EQ(json.at("solver"), c.solver);
    EXPECT_EQ(json.at("algorithm"), "ltl");
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(json.at("q")[k].get<double>(), expected[k].get<double>(), c.bound) << c.solver << " " << k;
    }
  }
}

TEST(Simulate, RobotsArePutOnTheGroundAndHeld) {
  const CommandResult limp = run_command("simulate go2 --seconds 0.01");
  EXPECT_EQ(limp.exit_code, 0);
  // With all joints at zero its calves are beyond their limits; bent as far as those ask, it is 7 cm lower than stretched out.
  EXPECT_THAT(limp.output, AllOf(HasSubstr("note: moved onto limits and loops: FL_calf_joint, FR_calf_joint"),
                                 HasSubstr("note: lifted by 0.379 m, onto the ground")));
  const Json held = simulate("go2-standing --hold 200,10 --seconds 2");
  EXPECT_EQ(held.at("contacts").at("end"), 4);
  EXPECT_LT(held.at("energy").at("after").at("kinetic_j"), 1e-9);
  EXPECT_LT(held.at("penetration_m"), 1e-6);
  // 15 kg on four legs of 200 Nm/rad sink by less than 5 cm.
  const Json& energy = held.at("energy");
  EXPECT_LT(energy.at("before").at("potential_j").get<double>() - energy.at("after").at("potential_j").get<double>(),
            8);
}

TEST(Simulate, StartsInAKeyframe) {
  const TemporaryFolder folder;
  const std::string model = folder.write("hinge.xml", R"(<mujoco><worldbody><body name="arm"><joint name="elbow"/>
    <geom type="sphere" size="0.1" pos="0 0 1" contype="0" conaffinity="0"/></body></worldbody>
    <keyframe><key name="up" qpos="0.5"/></keyframe></mujoco>)");
  const Json json = simulate(model + " --no-ground --start up --seconds 0.001");
  EXPECT_NEAR(json.at("q")[0].get<double>(), 0.5, 1e-4);
  const CommandResult wrong = run_command("simulate " + model + " --no-ground --start upp");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.output, HasSubstr("there is no keyframe 'upp' (did you mean 'up'?)"));
  EXPECT_THAT(run_command("simulate arch --start up").output,
              HasSubstr("--start: a classic scene has a start of its own"));
}

TEST(Simulate, AStepThatFailsEndsItWithStepAndBody) {
  const TemporaryFolder folder;
  const std::string csv = folder.path("boxes.csv");
  // A stack has sixteen contacts; there is room for ten.
  const CommandResult result = run_command("simulate box-stack:4 --capacity 10 --csv " + csv);
  EXPECT_EQ(result.exit_code, 2);  // before the first step
  EXPECT_THAT(result.output, AllOf(HasSubstr("step 1 (t = 0 s): no room for the contacts of 'box"),
                                   HasSubstr("'collision.capacity'")));
  // A ball that falls on a place where there is room for nothing: the motion until then is told.
  const std::string arguments = "bouncing-ball:0.5x0.1 --capacity 1 --restitution 0";
  EXPECT_EQ(simulate(arguments).at("failure"), "");
  const Json stopped = simulate("arch:0.2 --capacity 41 --seconds 2 --csv " + csv, 1);
  EXPECT_THAT(stopped.at("failure").get<std::string>(),
              AllOf(HasSubstr("step "), HasSubstr("no room for the contacts of 'stone")));
  EXPECT_GT(stopped.at("steps"), 10);
  EXPECT_GT(lines_of(testing::read_bytes(csv)).size(), 2U);
}

TEST(Simulate, AnInterruptionKeepsWhatThereIs) {
  const TemporaryFolder folder;
  const std::string csv = folder.path("motion.csv"), table = folder.path("table.txt");
  // Until its end the motion has another name.
  const CommandResult result = run_shell("delassus simulate incline --seconds 1000 --quiet --csv " + csv + " -o " +
                                         table + " & P=$!; while ! grep -q ^1, " + folder.path(".delassus-*") +
                                         " 2>/dev/null; do sleep 0.05; done; " + "kill -TERM $P; wait $P; echo $?");
  EXPECT_EQ(result.output, "143\n");  // as a shell names what SIGTERM ended
  EXPECT_THAT(testing::read_bytes(table), HasSubstr(", then interrupted\n"));
  const std::string motion = testing::read_bytes(csv);
  EXPECT_EQ(motion.back(), '\n');
  EXPECT_GT(lines_of(motion).size(), 100U);
}

TEST(Simulate, IsListedWithItsScenes) {
  const Json list = Json::parse(run_command("list --json").output);
  ASSERT_EQ(list.at("classic").size(), 15U);
  for (const Json& entry : list.at("classic")) {
    EXPECT_FALSE(entry.at("parameters").get<std::string>().empty());
    const std::string name = entry.at("name").get<std::string>();
    if (run_command("simulate " + name + " --seconds 0.001").output.find("built without Bullet") != std::string::npos)
      continue;
    const Json json = simulate(name + " --seconds 0.01");
    EXPECT_EQ(json.at("nv"), entry.at("nv"));
  }
  EXPECT_THAT(run_command("complete -- simulate inc").output, HasSubstr("incline"));
}

TEST(Simulate, MistakesAreExplained) {
  const TemporaryFolder folder;
  const auto expect = [](const std::string& arguments, const std::string& message) {
    const CommandResult result = run_command("simulate " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.output, HasSubstr(message)) << arguments;
  };
  expect("inclin", "did you mean 'incline'?");
  expect("incline:200", "DEGREES from 0 to 60");
  expect("incline --seconds 0", "'0' is not a number greater than zero");
  expect("incline --seconds 1e9 --dt 1e-3", "more than a thousand million steps");
  expect("incline --solver rigit", "did you mean 'rigid'?");
  expect("incline --algorithm condensd", "did you mean 'condensed'?");
  expect("incline --hold 100", "two gains are needed, such as 100,5");
  expect("incline --hold 100,5", "has no joints to be held");
  expect("incline --restitution 2", "'2' is not a number from 0 to 1");
  expect("incline --csv " + folder.path("none/a.csv"), "there is no folder '" + folder.path("none") + "'");
  expect("incline --csv same -o same", "--csv and --output name the same file");
  const std::string spheres = folder.write("spheres.xml", R"(<mujoco><worldbody>
      <body name="one" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
      <body name="two" pos="0 0.12 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>)");
  expect(spheres, "'one' and 'two' overlap by 0.08 m at the start");
}

/// A ball of which the mesh is elsewhere falls past the floor: that is said, with where its file was looked for.
TEST(Simulate, WarnsOfShapesThatAreNotThere) {
  const TemporaryFolder folder;
  const std::string ball = folder.write("ball.urdf", R"(<robot name="ball"><link name="ball">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision><geometry><mesh filename="package://balls/ball.obj"/></geometry></collision></link></robot>)");
  const std::string call = ball + " --floating --seconds 0.01 --quiet";
  const CommandResult result = run_command("simulate " + call);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("delassus: warning: " + ball + ": the file 'package://balls/ball.obj' is not there"),
                    HasSubstr("looked for '" + folder.path("balls/ball.obj") + "'"), HasSubstr("with --package-path"),
                    HasSubstr("warning: 'ball' has no collision shapes, so nothing touches the ground"),
                    HasSubstr("collision      nothing that moves has a shape, so nothing collides\n")));
  const Json json = simulate(call);
  EXPECT_EQ(json["collides"], false);
  ASSERT_EQ(json["warnings"].size(), 2u);
  EXPECT_THAT(json["warnings"][0].get<std::string>(), HasSubstr("package://balls/ball.obj"));
}

TEST(Simulate, FindsPackagesWhereItIsToldTo) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("ws/balls"));
  folder.write("ws/balls/ball.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  const std::string ball = folder.write("ball.urdf", R"(<robot name="ball"><link name="ball">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision><geometry><mesh filename="package://balls/ball.obj"/></geometry></collision></link></robot>)");
  const Json json = simulate("--package-path nowhere --package-path " + folder.path("ws") + " " + ball +
                             " --floating --seconds 0.01");
  EXPECT_EQ(json["collides"], true);
  EXPECT_EQ(json["warnings"], Json::array());
}

}  // namespace
}  // namespace delassus
