#include "support/mujoco_model.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <pugixml.hpp>

#include "support/mujoco_inertia.hpp"
#include "support/mujoco_source.hpp"

namespace delassus::testing {
namespace {

namespace fs = std::filesystem;

/// MuJoCo's own handlers write a file into the working folder, and the one for errors waits for a key.
void take_over_messages() {
  mju_user_warning = [](const char*) {};
  mju_user_error = [](const char* message) {
    std::fprintf(stderr, "MuJoCo: %s\n", message);
    std::abort();
  };
}

/// The rows that are compared are those of equalities and contacts; efc_AR is made for a dual solver only.
void set_options(mjModel& m) {
  m.opt.disableflags |= mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION;
  m.opt.enableflags &= ~mjENBL_OVERRIDE;
  m.opt.jacobian = mjJAC_DENSE;
  m.opt.solver = mjSOL_PGS;
  m.opt.collision = mjCOL_ALL;
}

}  // namespace

MujocoModel::MujocoModel(const std::string& path, UrdfOptions::Base base) {
  take_over_messages();
  for (const auto& entry : fs::directory_iterator(fs::absolute(path).parent_path())) {
    if (entry.path().extension() == ".xml") fs::copy_file(entry.path(), folder_.path(entry.path().filename()));
  }
  const MujocoSource source(path, base);
  const std::string file = folder_.path("with floor" + fs::path(path).extension().string());
  source.save(file);
  char error[1000] = "";
  model_.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  if (!model_) throw MujocoRefuses(error);
  put_back_inertias(source, *model_);
  floor_ = make_plane(*model_);
  set_options(*model_);
  data_.reset(mj_makeData(model_.get()));
}

std::string MujocoModel::name(int type, int index) const {
  const char* text = index < 0 ? nullptr : mj_id2name(model_.get(), type, index);
  return text == nullptr ? "" : text;
}

void MujocoModel::evaluate(const std::vector<double>& qpos, const std::vector<double>& qvel, bool contacts) {
  model_->opt.disableflags &= ~mjDSBL_CONTACT;
  if (!contacts) model_->opt.disableflags |= mjDSBL_CONTACT;
  mj_resetData(model_.get(), data_.get());
  std::copy(qpos.begin(), qpos.end(), data_->qpos);
  std::copy(qvel.begin(), qvel.end(), data_->qvel);
  mj_forward(model_.get(), data_.get());
}

bool MujocoModel::raise_floor(const std::vector<double>& qpos) {
  constexpr double kPenetration = 0.05, kFar = 100;
  mjtNum& height = model_->geom_pos[3 * floor_ + 2];
  height = -kFar / 2;
  model_->geom_margin[floor_] = kFar;  // so that everything above is found,
  const std::vector<int> types(model_->geom_contype, model_->geom_contype + model_->ngeom);
  std::fill_n(model_->geom_contype, model_->ngeom, 0);  // and contacts of the robot with itself take no room
  model_->geom_contype[floor_] = -1;
  evaluate(qpos, std::vector<double>(model_->nv), true);
  model_->geom_margin[floor_] = 0;
  std::copy(types.begin(), types.end(), model_->geom_contype);
  double nearest = kFar;
  for (int i = 0; i < data_->ncon; ++i) nearest = std::min(nearest, data_->contact[i].dist);
  height += nearest + kPenetration;
  return nearest < kFar;
}

}  // namespace delassus::testing
