#include "model/coordinate_names.hpp"

#include <array>
#include <string_view>

namespace delassus {
namespace {

/// What stands behind the name of a joint with several coordinates.
std::string_view coordinate_part(JointKind kind, int k) {
  constexpr std::array<std::string_view, 7> kFree{"x", "y", "z", "qx", "qy", "qz", "qw"};
  constexpr std::array<std::string_view, 3> kPlanar{"x", "y", "angle"};
  constexpr std::array<std::string_view, 2> kCylindrical{"angle", "way"}, kUniversal{"angle1", "angle2"};
  const auto at = static_cast<std::size_t>(k);
  switch (kind) {
    case JointKind::kFree:
      return kFree[at];
    case JointKind::kSpherical:
      return kFree[at + 3];
    case JointKind::kPlanar:
      return kPlanar[at];
    case JointKind::kCylindrical:
      return kCylindrical[at];
    case JointKind::kUniversal:
      return kUniversal[at];
    default:
      return "";
  }
}

std::string_view velocity_part(JointKind kind, int k) {
  constexpr std::array<std::string_view, 6> kTwist{"wx", "wy", "wz", "vx", "vy", "vz"};
  const bool turns = kind == JointKind::kFree || kind == JointKind::kSpherical;
  return turns ? kTwist[static_cast<std::size_t>(k)] : coordinate_part(kind, k);
}

template <class Part>
std::vector<std::string> names_of(const Model& model, int JointSizes::*count, Part part) {
  std::vector<std::string> out;
  for (int i = 0; i < model.num_links(); ++i) {
    const JointKind kind = model.link(i).kind;
    for (int k = 0; k < sizes_of(kind).*count; ++k) {
      const std::string_view behind = part(kind, k);
      out.push_back(model.joint_name(i) + (behind.empty() ? "" : ".") + std::string(behind));
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> coordinate_names(const Model& model) {
  return names_of(model, &JointSizes::nq, coordinate_part);
}

std::vector<std::string> velocity_names(const Model& model) { return names_of(model, &JointSizes::nv, velocity_part); }

}  // namespace delassus
