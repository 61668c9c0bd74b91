#include "scenes/boxes.hpp"

#include "delassus/math/error.hpp"
#include "delassus/model/builder.hpp"
#include "scenes/limb_builder.hpp"

namespace delassus {

int add_free_box(ModelDescription& description, const std::string& name, const Pose<double>& placement,
                 const BoxOptions& options) {
  BodyDescription body;
  body.name = name;
  body.joints.push_back(joint(JointKind::kFree, name + "_free", placement));
  body.inertial = box_inertial(options.mass, options.half_extents);
  description.bodies.push_back(std::move(body));
  const int index = static_cast<int>(description.bodies.size()) - 1;
  ShapeDescription shape;
  shape.name = name + "_shape";
  shape.body = index;
  shape.kind = ShapeKind::kBox;
  shape.size = options.half_extents;
  shape.friction[0] = options.friction;
  description.shapes.push_back(std::move(shape));
  return index;
}

ModelDescription make_box_stack(int count, const BoxOptions& options) {
  require_at_least("count", count, 1);
  ModelDescription out;
  out.name = "boxes";
  for (int k = 0; k < count; ++k) {
    const double height = (2 * k + 1) * options.half_extents[2];
    add_free_box(out, "box" + std::to_string(k + 1), translation(0, 0, height), options);
  }
  return out;
}

ModelDescription make_box_pyramid(const PyramidOptions& options) {
  require_at_least("side", options.side, 1);
  const Vec3<double>& half = options.box.half_extents;
  for (int axis = 0; axis < 2; ++axis) {
    if (!(options.spacing > 2 * half[axis] && options.spacing < 4 * half[axis])) {
      throw Error("argument 'spacing' must be more than a box's width and less than twice that, or layers do not hold");
    }
  }
  ModelDescription out;
  out.name = "pyramid";
  for (int layer = 0; layer < options.side; ++layer) {
    const int side = options.side - layer;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        const auto centre = [&](int k) { return options.spacing * (k - 0.5 * (side - 1)); };
        add_free_box(out, "box" + std::to_string(out.bodies.size() + 1),
                     translation(centre(column), centre(row), (2 * layer + 1) * half[2]), options.box);
      }
    }
  }
  return out;
}

}  // namespace delassus
