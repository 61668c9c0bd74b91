// The engine of a batch for one kind of vector.
#pragma once

#include <array>
#include <vector>

#include "batch/engine.hpp"
#include "batch/lanes.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/explicit_operator.hpp"
#include "dynamics/articulated_body.hpp"
#include "math/finite.hpp"

namespace delassus {

template <class P>
class PackFactor final : public BatchFactor {
 public:
  PackFactor(const Model& model, const CondensedOptions& options) : op(model, options) {}
  std::size_t bytes() const override { return sizeof(*this) + op.bytes(); }

  CondensedDelassus<P> op;
};

template <class P>
class PackEngine final : public BatchEngine<Base<P>> {
 public:
  using T = Base<P>;
  using In = BatchView<const T>;
  using Out = BatchView<T>;
  using MatrixOut = BatchMatrixView<T>;

  PackEngine(const Model& model, const BatchSets& sets, const BatchOptions& options);

  int width() const override { return P::kWidth; }
  std::size_t bytes() const override;

  Outcome inverse_dynamics(const BatchBlock& block, In q, In v, In a, Out tau) override;
  Outcome inertia_matrix(const BatchBlock& block, In q, MatrixOut M) override;
  Outcome forward_dynamics(const BatchBlock& block, In q, In v, In tau, Out a) override;

  void prepare(const BatchStructure& structure) override;
  void forget(int slot) override;
  std::unique_ptr<BatchFactor> make_factor() const override;
  BatchFactor& factor_of(const BatchStructure& structure) override;

  void prepare_matrix(const BatchStructure& structure) override;
  void reserve_matrix(int rows) override { matrix_.reserve(static_cast<std::size_t>(rows) * rows); }
  Outcome matrix(const BatchBlock& block, In q, MatrixOut matrix) override;

  Outcome factor(const BatchBlock& block, In q, FactorScope scope, BatchFactor& out) override;
  Outcome apply(const BatchBlock& block, BatchFactor& factor, In x, Out y) override;
  Outcome dense(const BatchBlock& block, BatchFactor& factor, MatrixOut matrix) override;
  Outcome damp(const BatchBlock& block, BatchFactor& factor, const BatchDamping<T>& damping) override;
  Outcome solve(const BatchBlock& block, BatchFactor& factor, In b, Out z) override;

 private:
  /// What the engine has for one structure.
  struct Slot {
    ConstraintRows<P> rows;
    std::unique_ptr<PackFactor<P>> factor;
    std::unique_ptr<PvOsimrDelassus<P>> matrix;  // if it was asked for
  };

  static CondensedDelassus<P>& op_of(BatchFactor& factor) { return static_cast<PackFactor<P>&>(factor).op; }
  const std::vector<P>& load(std::vector<P>& to, In from, const BatchBlock& block, int components) {
    to.resize(static_cast<std::size_t>(components));
    load_lanes(from, block, components, to.data());
    return to;
  }
  /// The rows of a block at q.
  const ConstraintRows<P>& place_rows(const BatchBlock& block, In q, Status& status);
  Status lower(const BatchBlock& block, ConstraintRows<P>& rows);
  Status lower_each(const BatchBlock& block, ConstraintRows<P>& rows);
  Status lower_contacts(const BatchBlock& block, ConstraintRows<P>& rows);
  bool differs_in_contacts(const BatchBlock& block) const;
  void switch_off(const BatchBlock& block, ConstraintRows<P>& rows) const;
  void fill_inactive(const BatchBlock& block, T value, std::vector<P>& x) const;
  Outcome finish(const BatchBlock& block, Outcome outcome, const std::vector<P>& found, const Out& to) const;
  template <class Op>
  Outcome write_matrix(const BatchBlock& block, const Op& op, const MatrixOut& to);
  Outcome finish_matrix(const BatchBlock& block, int size, const MatrixOut& to) const;

  Model model_;
  const BatchSets& sets_;
  CondensedOptions options_;
  ForwardDynamics<P> work_;
  InverseDynamics<P> inverse_;
  CompositeInertia<P> composite_;
  std::vector<Slot> slots_;  // by BatchStructure::slot
  std::vector<P> q_, v_, in_, out_, damping_;
  std::vector<P> values_, weights_;  // of rows, while lanes are lowered one after the other
  std::vector<P> matrix_;
  std::array<Status, P::kWidth> each_;
};

}  // namespace delassus
