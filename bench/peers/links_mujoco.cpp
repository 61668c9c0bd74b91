#include "bench/peers/links_mujoco.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

std::string text_of(const Vec3<double>& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }

std::string inertial(const RigidInertia<double>& I) {
  const Vec3<double> c = (1 / I.mass) * I.moment;
  const auto about_centre = [&](int r, int k) {
    return I.rotational(r, k) + I.mass * (c[r] * c[k] - (r == k ? dot(c, c) : 0));
  };
  return fmt::format(
      "<inertial mass='{:.17g}' pos='{}' fullinertia='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}'/>", I.mass,
      text_of(c), about_centre(0, 0), about_centre(1, 1), about_centre(2, 2), about_centre(0, 1), about_centre(0, 2),
      about_centre(1, 2));
}

std::string joint(const Model& model, int i) {
  const Link& link = model.link(i);
  if (link.kind == JointKind::kFree) return fmt::format("<freejoint name='l{}'/>", i);
  if (link.kind != JointKind::kRevolute) throw Error("only free and revolute joints are written for MuJoCo");
  return fmt::format("<joint name='l{}' axis='0 0 1' armature='{:.17g}'/>", i, model.armature()[link.v]);
}

std::string bodies_on(const Model& model, int parent) {
  std::string text;
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.parent != parent) continue;
    const Quaternion<double> q = quaternion_of(link.placement.R);
    text += fmt::format("<body name='l{}' pos='{}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'>{}{}{}</body>\n", i,
                        text_of(link.placement.p), q[3], q[0], q[1], q[2], joint(model, i), inertial(link.inertia),
                        bodies_on(model, i));
  }
  return text;
}

int joint_of(const mjModel& mujoco, int link) { return mj_name2id(&mujoco, mjOBJ_JOINT, name_of_link(link).c_str()); }

}  // namespace

std::string name_of_link(int link) { return link == kWorld ? "world" : fmt::format("l{}", link); }

std::string links_as_mjcf(const Model& model, const std::string& equalities) {
  return fmt::format(
      "<mujoco><compiler angle='radian' balanceinertia='true'/><option gravity='{}'/>\n"
      "<worldbody>\n{}</worldbody>\n<equality>{}</equality></mujoco>\n",
      text_of(model.gravity()), bodies_on(model, kWorld), equalities);
}

int mujoco_dof(const mjModel& mujoco, int link) { return mujoco.jnt_dofadr[joint_of(mujoco, link)]; }

void write(const Vec3<double>& from, mjtNum* to) { std::copy_n(from.a, 3, to); }

void write(const Quaternion<double>& from, mjtNum* to) {
  to[0] = from[3];
  std::copy_n(from.a, 3, to + 1);
}

/// docs/conventions.md: free joints have their pose in the world, and their linear velocity in its axes.
MujocoState mujoco_state(const Model& model, const mjModel& mujoco, const std::vector<double>& q,
                         const std::vector<double>& v) {
  Kinematics<double> kin(model);
  Velocities<double> vel(model);
  update_kinematics<double>(model, q, kin);
  update_velocities<double>(model, kin, v, vel);
  MujocoState out{std::vector<double>(mujoco.nq), std::vector<double>(mujoco.nv)};
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    mjtNum* qpos = out.qpos.data() + mujoco.jnt_qposadr[joint_of(mujoco, i)];
    mjtNum* qvel = out.qvel.data() + mujoco_dof(mujoco, i);
    if (link.kind == JointKind::kFree) {
      write(kin.pose[i].p, qpos);
      write(quaternion_of(kin.pose[i].R), qpos + 3);
      write(vel.velocity[i].linear, qvel);
      write(transposed(kin.pose[i].R) * vel.velocity[i].angular, qvel + 3);
    } else {
      *qpos = q[link.q];
      *qvel = v[link.v];
    }
  }
  return out;
}

void set_state(const MujocoState& state, mjData& data) {
  std::ranges::copy(state.qpos, data.qpos);
  std::ranges::copy(state.qvel, data.qvel);
}

}  // namespace delassus::cli
