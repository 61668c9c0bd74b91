#include "cli/shell/build_info.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "build_commit.hpp"
#include "build_flags.hpp"
#include "delassus/math/isa.hpp"
#include "delassus/version.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

constexpr const char* kUnknown = "unknown";

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return kUnknown;
#endif
}

std::string vectors() {
#if defined(__AVX512F__)
  return "AVX-512, FMA";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2, FMA";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__SSE2__)
  return "SSE2";
#elif defined(__ARM_NEON)
  return "NEON";
#else
  return "none";
#endif
}

std::vector<std::string> isa_levels() {
  std::vector<std::string> names;
  for (const IsaLevel level : compiled_isa_levels()) names.emplace_back(name_of(level));
  return names;
}

/// What the kernel calls the processor.
std::string cpu() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return printable(line.substr(colon + 2));
  }
  return kUnknown;
}

/// Fewer than the machine has where a container or taskset says so.
int cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(std::thread::hardware_concurrency());
}

std::string os() {
  utsname name{};
  if (uname(&name) != 0) return kUnknown;
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

}  // namespace

const BuildInfo& build_info() {
  static const BuildInfo kInfo{.version = std::string(kVersion),
                               .commit = kBuildCommit,
                               .compiler = compiler(),
                               .build_type = kBuildType,
                               .flags = kBuildFlags,
                               .vectors = vectors(),
                               .isa = std::string(name_of(active_isa())),
                               .isa_levels = isa_levels(),
                               .cpu = cpu(),
                               .cores = cores(),
                               .os = os()};
  return kInfo;
}

nlohmann::json as_json(const BuildInfo& info) {
  return {{"version", info.version},
          {"commit", info.commit},
          {"compiler", info.compiler},
          {"build_type", info.build_type},
          {"flags", info.flags},
          {"vectors", info.vectors},
          {"isa", info.isa},
          {"isa_levels", info.isa_levels},
          {"cpu", info.cpu},
          {"cores", info.cores},
          {"os", info.os}};
}

std::string as_text(const BuildInfo& info) {
  return fmt::format(
      "delassus {}\n"
      "commit   {}\n"
      "built    {}, {}, vectors {}\n"
      "kernels  {}, of {}\n"
      "flags    {}\n"
      "machine  {}, {}, {}\n",
      info.version, info.commit, info.build_type, info.compiler, info.vectors, info.isa,
      fmt::join(info.isa_levels, ", "), info.flags, info.cpu, counted(info.cores, "core"), info.os);
}

}  // namespace delassus::cli
