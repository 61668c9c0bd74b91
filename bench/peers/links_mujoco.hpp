// The links of a model in MuJoCo: its MJCF, and states in its coordinates. Built where MuJoCo is found.
#pragma once

#include <mujoco/mujoco.h>

#include <string>
#include <vector>

#include "delassus/model/model.hpp"

namespace delassus::cli {

/// Of a link in links_as_mjcf.
std::string name_of_link(int link);

/// Free and revolute joints only, else an Error. `equalities` are elements of MJCF.
std::string links_as_mjcf(const Model& model, const std::string& equalities = "");

/// Where the velocity of a link's joint begins.
int mujoco_dof(const mjModel& mujoco, int link);

struct MujocoState {
  std::vector<double> qpos, qvel;
};

MujocoState mujoco_state(const Model& model, const mjModel& mujoco, const std::vector<double>& q,
                         const std::vector<double>& v);
void set_state(const MujocoState& state, mjData& data);

void write(const Vec3<double>& from, mjtNum* to);
/// MuJoCo has the real part first.
void write(const Quaternion<double>& from, mjtNum* to);

}  // namespace delassus::cli
