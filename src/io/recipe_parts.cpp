#include "io/recipe_parts.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "delassus/constraints/ground_contacts.hpp"
#include "delassus/io/load.hpp"

namespace delassus::io {

Scene robot_scene(std::string_view robot) {
  UrdfOptions options;
  options.base = UrdfOptions::Base::kFloating;
  return load_embedded_robot(robot, options);
}

Scene scene_of(ConstrainedModel mechanism) {
  Scene out(std::move(mechanism.model));
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

void add_joint_friction(Scene& scene) {
  for (int i = 0; i < scene.model.num_links(); ++i) {
    const Link& link = scene.model.link(i);
    if (link.kind == JointKind::kFree) continue;
    for (int dof = 0; dof < link.nv; ++dof) {
      const double loss = scene.model.dofs()[static_cast<std::size_t>(link.v + dof)].friction_loss;
      JointFriction friction;
      friction.name = scene.model.joint_name(i) + (link.nv > 1 ? "[" + std::to_string(dof) + "]" : "") + " friction";
      friction.link = i;
      friction.dof = dof;
      friction.set.bound = loss > 0 ? loss : kJointFriction;
      scene.constraints.emplace_back(std::move(friction));
    }
  }
}

}  // namespace delassus::io
