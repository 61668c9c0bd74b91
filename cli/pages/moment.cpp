#include "cli/pages/moment.hpp"

#include "delassus/constraints/describe.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus::cli {
namespace {

std::string name_of_constraint(const Model& model, const Constraint& c, std::size_t index) {
  const auto* limit = std::get_if<JointLimit>(&c);
  if (!limit || !limit->name.empty()) return constraint_label(c, index);
  return model.joint_name(limit->link) + (limit->upper ? " upper limit" : " lower limit");
}

/// Of shapes without a name, that of their body.
std::string name_of_shape(const Model& model, const CollisionWorld& world, int shape) {
  const CollisionWorld::Shape& s = world.shapes()[static_cast<std::size_t>(shape)];
  const std::vector<ShapeDescription>& described = model.description().shapes;
  const bool named =
      static_cast<std::size_t>(shape) >= described.size() || !described[static_cast<std::size_t>(shape)].name.empty();
  if (named) return s.name;
  if (s.body == kWorld) return s.kind == ShapeKind::kPlane ? "ground" : "world";
  return model.description().bodies[static_cast<std::size_t>(s.body)].name;
}

TouchingPoint touching_point(const Simulator& simulation, const Kinematics<double>& kin, std::size_t contact,
                             std::size_t constraint) {
  const ContactState& state = simulation.contacts()[contact];
  const WorldContact& found = simulation.collision().contacts()[static_cast<std::size_t>(state.found)];
  const auto& point = std::get<PointContact>(simulation.constraints()[constraint]);
  TouchingPoint out;
  out.shape_a = found.shape_a;
  out.shape_b = found.shape_b;
  // Where body a has taken it since the step began.
  out.position = frame_pose(simulation.model(), kin, point.a.frame) * point.a.offset.p;
  out.normal = state.normal;
  out.force = state.force;
  const ContactMaterial material = simulation.collision().material(found.shape_a, found.shape_b);
  out.mu = material.condim == 1 ? 0 : material.friction[0];
  out.gap = state.gap;
  out.constraint = static_cast<int>(constraint);
  return out;
}

}  // namespace

Moment moment_without_step(Simulator& simulation) {
  Moment out;
  out.time = simulation.time();
  out.q = simulation.q();
  out.v = simulation.v();
  out.kinetic = simulation.kinetic_energy();
  out.potential = simulation.potential_energy();
  return out;
}

Moment moment_after_step(Simulator& simulation) {
  Moment out = moment_without_step(simulation);
  const StepReport& report = simulation.report();
  if (report.rows > 0) {
    out.velocity_residual = report.certificate.worst();
    out.force_residual = report.certificate.force;
    out.iterations = report.certificate.iterations;
  }
  out.penetration = report.penetration;
  out.constraints = simulation.constraints();
  const Model& model = simulation.model();
  const std::size_t first = out.constraints.size() - simulation.contacts().size();
  for (std::size_t k = 0; k < first; ++k) out.names.push_back(name_of_constraint(model, out.constraints[k], k));
  Kinematics<double> kin(model);
  update_kinematics<double>(model, out.q, kin);
  const auto name = [&](int shape) { return name_of_shape(model, simulation.collision(), shape); };
  for (std::size_t k = 0; k < simulation.contacts().size(); ++k) {
    out.contacts.push_back(touching_point(simulation, kin, k, first + k));
    const TouchingPoint& point = out.contacts.back();
    out.names.push_back(name(point.shape_a) + " / " + name(point.shape_b));
  }
  return out;
}

}  // namespace delassus::cli
