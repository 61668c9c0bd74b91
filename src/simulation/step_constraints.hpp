// The constraints of one step, as rows: those of the scene, dry friction of joints and motors with limited force, which are always there;
// then limits that could be reached; then contacts. What is always there keeps its place, so that it is copied once.
#pragma once

#include <span>
#include <vector>

#include "delassus/collision/collision_world.hpp"
#include "delassus/constraints/lower.hpp"
#include "simulation/joint_laws.hpp"

namespace delassus {

/// What a contact between shapes of that material is as a constraint.
ForceSet force_set(const ContactMaterial& material);
ContactKind contact_kind(const ContactMaterial& material);

/// Limits of joints: those of the scene, and of the model's own where the scene has no other.
std::vector<JointLimit> make_limits(const Model& model, std::span<const Constraint> scene, bool own);

/// Whether a constraint asks for a configuration: an equality, but for rows of the user's own, which may have any position, and contacts, which shapes make.
bool holds_position(const Constraint& c);

/// Room that is left to a limit; negative: it is exceeded.
double room_to(const JointLimit& limit, const Model& model, std::span<const double> q);

/// What is violated most in a configuration.
struct Violation {
  double value = 0;  // metres or radians
  int index = -1;    // of the constraint, or of the limit; none: -1
};
/// Of limits.
Violation worst_limit(const Model& model, std::span<const JointLimit> limits, std::span<const double> q);
/// Of constraints that hold positions. `position`: memory for one number per row. Allocates nothing.
Violation worst_opening(const Model& model, const Kinematics<double>& kin, std::span<const Constraint> constraints,
                        const ConstraintRows<double>& rows, std::span<double> position);

struct StepConstraintOptions {
  bool joint_limits = true, joint_friction = true;
  int contacts = 0;  // room for so many
};

class StepConstraints {
 public:
  /// Throws an Error that names a constraint which does not fit.
  StepConstraints(const Model& model, std::span<const Constraint> scene, const JointLaws& laws,
                  const StepConstraintOptions& options);

  /// Those of the step that begins in the configuration of kin. `v`: velocities that it would end with, were there no constraints; `near`: which
  /// contacts of the world count, ascending. True if the structure is another than in the step before. Allocates nothing.
  bool update(const Model& model, const Kinematics<double>& kin, std::span<const double> v, double dt,
              const CollisionWorld& world, std::span<const int> near);
  /// Bounds of motors that are rows, from their laws. Allocates nothing.
  void take_motor_limits(const JointLaws& laws);
  /// The numbers of the rows, as lower_values.
  Status lower(const Model& model, const Kinematics<double>& kin) {
    return lower_values<double>(model, kin, all_, rows_);
  }

  std::span<const Constraint> all() const { return all_; }
  const ConstraintRows<double>& rows() const { return rows_; }
  int capacity() const { return capacity_; }

  /// Constraints of each group, in their order: lasting (the first `scene` and friction, then motors), limits, contacts.
  int num_lasting() const { return num_lasting_; }
  int first_drive() const { return first_drive_; }
  int num_limits() const { return static_cast<int>(active_.size()); }
  int first_contact() const { return num_lasting_ + num_limits(); }
  /// Motors that are rows, in order.
  std::span<const int> drives() const { return drives_; }
  /// All limits there are, and those of this step.
  std::span<const JointLimit> limits() const { return limits_; }
  std::span<const int> active_limits() const { return active_; }
  int lasting_rows() const { return lasting_rows_; }

 private:
  void list_limits(const Kinematics<double>& kin, const Model& model, std::span<const double> v, double dt);
  void put_contact(std::size_t place, const Model& model, const Kinematics<double>& kin, const CollisionWorld& world,
                   const WorldContact& contact);
  template <class C>
  C& place(std::size_t index);

  std::vector<Constraint> all_;
  ConstraintRows<double> rows_;
  std::vector<JointLimit> limits_;
  std::vector<int> active_, drives_;
  int num_lasting_ = 0, first_drive_ = 0, lasting_rows_ = 0, capacity_ = 0;
  bool changed_ = true;
};

}  // namespace delassus
