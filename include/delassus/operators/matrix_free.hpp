// Products with Λ⁻¹ = J M⁻¹ Jᵀ by sweeps over the tree, without a matrix, as published.
//
// Paper: Sathya, Montaut, de Mont-Marin, Carpentier, "Matrix-Free Delassus Operations: Scalable and Memory-Efficient
// Algorithms", section IV and algorithms 1 to 3 (docs/algorithms/matrix-free.md). Algorithm 2 is split: what depends on the
// configuration alone is factored once.
//
// Cost: factor O(n), a product O(n + m) over the links that feel a constraint. Memory O(n + m). The damped solve of the paper is LCABA
// (lcaba.hpp). Here the first damping of a configuration forms the matrix by m products: m² of memory, and m³/3 operations for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/math/arguments.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

enum class MatrixFreeForm : std::uint8_t {
  kThreeMaps,  // algorithms 1, 2 and 3 one after the other: four sweeps
  kMerged,     // section IV-D: forces of rows go into the sweeps of algorithm 2, whose motions serve algorithm 3: two
};

template <class T>
class MatrixFreeDelassus {
 public:
  static_assert(require_operator_scalar<T>());

  explicit MatrixFreeDelassus(const Model& model, MatrixFreeForm form = MatrixFreeForm::kMerged);
  /// Ready for the structure that the rows have; their values do not matter yet.
  MatrixFreeDelassus(const Model& model, const RowStructure& rows, MatrixFreeForm form = MatrixFreeForm::kMerged);
  explicit MatrixFreeDelassus(const State<T>& state, MatrixFreeForm form = MatrixFreeForm::kMerged)
      : MatrixFreeDelassus(state.model(), state.rows(), form) {}

  /// Plans ahead, so that factor need not. There are no rows until the next factor.
  void update_structure(const Model& model, const RowStructure& rows);

  /// Takes over one configuration. If the rows have another structure than last time, it plans first, which allocates.
  /// kSingularJoint names the joint at which M is singular, kNotFinite the entry of q that is no number or the row that has
  /// something that is none; the operator has no rows then.
  Status factor(const StateView<T>& at);

  MatrixFreeForm form() const { return form_; }
  int rows() const { return num_rows_; }
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> X, MatrixOut<T> Y) const;
  /// Two sweeps over all links, since every joint answers.
  CallStatus joint_response(In<T> x, Out<T> acceleration) const;
  /// As ExplicitDelassus::update_damping. The first one with so many rows allocates.
  Status update_damping(const Damping<T>& damping);
  Status solve(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  /// One product for each row.
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;
  std::size_t bytes() const;

 private:
  struct Work;

  Status place();
  void begin_forces(In<T> x) const;
  void make_joint_forces() const;
  void remake_motions() const;
  void read_rows(Out<T> y) const;
  void product(In<T> x, Out<T> y) const;
  void unit_product(int row) const;
  template <class F>
  void for_each_entry_below(F&& f) const;

  MatrixFreeForm form_;
  Model model_;  // of the last factor, like the rows
  ConstraintRows<T> rows_;
  bool planned_ = false;
  int num_rows_ = 0;
  bool ready_ = false;
  std::vector<std::int32_t> live_;  // links that feel a constraint on them, on their joint, or further out; ascending
  std::vector<Force<T>> wrench_;    // rows of all blocks on their links, one after the other
  mutable Boxed<Work> work_;
  mutable std::vector<T> column_, unit_;
  bool formed_ = false, damped_ = false;
};

/// The other published form, with a type of its own.
template <class T>
struct ThreeMapsDelassus : MatrixFreeDelassus<T> {
  explicit ThreeMapsDelassus(const Model& model) : MatrixFreeDelassus<T>(model, MatrixFreeForm::kThreeMaps) {}
  ThreeMapsDelassus(const Model& model, const RowStructure& rows)
      : MatrixFreeDelassus<T>(model, rows, MatrixFreeForm::kThreeMaps) {}
  explicit ThreeMapsDelassus(const State<T>& state) : ThreeMapsDelassus(state.model(), state.rows()) {}
};

}  // namespace delassus
