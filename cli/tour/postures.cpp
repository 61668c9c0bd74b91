#include "cli/tour/postures.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus::cli {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Height of the lowest point of a shape; infinite if there is none that moves.
double lowest_point(const Model& model, const std::vector<double>& q) {
  double lowest = kInfinity;
  for (const Constraint& c : make_ground_contacts(model, q, {}, kInfinity)) {
    lowest = std::min(lowest, std::get<PointContact>(c).gap);
  }
  return lowest;
}

/// Moves every free joint on the world, in the world.
void move_roots(Scene& scene, const Pose<double>& by) {
  for (const Link& link : scene.model.links()) {
    if (link.parent != kWorld || link.kind != JointKind::kFree) continue;
    double* q = &scene.q[static_cast<std::size_t>(link.q)];
    const Pose<double> now{rotation_of<double>({{q[3], q[4], q[5], q[6]}}), {{q[0], q[1], q[2]}}};
    const Pose<double> moved = inverse(link.placement) * (by * (link.placement * now));
    const Quaternion<double> turn = quaternion_of(moved.R);
    std::copy_n(std::begin(moved.p.a), 3, q);
    std::copy_n(std::begin(turn.a), 4, q + 3);
  }
}

double centre_height(const Scene& scene) {
  Kinematics<double> kin(scene.model);
  update_kinematics<double>(scene.model, scene.q, kin);
  return centre_of_mass(scene.model, kin)[2];
}

struct Turn {
  Vec3<double> rpy;
  std::string_view words;
};
constexpr double kQuarter = std::numbers::pi / 2;
constexpr std::array kTurns{Turn{{{0, kQuarter, 0}}, "on its front"}, Turn{{{0, -kQuarter, 0}}, "on its back"},
                            Turn{{{kQuarter, 0, 0}}, "on its right side"},
                            Turn{{{-kQuarter, 0, 0}}, "on its left side"}};

}  // namespace

bool can_lie(const Model& model) {
  const auto floats = [](const Link& l) { return l.parent != kWorld || l.kind == JointKind::kFree; };
  return std::ranges::all_of(model.links(), floats) && lowest_point(model, model.neutral()) < kInfinity;
}

void rest_on_ground(Scene& scene) {
  move_roots(scene, {Mat3<double>::identity(), {{0, 0, -lowest_point(scene.model, scene.q)}}});
}

std::string_view lie_down(Scene& scene) {
  const std::vector<double> upright = scene.q;
  std::vector<double> best;
  double lowest = kInfinity;
  std::string_view words;
  for (const Turn& turn : kTurns) {
    scene.q = upright;
    move_roots(scene, {rotation_from_rpy(turn.rpy), Vec3<double>::zero()});
    rest_on_ground(scene);
    if (const double height = centre_height(scene); best.empty() || height < lowest) {
      best = scene.q;
      lowest = height;
      words = turn.words;
    }
  }
  scene.q = best;
  return words;
}

}  // namespace delassus::cli
