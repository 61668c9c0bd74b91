// An operator whose sweeps are code made for one model under one set of constraints (docs/generate.md). compile(), in
// generate/compile.hpp, makes it; any other way it has no code.
//
// Cost: the operations that the page lists, without loops and plans: for a quadruped two thirds of the condensed tree's from q to a product.
// Points and axes of contacts may move, all else of model and constraints is in the code. Where there is no code, where the rows at hand
// are others, and for joint_response and what else the code has not, this is LimbDelassus: `reason` says why.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "delassus/operators/limb_delassus.hpp"

namespace delassus {

struct OperatorCode;  // src/operators/operator_code.hpp

template <class T>
class GeneratedDelassus {
 public:
  /// Without code.
  explicit GeneratedDelassus(const Model& model, const CondensedOptions& options = {});
  GeneratedDelassus(const Model& model, const RowStructure& rows, const CondensedOptions& options = {});
  explicit GeneratedDelassus(const State<T>& state, const CondensedOptions& options = {})
      : GeneratedDelassus(state.model(), state.rows(), options) {}
  /// With code, or with the reason why there is none: what compile() returns.
  GeneratedDelassus(const Model& model, std::span<const Constraint> constraints,
                    const std::shared_ptr<const OperatorCode>& code, const std::string& reason);

  void update_structure(const Model& model, const RowStructure& rows);
  /// As CondensedDelassus::factor. The code reads coordinates and where contacts are; kinematics it has of its own.
  Status factor(const StateView<T>& at);
  /// From q, for the model that it was made for, and constraints of which at most points and axes of contacts have moved: no
  /// kinematics, no lowering. With others the library does all that. kBadArgument names an argument of the wrong size, or constraints that do not fit.
  Status update(In<T> q, std::span<const Constraint> constraints);

  int rows() const;
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const;
  /// By the library: the first one in a configuration factors there.
  CallStatus joint_response(In<T> x, Out<T> acceleration) const;
  /// Blocks are the library's, unless the code was made for them (CompileOptions::blocks).
  Status update_damping(const Damping<T>& damping);
  /// Where the code's refinement does not reach the tolerance, from the explicit matrix, as CondensedDelassus.
  Status solve(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;
  /// Without the code itself, which copies share.
  std::size_t bytes() const;

  /// As CondensedDelassus::used_matrix.
  bool used_matrix() const;
  /// Whether there is code, and whether the rows at hand are in it.
  bool has_code() const;
  bool in_code() const;
  /// Why there is no code, or why it is not in use; empty where it is.
  std::string reason() const;

 private:
  struct Work;

  Status factor_code(const StateView<T>& at) const;
  Status run_code() const;
  LimbDelassus<T>& library() const;

  mutable Boxed<Work> work_;
};

}  // namespace delassus
