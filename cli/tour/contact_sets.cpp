#include "cli/tour/contact_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/tour/postures.hpp"
#include "cli/tour/tips.hpp"
#include "delassus/constraints/constrained_model.hpp"
#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"
#include "model/wording.hpp"
#include "scenes/generated.hpp"
#include "scenes/recipes.hpp"

namespace delassus::cli {
namespace {

/// How close a point of a shape is to the ground to be in contact, metres: of a robot that stands, and of one that lies
/// there with its joints as they were, where a real one would sag onto more points.
constexpr double kStandingMargin = 1e-3, kLyingMargin = 0.03;
/// Bound of a joint's dry friction where the model gives none, N m. Λ⁻¹ does not depend on it.
constexpr double kJointFriction = 0.2;

void add(Scene& scene, const std::vector<Constraint>& constraints) {
  scene.constraints.insert(scene.constraints.end(), constraints.begin(), constraints.end());
}

/// What the library says of a scene that it carries or makes; empty for others.
std::string_view description_of(std::string_view scene) {
  for (const SceneRecipe& recipe : scene_recipes()) {
    if (recipe.name == scene) return recipe.description;
  }
  for (const GeneratedScene& family : generated_scenes()) {
    if (family.name == scene.substr(0, scene.find(':'))) return family.description;
  }
  return "";
}

std::vector<ContactSet> sets_as_given(const std::string& name, const Scene& scene) {
  const std::string_view description = description_of(name);
  std::vector<ContactSet> out{
      {"as given",
       description.empty() ? "The constraints of the scene." : fmt::format("The scene {}: {}.", name, description),
       scene}};
  const std::vector<Constraint> friction = make_joint_friction(scene.model, kJointFriction);
  const bool has_friction = std::ranges::any_of(
      scene.constraints, [](const Constraint& c) { return std::holds_alternative<JointFriction>(c); });
  if (friction.empty() || has_friction) return out;
  out.push_back({"with joint friction", "The same, with a row of dry friction for every joint.", scene});
  add(out.back().scene, friction);
  return out;
}

ContactSet standing(Scene scene) {
  rest_on_ground(scene);
  add(scene, make_ground_contacts(scene.model, scene.q, {}, kStandingMargin));
  return {"standing", "Put on the ground as it is in its file; contacts where a shape is within 1 mm of it.", scene};
}

ContactSet fallen(Scene scene) {
  const std::string_view side = lie_down(scene);
  add(scene, make_ground_contacts(scene.model, scene.q, {}, kLyingMargin));
  return {"fallen",
          fmt::format("Laid {}, joints as in its file; contacts where a shape is within 3 cm of the ground.", side),
          scene};
}

ContactSet touched_at_tips(Scene scene) {
  add(scene, make_tip_contacts(scene.model, scene.q, tip_links(scene.model)));
  return {"tips", "A contact at the tip of every limb, its normal upwards.", scene};
}

ContactSet touched_in_the_middle(const ContactSet& tips) {
  Scene scene = tips.scene;
  add(scene, make_tip_contacts(scene.model, scene.q, middle_links(scene.model)));
  return {"tips and middles", "Contacts at the tips and on the links halfway to them.", scene};
}

std::vector<ContactSet> sets_of_an_arm(const Scene& scene) {
  std::vector<ContactSet> out{touched_at_tips(scene)};
  if (out[0].scene.constraints.empty()) {
    throw Error(fmt::format(
        "model {} has no point that its joints move, so nothing to touch it at; give a model with a joint that moves "
        "something, or a scene with constraints",
        in_quotes(scene.model.name())));
  }
  ContactSet richer = touched_in_the_middle(out[0]);
  if (richer.scene.constraints.size() > out[0].scene.constraints.size()) out.push_back(std::move(richer));
  return out;
}

/// The scene that the library carries of this robot, if it does and the user adds no contacts; the set that was made otherwise.
ContactSet embedded_or(const ModelOptions& options, ContactSet made) {
  const std::string name = options.model + "-" + made.name;
  if (!options.contacts.empty() || !options.is_embedded_robot() || !find_embedded("scenes", name)) return made;
  return {made.name, fmt::format("The scene {}: {}.", name, description_of(name)), load_embedded_scene(name)};
}

/// Tips that no contact is on yet.
std::vector<int> free_tips(const Scene& scene) {
  std::vector<int> out = tip_links(scene.model);
  for (const Constraint& c : scene.constraints) {
    const auto* contact = std::get_if<PointContact>(&c);
    if (contact) std::erase(out, scene.model.frame(contact->a.frame).link);
  }
  return out;
}

/// For robots with so few shapes that lying gives fewer contacts than standing.
ContactSet braced(const ContactSet& standing) {
  Scene scene = standing.scene;
  add(scene, make_tip_contacts(scene.model, scene.q, free_tips(scene)));
  return {"standing, braced", "As standing, and with a contact at the tip of every other limb.", scene};
}

std::vector<ContactSet> sets_of_a_robot(const ModelOptions& options, const Scene& scene) {
  std::vector<ContactSet> out{embedded_or(options, standing(scene)), embedded_or(options, fallen(scene))};
  if (out[1].scene.constraints.size() <= out[0].scene.constraints.size()) out[1] = braced(out[0]);
  if (out[1].scene.constraints.size() == out[0].scene.constraints.size()) out.pop_back();
  return out;
}

}  // namespace

std::vector<ContactSet> make_contact_sets(const ModelOptions& options) {
  const Scene scene = options.load();
  if (options.is_scene() && !scene.constraints.empty()) return sets_as_given(options.model, scene);
  return can_lie(scene.model) ? sets_of_a_robot(options, scene) : sets_of_an_arm(scene);
}

}  // namespace delassus::cli
