#include "scenes/boxes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus {
namespace {

/// An upright box in the world: the interval that it takes on each axis.
struct Extent {
  int body;
  double friction;
  Vec3<double> low, high;
};

std::vector<Extent> upright_boxes(const Model& model, const Kinematics<double>& kin) {
  std::vector<Extent> out;
  for (const ShapeDescription& shape : model.description().shapes) {
    if (shape.kind != ShapeKind::kBox || shape.body == kWorld) continue;
    const Pose<double> pose = frame_pose(model, kin, model.body_frame(shape.body)) * shape.placement;
    if (!(norm(rotation_log(pose.R)) < 1e-9)) continue;
    out.push_back({shape.body, shape.friction[0], pose.p - shape.size, pose.p + shape.size});
  }
  return out;
}

/// The corners of the area that the top of `below` shares with the bottom of `above`; none if they do not touch.
std::vector<Vec3<double>> shared_corners(const Extent& below, const Extent& above, double margin) {
  if (std::abs(above.low[2] - below.high[2]) > margin) return {};
  double low[2], high[2];
  for (int axis = 0; axis < 2; ++axis) {
    low[axis] = std::max(below.low[axis], above.low[axis]);
    high[axis] = std::min(below.high[axis], above.high[axis]);
    if (!(low[axis] < high[axis])) return {};
  }
  const double z = above.low[2];
  return {{{low[0], low[1], z}}, {{high[0], low[1], z}}, {{low[0], high[1], z}}, {{high[0], high[1], z}}};
}

Constraint contact_at(const Model& model, const Kinematics<double>& kin, const Extent& below, const Extent& above,
                      const Vec3<double>& point, int number) {
  PointContact contact;
  const int a = model.body_frame(above.body);
  contact.b = model.body_frame(below.body);
  contact.name = model.frame(a).name + " on " + model.frame(contact.b).name + "/" + std::to_string(number);
  contact.a = {a, {Mat3<double>::identity(), inverse(frame_pose(model, kin, a)) * point}};
  contact.gap = above.low[2] - below.high[2];
  // Coulomb's coefficient of a pair is the larger one, as engines mix them.
  contact.set.kind = SetKind::kFrictionCone;
  contact.set.mu = std::max(below.friction, above.friction);
  return contact;
}

ConstrainedModel resting(const ModelDescription& description) {
  ConstrainedModel out{Model(description)};
  out.constraints = make_ground_contacts(out.model, out.q);
  std::ranges::move(make_stacking_contacts(out.model, out.q), std::back_inserter(out.constraints));
  return out;
}

}  // namespace

std::vector<Constraint> make_stacking_contacts(const Model& model, const std::vector<double>& q, double margin) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  const std::vector<Extent> boxes = upright_boxes(model, kin);
  std::vector<Constraint> out;
  for (const Extent& above : boxes) {
    for (const Extent& below : boxes) {
      if (above.body == below.body) continue;
      int number = 0;
      for (const Vec3<double>& point : shared_corners(below, above, margin)) {
        out.push_back(contact_at(model, kin, below, above, point, ++number));
      }
    }
  }
  return out;
}

ConstrainedModel make_box_stack_scene(int count, const BoxOptions& options) {
  return resting(make_box_stack(count, options));
}

ConstrainedModel make_box_pyramid_scene(const PyramidOptions& options) { return resting(make_box_pyramid(options)); }

}  // namespace delassus
