#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "delassus/math/error.hpp"
#include "gpu/compiler.hpp"
#include "gpu/kernel_text.hpp"
#include "io/new_file.hpp"
#include "io/sha256.hpp"

namespace delassus::gpu {
namespace {

namespace fs = std::filesystem;

/// The code after its own hash, so that a damaged file is found.
constexpr std::size_t kHashDigits = 64;

std::string code_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() <= kHashDigits) return "";
  std::string code = bytes.substr(kHashDigits);
  return bytes.substr(0, kHashDigits) == io::sha256_hex(code) ? code : "";
}

std::string fault_of_writing(const std::string& folder, const std::string& path, const std::string& code) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) return "kernels are not kept: folder '" + folder + "': " + fault.message();
  try {
    io::write_file(path, io::sha256_hex(code) + code);
  } catch (const Error& e) {
    return std::string("kernels are not kept: ") + e.what();
  }
  return "";
}

}  // namespace

std::string kernel_hash(const KernelSource& source) {
  // With lengths, so that no two lists of parts read the same.
  std::string all;
  const auto add = [&](std::string_view part) { all.append(std::to_string(part.size())).append(":").append(part); };
  for (const std::string& option : compile_options(source)) add(option);
  add(compiler_version());
  add(source.text);
  for (const EmbeddedFile& file : kernel_headers()) add(file.name), add(file.text);
  return io::sha256_hex(all);
}

std::string default_cache_folder() {
  const auto value = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  if (std::string own = value("DELASSUS_GPU_CACHE"); !own.empty()) return own;
  if (const std::string users = value("XDG_CACHE_HOME"); !users.empty()) return users + "/delassus/gpu";
  const std::string home = value("HOME");
  return home.empty() ? "" : home + "/.cache/delassus/gpu";
}

Kernel kept_or_compiled(const KernelSource& source, const std::string& folder) {
  if (folder.empty()) return {compile(source), false, "kernels are not kept: no folder is named for them"};
  const std::string path = folder + "/" + kernel_hash(source) + ".cubin";
  if (std::string code = code_in(path); !code.empty()) return {std::move(code), true, ""};
  Kernel kernel{compile(source), false, ""};
  kernel.notice = fault_of_writing(folder, path, kernel.code);
  return kernel;
}

}  // namespace delassus::gpu
