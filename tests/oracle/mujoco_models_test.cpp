// What MJCF elements mean, asked of MuJoCo: small models with each of them, compared at random states.
#include "support/mujoco_agreement.hpp"

namespace delassus::testing {
namespace {

/// Both engines round numbers near one; M is well conditioned.
constexpr double kRounding = 1e-12;
/// Where a body has several geoms or a full inertia, MuJoCo finds its principal axes to about nine digits.
constexpr double kPrincipalAxes = 1e-9;

void expect_same(const std::string& inside, double tolerance, const std::vector<std::string>& wanted = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.xml", "<mujoco>" + inside + "</mujoco>");
  for (const bool pyramidal : {false, true}) {
    expect_agreement(path, UrdfOptions::Base::kFixed, {7, 4, pyramidal, pyramidal ? 6 : 4}, tolerance, wanted);
  }
}

const std::vector<std::string> kEqualityRows{"eq_J", "eq_pos", "eq_A", "floor_J", "floor_AR"};

/// A chain on the world, and two bodies that fly.
const std::string kBodies = R"(<worldbody>
  <body name="upper" pos="0.1 0 1" euler="10 20 30"><joint name="shoulder" axis="1 2 0" armature="0.1"/>
    <geom type="capsule" fromto="0 0 0 0 0.1 -0.4" size="0.05"/>
    <body name="lower" pos="0 0.1 -0.4"><joint name="elbow" axis="0 1 0" ref="20"/><joint name="slide" type="slide" axis="1 0 1" ref="0.1"/>
      <geom type="box" size="0.05 0.1 0.2" pos="0 0 -0.2" quat="1 0.2 0 0.1"/></body></body>
  <body name="flyer" pos="1 0 1" quat="0.5 0.1 -0.3 0.2"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/>
    <body name="tail" pos="0 0 -0.3" axisangle="0 1 0 40"><joint type="ball" pos="0 0 0.1"/>
      <geom type="cylinder" size="0.05 0.2" pos="0.1 0 0"/></body></body>
  <body name="ball" pos="-1 0 1"><freejoint/><geom size="0.2" pos="0.05 0 0"/></body>
</worldbody>)";

void expect_same_equalities(const std::string& equalities) {
  SCOPED_TRACE(equalities);
  expect_same(kBodies + "<equality>" + equalities + "</equality>", kRounding, kEqualityRows);
}

TEST(MujocoEqualities, Connect) {
  expect_same_equalities("<connect body1='lower' body2='flyer' anchor='0.1 0.2 -0.3'/>");
  expect_same_equalities(
      "<connect body1='tail' anchor='0.1 0 0.2'/><connect body1='ball' body2='lower' anchor='0 0 0'/>");
}

TEST(MujocoEqualities, Weld) {
  expect_same_equalities("<weld body1='lower' body2='flyer'/>");
  expect_same_equalities("<weld body1='ball'/>");
  expect_same_equalities("<weld body1='tail' body2='ball' anchor='0.1 -0.2 0.3'/>");
  expect_same_equalities("<weld body1='flyer' body2='lower' relpose='0.1 0.2 0.3 0.9 0.1 -0.3 0.2'/>");
  expect_same_equalities("<weld body1='flyer' body2='ball' relpose='0.1 0.2 0.3 -1 0 2 0' anchor='0.3 0 -0.1'/>");
}

TEST(MujocoEqualities, TorqueScale) {
  expect_same_equalities("<weld body1='lower' body2='flyer' torquescale='0.3'/><weld body1='ball' torquescale='7'/>");
}

TEST(MujocoEqualities, JointPolynomials) {
  expect_same_equalities("<joint joint1='elbow' joint2='shoulder' polycoef='0.1 0.8 -0.3 0.2 0.05'/>");
  expect_same_equalities("<joint joint1='slide' polycoef='0.2 0 0 0 0'/><joint joint1='slide' joint2='elbow'/>");
}

TEST(MujocoEqualities, OrderAndActivity) {
  expect_same_equalities(
      "<weld body1='ball' body2='flyer' active='false'/><joint joint1='elbow'/><weld body1='lower' body2='ball'/>"
      "<connect body1='flyer' anchor='0 0 0.1'/><weld body1='flyer' torquescale='2'/>");
}

TEST(MujocoModels, JointsAndClasses) {
  expect_same(R"(<compiler angle="radian" eulerseq="ZyX"/>
    <default><joint armature="0.2" axis="0 1 0"/><geom density="500"/>
      <default class="a"><geom type="capsule" size="0.1 0.2"/><joint pos="0.1 0 0" armature="0.05"/>
        <default class="b"><geom density="2000" size="0.05"/><joint axis="1 0 0"/></default></default></default>
    <worldbody><body name="one" childclass="a" pos="0 0 1" xyaxes="0 1 0.1 -1 0 0"><joint/><joint class="b"/><geom/>
      <body name="two" zaxis="1 2 3" pos="0.2 0.1 0"><joint type="slide" axis="0 3 4"/><joint type="ball"/><geom class="b"/>
        <body name="three" euler="0.1 -0.2 0.3"><geom class="main" size="0.1" pos="0 0 0.3"/>
          <body name="four" pos="0.3 0 0"><joint axis="1 1 1" class="b" pos="0 0.1 0"/><geom mass="2" euler="1 2 3"/></body></body>
      </body></body></worldbody>)",
              kRounding);
}

TEST(MujocoModels, OrientationsOfClasses) {
  expect_same(R"(<default><geom type="box" size="0.1 0.2 0.3" zaxis="1 2 3"/></default>
    <worldbody><body name="one" pos="0 0 1"><freejoint/><geom quat="1 2 3 4" pos="0.1 0 0"/>
      <body name="two"><joint/><geom zaxis="0 0 -1" pos="0.5 0 0"/></body>
      <body name="three"><joint axis="1 0 0"/><geom pos="0 0.5 0"/></body></body></worldbody>)",
              kRounding);
}

TEST(MujocoModels, SixJointsOnOneBody) {
  expect_same(R"(<default><joint armature="0.3"/></default>
    <worldbody><body name="b" euler="10 20 30" pos="0 0 1"><joint type="slide" axis="1 0 0" pos="1 0 0"/>
    <joint axis="1 0 0" pos="0 1 0"/><joint type="slide" axis="0 3 4"/><joint axis="0 1 0" pos="0 0 1"/>
    <joint type="slide" axis="0 0 1"/><joint axis="0 0 1" pos="1 1 1"/><geom size="0.1" pos="1 0 0"/></body></worldbody>)",
              kRounding);
}

TEST(MujocoModels, InertiaOfGeoms) {
  const std::string bodies =
      R"(<worldbody><body name="b" pos="0 0 1"><freejoint/><inertial pos="0.1 0 0" mass="2" diaginertia="1 1.1 1.2" quat="1 1 0 0"/>
    <geom size="0.3" mass="3" group="1" pos="0.1 0.2 0.3"/><geom type="box" size="0.1 0.2 0.3" group="2" euler="10 20 30"/>
    <body name="c" pos="0.5 0 0"><joint/><geom type="capsule" size="0.1 0.2" pos="0 0.1 0"/><geom type="cylinder" group="2" size="0.1 0.3" mass="0"/></body></body></worldbody>)";
  for (const char* compiler : {"", "<compiler inertiafromgeom='true'/>", "<compiler inertiafromgeom='auto'/>",
                               "<compiler inertiafromgeom='true' inertiagrouprange='0 1'/>"}) {
    SCOPED_TRACE(compiler);
    expect_same(compiler + bodies, kPrincipalAxes);
  }
}

TEST(MujocoModels, MassesThatTheCompilerChanges) {
  const std::string bodies = R"(<worldbody>
    <body name="thin" pos="0 0 1"><freejoint/><inertial pos="0.1 0 0" mass="2" diaginertia="1 1.1 4" quat="1 1 0 0"/>
      <body name="light" pos="0.2 0 0"><joint axis="1 0 0"/><inertial pos="0 0.1 0" mass="0.05" diaginertia="0.001 0.002 0.0015"/>
        <body name="round" pos="0 0.3 0"><joint/><geom size="0.1" pos="0 0 0.2"/></body></body></body></worldbody>)";
  for (const char* compiler :
       {"balanceinertia='true'", "balanceinertia='true' settotalmass='30'", "balanceinertia='true' boundmass='0.2'",
        "boundinertia='3'", "balanceinertia='true' boundmass='0.5' boundinertia='0.02' settotalmass='5'"}) {
    SCOPED_TRACE(compiler);
    expect_same("<compiler " + std::string(compiler) + "/>" + bodies, kRounding);
  }
}

TEST(MujocoModels, BoundMassOfBodiesWithoutAny) {
  expect_same(R"(<compiler boundmass="0.3" boundinertia="0.01"/><worldbody>
    <body name="empty" pos="0.1 0.2 0.3" euler="10 20 30"><joint/>
      <body name="shell" pos="0.4 0 0"><joint axis="1 0 0"/><geom size="0.1" mass="0" pos="0 0.2 0"/></body>
      <body name="fixed" pos="0 0.1 0.5"/></body></worldbody>)",
              kRounding);
}

TEST(MujocoModels, FlatBodiesAreInBalance) {
  expect_same(R"(<compiler balanceinertia="true"/><worldbody><body name="plate"><freejoint/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.2 0.3" euler="10 20 30"/></body></worldbody>)",
              kRounding);
}

TEST(MujocoModels, GeomsOfNoGroupLeaveTheInertial) {
  expect_same(R"(<compiler inertiafromgeom="true" inertiagrouprange="2 3"/><worldbody><body name="b"><freejoint/>
    <inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.2 0.25"/><geom size="1"/></body></worldbody>)",
              kRounding);
}

TEST(MujocoModels, TotalMassScalesWhatIsFixedToTheWorldToo) {
  expect_same(R"(<compiler settotalmass="7"/><worldbody><body name="stand"><geom size="0.2"/>
    <body name="arm"><joint/><geom size="0.1" pos="0.3 0 0"/></body></body></worldbody>)",
              kRounding);
}

TEST(MujocoModels, Flags) {
  const std::string weld = "<equality><weld body1='ball'/></equality>";
  expect_same("<option><flag gravity='disable'/></option>" + kBodies + weld, kRounding, kEqualityRows);
  expect_same("<option><flag equality='disable'/></option>" + kBodies + weld, kRounding, {"floor_J"});
}

TEST(MujocoModels, GravityAndWhatIsNotRead) {
  expect_same(
      R"(<option gravity="1 2 -3"/><worldbody><body name="b"><joint name="j" damping="1" stiffness="3" springref="5"/>
      <geom size="0.1" pos="0.2 0 0"/></body></worldbody>
    <tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon><actuator><motor joint="j"/></actuator>)",
      kRounding);
}

}  // namespace
}  // namespace delassus::testing
