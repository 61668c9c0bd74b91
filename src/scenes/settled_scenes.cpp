#include "delassus/scenes/settled_scenes.hpp"

#include <algorithm>
#include <array>

#include "delassus/scenes/scene_recipes.hpp"
#include "scenes/recipe_parts.hpp"
#include "scenes/settling.hpp"

namespace delassus {
namespace {

struct Run {
  std::string_view name;
  Scene (*make)(SettledRun&);
};

/// A scene with friction in the joints on top, which holds what is at rest without it.
template <Scene (*kMake)(SettledRun&)>
Scene with_friction(SettledRun& run) {
  Scene scene = kMake(run);
  io::add_joint_friction(scene);
  return scene;
}

constexpr std::array kRuns{
    Run{"go2-standing", settle_go2_standing}, Run{"go2-standing-friction", with_friction<settle_go2_standing>},
    Run{"go2-fallen", settle_go2_fallen},     Run{"go2-fallen-friction", with_friction<settle_go2_fallen_again>},
    Run{"cassie-standing", settle_cassie},    Run{"cassie-standing-friction", with_friction<settle_cassie>},
    Run{"g1-standing", settle_g1_standing},   Run{"g1-standing-friction", with_friction<settle_g1_standing>},
    Run{"g1-fallen", settle_g1_fallen},       Run{"g1-fallen-friction", with_friction<settle_g1_fallen_again>},
    Run{"g1-maximal", settle_g1_maximal},     Run{"boxes", settle_boxes},
    Run{"pyramid", settle_pyramid},           Run{"pyramid-robots", settle_pyramid_robots},
};

}  // namespace

Scene run_recipe(std::string_view name, SettledRun* run) {
  SettledRun unseen;
  const auto* const found = std::ranges::find(kRuns, name, &Run::name);
  if (found == kRuns.end()) return make_scene(name);
  Scene scene = found->make(run ? *run : unseen);
  scene.recipe = "delassus scene " + std::string(name);
  return scene;
}

std::string write_run_recipe(std::string_view name, SettledRun* run) { return write_as(name, run_recipe(name, run)); }

}  // namespace delassus
