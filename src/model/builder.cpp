#include "delassus/model/builder.hpp"

#include <utility>

namespace delassus {

JointDescription joint(JointKind kind, std::string name, const Pose<double>& placement) {
  JointDescription j;
  j.name = std::move(name);
  j.kind = kind;
  j.placement = placement;
  return j;
}

JointDescription revolute(std::string name, const Vec3<double>& axis, const Pose<double>& placement) {
  JointDescription j = joint(JointKind::kRevolute, std::move(name), placement);
  j.axis = axis;
  return j;
}

JointDescription prismatic(std::string name, const Vec3<double>& axis, const Pose<double>& placement) {
  JointDescription j = joint(JointKind::kPrismatic, std::move(name), placement);
  j.axis = axis;
  return j;
}

Pose<double> translation(double x, double y, double z) { return {Mat3<double>::identity(), {{x, y, z}}}; }

namespace {

Inertial solid(double mass, double xx, double yy, double zz, const Vec3<double>& com) {
  Inertial in{mass, com, Sym3<double>::zero()};
  in.inertia(0, 0) = xx;
  in.inertia(1, 1) = yy;
  in.inertia(2, 2) = zz;
  return in;
}

}  // namespace

Inertial box_inertial(double mass, const Vec3<double>& h, const Vec3<double>& com) {
  const double x2 = h[0] * h[0], y2 = h[1] * h[1], z2 = h[2] * h[2];
  return solid(mass, mass / 3 * (y2 + z2), mass / 3 * (x2 + z2), mass / 3 * (x2 + y2), com);
}

Inertial sphere_inertial(double mass, double radius, const Vec3<double>& com) {
  const double i = 0.4 * mass * radius * radius;
  return solid(mass, i, i, i, com);
}

Inertial cylinder_inertial(double mass, double radius, double half_length, const Vec3<double>& com) {
  const double across = mass * (radius * radius / 4 + half_length * half_length / 3);
  return solid(mass, across, across, mass * radius * radius / 2, com);
}

ModelBuilder& ModelBuilder::gravity(const Vec3<double>& g) {
  description_.gravity = g;
  return *this;
}

int ModelBuilder::add_body(std::string name, int parent, JointDescription joint, const Inertial& inertial) {
  std::vector<JointDescription> joints;
  joints.push_back(std::move(joint));
  return add_body(std::move(name), parent, std::move(joints), inertial);
}

int ModelBuilder::add_body(std::string name, int parent, std::vector<JointDescription> joints,
                           const Inertial& inertial) {
  description_.bodies.push_back({std::move(name), parent, std::move(joints), Pose<double>::identity(), inertial});
  return static_cast<int>(description_.bodies.size()) - 1;
}

int ModelBuilder::add_fixed_body(std::string name, int parent, const Pose<double>& placement,
                                 const Inertial& inertial) {
  description_.bodies.push_back({std::move(name), parent, {}, placement, inertial});
  return static_cast<int>(description_.bodies.size()) - 1;
}

void ModelBuilder::add_frame(std::string name, int body, const Pose<double>& placement) {
  description_.frames.push_back({std::move(name), body, placement});
}

}  // namespace delassus
