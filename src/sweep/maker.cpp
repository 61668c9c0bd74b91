// Who makes the rows of a sweep: what their bits depend on besides the specification.
#include "build_commit.hpp"
#include "delassus/math/isa.hpp"
#include "delassus/version.hpp"
#include "sweep/sweep_folder.hpp"

namespace delassus {

SweepMaker this_maker() {
#if defined(__clang__)
  const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
  const char* compiler = "GCC " __VERSION__;
#else
  const char* compiler = "unknown";
#endif
  // Without levels, kernels are for the processor that the library was compiled on.
#if defined(__AVX512F__)
  const std::string built = " AVX-512";
#elif defined(__AVX2__)
  const std::string built = " AVX2";
#else
  const std::string built;
#endif
  return {std::string(kVersion), kBuildCommit, compiler, std::string(name_of(active_isa())) + built};
}

}  // namespace delassus
