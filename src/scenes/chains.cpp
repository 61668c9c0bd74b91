#include "scenes/mechanisms.hpp"

#include <cmath>

#include "scenes/limb_builder.hpp"

namespace delassus {
namespace {

// One seed each, so that mechanisms differ.
constexpr std::uint64_t kChainSeed = 1, kStemSeed = 2, kStarSeed = 3;

constexpr double kTurn = 6.283185307179586;

/// A limb that leaves the base like the k-th of `count` spokes, raised by `slope`.
LimbShape spoke(int k, int count, double slope) {
  const double angle = kTurn * (k + 0.5) / count;
  Vec3<double> direction{{std::cos(angle), std::sin(angle), slope}};
  direction = (1 / norm(direction)) * direction;
  return {0.15 * direction, direction, 0.2, 1};
}

void add_branches(LimbBuilder& tree, const std::string& prefix, int parent, const StemOptions& options, double slope) {
  for (int k = 0; k < options.branches; ++k) {
    tree.add_limb(prefix + std::to_string(k + 1) + "_", parent, options.branch_links,
                  spoke(k, options.branches, slope));
  }
}

}  // namespace

ModelDescription make_chain(const ChainOptions& options) {
  require_at_least("links", options.links, 1);
  LimbBuilder tree("chain", kChainSeed);
  const int base = options.floating ? tree.add_base("base", true, 2, 0.2) : kWorld;
  tree.add_limb("link", base, options.links, {});
  return tree.description();
}

ModelDescription make_stem(const StemOptions& options) {
  require_at_least("stem", options.stem, 1);
  require_at_least("branches", options.branches, 1);
  require_at_least("branch_links", options.branch_links, 1);
  LimbBuilder tree("stem", kStemSeed);
  const int base = tree.add_base("base", true, 3, 0.2);
  const int end = tree.add_limb("stem", base, options.stem, {});
  add_branches(tree, "rear", base, options, -1);
  add_branches(tree, "front", end, options, 1);
  return tree.description();
}

ModelDescription make_star(const StarOptions& options) {
  require_at_least("limbs", options.limbs, 1);
  require_at_least("joints", options.joints, 1);
  LimbBuilder tree("star", kStarSeed);
  const int base = tree.add_base("base", true, 5, 0.3);
  for (int k = 0; k < options.limbs; ++k) {
    tree.add_limb("limb" + std::to_string(k + 1) + "_", base, options.joints, spoke(k, options.limbs, 0));
  }
  return tree.description();
}

ModelDescription make_swimmer(int links) {
  require_at_least("links", links, 1);
  constexpr double kHalfLength = 0.1, kRadius = 0.02, kMass = 0.5;
  ModelBuilder b("swimmer");
  int parent = kWorld;
  for (int k = 1; k <= links; ++k) {
    const std::string name = "link" + std::to_string(k);
    const Pose<double> end = translation(2 * kHalfLength, 0, 0);
    JointDescription j = k == 1 ? joint(JointKind::kPlanar, "swim", translation(0, 0, kRadius))
                                : revolute(name + "_joint", {{0, 0, 1}}, end);
    parent = b.add_body(name, parent, std::move(j), {});
    // The capsule's axis is its z, which lies along the link.
    ShapeDescription capsule;
    capsule.name = name + "_capsule";
    capsule.body = parent;
    capsule.kind = ShapeKind::kCapsule;
    capsule.size = {{kRadius, kHalfLength, 0}};
    capsule.placement = {Mat3<double>{{0, 0, 1, 0, 1, 0, -1, 0, 0}}, {{kHalfLength, 0, 0}}};
    b.add_shape(std::move(capsule));
  }
  ModelDescription out = b.description();
  // A solid cylinder along x.
  Inertial inertial = cylinder_inertial(kMass, kRadius, kHalfLength, {{kHalfLength, 0, 0}});
  std::swap(inertial.inertia(0, 0), inertial.inertia(2, 2));
  for (BodyDescription& body : out.bodies) body.inertial = inertial;
  return out;
}

}  // namespace delassus
