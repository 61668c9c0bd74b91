// The constraints a user can state, as plain values. Lowering (lower.hpp) turns them into rows.
//
// Sign convention: a row's velocity is that of body 1 (or a) against body 2 (or b), J ν; the force λ acts on the
// mechanism as Jᵀλ.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "delassus/constraints/rows.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

/// A place on a frame of the model. Frame 0 is the world.
struct Attachment {
  int frame = 0;
  Pose<double> offset = Pose<double>::identity();  // in the frame
  bool operator==(const Attachment&) const = default;
};

/// Attachment at a point of a named frame.
Attachment attach(const Model& model, std::string_view frame, const Vec3<double>& point = {{0, 0, 0}});

/// Rows n, t1, t2 of a right-handed frame whose first axis is along `normal`, of any length but zero.
Mat3<double> contact_axes(const Vec3<double>& normal);

/// How much of the relative motion at a contact point is felt. Rows: n; n t1 t2; n t1 t2 and rotation about n;
/// n t1 t2 and rotation about n t1 t2.
enum class ContactKind : std::uint8_t { kFrictionless, kSliding, kTorsional, kRolling };

constexpr int row_count(ContactKind kind) {
  switch (kind) {
    case ContactKind::kFrictionless:
      return 1;
    case ContactKind::kSliding:
      return 3;
    case ContactKind::kTorsional:
      return 4;
    case ContactKind::kRolling:
      return 6;
  }
  return 0;
}

/// Body a touches body b at the origin of a's attachment. Both velocities are taken at that point of the world, which
/// moves with a; the axes stand still.
struct PointContact {
  std::string name;
  Attachment a;
  int b = 0;  // frame of the other body; the world by default
  /// Rows n, t1, t2 in world axes, right-handed; n points from b to a.
  Mat3<double> axes{{0, 0, 1, 1, 0, 0, 0, 1, 0}};
  double gap = 0;  // signed distance along n: the position of the normal row
  ContactKind kind = ContactKind::kSliding;
  ForceSet set{};
  bool operator==(const PointContact&) const = default;
};

/// In which axes a loop closure's rows are written.
enum class LoopAxes : std::uint8_t {
  kFrame1,     // the axes of attachment 1, moving with its body; needed where axes are free
  kWorldAxes,  // world axes: rows are the plain difference of the two points' velocities
};

/// Two frames coincide but for the free axes. Rows: the linear axes that are held, then the angular ones.
///
/// In the axes of frame 1, both velocities are taken at the origin p2 of frame 2, so that the linear rows are the rate
/// of the components of p1 - p2 along axes that turn with body 1. In world axes they are the rate of p1 - p2.
/// Angular positions: the rotation vector of frame 1 against frame 2; with one free axis k, (axis k of frame 2) ×
/// (axis k of frame 1). With two free angular axes (a universal joint) that hold axis k, with i = k+1 and j = k+2 modulo
/// 3: axis i of frame 1 and axis j of frame 2 stay orthogonal; the position is their product, the row points along
/// their normalised cross product.
struct LoopClosure {
  std::string name;
  Attachment first, second;
  std::uint8_t free_linear = 0;  // bit k: axis k is free
  std::uint8_t free_angular = 0;
  LoopAxes axes = LoopAxes::kFrame1;
  ForceSet set{};
  bool operator==(const LoopClosure&) const = default;
};

/// Both frames coincide: six rows.
LoopClosure make_weld(std::string name, const Attachment& first, const Attachment& second);
/// The origins coincide: three rows in world axes.
LoopClosure make_ball(std::string name, const Attachment& first, const Attachment& second);

/// Two points keep a distance: one row.
struct Distance {
  std::string name;
  Attachment first, second;
  double length = 0;
  ForceSet set{};
  bool operator==(const Distance&) const = default;
};

// Where a constraint names a joint by its link, `dof` counts within the joint. Limits, couplings and polynomials count q and v alike:
// only joints whose velocities are the rates of their coordinates can have them.

/// One coordinate stays above its lower or below its upper bound: one row, position = room that is left.
struct JointLimit {
  std::string name;
  int link = 0;  // the link whose joint is limited
  int dof = 0;   // within the joint
  bool upper = false;
  double bound = 0;
  ForceSet set{SetKind::kNonNegative};
  bool operator==(const JointLimit&) const = default;
};

/// Dry friction of one degree of freedom: one row, whose force is bounded by the set.
struct JointFriction {
  std::string name;
  int link = 0;
  int dof = 0;
  ForceSet set{SetKind::kBox, 0};
  bool operator==(const JointFriction&) const = default;
};

/// Σ weight_k q_k = offset over coordinates that are their velocities' integrals: one row. Mimic joints, gears.
struct JointCoupling {
  struct Term {
    int link = 0;
    int dof = 0;
    double weight = 0;
    bool operator==(const Term&) const = default;
  };
  std::string name;
  std::vector<Term> terms;
  double offset = 0;
  ForceSet set{};
  bool operator==(const JointCoupling&) const = default;
};

/// The centre of mass of everything, what is fixed to the world included: three rows in world axes.
struct CentreOfMass {
  std::string name;
  Vec3<double> target{{0, 0, 0}};
  ForceSet set{};
  bool operator==(const CentreOfMass&) const = default;
};

/// Rows of the user's own: Σ_k K_k (angular velocity of frame k; velocity of its origin; both in its own axes)
/// + Σ_k w_k v_k.
struct CustomRows {
  struct BodyTerm {
    int frame = 0;
    std::vector<double> K;  // rows × 6, row-major
    bool operator==(const BodyTerm&) const = default;
  };
  struct DofTerm {
    int v = 0;  // index in the velocity vector
    std::vector<double> weights;
    bool operator==(const DofTerm&) const = default;
  };
  std::string name;
  int rows = 0;
  std::vector<BodyTerm> bodies;
  std::vector<DofTerm> dofs;
  std::vector<double> position;  // empty: zero
  ForceSet set{};
  bool operator==(const CustomRows&) const = default;
};

/// q1 = c0 + c1 q2 + c2 q2² + c3 q2³ + c4 q2⁴, or q1 = c0 where there is no other joint: one row, whose position is
/// q1 - polynomial. The joint equality of MJCF.
struct JointPolynomial {
  std::string name;
  int link = 0;
  int dof = 0;
  int other_link = -1;  // -1: none
  int other_dof = 0;
  std::array<double, 5> coefficients{0, 1, 0, 0, 0};
  ForceSet set{};
  bool operator==(const JointPolynomial&) const = default;
};

using Constraint = std::variant<PointContact, LoopClosure, Distance, JointLimit, JointFriction, JointCoupling,
                                CentreOfMass, CustomRows, JointPolynomial>;

/// The limits, lower and upper, and the friction losses that the model's joints have, as constraints. Joints without a
/// friction loss, but for free ones, get that of `otherwise`; if it is zero, they have no friction.
std::vector<Constraint> make_joint_limits(const Model& model);
std::vector<Constraint> make_joint_friction(const Model& model, double otherwise = 0);

const std::string& name_of(const Constraint& c);
const ForceSet& set_of(const Constraint& c);
/// "contact", "loop", "distance", ...: the word for it in files and messages.
std::string_view kind_of(const Constraint& c);

/// Rows that a constraint will have.
int row_count(const Constraint& c);

/// Throws an Error that names the constraint if it does not fit the model.
void require_valid(const Model& model, const Constraint& c);

}  // namespace delassus
