// MuJoCo's own poses, inertia matrix and accelerations, reached through the coordinate layout: random states of ours
// are handed to it in its coordinates.
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/io/load.hpp"
#include "delassus/kinematics/coordinate_layout.hpp"
#include "delassus/kinematics/frames.hpp"
#include "support/compare.hpp"
#include "support/mujoco_model.hpp"
#include "support/random_system.hpp"

#include <gtest/gtest.h>

namespace delassus::testing {
namespace {

/// Rounding, times the condition of M: up to about 1e6 where light links hang on heavy ones.
constexpr double kAgreement = 1e-9;

class Pair {
 public:
  Pair(const std::string& path, UrdfOptions::Base base)
      : mujoco_(path, base), model_(load(path, options(base)).model), layout_(model_, Library::kMujoco) {}

  void compare(int seed) {
    state_ = samples::random_state(model_, seed);
    std::vector<double> qpos(layout_.nq()), qvel(layout_.nv());
    layout_.q_to(state_.q, qpos);
    layout_.velocity_to(state_.q, state_.v, qvel);
    mujoco_.evaluate(qpos, qvel, false);
    update_kinematics(model_, state_.q, work_.kin);
    update_velocities(model_, work_.kin, state_.v, work_.vel);
    poses();
    inertia();
    accelerations();
  }

  /// Joints stand where MuJoCo has them, without being named.
  void order() const {
    const mjModel& m = mujoco_.model();
    ASSERT_EQ(m.nq, layout_.nq());
    ASSERT_EQ(m.nv, layout_.nv());
    for (int j = 0; j < m.njnt; ++j) {
      const std::string name = mujoco_.name(mjOBJ_JOINT, j);
      if (!model_.has_joint(name)) continue;  // has no name, or is a part of a planar joint
      EXPECT_EQ(layout_.q_index(model_.find_joint(name)), m.jnt_qposadr[j]) << name;
      EXPECT_EQ(layout_.v_index(model_.find_joint(name)), m.jnt_dofadr[j]) << name;
    }
  }

 private:
  static UrdfOptions options(UrdfOptions::Base base) {
    UrdfOptions out;
    out.base = base;
    return out;
  }

  void poses() {
    std::vector<double> got, want;
    for (int i = 1; i < mujoco_.model().nbody; ++i) {
      const std::string name = mujoco_.name(mjOBJ_BODY, i);
      if (!model_.has_frame(name)) continue;
      const Pose<double> pose = frame_pose(model_, work_.kin, model_.find_frame(name));
      got.insert(got.end(), std::begin(pose.p.a), std::end(pose.p.a));
      got.insert(got.end(), std::begin(pose.R.a), std::end(pose.R.a));
      want.insert(want.end(), mujoco_.data().xpos + 3 * i, mujoco_.data().xpos + 3 * i + 3);
      want.insert(want.end(), mujoco_.data().xmat + 9 * i, mujoco_.data().xmat + 9 * i + 9);
    }
    EXPECT_FALSE(got.empty());
    EXPECT_LT(relative_difference(got, want), kAgreement);
  }

  void inertia() {
    const int nv = model_.nv();
    std::vector<double> M(static_cast<std::size_t>(nv) * nv), MT(M.size()), got(M.size()), want(M.size());
    CompositeInertia<double> composite(model_);
    crba(model_, work_.kin, MatrixView<double>(M.data(), nv, nv), composite);
    layout_.jacobian_to(state_.q, MatrixView<const double>(M.data(), nv, nv), MatrixView<double>(MT.data(), nv, nv));
    layout_.jacobian_to(state_.q, MatrixView<const double>(MT.data(), nv, nv, 1, nv),
                        MatrixView<double>(got.data(), nv, nv));
    mj_fullM(&mujoco_.model(), want.data(), mujoco_.data().qM);
    EXPECT_LT(relative_difference(got, want), kAgreement);
  }

  /// Of both engines for the same forces, without what MuJoCo adds to them (springs, damping).
  void accelerations() {
    const int nv = model_.nv();
    std::vector<double> a(nv), tau(nv), got(nv), want(nv);
    ASSERT_TRUE(articulate(model_, work_.kin, work_).ok());
    forward_dynamics<double>(model_, work_.kin, work_.vel, state_.tau, a, work_);
    layout_.acceleration_to(state_.q, state_.v, a, got);
    layout_.force_to(state_.q, state_.tau, tau);
    mju_subFrom(tau.data(), mujoco_.data().qfrc_bias, nv);
    mj_solveM(&mujoco_.model(), &mujoco_.data(), want.data(), tau.data(), 1);
    EXPECT_LT(relative_difference(got, want), kAgreement);
  }

  MujocoModel mujoco_;
  Model model_;
  CoordinateLayout layout_;
  samples::State state_;
  ForwardDynamics<double> work_{model_};
};

void expect_same(const std::string& path, UrdfOptions::Base base) {
  SCOPED_TRACE(path);
  Pair pair(path, base);
  pair.order();
  for (int seed = 0; seed < 4; ++seed) pair.compare(seed);
}

TEST(MujocoLayout, EmbeddedRobots) {
  const TemporaryFolder folder;
  for (const EmbeddedFile& robot : embedded_files("robots")) {
    const std::string path = folder.write(std::string(robot.name).append(robot.extension), std::string(robot.text));
    const bool urdf = robot.extension == ".urdf";
    const Model model = load(path).model;
    // A root without mass cannot float.
    const bool floats = urdf && model.description().bodies.front().inertial.mass > 0;
    expect_same(path, floats ? UrdfOptions::Base::kFloating : UrdfOptions::Base::kFixed);
  }
}

/// Free joints away from the origin and turned, a ball joint, references, several joints on a body.
TEST(MujocoLayout, KindsOfMjcf) {
  const TemporaryFolder folder;
  expect_same(folder.write("kinds.xml", R"(<mujoco><worldbody>
    <body name="fixed" pos="1 2 3" euler="20 30 40"><geom size="0.1"/>
      <body name="arm"><joint name="hinge" axis="1 2 0" ref="20"/>
        <joint name="slide" type="slide" axis="1 0 1" ref="0.1"/>
        <geom type="box" size="0.05 0.1 0.2"/>
        <body name="hand" pos="0 0 0.2" euler="0 10 0"><joint name="wrist" type="ball" pos="0 0 0.1"/>
          <geom type="box" size="0.1 0.1 0.2"/></body></body></body>
    <body name="flyer" pos="1 0 1" quat="0.5 0.1 -0.3 0.2"><freejoint name="free"/>
      <geom type="box" size="0.1 0.2 0.3"/>
      <body name="tail"><joint name="tail" axis="0 1 0"/>
        <geom type="box" size="0.1 0.1 0.3" pos="0.1 0 0"/></body></body>
  </worldbody></mujoco>)"),
              UrdfOptions::Base::kFixed);
}

/// A planar joint, which MuJoCo makes three joints of, and siblings whose names are not in the order of the file.
TEST(MujocoLayout, PlanarJointAndSiblingsOfUrdf) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><origin xyz='0.1 0 0.2'/><mass value='2'/><inertia ixx='0.1' iyy='0.2' izz='0.15' ixy='0' "
           "ixz='0.01' iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
           "'/><origin xyz='0.3 0.1 0' rpy='0.1 0.2 0.3'/><axis xyz='0 0 1'/></joint>";
  };
  const TemporaryFolder folder;
  expect_same(folder.write("cart.urdf", "<robot name='cart'>" + link("base") + link("cart") + link("right") +
                                            link("left") + joint("ground", "planar", "base", "cart") +
                                            joint("wheel_r", "continuous", "cart", "right") +
                                            joint("wheel_l", "continuous", "cart", "left") + "</robot>"),
              UrdfOptions::Base::kFixed);
}

}  // namespace
}  // namespace delassus::testing
