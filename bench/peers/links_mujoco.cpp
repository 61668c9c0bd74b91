#include "bench/peers/links_mujoco.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {
namespace {

std::string text_of(const Vec3<double>& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }

Vec3<double> centre(const RigidInertia<double>& I) { return (1 / I.mass) * I.moment; }

double about_centre(const RigidInertia<double>& I, int r, int k) {
  const Vec3<double> c = centre(I);
  return I.rotational(r, k) + I.mass * (c[r] * c[k] - (r == k ? dot(c, c) : 0));
}

std::string inertial(const RigidInertia<double>& I) {
  return fmt::format(
      "<inertial mass='{:.17g}' pos='{}' fullinertia='{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}'/>", I.mass,
      text_of(centre(I)), about_centre(I, 0, 0), about_centre(I, 1, 1), about_centre(I, 2, 2), about_centre(I, 0, 1),
      about_centre(I, 0, 2), about_centre(I, 1, 2));
}

std::string joint(const Model& model, int i, const Pose<double>& in_body, const MjcfParts& parts) {
  const Link& link = model.link(i);
  const std::string more = parts.joint_attributes ? parts.joint_attributes(i) : "";
  switch (link.kind) {
    case JointKind::kFree:
      return fmt::format("<freejoint name='l{}'/>", i);
    case JointKind::kSpherical:
      return fmt::format("<joint name='l{}' type='ball' pos='{}' armature='{:.17g}' {}/>", i, text_of(in_body.p),
                         model.armature()[link.v], more);
    case JointKind::kRevolute:
    case JointKind::kPrismatic:
      return fmt::format("<joint name='l{}' type='{}' pos='{}' axis='{}' armature='{:.17g}' {}/>", i,
                         link.kind == JointKind::kRevolute ? "hinge" : "slide", text_of(in_body.p),
                         text_of(in_body.R * Vec3<double>{{0, 0, 1}}), model.armature()[link.v], more);
    default:
      throw Error("only free, revolute, prismatic and spherical joints are written for MuJoCo");
  }
}

/// The link that it carries, if it has no mass and that one is all: both are joints of one body.
int carried_without_mass(const Model& model, int i) {
  if (model.link(i).inertia.mass > 0) return -1;
  int carried = -1;
  for (int k = i + 1; k < model.num_links(); ++k) {
    if (model.link(k).parent != i) continue;
    if (carried >= 0) return -1;
    carried = k;
  }
  return carried;
}

std::string bodies_on(const Model& model, int parent, const MjcfParts& parts);

/// Joint frames at zero are placed in that of the last link of the chain.
std::string body_with(const Model& model, int first, const MjcfParts& parts) {
  std::vector<int> chain{first};
  Pose<double> placement = model.link(first).placement;
  for (int next; (next = carried_without_mass(model, chain.back())) >= 0; chain.push_back(next)) {
    placement = placement * model.link(next).placement;
  }
  std::string joints;
  Pose<double> back = Pose<double>::identity();  // from the last link
  const int last = chain.back();
  for (; !chain.empty(); chain.pop_back()) {
    joints = joint(model, chain.back(), back, parts) + joints;
    back = back * inverse(model.link(chain.back()).placement);
  }
  const Quaternion<double> q = quaternion_of(placement.R);
  return fmt::format("<body name='l{}' pos='{}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'>{}{}{}{}</body>\n", last,
                     text_of(placement.p), q[3], q[0], q[1], q[2], joints, inertial(model.link(last).inertia),
                     parts.elements ? parts.elements(last) : "", bodies_on(model, last, parts));
}

std::string bodies_on(const Model& model, int parent, const MjcfParts& parts) {
  std::string text;
  for (int i = 0; i < model.num_links(); ++i) {
    if (model.link(i).parent == parent) text += body_with(model, i, parts);
  }
  return text;
}

Quaternion<double> read_quaternion(const mjtNum* from) { return {{from[1], from[2], from[3], from[0]}}; }

int joint_of(const mjModel& mujoco, int link) { return mj_name2id(&mujoco, mjOBJ_JOINT, name_of_link(link).c_str()); }

}  // namespace

std::string name_of_link(int link) { return link == kWorld ? "world" : fmt::format("l{}", link); }

std::string links_as_mjcf(const Model& model, const MjcfParts& parts) {
  return fmt::format(
      "<mujoco><compiler angle='radian' balanceinertia='true'/><option gravity='{}'/>{}\n"
      "<worldbody>\n{}{}</worldbody>\n{}</mujoco>\n",
      text_of(model.gravity()), parts.head, parts.elements ? parts.elements(kWorld) : "",
      bodies_on(model, kWorld, parts), parts.tail);
}

void set_inertias(const Model& model, mjModel& mujoco) {
  for (int i = 0; i < model.num_links(); ++i) {
    const int body = mj_name2id(&mujoco, mjOBJ_BODY, name_of_link(i).c_str());
    if (body < 0) continue;  // a joint of the body that it carries
    mjtNum matrix[9], axes[9];
    for (int k = 0; k < 9; ++k) matrix[k] = about_centre(model.link(i).inertia, k / 3, k % 3);
    mju_eig3(mujoco.body_inertia + 3 * body, axes, mujoco.body_iquat + 4 * body, matrix);
  }
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
    } else if (link.kind == JointKind::kSpherical) {
      write(normalised(Quaternion<double>{{q[link.q], q[link.q + 1], q[link.q + 2], q[link.q + 3]}}), qpos);
      std::copy_n(&v[link.v], 3, qvel);
    } else {
      *qpos = q[link.q];
      *qvel = v[link.v];
    }
  }
  return out;
}

std::vector<double> own_configuration(const Model& model, const mjModel& mujoco, const mjtNum* qpos) {
  std::vector<double> q(model.nq());
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    const mjtNum* from = qpos + mujoco.jnt_qposadr[joint_of(mujoco, i)];
    double* to = &q[link.q];
    if (link.kind == JointKind::kFree) {
      const Pose<double> world{rotation_of(read_quaternion(from + 3)), {{from[0], from[1], from[2]}}};
      const Pose<double> moved = inverse(link.placement) * world;
      std::copy_n(moved.p.a, 3, to);
      std::copy_n(quaternion_of(moved.R).a, 4, to + 3);
    } else if (link.kind == JointKind::kSpherical) {
      std::copy_n(read_quaternion(from).a, 4, to);
    } else {
      *to = *from;
    }
  }
  return q;
}

std::vector<double> own_velocity(const Model& model, const mjModel& mujoco, const mjtNum* axes, const mjtNum* qvel) {
  std::vector<double> v(model.nv());
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    const mjtNum* from = qvel + mujoco_dof(mujoco, i);
    double* to = &v[link.v];
    if (link.kind == JointKind::kFree) {
      const mjtNum* turn = axes + mujoco.jnt_qposadr[joint_of(mujoco, i)] + 3;
      const Mat3<double> R = rotation_of(read_quaternion(turn));
      std::copy_n(from + 3, 3, to);
      std::copy_n(transposed_times(R, Vec3<double>{{from[0], from[1], from[2]}}).a, 3, to + 3);
    } else {
      std::copy_n(from, link.nv, to);
    }
  }
  return v;
}

void set_state(const MujocoState& state, mjData& data) {
  std::ranges::copy(state.qpos, data.qpos);
  std::ranges::copy(state.qvel, data.qvel);
}

}  // namespace delassus::cli
