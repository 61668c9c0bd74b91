// Coordinates in which another library has a model that was handed over link by link.
#pragma once

#include "delassus/kinematics/coordinate_layout.hpp"

namespace delassus::cli {

/// Joints in the order of the links, and angles for joints without limits as well.
inline CoordinateLayout link_layout(const Model& model, Library library) {
  LayoutOptions options{.joints = {}, .cos_sin = false};
  for (int i = 0; i < model.num_links(); ++i) options.joints.push_back(model.joint_name(i));
  return {model, library, options};
}

}  // namespace delassus::cli
