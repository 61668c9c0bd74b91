// An operator from an algorithm that computes the matrix Λ⁻¹, and those that the library has.
#pragma once

#include <vector>

#include "delassus/constraints/state.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/math/scalars.hpp"
#include "delassus/operators/matrix_operator.hpp"

namespace delassus {

/// All that explicit algorithms share. Method is the algorithm: explicit_method.hpp says what it has to offer, and is to be
/// included where one of your own is used.
template <class T, class Method>
class ExplicitDelassus : public MatrixOperator<T> {
 public:
  explicit ExplicitDelassus(const Model& model);
  /// Ready for the structure that the rows have; their values do not matter yet.
  ExplicitDelassus(const Model& model, const RowStructure& rows) : ExplicitDelassus(model) {
    update_structure(model, rows);
  }
  explicit ExplicitDelassus(const State<T>& state) : ExplicitDelassus(state.model(), state.rows()) {}

  /// Plans ahead, so that factor need not. There is no matrix until the next factor.
  void update_structure(const Model& model, const RowStructure& rows);

  /// Computes everything for one configuration. If the rows have another structure than last time, it plans first, which
  /// may allocate. kSingularJoint names the joint at which M is singular, kNotFinite the row that overflows; the operator
  /// has no rows then. The damping is reset: update_damping comes before solve.
  Status factor(const StateView<T>& at);

  CallStatus joint_response(In<T> x, Out<T> acceleration) const;

  /// J̄ = M⁻¹ Jᵀ Λ, nv × rows: the inverse of J (J J̄ = 1) that moves the rows with the least kinetic energy, called
  /// dynamically consistent. No damping is in it, and what there is of damping stays. kNotPositive names a row that depends
  /// on those before it: there is no Λ then. The first call with so many rows allocates.
  Status consistent_inverse(MatrixOut<T> out);

  /// Adds the damping to the matrix and factors, O(rows³/3). It may be zero where the rows are independent. kNotPositive
  /// names a row whose damping is negative, or at which the sum is not positive definite, kNotFinite one whose damping is no number; there
  /// is no damping then.
  Status update_damping(const Damping<T>& damping);

  std::size_t bytes() const;

  const Method& method() const { return *method_; }

 private:
  Model model_;
  bool planned_ = false, factored_ = false;
  ConstraintRows<T> rows_;        // of the last factor
  mutable Boxed<Method> method_;  // respond works in its memory
  std::vector<T> response_;       // a column of the consistent inverse, where those are responses
};

// The algorithms, and the frames that they compute in: world frames are the fastest, those of links are what papers count in.

template <class T>
struct WorldFrames;
template <class T>
class Dense;
template <class T, class F = WorldFrames<T>>
class Ltl;
template <class T, class F = WorldFrames<T>>
class Kjr;
template <class T, class F = WorldFrames<T>>
class ChangKhatib;
template <class T, class F = WorldFrames<T>>
class Efpa;
template <class T, class F = WorldFrames<T>>
class PvOsim;
template <class T, class F = WorldFrames<T>>
class PvOsimr;

/// M by CRBA, its Cholesky factor, and products: the baseline. O(nv³ + nv² m + nv m²).
template <OperatorScalar T>
using DenseDelassus = ExplicitDelassus<T, Dense<T>>;
/// M = Lᵀ L without fill, Y = L⁻ᵀ Jᵀ, Λ⁻¹ = Yᵀ Y: best for shallow trees. O(n d² + m d² + m² d); docs/algorithms/ltl.md.
template <OperatorScalar T>
using LtlDelassus = ExplicitDelassus<T, Ltl<T>>;
/// Ω of every link, and for every pair of end effectors a walk from their closest common ancestor out to both. O(n + m² d);
/// docs/algorithms/kjr.md.
template <OperatorScalar T>
using KjrDelassus = ExplicitDelassus<T, Kjr<T>>;
/// Ω between links by the recursion of Chang and Khatib, each pair of links once. O(n m + m²); docs/algorithms/chang-khatib.md.
template <OperatorScalar T>
using ChangKhatibDelassus = ExplicitDelassus<T, ChangKhatib<T>>;
/// Rows carried to the root and their responses back out; two rows meet at their closest common ancestor. O(n + m d + m²);
/// docs/algorithms/efpa.md.
template <OperatorScalar T>
using EfpaDelassus = ExplicitDelassus<T, Efpa<T>>;
/// Rows travel to the world, and every joint adds what it felt of them: cheapest where few rows travel together. O(n + m² d);
/// docs/algorithms/pv-osim.md.
template <OperatorScalar T>
using PvOsimDelassus = ExplicitDelassus<T, PvOsim<T>>;
/// Where constraints meet, six unit wrenches travel on in place of all their rows. O(n + m²); docs/algorithms/pv-osimr.md.
template <class T>
using PvOsimrDelassus = ExplicitDelassus<T, PvOsimr<T>>;

// They are compiled in the library, also where explicit_method.hpp is included for one of your own.
#define DELASSUS_EXTERN(T)                                   \
  extern template class ExplicitDelassus<T, Dense<T>>;       \
  extern template class ExplicitDelassus<T, Ltl<T>>;         \
  extern template class ExplicitDelassus<T, Kjr<T>>;         \
  extern template class ExplicitDelassus<T, ChangKhatib<T>>; \
  extern template class ExplicitDelassus<T, Efpa<T>>;        \
  extern template class ExplicitDelassus<T, PvOsim<T>>;      \
  extern template class ExplicitDelassus<T, PvOsimr<T>>;
DELASSUS_EXTERN(float)
DELASSUS_EXTERN(double)
DELASSUS_EXTERN(Counted)
#if DELASSUS_HAS_ALL_SCALARS
extern template class ExplicitDelassus<PackDoubles, PvOsimr<PackDoubles>>;
extern template class ExplicitDelassus<PackFloats, PvOsimr<PackFloats>>;
#endif
#undef DELASSUS_EXTERN

}  // namespace delassus
