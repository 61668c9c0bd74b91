// Mechanisms, states and constraints by seed: the same on every machine and compiler, up to rounding.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/model/model.hpp"

namespace delassus::samples {

/// Draws from mt19937_64, whose output the standard fixes, by mappings of its own: those of <random> may
/// differ between libraries.
class Random {
 public:
  /// Streams of one seed are independent: a state does not repeat the numbers that made its model.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  double uniform(double lower, double upper);
  /// Both ends included.
  int integer(int first, int last);
  bool chance(double probability) { return uniform(0, 1) < probability; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(integer(0, static_cast<int>(from.size()) - 1))];
  }
  Vec3<double> vector(double bound);
  Vec3<double> direction();
  Quaternion<double> quaternion();
  Mat3<double> rotation();
  Pose<double> pose(double bound) { return {rotation(), vector(bound)}; }

 private:
  std::mt19937_64 engine_;
};

enum class Base : std::uint8_t {
  kFixed,         // one tree, whose first joint is like the others
  kFloating,      // a tree with a free joint at its root; more may hang on bodies that are fixed to the world
  kSeveralRoots,  // several trees, some of them floating
};

struct ModelOptions {
  int links = 8;
  Base base = Base::kFixed;
  double branching = 0.3;  // that a body hangs on any body before it, instead of the last one
  std::vector<JointKind> kinds{JointKind::kRevolute,    JointKind::kPrismatic, JointKind::kHelical,
                               JointKind::kCylindrical, JointKind::kUniversal, JointKind::kSpherical,
                               JointKind::kPlanar};
  double armature = 0.3;        // per degree of freedom
  double fixed_body = 0.2;      // that a body with mass is fixed where the next body will hang
  double several_joints = 0.2;  // that a body has two or three joints, without mass in between
};

/// Options over their whole range, 1 to 22 links.
ModelOptions random_options(std::uint64_t seed);

/// Positive masses, inertias of solid boxes, and no degree of freedom without inertia: M is well conditioned
/// in every configuration. Has some named frames, on the world too.
Model random_model(std::uint64_t seed, const ModelOptions& options);
inline Model random_model(std::uint64_t seed) { return random_model(seed, random_options(seed)); }

struct State {
  std::vector<double> q, v, tau;
};

/// Anywhere: angles over the whole circle, unit quaternions.
State random_state(const Model& model, std::uint64_t seed);

/// Of all kinds: on one body, interior links included, with several on one link; between two bodies,
/// neighbours included; on many; on joints; on all. Two frames that are held together are never on one link,
/// so no row is zero by construction, but rows may well depend on each other when there are many. Loops are
/// not closed: for that there is `closed`.
std::vector<Constraint> random_constraints(const Model& model, std::uint64_t seed, int count);

/// The loop with its second attachment moved onto the first as it is at q: all positions are zero there.
LoopClosure closed(const Model& model, const std::vector<double>& q, LoopClosure loop);

/// Systems in which J loses rank. `rank` is that of J, and of J M⁻¹ Jᵀ.
struct System {
  Model model;
  std::vector<Constraint> constraints;
  State state;
  int rank;
};

/// A planar chain stretched out, with a sliding contact at its end: only the row across the chain is felt.
System straight_chain_with_end_contact(int links);
/// A weld of the last of six links to the world, stated twice.
System duplicated_constraint();
/// A floating leg on a foot with contact points at its four corners: twelve rows on one body.
System foot_with_four_points();

}  // namespace delassus::samples
