// Damped inverses with blocks that are not symmetric, by the plan of dual_plan.hpp: beside the symmetric elimination, which turns rows into
// stiffness. Here rows stay unknowns and blocks of damping are added as they are, so that none is inverted.
//
//   D   square of a group: L and U of it, one over the other
//   P   rows of L below it, later × own
//   Q   the columns of U beside it, transposed, so that they have the shape of P
//
// The first groups are those whose damping tends to stay. What they leave of all others is kept, and a new damping begins behind them if theirs is
// the same to the bit. Results do not depend on that.
#pragma once

#include "operators/add_damping.hpp"
#include "operators/condensed/dual_plan.hpp"
#include "operators/condensed/factor.hpp"

namespace delassus {

/// T: float or double.
template <class T>
class DualElimination {
 public:
  /// Room for structures of this size, and for as many numbers as rows up to kReservedRows need if all are coupled: beyond, memory grows.
  static constexpr int kReservedRows = 512;
  /// The same of what is kept.
  static constexpr int kReservedKept = 128;
  void reserve(const Model& model, const CondensedCapacity& capacity);

  /// For other rows, and for another configuration.
  void forget_structure() { planned_ = configured_ = false; }
  void forget_configuration() { configured_ = false; }

  /// Plans and configures, where that is not done.
  void prepare(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& tree,
               const CondensedConfiguration<T>& c);
  /// After `prepare`: takes the damping over and eliminates. kNotPositive names a row whose pivot has no
  /// inverse.
  Status damp(const ConstraintRows<T>& rows, const Damping<T>& damping);
  /// z = (R⁻¹ + Λ⁻¹)⁻¹ b; may be the same vector.
  void solve(const RowStructure& rows, const T* b, T* z);
  const KeptDamping<T>& damping() const { return damping_; }
  /// Whether the last damping began behind the groups that are kept.
  bool began_behind_kept() const { return as_before_; }
  const DualPlan& plan() const { return plan_; }
  std::size_t bytes() const;

 private:
  using Group = DualPlan::Group;

  void configure(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& tree,
                 const CondensedConfiguration<T>& c);
  void take_roots(const Model& model, const CondensedPlan& tree, const CondensedConfiguration<T>& c);
  void clear_y(const Group& group);
  void carry(const Model& model, const ConstraintRows<T>& rows, const CondensedPlan& tree,
             const CondensedConfiguration<T>& c, const DualPlan::Track& track);
  void begin_track(const ConstraintRows<T>& rows, const CondensedConfiguration<T>& c, const DualPlan::Track& track);
  void couple_rows(const Group& group);
  void couple_trunk(const Group& group);
  bool is_damped_as_before(const RowStructure& rows, const Damping<T>& damping) const;
  Status eliminate_kept(const RowStructure& rows);
  void begin_behind_kept();
  void add_damping(const RowStructure& rows, int first, int end);
  Status eliminate(const RowStructure& rows, int first, int end);
  void take_from_later(const Group& group);
  int row_of(const RowStructure& rows, int unknown) const;

  T* y(int dof, int unknown) { return &y_[static_cast<std::size_t>(dof) * plan_.unknowns + unknown]; }
  LowerView<T> square(std::vector<T>& all, const Group& g) { return {all.data() + g.square, g.count}; }
  LowerView<T> panel(std::vector<T>& all, const Group& g) { return {all.data() + g.panel, g.below}; }

  /// Rows of a track on their way from one of their links to the world.
  struct Traveller {
    std::int32_t link, wrenches;  // where they have got to, and the first of six times as many numbers
  };

  DualPlanner planner_;
  DualPlan plan_;
  bool planned_ = false, configured_ = false;
  KeptDamping<T> damping_;
  std::vector<T> y_, root_;
  std::vector<Mat<T, 6, 6>> yield_root_;  // per free joint on the world: G with G Gᵀ its inverse inertia
  std::vector<T> wrenches_;
  std::vector<Traveller> travellers_;
  std::vector<T> rest_square_, rest_panel_;  // without damping
  std::vector<T> square_, P_, Q_;
  std::vector<T> kept_square_, kept_P_,
      kept_Q_;               // of groups behind those that are kept, as these leave them, without their own damping
  bool kept_ready_ = false;  // with the damping of damping_
  bool as_before_ = false;
  std::vector<T> x_;
};

}  // namespace delassus
