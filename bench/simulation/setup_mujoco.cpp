#include "bench/simulation/setup_mujoco.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/peers/links_mujoco.hpp"

namespace delassus::cli {
namespace {

std::string text_of(const Vec3<double>& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]); }

/// Its defaults, but for elliptic cones, which are Coulomb's and faster on piles than its pyramids, and for the solver. Matrices are sparse by default where
/// there are many bodies.
std::string head(const SimulationSetup& setup, MujocoMethod method) {
  const bool many = setup.model.nv() > 100;
  return fmt::format("<option timestep='{:.17g}' cone='elliptic' solver='{}'/><size njmax='{}' nconmax='{}'/>",
                     setup.options.dt, method == MujocoMethod::kNewton ? "Newton" : "CG", many ? 8000 : 2000,
                     many ? 2000 : 500);
}

std::string kind_of(const CollisionWorld::Shape& shape) {
  if (has_surface(shape.kind))
    throw Error(fmt::format("shape '{}' is not written for MuJoCo: it is a surface", shape.name));
  return std::string(name_of(shape.kind));
}

std::string geoms_on(int link, const CollisionWorld& world) {
  std::string text;
  for (const CollisionWorld::Shape& shape : world.shapes()) {
    if (shape.link != link) continue;
    const Quaternion<double> q = quaternion_of(shape.placement.R);
    const Vec3<double> size = shape.kind == ShapeKind::kPlane ? Vec3<double>{{50, 50, 1}} : shape.size;
    text += fmt::format(
        "<geom type='{}' size='{}' pos='{}' quat='{:.17g} {:.17g} {:.17g} {:.17g}' friction='{}' condim='{}'/>",
        kind_of(shape), text_of(size), text_of(shape.placement.p), q[3], q[0], q[1], q[2], text_of(shape.friction),
        shape.condim);
  }
  return text;
}

/// The actuator that holds a degree of freedom, if there is one. Its damping is that of the joint, which MuJoCo takes implicitly, as we do.
const Actuator* motor_at(const SimulationSetup& setup, int link) {
  const auto found = std::ranges::find(setup.actuators, setup.model.joint_name(link), &Actuator::joint);
  if (found == setup.actuators.end()) return nullptr;
  if (found->kind != ActuatorKind::kPosition) throw Error("only motors that hold are written for MuJoCo");
  return &*found;
}

std::string joint_attributes(const SimulationSetup& setup, int i) {
  const Link& link = setup.model.link(i);
  const DofProperties& dof = setup.model.dofs()[static_cast<std::size_t>(link.v)];
  const Actuator* motor = motor_at(setup, i);
  std::string text = fmt::format("damping='{:.17g}' frictionloss='{:.17g}' stiffness='{:.17g}' ",
                                 dof.damping + (motor ? motor->kd : 0), dof.friction_loss, dof.stiffness);
  if (link.nv != 1) return text;
  text += fmt::format("springref='{:.17g}' ", dof.spring_reference);
  if (std::isinf(dof.lower) && std::isinf(dof.upper)) return text;
  constexpr double kFar = 1e3;
  return text +
         fmt::format("limited='true' range='{:.17g} {:.17g}' ", std::max(dof.lower, -kFar), std::min(dof.upper, kFar));
}

const LoopClosure* tie_of(const Constraint& c) {
  const auto* loop = std::get_if<LoopClosure>(&c);
  return loop && loop->free_linear == 0 && loop->free_angular == 7 ? loop : nullptr;
}

/// Where they hold is set by place_loops.
std::string equalities(const SimulationSetup& setup) {
  std::string text;
  for (const Constraint& c : setup.constraints) {
    if (std::holds_alternative<PointContact>(c)) continue;  // contacts come from shapes
    const LoopClosure* loop = tie_of(c);
    if (!loop) throw Error(fmt::format("{} '{}' is not written for MuJoCo", delassus::kind_of(c), name_of(c)));
    text += fmt::format("<connect body1='{}' body2='{}' anchor='0 0 0'/>",
                        name_of_link(setup.model.frame(loop->first.frame).link),
                        name_of_link(setup.model.frame(loop->second.frame).link));
  }
  return text;
}

/// It leaves out pairs of bodies, and not of shapes.
std::string exclusions(const SimulationSetup& setup, const CollisionWorld& world) {
  std::set<std::pair<int, int>> pairs;
  const auto add = [&](int a, int b) {
    if (a != b) pairs.insert(std::minmax(a, b));
  };
  for (const ContactExclusion& e : setup.model.description().excludes) {
    add(setup.model.frame(setup.model.body_frame(e.body1)).link,
        setup.model.frame(setup.model.body_frame(e.body2)).link);
  }
  for (const auto& [a, b] : world.overlapping())
    add(world.shapes()[static_cast<std::size_t>(a)].link, world.shapes()[static_cast<std::size_t>(b)].link);
  std::string text;
  for (const auto& [a, b] : pairs)
    text += fmt::format("<exclude body1='{}' body2='{}'/>", name_of_link(a), name_of_link(b));
  return text;
}

std::string motors(const SimulationSetup& setup) {
  std::string text;
  for (const Actuator& motor : setup.actuators) {
    text +=
        fmt::format("<position joint='{}' kp='{:.17g}' ", name_of_link(setup.model.find_joint(motor.joint)), motor.kp);
    if (std::isfinite(motor.effort_limit))
      text += fmt::format("forcelimited='true' forcerange='{:.17g} {:.17g}'", -motor.effort_limit, motor.effort_limit);
    text += "/>";
  }
  return text;
}

}  // namespace

std::string as_mjcf(const SimulationSetup& setup, const CollisionWorld& world, MujocoMethod method) {
  return links_as_mjcf(setup.model,
                       {.head = head(setup, method),
                        .elements = [&](int link) { return geoms_on(link, world); },
                        .joint_attributes = [&](int link) { return joint_attributes(setup, link); },
                        .tail = fmt::format("<equality>{}</equality><contact>{}</contact><actuator>{}</actuator>",
                                            equalities(setup), exclusions(setup, world), motors(setup))});
}

void place_loops(const SimulationSetup& setup, mjModel& mujoco) {
  mjtNum* data = mujoco.eq_data;
  const auto place = [&](const Attachment& at, mjtNum* to) {
    write((setup.model.frame(at.frame).placement * at.offset).p, to);
  };
  for (const Constraint& c : setup.constraints) {
    const LoopClosure* loop = tie_of(c);
    if (!loop) continue;
    place(loop->first, data);
    place(loop->second, data + 3);
    data += mjNEQDATA;
  }
}

}  // namespace delassus::cli
