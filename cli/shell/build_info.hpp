// Under which conditions this command was built and runs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace delassus::cli {

struct BuildInfo {
  std::string version;
  std::string commit;      // `git describe` of the source that was built; "unknown" without a repository
  std::string compiler;    // name and version
  std::string build_type;  // "Release"
  std::string flags;       // that change the code, without warnings
  std::string vectors;     // the widest vector instructions that code outside the levels may use: "AVX2, FMA"
  std::string isa;         // level of instructions that kernels use: "x86-64-v3" (docs/isa.md)
  std::vector<std::string> isa_levels;  // those for which there are kernels
  std::string cpu;                      // of the machine that runs this; "unknown" if it does not say
  int cores = 0;                        // logical ones that this process may use
  std::string os;                       // "Linux 6.1.0 x86_64"
};

/// Of this command, on this machine.
const BuildInfo& build_info();

/// One object with the fields above as keys.
nlohmann::json as_json(const BuildInfo& info);

/// Some lines for a person, each ending with a newline.
std::string as_text(const BuildInfo& info);

}  // namespace delassus::cli
