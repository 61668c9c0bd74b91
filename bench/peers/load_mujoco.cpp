#include "bench/peers/load_mujoco.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bench/peers/links_mujoco.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {

MujocoModel load_mujoco(const Model& model, const std::string& mjcf) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("delassus-bench-{}.xml", getpid());
  std::ofstream(path) << mjcf;
  char error[1000] = "";
  MujocoModel mujoco(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  std::filesystem::remove(path);
  if (!mujoco) throw Error(fmt::format("MuJoCo: {}", error));
  set_inertias(model, *mujoco);
  const MujocoData data(mj_makeData(mujoco.get()));
  mj_setConst(mujoco.get(), data.get());
  return mujoco;
}

}  // namespace delassus::cli
