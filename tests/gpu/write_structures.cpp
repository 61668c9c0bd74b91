// write_structures FOLDER: the structures of the robots that kernels are tested with, a header each.
#include <cstdio>

#include "gpu/gpu_robots.hpp"
#include "gpu/plan.hpp"
#include "io/new_file.hpp"

int main(int argc, char** argv) {
  using namespace delassus;
  if (argc != 2) return std::fprintf(stderr, "usage: write_structures FOLDER\n"), 2;
  for (const std::string& name : gpu::gpu_robot_names()) {
    const gpu::GpuRobot robot = gpu::make_gpu_robot(name);
    const gpu::Plan plan = gpu::make_plan(robot.model, robot.constraints);
    io::write_file(std::string(argv[1]) + "/" + name + ".hpp",
                   "#include \"gpu/kernel/structure.hpp\"\n\nnamespace delassus::gpu {\n\n" +
                       gpu::structure_text(plan, "Robot_" + name) + "\n}  // namespace delassus::gpu\n");
  }
  return 0;
}
