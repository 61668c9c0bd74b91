// Models of MuJoCo from text. Built where MuJoCo is found.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "delassus/model/model.hpp"

namespace delassus::cli {

struct MujocoDelete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDelete>;
using MujocoData = std::unique_ptr<mjData, MujocoDelete>;

/// From what links_as_mjcf wrote, with the inertias of the links. Throws an Error with MuJoCo's message.
MujocoModel load_mujoco(const Model& model, const std::string& mjcf);

}  // namespace delassus::cli
