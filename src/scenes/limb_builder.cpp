#include "scenes/limb_builder.hpp"

#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus {

void require_at_least(const char* argument, int value, int least) {
  if (value < least) {
    throw Error("argument '" + std::string(argument) + "' is " + std::to_string(value) + ", but must be at least " +
                std::to_string(least));
  }
}

Vec3<double> LimbBuilder::skew_axis() {
  Vec3<double> axis;
  for (double& x : axis.a) x = random_.uniform(0.3, 1) * (random_.below(2) == 0 ? 1 : -1);
  return (1 / norm(axis)) * axis;
}

Mat3<double> LimbBuilder::rotation() {
  Quaternion<double> q;
  for (double& x : q.a) x = random_.uniform(0.2, 1);
  return rotation_of(q);
}

/// A solid box turned in some way: its moments obey the triangle inequality, whatever the numbers.
Inertial LimbBuilder::vary(double mass, double length, double width, const Vec3<double>& com) {
  const double varied = mass * random_.uniform(0.7, 1.3);
  const Vec3<double> half{
      {width * random_.uniform(0.6, 1), width * random_.uniform(0.6, 1), length * random_.uniform(0.4, 0.6)}};
  Inertial out = box_inertial(varied, half, com);
  for (double& x : out.com.a) x += width * random_.uniform(-0.3, 0.3);
  const Mat3<double> R = rotation();
  Mat3<double> I = Mat3<double>::zero();
  for (int k = 0; k < 3; ++k) I(k, k) = out.inertia(k, k);
  I = R * I * transposed(R);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c <= r; ++c) out.inertia(r, c) = I(r, c);
  }
  return out;
}

int LimbBuilder::add_base(const std::string& name, bool floating, double mass, double size) {
  const Inertial inertial = vary(mass, size, size / 2, {{0, 0, 0}});
  if (!floating) return builder_.add_fixed_body(name, kWorld, Pose<double>::identity(), inertial);
  return builder_.add_body(name, kWorld, joint(JointKind::kFree, name + "_free"), inertial);
}

int LimbBuilder::add_link(const std::string& name, int parent, const LimbShape& shape) {
  const Vec3<double> axis = skew_axis();
  const Inertial inertial = vary(shape.mass, shape.length, 0.25 * shape.length, (0.5 * shape.length) * shape.direction);
  return builder_.add_body(name, parent, revolute(name + "_joint", axis, {Mat3<double>::identity(), shape.mount}),
                           inertial);
}

int LimbBuilder::add_limb(const std::string& prefix, int parent, int count, const LimbShape& shape) {
  LimbShape next = shape;
  int last = parent;
  for (int k = 1; k <= count; ++k) {
    last = add_link(prefix + std::to_string(k), last, next);
    next.mount = shape.length * shape.direction;
  }
  builder_.add_frame(prefix + (prefix.ends_with('_') ? "tip" : "_tip"), last, {Mat3<double>::identity(), next.mount});
  return last;
}

}  // namespace delassus
