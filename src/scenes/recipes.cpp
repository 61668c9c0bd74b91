#include "scenes/recipes.hpp"

#include <algorithm>
#include <array>

#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"
#include "model/wording.hpp"
#include "scenes/generated.hpp"
#include "scenes/recipe_parts.hpp"
#include "scenes/settling.hpp"

namespace delassus {
namespace {

struct Recipe {
  SceneRecipe about;
  Scene (*make)();            // none, if it runs
  Scene (*run)(SettledRun&);  // none, if it does not
};

using Text = std::string_view;
constexpr Recipe made(Text name, Text robot, Text description, Scene (*make)()) {
  return {{name, robot, description, false}, make, nullptr};
}
constexpr Recipe runs(Text name, Text robot, Text description, Scene (*run)(SettledRun&)) {
  return {{name, robot, description, true}, nullptr, run};
}

/// A scene with friction in the joints on top, which holds what is at rest without it.
template <Scene (*kMake)(SettledRun&)>
Scene with_friction(SettledRun& run) {
  Scene scene = kMake(run);
  add_joint_friction(scene);
  return scene;
}

constexpr std::array kRecipes{
    runs("go2-standing", "go2", "Go2 on its four feet", settle_go2_standing),
    runs("go2-standing-friction", "go2", "Go2 on its four feet, with joint friction",
         with_friction<settle_go2_standing>),
    runs("go2-fallen", "go2", "Go2 as it came to rest after a fall", settle_go2_fallen),
    runs("go2-fallen-friction", "go2", "Go2 after another fall, with joint friction",
         with_friction<settle_go2_fallen_again>),
    runs("cassie-standing", "cassie", "Cassie on toes and heels, its four loops closed", settle_cassie),
    runs("cassie-standing-friction", "cassie", "Cassie on toes and heels, with joint friction",
         with_friction<settle_cassie>),
    runs("g1-standing", "g1", "G1 on both feet", settle_g1_standing),
    runs("g1-standing-friction", "g1", "G1 on both feet, with joint friction", with_friction<settle_g1_standing>),
    runs("g1-fallen", "g1", "G1 as it came to rest after a fall", settle_g1_fallen),
    runs("g1-fallen-friction", "g1", "G1 after another fall, with joint friction",
         with_friction<settle_g1_fallen_again>),
    runs("g1-maximal", "", "G1 standing, as 30 free bodies with its 29 joints as loop closures", settle_g1_maximal),
    runs("boxes", "", "30 free boxes on top of each other", settle_boxes),
    runs("pyramid", "", "30 free boxes in layers of 16, 9, 4 and 1", settle_pyramid),
    runs("pyramid-robots", "", "three G1s on and beside 30 boxes of a pyramid that fell apart", settle_pyramid_robots),
    made("atlas-feet", "atlas", "Atlas, both feet welded to the ground", make_atlas_feet),
    made("atlas-feet-points", "atlas", "Atlas, four contact points under each foot", make_atlas_feet_points),
    made("atlas-feet-hands", "atlas", "Atlas, feet and palms welded", make_atlas_feet_hands),
    made("atlas-hand", "", "Atlas with a hand of 24 joints on its left arm, fingertips pinned", make_atlas_hand),
    made("atlas-hands", "", "Atlas with two hands, fingertips pinned", make_atlas_hands),
    made("atlas-hands-feet", "", "Atlas with two hands, fingertips pinned and feet welded", make_atlas_hands_feet),
    made("shadow-tips", "shadow_like", "Shadow-like hand, fingertips pinned", make_shadow_tips),
    made("shadow-ball", "", "Shadow-like hand that holds a free ball with five fingertips", make_shadow_ball),
};

constexpr std::array kAbout = [] {
  std::array<SceneRecipe, kRecipes.size()> out;
  std::ranges::transform(kRecipes, out.begin(), &Recipe::about);
  return out;
}();

const Recipe* find_recipe(std::string_view name) {
  const auto* const found = std::ranges::find(kRecipes, name, [](const Recipe& r) { return r.about.name; });
  return found == kRecipes.end() ? nullptr : found;
}

[[noreturn]] void fail_unknown(std::string_view name) {
  ClosestName closest(name);
  for (const SceneRecipe& recipe : kAbout) closest.consider(recipe.name);
  for (const GeneratedScene& scene : generated_scenes()) closest.consider(scene.name);
  throw Error("there is no recipe for a scene " + in_quotes(name) + closest.hint());
}

/// With the command that makes it again.
Scene noted(Scene scene, std::string_view name) {
  scene.recipe = "delassus scene " + std::string(name);
  return scene;
}

}  // namespace

std::span<const SceneRecipe> scene_recipes() { return kAbout; }

Scene make_scene(std::string_view name) {
  const Recipe* recipe = find_recipe(name);
  if (!recipe && !is_generated_scene(name)) fail_unknown(name);
  if (recipe && recipe->run) return load_embedded_scene(name);
  return noted(recipe ? recipe->make() : scene_of(make_generated_scene(name)), name);
}

std::string write_as(std::string_view name, const Scene& scene) {
  const Recipe* recipe = find_recipe(name);
  return recipe && !recipe->about.robot.empty() ? write_scene_on_robot(scene, recipe->about.robot) : write_scene(scene);
}

Scene run_recipe(std::string_view name, SettledRun* run) {
  const Recipe* recipe = find_recipe(name);
  if (!recipe || !recipe->run) return make_scene(name);
  SettledRun unseen;
  return noted(recipe->run(run ? *run : unseen), name);
}

std::string write_run_recipe(std::string_view name, SettledRun* run) { return write_as(name, run_recipe(name, run)); }

}  // namespace delassus
