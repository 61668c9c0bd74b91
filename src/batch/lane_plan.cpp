#include "batch/lane_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

#include "collision/collision_surface.hpp"
#include "delassus/dynamics/forward_dynamics.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/model/surface.hpp"
#include "simulation/joint_laws.hpp"
#include "simulation/step_constraints.hpp"

namespace delassus {
namespace {

using Shape = CollisionWorld::Shape;

/// What of a step the kernels have no formulas for.
std::string unknown_option(const SimulationOptions& o) {
  if (o.model != ContactModel::kRigid) return "contacts are " + std::string(name_of(o.model));
  if (o.algorithm != Algorithm::kCondensed) return "another operator than the condensed one was asked for";
  if (o.restitution > 0) return "there is restitution";
  if (o.max_iterations > 0 || o.max_step_time > 0) return "iterations or time of a step are bounded";
  return {};
}

std::string unknown_joint(const Model& model) {
  std::vector<bool> carries(static_cast<std::size_t>(model.num_links()), false);
  for (const Link& link : model.links()) {
    if (link.parent != kWorld) carries[static_cast<std::size_t>(link.parent)] = true;
  }
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (link.kind == JointKind::kFree && !carries[static_cast<std::size_t>(i)])
      return "joint '" + model.joint_name(i) + "' frees a body that carries nothing";
    for (int k = 0; k < link.nv; ++k) {
      if (!has_rates(link.kind) && model.dofs()[static_cast<std::size_t>(link.v + k)].stiffness > 0)
        return "joint '" + model.joint_name(i) + "' has a spring about several axes";
    }
  }
  return {};
}

/// The longest axis of a box with these half extents as a segment, and the rest as a radius.
LaneCapsule around_box(const Shape& s, const Vec3<double>& centre, const Vec3<double>& half) {
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (half[k] > half[axis]) axis = k;
  }
  Vec3<double> along = Vec3<double>::zero();
  along[axis] = half[axis];
  LaneCapsule out;
  out.a = s.placement * (centre - along);
  out.b = s.placement * (centre + along);
  out.radius = std::hypot(half[(axis + 1) % 3], half[(axis + 2) % 3]);
  return out;
}

LaneCapsule capsule_around(const Shape& s) {
  const Vec3<double> origin = Vec3<double>::zero();
  LaneCapsule out;
  if (s.kind == ShapeKind::kSphere) {
    out.a = out.b = s.placement.p;
    out.radius = s.size[0];
  } else if (s.kind == ShapeKind::kCapsule || s.kind == ShapeKind::kCylinder) {
    out = around_box(s, origin, {{0, 0, s.size[1]}});
    out.radius = s.size[0];
  } else if (s.surface) {
    const Surface& surface = s.surface->surface();
    out = around_box(s, 0.5 * (surface.low() + surface.high()), 0.5 * (surface.high() - surface.low()));
  } else {
    out = around_box(s, origin, s.size);
  }
  out.link = s.link;
  out.centre = 0.5 * (out.a + out.b);
  out.reach = 0.5 * norm(out.b - out.a) + out.radius;
  return out;
}

/// The inertia that joints show in a step.
std::vector<double> shown_armature(const LanePlan& plan) {
  const double h = plan.options.dt;
  std::vector<double> out;
  for (const LaneDof& dof : plan.dofs) out.push_back(dof.armature + h * (dof.damping + h * dof.stiffness));
  for (const LaneDrive& d : plan.drives) out[static_cast<std::size_t>(d.v)] += h * (d.kd + h * d.kp);
  return out;
}

/// M⁻¹ with other armatures, in the neutral posture.
class NeutralMobility {
 public:
  NeutralMobility(const Model& model, const std::vector<double>& armature) : model_(model), kin_(model) {
    ModelDescription description = model.description();
    for (BodyDescription& body : description.bodies) {
      for (JointDescription& joint : body.joints) {
        const Link& link = model.link(model.find_joint(joint.name));
        for (int k = 0; k < link.nv; ++k)
          joint.dofs[static_cast<std::size_t>(k)].armature = armature[static_cast<std::size_t>(link.v + k)];
      }
    }
    const Model shown(std::move(description));
    ForwardDynamics<double> work(shown);
    const std::vector<double> q = model.neutral();
    update_kinematics<double>(model, q, kin_);
    const auto n = static_cast<std::size_t>(model.nv());
    inverse_.assign(n * n, 0.0);
    known_ = articulate<double>(shown, kin_, work).ok();
    for (std::size_t k = 0; k < n; ++k) {
      inverse_[k * n + k] = 1;
      if (known_) apply_inverse_inertia<double>(shown, VectorView<double>(&inverse_[k * n], model.nv()), work);
    }
  }

  bool known() const { return known_; }
  double of_dof(int v) const { return inverse_[index(v, v)]; }

  /// Mean over the axes, of a point on a link.
  double of_point(int link, const Vec3<double>& point) const {
    const Vec3<double> x = kin_.pose[link] * point;
    std::vector<std::pair<int, Vec3<double>>> columns;
    for (int i = link; i != kWorld; i = model_.link(i).parent) {
      for (int v = model_.link(i).v; v < model_.link(i).v + model_.link(i).nv; ++v) {
        const Motion<double>& S = kin_.S[static_cast<std::size_t>(v)];
        columns.emplace_back(v, S.linear + cross(S.angular, x - kin_.pose[i].p));
      }
    }
    double trace = 0;
    for (const auto& [r, a] : columns) {
      for (const auto& [c, b] : columns) trace += dot(a, b) * inverse_[index(r, c)];
    }
    return trace / 3;
  }

 private:
  std::size_t index(int r, int c) const {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(model_.nv()) + static_cast<std::size_t>(c);
  }

  const Model model_;
  Kinematics<double> kin_;
  std::vector<double> inverse_;
  bool known_ = false;
};

}  // namespace

LanePlan::LanePlan(const Model& m, std::span<const Constraint> scene, const SimulationOptions& o,
                   const std::vector<Actuator>& actuators, const CollisionWorld& world)
    : model(m), options(o), points(make_candidate_points(world)) {
  reason = unknown_option(options);
  if (const std::string why = unknown_joint(model); !why.empty()) refuse(why);
  if (!points.reason.empty()) refuse(points.reason);
  take_joints(scene);
  take_drives(actuators);
  take_shapes(world);
  if (reason.empty()) find_mobilities();
}

void LanePlan::take_joints(std::span<const Constraint> scene) {
  for (const Link& link : model.links()) {
    for (int k = 0; k < link.nv; ++k) {
      const DofProperties& p = model.dofs()[static_cast<std::size_t>(link.v + k)];
      LaneDof dof;
      dof.q = has_rates(link.kind) ? link.q + k : -1;
      dof.armature = p.armature;
      dof.damping = p.damping;
      dof.stiffness = p.stiffness;
      dof.rest = p.spring_reference;
      dof.friction = options.joint_friction ? p.friction_loss : 0;
      dof.lower = -HUGE_VAL;
      dof.upper = HUGE_VAL;
      dofs.push_back(dof);
    }
  }
  const auto dof_of = [&](const auto& c) -> LaneDof& {
    return dofs[static_cast<std::size_t>(model.link(c.link).v + c.dof)];
  };
  for (const Constraint& c : scene) {
    if (const auto* dry = std::get_if<JointFriction>(&c)) {
      dof_of(*dry).friction = dry->set.bound;
    } else if (!std::holds_alternative<JointLimit>(c) && !std::holds_alternative<PointContact>(c)) {
      refuse("constraint '" + name_of(c) + "' is no limit, friction or contact");
    }
  }
  for (const JointLimit& limit : make_limits(model, scene, options.joint_limits)) {
    LaneDof& dof = dof_of(limit);
    dof.limited = true;
    (limit.upper ? dof.upper : dof.lower) = limit.bound;
  }
}

void LanePlan::take_drives(const std::vector<Actuator>& actuators) {
  for (const Actuator& a : actuators) {
    const Link& link = model.link(model.find_joint(a.joint));
    drives.push_back({a.kind, link.q + a.dof, link.v + a.dof, a.kp, a.kd, a.effort_limit});
  }
}

void LanePlan::take_shapes(const CollisionWorld& world) {
  for (const CandidateShape& shape : points.shapes) {
    for (const CandidatePlane& plane : points.planes) {
      const ContactMaterial material = world.material(shape.shape, plane.shape);
      const std::string& name = world.shapes()[static_cast<std::size_t>(shape.shape)].name;
      if (material.condim > 3) refuse("shape '" + name + "' has torsional friction");
      friction.push_back(material.condim == 1 ? 0 : material.friction[0]);
    }
  }
  std::vector<int> index;
  for (int i = 0; i < static_cast<int>(world.shapes().size()); ++i) {
    const Shape& s = world.shapes()[static_cast<std::size_t>(i)];
    if (s.link == kWorld || s.kind == ShapeKind::kPlane) continue;
    moving.push_back(s);
    capsules.push_back(capsule_around(s));
    index.push_back(i);
  }
  for (std::size_t i = 0; i < index.size(); ++i) {
    for (std::size_t j = i + 1; j < index.size(); ++j) {
      if (world.can_touch(index[i], index[j])) pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
    }
  }
}

/// Points on an axis do not move in the neutral posture, and may in others: they are taken for a hundredth as mobile as the mean.
void LanePlan::find_mobilities() {
  const NeutralMobility neutral(model, shown_armature(*this));
  if (!neutral.known()) return refuse("the inertia matrix is singular in the neutral posture");
  for (int v = 0; v < model.nv(); ++v) dofs[static_cast<std::size_t>(v)].mobility = neutral.of_dof(v);
  for (const CandidateShape& shape : points.shapes) {
    for (int k = 0; k < shape.slots; ++k) {
      const bool own = shape.kind == CandidateShape::Kind::kPoints;
      mobility.push_back(neutral.of_point(shape.link, own ? shape.points[static_cast<std::size_t>(k)] : shape.centre));
    }
  }
  const double sum = std::accumulate(mobility.begin(), mobility.end(), 0.0);
  const double least = sum > 0 ? 0.01 * sum / static_cast<double>(mobility.size()) : 1 / model.mass();
  for (double& x : mobility) x = std::max(x, least);
}

}  // namespace delassus
