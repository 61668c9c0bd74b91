// The condensed tree of a robot with its limbs side by side: CondensedDelassus in lanes (docs/algorithms/limbs.md).
//
// Cost: that of the condensed tree of the fold, in vector operations; on a quadruped a quarter. From q to products `update` is
// faster than `factor`: kinematics run in lanes as well. Where the model has no fold, the
// scalar is not double, or a constraint couples limbs in different lanes, this is CondensedDelassus itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/operators/condensed.hpp"

namespace delassus {

struct LimbModel;  // src/model/limb_model.hpp

template <class T>
class LimbDelassus {
 public:
  explicit LimbDelassus(const Model& model, const CondensedOptions& options = {});
  /// Ready for the structure that the rows have; their values do not matter yet.
  LimbDelassus(const Model& model, const RowStructure& rows, const CondensedOptions& options = {});
  explicit LimbDelassus(const State<T>& state, const CondensedOptions& options = {})
      : LimbDelassus(state.model(), state.rows(), options) {}

  void update_structure(const Model& model, const RowStructure& rows);
  /// As CondensedDelassus::factor. In lanes it reads of `kin` coordinates, sines and cosines alone.
  Status factor(const StateView<T>& at);
  /// From q, for constraints that have the structure of the rows: kinematics, lowering and factor in one. In lanes no link of the
  /// robot is placed that no constraint acts on. kDegenerate as lower_values has it; the operator then
  /// keeps what it had.
  Status update(const Model& model, In<T> q, std::span<const Constraint> constraints, ConstraintRows<T>& rows);

  int rows() const;
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const;
  CallStatus joint_response(In<T> x, Out<T> acceleration) const;
  Status update_damping(const Damping<T>& damping);
  Status solve(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;
  std::size_t bytes() const;

  /// As CondensedDelassus::used_matrix.
  bool used_matrix() const;
  /// Whether the rows at hand are computed in lanes.
  bool in_lanes() const { return !scalar_; }
  /// The fold, or null where lanes do not pay.
  const LimbModel* limbs() const { return limbs_.get(); }
  /// The nodes that the sweeps go over.
  const CondensedPlan& plan() const;

 private:
  struct Work;

  void take(const Model& model);
  Status prepare(const Model& model, const ConstraintRows<T>& rows);
  bool lay_out_lanes(const RowStructure& rows);
  Status factor_lanes(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  Status in_rows_of_robot(Status status) const;

  CondensedOptions options_;
  Model model_;
  std::shared_ptr<const LimbModel> limbs_;      // of model_; null where lanes do not pay
  std::optional<CondensedDelassus<T>> scalar_;  // where the rows at hand are not in lanes
  RowStructure structure_;                      // of the last plan
  std::vector<std::int32_t> touched_;           // links that constraints act on
  Kinematics<T> kin_;                           // of update; in lanes, of the touched links
  bool planned_ = false;
  mutable Boxed<Work> work_;
};

}  // namespace delassus
