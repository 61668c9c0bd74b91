#include "coordinates.hpp"

#include <cmath>

#include "delassus/kinematics/kinematics.hpp"
#include "errors.hpp"

namespace delassus::python {
namespace {

bool is_zero_quaternion(const Link& link, VectorView<const double> q) {
  if (link.kind != JointKind::kSpherical && link.kind != JointKind::kFree) return false;
  const double* x = q.data() + link.q + (link.kind == JointKind::kFree ? 3 : 0);
  return !(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] > 0);
}

}  // namespace

void require_finite(const Model& model, VectorView<const double> values) {
  for (int k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) throw StatusError({Status::Code::kNotFinite, k}, model, {});
  }
}

void require_coordinates(const Model& model, VectorView<const double> q) {
  require_finite(model, q);
  for (const Link& link : model.links()) {
    if (!is_zero_quaternion(link, q)) continue;
    std::vector<double> copy(q.data(), q.data() + q.size());
    normalise(model, VectorView<double>(copy));  // which has the words for it
  }
}

}  // namespace delassus::python
