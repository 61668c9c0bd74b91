#include "bench/peers/load_mujoco.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "delassus/math/error.hpp"

namespace delassus::cli {

MujocoModel load_mujoco(const std::string& mjcf) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("delassus-bench-{}.xml", getpid());
  std::ofstream(path) << mjcf;
  char error[1000] = "";
  MujocoModel model(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  std::filesystem::remove(path);
  if (!model) throw Error(fmt::format("MuJoCo: {}", error));
  return model;
}

}  // namespace delassus::cli
