// Any bytes as a height field in MuJoCo's binary format, beside a model that names it: a scene or an Error comes out.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "delassus/io/mjcf.hpp"

namespace {

constexpr const char* kModel = R"(<mujoco><asset><hfield name="ground" file="field.bin" size="1 2 3 0.5"/></asset>
<worldbody><geom type="hfield" hfield="ground"/><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>)";

/// A folder for this process, in memory where the system has such, removed at its end.
struct Folder {
  Folder() : path(std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path()) {
    path /= "delassus-fuzz-" + std::to_string(getpid());
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder kFolder;
  std::ofstream(kFolder.path / "field.bin", std::ios::binary)
      << std::string_view(reinterpret_cast<const char*>(data), size);
  try {
    delassus::parse_mjcf(kModel, "fuzz.xml", kFolder.path.string());
  } catch (const delassus::Error&) {
  }
  return 0;
}
