// Runs the tests of a card on a driver that is none: fake_cuda.cpp, which has to stand where libraries are looked for. All that is the
// library's own between a verb and its kernel is as on a card.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "gpu/emulated.hpp"
#include "gpu/gpu_robots.hpp"
#include "gpu/kernel_text.hpp"

namespace {

using namespace delassus::gpu;

/// Which robot and verb a text is of.
struct TextOf {
  std::string robot;
  Verb verb;
  bool is_float;
};

std::map<std::string, TextOf> all_texts() {
  std::map<std::string, TextOf> out;
  for (const std::string& name : gpu_robot_names()) {
    const GpuRobot robot = make_gpu_robot(name);
    const Plan plan = make_plan(robot.model, robot.constraints);
    for (int verb = 0; verb < kNumVerbs; ++verb) {
      for (const char* real : {"float", "double"}) {
        out[kernel_text(plan, Verb(verb), real)] = {name, Verb(verb), std::string(real) == "float"};
      }
    }
  }
  return out;
}

void launch(const char* text, const void* arguments) {
  static const std::map<std::string, TextOf> kTexts = all_texts();
  const TextOf& found = kTexts.at(text);
  if (found.is_float) {
    emulated_run<float>(found.robot)(found.verb, *static_cast<const Arguments<float>*>(arguments));
  } else {
    emulated_run<double>(found.robot)(found.verb, *static_cast<const Arguments<double>*>(arguments));
  }
}

}  // namespace

int main(int argc, char** argv) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  using Set = void (*)(void (*)(const char*, const void*));
  auto set = library == nullptr ? nullptr : reinterpret_cast<Set>(dlsym(library, "delassus_set_fake_launcher"));
  if (set == nullptr) return std::fputs("LD_LIBRARY_PATH does not lead to the driver of the tests\n", stderr), 1;
  set(&launch);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
