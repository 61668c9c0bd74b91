#include "gpu/kernel_text.hpp"

#include <fmt/format.h>

namespace delassus::gpu {

std::string kernel_text(const Plan& plan, Verb verb, const std::string& real) {
  // Two blocks on a multiprocessor: 255 registers for a thread, with what a robot needs in them.
  return fmt::format(
      "#include \"gpu/kernel/entry.hpp\"\n"
      "namespace delassus::gpu {{\n{}}}\n"
      "extern \"C\" __global__ void __launch_bounds__({}, 2) {}(const __grid_constant__ delassus::gpu::Arguments<{}> "
      "arguments) {{\n"
      "  delassus::gpu::enter<delassus::gpu::Robot, {}, delassus::gpu::Verb({})>(arguments);\n}}\n",
      structure_text(plan, "Robot"), kBlockThreads, kKernelName, real, real, static_cast<int>(verb));
}

}  // namespace delassus::gpu
