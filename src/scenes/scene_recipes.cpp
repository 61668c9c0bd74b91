#include "delassus/scenes/scene_recipes.hpp"

#include <algorithm>
#include <array>

#include "delassus/io/embedded.hpp"
#include "delassus/math/error.hpp"
#include "delassus/scenes/generated_scenes.hpp"
#include "model/wording.hpp"
#include "scenes/recipe_parts.hpp"

namespace delassus {
namespace {

constexpr std::string_view kScenes = "scenes";

struct Recipe {
  SceneRecipe about;
  Scene (*make)();  // none, if it runs
};

using namespace io;  // NOLINT(google-build-using-namespace): the recipes, and nothing else

const std::array kRecipes{
    Recipe{{"go2-standing", "go2", "Go2 on its four feet", true}, nullptr},
    Recipe{{"go2-standing-friction", "go2", "Go2 on its four feet, with joint friction", true}, nullptr},
    Recipe{{"go2-fallen", "go2", "Go2 as it came to rest after a fall", true}, nullptr},
    Recipe{{"go2-fallen-friction", "go2", "Go2 after another fall, with joint friction", true}, nullptr},
    Recipe{{"cassie-standing", "cassie", "Cassie on toes and heels, its four loops closed", true}, nullptr},
    Recipe{{"cassie-standing-friction", "cassie", "Cassie on toes and heels, with joint friction", true}, nullptr},
    Recipe{{"g1-standing", "g1", "G1 on both feet", true}, nullptr},
    Recipe{{"g1-standing-friction", "g1", "G1 on both feet, with joint friction", true}, nullptr},
    Recipe{{"g1-fallen", "g1", "G1 as it came to rest after a fall", true}, nullptr},
    Recipe{{"g1-fallen-friction", "g1", "G1 after another fall, with joint friction", true}, nullptr},
    Recipe{{"g1-maximal", "", "G1 standing, as 30 free bodies with its 29 joints as loop closures", true}, nullptr},
    Recipe{{"boxes", "", "30 free boxes on top of each other", true}, nullptr},
    Recipe{{"pyramid", "", "30 free boxes in layers of 16, 9, 4 and 1", true}, nullptr},
    Recipe{{"pyramid-robots", "", "three G1s on and beside 30 boxes of a pyramid that fell apart", true}, nullptr},
    Recipe{{"atlas-feet", "atlas", "Atlas, both feet welded to the ground"}, make_atlas_feet},
    Recipe{{"atlas-feet-points", "atlas", "Atlas, four contact points under each foot"}, make_atlas_feet_points},
    Recipe{{"atlas-feet-hands", "atlas", "Atlas, feet and palms welded"}, make_atlas_feet_hands},
    Recipe{{"atlas-hand", "", "Atlas with a hand of 24 joints on its left arm, fingertips pinned"}, make_atlas_hand},
    Recipe{{"atlas-hands", "", "Atlas with two hands, fingertips pinned"}, make_atlas_hands},
    Recipe{{"atlas-hands-feet", "", "Atlas with two hands, fingertips pinned and feet welded"}, make_atlas_hands_feet},
    Recipe{{"shadow-tips", "shadow_like", "Shadow-like hand, fingertips pinned"}, make_shadow_tips},
    Recipe{{"shadow-ball", "", "Shadow-like hand that holds a free ball with five fingertips"}, make_shadow_ball},
};

const std::array<SceneRecipe, kRecipes.size()> kAbout = [] {
  std::array<SceneRecipe, kRecipes.size()> out;
  std::ranges::transform(kRecipes, out.begin(), &Recipe::about);
  return out;
}();

const Recipe* find_recipe(std::string_view name) {
  const auto found = std::ranges::find(kRecipes, name, [](const Recipe& r) { return r.about.name; });
  return found == kRecipes.end() ? nullptr : &*found;
}

[[noreturn]] void fail_unknown(std::string_view name) {
  ClosestName closest(name);
  for (const SceneRecipe& recipe : kAbout) closest.consider(recipe.name);
  for (const GeneratedScene& scene : generated_scenes()) closest.consider(scene.name);
  throw Error("there is no recipe for a scene " + in_quotes(name) + closest.hint());
}

}  // namespace

std::span<const SceneRecipe> scene_recipes() { return kAbout; }

Scene make_scene(std::string_view name) {
  const Recipe* recipe = find_recipe(name);
  if (!recipe && !is_generated_scene(name)) fail_unknown(name);
  if (recipe && recipe->about.runs) return load_embedded_scene(name);
  Scene scene = recipe ? recipe->make() : scene_of(make_generated_scene(name));
  scene.recipe = "delassus scene " + std::string(name);
  return scene;
}

std::string write_as(std::string_view name, const Scene& scene) {
  const Recipe* recipe = find_recipe(name);
  return recipe && !recipe->about.robot.empty() ? write_scene_on_robot(scene, recipe->about.robot) : write_scene(scene);
}

Scene load_embedded_scene(std::string_view name) {
  const EmbeddedFile* file = find_embedded(kScenes, name);
  if (!file) throw Error("this build carries no scene " + in_quotes(name));
  return parse_scene(file->text, std::string(name).append(file->extension), "");
}

}  // namespace delassus
