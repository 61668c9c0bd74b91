// NVRTC, NVIDIA's compiler as a library, opened when it is first asked for; and kernels on disk.
#pragma once

#include <string>
#include <vector>

namespace delassus::gpu {

/// Why there is no NVRTC; empty where there is one.
std::string compiler_fault();
/// "13.0"
std::string compiler_version();

/// Text and options of a kernel. The headers of src/gpu/kernel are at hand.
struct KernelSource {
  std::string text;
  std::string architecture;  // "sm_90"
};

std::vector<std::string> compile_options(const KernelSource& source);

/// Machine code. Throws an Error that says what is missing, or with what the compiler says.
std::string compile(const KernelSource& source);

/// What names a kernel: the hash of its text, of the headers, of options and of the compiler.
std::string kernel_hash(const KernelSource& source);

/// Where kernels are kept: $DELASSUS_GPU_CACHE, or delassus/gpu of the user's cache. Empty: nowhere.
std::string default_cache_folder();

struct Kernel {
  std::string code;
  bool was_kept = false;  // it came from the folder
  std::string notice;     // why it could not be kept, if it could not
};

/// From the folder, or compiled and put there: whole or not at all, so that programs share it. A file that is damaged is written anew.
/// Where the folder cannot be written, kernels are compiled again by the next program.
Kernel kept_or_compiled(const KernelSource& source, const std::string& folder);

}  // namespace delassus::gpu
