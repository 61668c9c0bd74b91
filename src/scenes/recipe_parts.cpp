#include "scenes/recipe_parts.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "delassus/constraints/constrained_model.hpp"

namespace delassus {

Scene scene_of(ConstrainedModel mechanism) {
  Scene out(mechanism.model);
  out.q = std::move(mechanism.q);
  out.constraints = std::move(mechanism.constraints);
  return out;
}

void set_joint(Scene& scene, std::string_view joint, double angle) {
  scene.q[static_cast<std::size_t>(scene.model.link(scene.model.find_joint(joint)).q)] = angle;
}

void set_joints(Scene& scene, std::initializer_list<std::string_view> prefixes, std::string_view joint, double angle) {
  for (const std::string_view prefix : prefixes) set_joint(scene, std::string(prefix).append(joint), angle);
}

void add_constraints(Scene& scene, std::vector<Constraint> constraints) {
  std::move(constraints.begin(), constraints.end(), std::back_inserter(scene.constraints));
}

void rest_on_ground(Scene& scene) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Constraint& c : make_ground_contacts(scene.model, scene.q, {}, lowest)) {
    lowest = std::min(lowest, std::get<PointContact>(c).gap);
  }
  scene.q[2] -= lowest;
}

void add_joint_friction(Scene& scene) { add_constraints(scene, make_joint_friction(scene.model, kJointFriction)); }

}  // namespace delassus
