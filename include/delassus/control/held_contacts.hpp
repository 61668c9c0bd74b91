// Whether contacts can give the forces that a motion asks of them: they push and do not pull, hold by friction, and carry a moment as
// far as their sole reaches (docs/algorithms/operational-space.md).
//
// A held PointContact has its cone with it, its ForceSet. A foot that is welded or pinned to the ground has none: a Support says
// on what it stands.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/control/control_status.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

/// What a held loop or contact stands on. It never pulls; the rest is looked at where it is given.
struct Support {
  std::string held;                                             // the name of the constraint
  double mu = std::numeric_limits<double>::infinity();          // sliding
  double mu_torsion = std::numeric_limits<double>::infinity();  // metres, about the normal at the centre of pressure
  std::vector<Vec3<double>>
      sole{};  // corners in the attachment that is held, in any order, of which the convex hull counts
  Vec3<double> normal{{0, 0, 1}};  // of the ground, world axes, any length
  bool operator==(const Support&) const = default;
};

/// A Support for every held loop between a body and the world: the sole has the points with which the body's shapes touch the ground z = 0 at
/// q (make_ground_contacts), friction is the least of theirs. A body that touches with fewer than three has no sole, one that does
/// not touch no Support.
std::vector<Support> make_supports(const Model& model, const std::vector<double>& q, std::span<const Constraint> held);

template <FloatingPoint T>
class HeldContacts {
 public:
  /// Throws an Error that names a support without a constraint, or whose numbers are none.
  HeldContacts(const Model& model, std::span<const Constraint> held, std::span<const Support> supports);

  /// The worst of what these forces of the held rows would need. Beyond means by more than the root of the rounding of the largest force.
  ContactExcess judge(const State<T>& state, std::span<const T> force) const noexcept;

 private:
  struct Foot {
    int held, link, frame;
    Pose<T> offset;  // in the frame
    Vec3<T> normal;  // of length one
    T mu, mu_torsion;
    std::vector<Vec3<T>> sole;  // in the attachment, about its middle
    Vec3<T> middle;             // there
  };
  Foot make_foot(const Model& model, std::span<const Constraint> held, const Support& support) const;
  Force<T> wrench_on(const Foot& foot, const State<T>& state, std::span<const T> force,
                     const Vec3<T>& point) const noexcept;
  void judge_foot(const Foot& foot, const State<T>& state, std::span<const T> force, T limit,
                  ContactExcess& worst) const noexcept;

  std::vector<ForceBlock> sets_;  // of the held constraints
  std::vector<Foot> feet_;
};

}  // namespace delassus
