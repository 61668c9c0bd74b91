#include "delassus/solvers/relaxed_contact.hpp"

#include <algorithm>
#include <cmath>

#include "delassus/math/error.hpp"

namespace delassus {

void require_valid(const SoftContact& soft) {
  if (!(soft.stiffness > 0 && std::isfinite(soft.stiffness))) {
    throw Error("stiffness of a soft contact has to be positive, in newtons per metre");
  }
  if (!(soft.damping >= 0 && std::isfinite(soft.damping))) {
    throw Error("damping of a soft contact has to be zero or more, in newton seconds per metre");
  }
  if (!(soft.slip_speed > 0)) throw Error("slip_speed of a soft contact has to be positive, in metres per second");
}

Vec3<double> soft_contact_force(const SoftContact& soft, double mu, double gap, const Vec3<double>& velocity) {
  if (gap >= 0) return {{0, 0, 0}};
  const double normal = std::max(0.0, -soft.stiffness * gap - soft.damping * velocity[0]);
  const double slip = std::hypot(velocity[1], velocity[2]);
  const double share = -mu * normal / std::max(slip, soft.slip_speed);
  return {{normal, share * velocity[1], share * velocity[2]}};
}

RowSoftening implicit_normal(const SoftContact& soft, double gap, double h) {
  const double slope = h * soft.stiffness + soft.damping;  // of the force, against the velocity
  return {1 / (h * slope), soft.stiffness * gap / slope};
}

RowSoftening implicit_tangent(const SoftContact& soft, double h) {
  return {1 / (h * (h * soft.stiffness + soft.damping)), 0};
}

}  // namespace delassus
