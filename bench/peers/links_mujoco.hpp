// The links of a model in MuJoCo: its MJCF, and states in its coordinates. Built where MuJoCo is found.
#pragma once

#include <mujoco/mujoco.h>

#include <functional>
#include <string>
#include <vector>

#include "delassus/model/model.hpp"

namespace delassus::cli {

/// Of a link in links_as_mjcf.
std::string name_of_link(int link);

/// What a model in MJCF has beside its links.
struct MjcfParts {
  std::string head{};                                          // elements before the bodies: options, sizes
  std::function<std::string(int link)> elements = {};          // on a link, or on kWorld: shapes
  std::function<std::string(int link)> joint_attributes = {};  // beside name, axis and armature
  std::string tail{};                                          // elements after the bodies: equalities, motors
};

/// Free, revolute, prismatic and spherical joints only, else an Error. Links without mass, which carry another joint of the same body, become joints of
/// the body that they carry: MuJoCo takes no bodies without mass.
std::string links_as_mjcf(const Model& model, const MjcfParts& parts = {});

/// As they are. MuJoCo gives a body whose moments break the triangle inequality, a flat one by its rounding, the mean of all three. Constants that follow from
/// inertias are the caller's to set.
void set_inertias(const Model& model, mjModel& mujoco);

/// Where the velocity of a link's joint begins.
int mujoco_dof(const mjModel& mujoco, int link);

struct MujocoState {
  std::vector<double> qpos, qvel;
};

MujocoState mujoco_state(const Model& model, const mjModel& mujoco, const std::vector<double>& q,
                         const std::vector<double>& v);
void set_state(const MujocoState& state, mjData& data);

/// And back. Linear velocities of free joints are written in the axes that the joint has at `axes`, configurations of MuJoCo as well.
std::vector<double> own_configuration(const Model& model, const mjModel& mujoco, const mjtNum* qpos);
std::vector<double> own_velocity(const Model& model, const mjModel& mujoco, const mjtNum* axes, const mjtNum* qvel);

void write(const Vec3<double>& from, mjtNum* to);
/// MuJoCo has the real part first.
void write(const Quaternion<double>& from, mjtNum* to);

}  // namespace delassus::cli
