#include "bench/simulation/step_scenes.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/shell/find_by_name.hpp"
#include "cli/shell/output_file.hpp"
#include "delassus/scenes/load_named.hpp"
#include "model/splitmix.hpp"

namespace delassus::cli {
namespace {

constexpr const char* kRobotsVariable = "DELASSUS_ROBOTS";
constexpr const char* kHumanoid = "humanoid-falls";
constexpr int kFalls = 7;  // ten thousand steps of a millisecond

SimulationSetup load_setup(const std::string& name) {
  const Scene scene = load_named(name);
  require_unread(scene.report);
  SimulationSetup out(scene.model);
  out.constraints = scene.constraints;
  out.q = scene.q;
  out.v = scene.v;
  out.seconds = 1.5;
  return out;
}

void raise(SimulationSetup& setup, double height) {
  for (const Link& link : setup.model.links()) {
    if (link.kind == JointKind::kFree) setup.q[static_cast<std::size_t>(link.q) + 2] += height;
  }
}

StepScene make_fall(const std::string& name, const std::string& robot, double height) {
  StepScene out{name, StepSceneKind::kRobotFalls, load_setup(robot), 0, kFalls};
  raise(out.setup, height);
  return out;
}

StepScene make_standing(const std::string& name, const std::string& robot) {
  StepScene out{name, StepSceneKind::kRobotStands, load_setup(robot), 0, kFalls};
  out.setup.actuators = make_position_actuators(out.setup.model, 100, 2);
  return out;
}

StepScene make_resting_pile(const std::string& name) {
  StepScene out{name, StepSceneKind::kPileRests, load_setup(name), 1, 1};
  out.setup.seconds = 1;
  return out;
}

/// The boxes of the stack in the air, turned in some way: one to a cell of a lattice that is wider than their diagonal.
StepScene make_falling_boxes() {
  constexpr std::uint64_t kSeed = 24;
  constexpr double kCell = 0.9, kFirstHeight = 0.6;
  constexpr int kSide = 2;
  StepScene out{"boxes-fall", StepSceneKind::kPileFalls, load_setup("boxes"), 0, 2};
  out.setup.seconds = 2.5;
  SplitMix random(kSeed);
  int box = 0;
  for (const Link& link : out.setup.model.links()) {
    double* q = out.setup.q.data() + link.q;
    const int column = box % kSide, row = box / kSide % kSide, layer = box / (kSide * kSide);
    const Vec3<double> place{{kCell * column, kCell * row, kFirstHeight + kCell * layer}};
    std::copy_n((inverse(link.placement) * place).a, 3, q);
    for (int k = 3; k < 7; ++k) q[k] = random.uniform(-1, 1);
    ++box;
  }
  return out;
}

std::string humanoid_file() {
  const char* folder = std::getenv(kRobotsVariable);
  return folder ? std::string(folder) + "/mujoco/humanoid/humanoid.xml" : "";
}

/// As `delassus simulate` places it, without motors.
StepScene make_fall_of_file(const std::string& name, const std::string& path) {
  StepScene out{name, StepSceneKind::kRobotFalls, load_setup(path), 0, kFalls};
  out.setup.assemble();
  lift_onto_ground(out.setup);
  return out;
}

StepScene make_humanoid() {
  const std::string path = humanoid_file();
  if (path.empty() || !std::filesystem::exists(path)) {
    throw Error(fmt::format("{}: the environment variable {} has to name a folder with mujoco/humanoid/humanoid.xml",
                            kHumanoid, kRobotsVariable));
  }
  return make_fall_of_file(kHumanoid, path);
}

struct NamedStart {
  const char* name;
  StepScene (*make)();
};
constexpr std::array kStarts{
    NamedStart{"g1-falls", [] { return make_fall("g1-falls", "g1-standing", 0); }},
    NamedStart{"go2-drops", [] { return make_fall("go2-drops", "go2-standing", 0.4); }},
    NamedStart{"cassie-falls", [] { return make_fall("cassie-falls", "cassie-standing", 0); }},
    NamedStart{kHumanoid, make_humanoid},
    NamedStart{"go2-stands", [] { return make_standing("go2-stands", "go2-standing"); }},
    NamedStart{"g1-stands", [] { return make_standing("g1-stands", "g1-standing"); }},
    NamedStart{"boxes", [] { return make_resting_pile("boxes"); }},
    NamedStart{"pyramid", [] { return make_resting_pile("pyramid"); }},
    NamedStart{"boxes-fall", make_falling_boxes},
};

}  // namespace

std::vector<std::string> step_scenes() {
  std::vector<std::string> names;
  for (const NamedStart& start : kStarts) {
    if (std::string_view(start.name) != kHumanoid) names.emplace_back(start.name);
  }
  return names;
}

std::vector<std::string> step_scenes_here() {
  std::vector<std::string> names = step_scenes();
  if (const std::string path = humanoid_file(); !path.empty() && std::filesystem::exists(path))
    names.emplace_back(kHumanoid);
  return names;
}

StepScene make_step_scene(const std::string& name) {
  if (std::filesystem::is_regular_file(name)) return make_fall_of_file(name, name);
  return find_by_name(kStarts, name, "scene", &NamedStart::name).make();
}

std::vector<double> push(const StepScene& scene, int run) {
  constexpr double kFastest = 0.3;  // rad/s
  std::vector<double> v = scene.setup.v;
  if (run == 0) return v;
  SplitMix random(static_cast<std::uint64_t>(run));
  for (const Link& link : scene.setup.model.links()) {
    if (link.kind != JointKind::kFree) continue;
    for (std::size_t k = 0; k < 3; ++k) v[static_cast<std::size_t>(link.v) + k] += random.uniform(-kFastest, kFastest);
  }
  return v;
}

}  // namespace delassus::cli
