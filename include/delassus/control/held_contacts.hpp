// Whether contacts can give the forces that a motion asks of them: they push and do not pull, hold by friction, and carry a moment as
// far as their sole reaches (docs/algorithms/operational-space.md). ControlStatus says so of a control step.
//
// A held PointContact has its cone with it, its ForceSet. A foot that is welded or pinned to the ground has none: a Support says
// on what it stands.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/math/error.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

/// What the force of a held contact would need that a contact has not, in the order in which they are reported.
enum class ContactFault : std::uint8_t {
  kNone,
  kTwists,  // it turns about its normal: more torsion than friction gives
  kSlips,   // it slides: a force along the ground beyond its cone
  kTips,    // it turns over an edge: the centre of pressure lies outside of its sole
  kPulls,   // it leaves the ground: a normal force below zero
};

/// The worst of a step.
struct ContactExcess {
  ContactFault fault = ContactFault::kNone;
  int held = -1;      // which held constraint, the first being 0
  double beyond = 0;  // by how much: N of a pull or a slip, Nm of a twist or about the edge of a sole

  bool ok() const { return fault == ContactFault::kNone; }
  bool operator==(const ContactExcess&) const = default;
};

/// How a control step ended: a Status, and what contacts say to it. Forces are there with kSingularTask and kUnbalanced as well, and with any fault.
struct [[nodiscard]] ControlStatus {
  ControlStatus() = default;
  ControlStatus(const Status& status, const ContactExcess& excess = {})  // NOLINT: a Status is one without contacts
      : code(status.code), index(status.index), contact(excess) {}
  ControlStatus(Status::Code c, int i) : code(c), index(i) {}

  bool ok() const { return code == Status::Code::kOk && contact.ok(); }
  /// Whether joint forces were written.
  bool leaves_forces() const;
  Status numerics() const { return {code, index}; }
  bool operator==(const ControlStatus&) const = default;

  Status::Code code = Status::Code::kOk;
  int index = -1;  // as that of Status
  ContactExcess contact;
};

/// What happened and what to do; `constraints` are those of the controller, held ones first.
std::string describe(const ControlStatus& status, const Model& model, std::span<const Constraint> constraints = {});

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
