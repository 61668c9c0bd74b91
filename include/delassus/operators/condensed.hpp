// The condensed tree: products with Λ⁻¹ and with (R⁻¹ + Λ⁻¹)⁻¹ from one factorization, without either matrix
// (docs/algorithms/condensed.md).
//
// Cost: a product O(nodes + m); a damping and a damped solve O(nodes + m) while loops overlap little, as on robots; in general
// as a sparse Cholesky factorization. Memory likewise. A new damping never goes back to the joints of carried chains, nor to
// links that no constraint acts on.
//
// Accuracy: elimination loses digits where damping is small beside Λ⁻¹. How many follows from its pivots, and from how much
// larger R b is than the solution. Where CondensedOptions::tolerance cannot be promised by that, a solve is checked with a
// product and refined with it; where that does not reach the tolerance, the explicit matrix is factored (used_matrix).
#pragma once

#include <cstdint>
#include <span>

#include "delassus/constraints/state.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/operators/delassus_operator.hpp"

namespace delassus {

/// In which order nodes are eliminated.
enum class NodeOrder : std::uint8_t {
  kMinimumDegree,  // what is coupled to least, the deepest of those
  kTree,           // the last link first
  kRandom,         // any admissible order, for tests
};

/// How constraints enter the damped inverse that are not carried. As stiffness Kᵀ R K between nodes: cheapest, but beside a
/// large R the inertias of links lose digits. Or as unknowns of their own, their multipliers, which lose less but have to be
/// taken along. Constraints on more than four nodes, on several joints, or on links and joints at once are multipliers in any
/// case.
enum class ConstraintForm : std::uint8_t {
  kCheapest,         // of the next two, by symbolic cost where loops are long
  kStiffness,        // stiffness wherever possible
  kLoopMultipliers,  // stiffness for what acts on one node or one joint
  kAllMultipliers,   // for damping that is tiny beside Λ⁻¹
};

/// Which chains are carried.
enum class Condense : std::uint8_t {
  kNothing,  // every link that feels a constraint is a node: LCABA, the published form
  kTips,     // chains to tips with at most six rows, no more than the chain has degrees of freedom; branches with loops
};

/// How large structures of rows may get. All zero: any size, and memory grows with them.
struct CondensedCapacity {
  int constraints = 0, rows = 0;
  int blocks = 0,
      entries = 0;    // constraints on links have one block per link, those on joints one entry per joint and row
  int couplings = 0;  // between nodes, with those that elimination adds; contacts with the ground have none

  bool limited() const { return constraints > 0; }
};

/// Room for contacts (or other constraints of up to six rows) each on one or two links or joints, coupling bodies that touch.
CondensedCapacity room_for(int constraints);

struct CondensedOptions {
  ConstraintForm form = ConstraintForm::kCheapest;
  Condense condense = Condense::kTips;
  NodeOrder order = NodeOrder::kMinimumDegree;
  std::uint64_t seed = 0;  // of NodeOrder::kRandom
  /// Residual that solves may leave, relative to b; at least 1e4 roundings. Where that cannot be promised beforehand, a solve
  /// is checked with a product and refined.
  double tolerance = 1e-7;
  int refinements = 3;        // at most, per solve; 0: nothing is checked
  bool check_always = false;  // every solve is checked, and refined as far as rounding lets it
  /// If limited, all memory is taken at construction, and a larger structure is an Error: the operator goes on with one that
  /// fits.
  CondensedCapacity capacity = {};
  /// Up to so many rows, a solve that a check finds above the tolerance is done again with the explicit matrix, O(rows³), if numbers are
  /// double. 0: never. The first with so many rows allocates, unless memory for it is reserved with the structure, 2 rows² numbers; with
  /// limited capacity there is no fallback that is not reserved.
  int fallback_rows = 256;
  bool reserve_fallback = false;

  bool may_fall_back(int rows) const { return rows <= fallback_rows && (reserve_fallback || !capacity.limited()); }
};

// What its kernels work with, for those who go on from there: src/dynamics and src/operators/condensed.

enum class Reach : std::uint8_t;
template <class X>
struct Sweep;
template <class T>
struct WorldFrames;
template <class T, class F>
struct Articulation;
struct CondensedPlan;
class CondensedPlanner;
template <class T>
struct CondensedConfiguration;
template <class T>
struct CondensedDamping;
template <class X>
struct NodeSweep;

/// Mass of the heaviest link over that of the lightest that has one. Inertias that are handed through a light link lose as many digits, which
/// no pivot shows.
double mass_ratio(const Model& model);

/// What a factorization is for: without dampings it takes less time.
enum class FactorScope : std::uint8_t { kAll, kProducts };

template <class T>
class CondensedDelassus {
 public:
  explicit CondensedDelassus(const ModelOf<T>& model, const CondensedOptions& options = {});
  /// Ready for the structure that the rows have; their values do not matter yet.
  CondensedDelassus(const ModelOf<T>& model, const RowStructure& rows, const CondensedOptions& options = {});
  explicit CondensedDelassus(const StateView<T>& at, const CondensedOptions& options = {})
      : CondensedDelassus(at.model, at.rows, options) {}

  /// Plans ahead, so that factor need not. There are no rows until the next factor. Allocates only where it needs more
  /// memory than ever before, and looks for an order of elimination only where other nodes are coupled than last time.
  void update_structure(const ModelOf<T>& model, const RowStructure& rows);

  /// Takes over one configuration. If the rows have another structure than last time, it plans first. kSingularJoint names the
  /// joint at which M is singular, kNotFinite the row that overflows; the operator has no rows then. The damping is reset:
  /// update_damping comes before solve.
  Status factor(const StateView<T>& at, FactorScope scope = FactorScope::kAll);

  /// The same in two parts, for who moves freely before the rows are known: first what follows from q alone, so that respond_forces and
  /// respond_motions answer for all links, then the rows at the same q. Nothing is articulated twice, unless rows begin or
  /// cease to act on the coordinates of a free joint.
  Status articulate(const ModelOf<T>& model, const Kinematics<T>& kin);
  Status factor_rows(const StateView<T>& at, FactorScope scope = FactorScope::kAll);

  /// The same for values of the structure that was planned last, which change places with those of the last factor: saves a copy.
  Status factor(const ModelOf<T>& model, const Kinematics<T>& kin, RowValues<T>& values);

  int rows() const { return num_rows_; }
  CallStatus apply(In<T> x, Out<T> y) const;
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const;
  CallStatus joint_response(In<T> x, Out<T> acceleration) const;
  /// The two sweeps of articulation(): forces on links and joints in, motions out, with M⁻¹.
  CallStatus respond_forces(Reach reach, Sweep<T>& sweep) const;
  CallStatus respond_motions(Reach reach, Sweep<T>& sweep) const;
  /// Links that feel a constraint, on them or further out, ascending.
  std::span<const std::int32_t> felt_links() const;
  /// Of the last factor or articulate. Its free joints on the world are for these two alone.
  const Articulation<T, WorldFrames<T>>& articulation() const;
  /// Rows of loops inside a limb whose damping is that of the last call are not eliminated again; results do not depend on it.
  /// All damping has to be positive, but for unsymmetric blocks, which float and double take. kNotPositive names a row where it is not, or one
  /// whose stiffness rounding cannot carry beside the inertias, kNotFinite one whose damping is no number; the operator has no damping then.
  Status update_damping(const Damping<T>& damping);
  /// kInaccurate if a check found a residual above the tolerance; z is the best that there is.
  Status solve(In<T> b, Out<T> z) const;
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const;
  CallStatus dense(MatrixOut<T> matrix) const;
  CallStatus diagonal(Out<T> out) const;
  std::size_t bytes() const;

  /// Largest entry of b - (R⁻¹ + Λ⁻¹) z of the last solve, if it was checked; else not a number.
  T residual() const { return residual_; }
  /// Whether the last solve, or a column of the last solve_panel, is from the explicit matrix, because elimination left too much.
  bool used_matrix() const { return used_matrix_; }
  /// Whether all solves with this damping are checked and refined; else those in which digits cancel.
  bool checks_solves() const { return checks_; }
  /// Whether lanes of a pack would have gone different ways, each by itself, in the last update_damping or solve: some are
  /// refined though by themselves they would not be. Statuses that are not ok come first.
  bool lanes_differ() const { return differ_; }
  /// What solve would have said to one lane of a pack by itself, after it said kInaccurate to all and lanes do not differ.
  Status status_of_lane(int lane) const;

  const CondensedPlan& plan() const;
  const CondensedPlanner& planner() const;
  /// The numbers of the last factor and of the last damping, for who goes on from them.
  const CondensedConfiguration<T>& configuration() const;
  const CondensedDamping<T>& damping() const;

 private:
  template <class>
  friend class LcabaDelassus;

  struct Work;  // src/operators/condensed/work.hpp

  void take(const ModelOf<T>& model);
  void forget_factor();
  Status articulate_taken(const Kinematics<T>& kin);
  Status factor_taken(const Kinematics<T>& kin, bool finite, FactorScope scope);
  Status plan_for(const StateView<T>& at);
  void respond_freely(int link, Sweep<T>& sweep) const;
  bool feels(int link) const;
  void list_links();
  void reserve(const Model& model);
  void require_room(const RowStructure& rows) const;
  void resize();
  void product(const T* x, T* y) const;
  Status damp_unsymmetric(const Damping<T>& damping);
  void solve_once(const T* b, T* z) const;
  void multiply_by_damping(const T* z, T* out) const;
  T find_remainder(const T* b, const T* z) const;
  template <class X>
  bool has_cancelled(const NodeSweep<X>& sweep, const X* z) const;
  /// Residuals below these are none, and what is asked for.
  T rounding_of(const T& scale) const;
  T tolerated(const T& scale) const;
  Status refine(VectorView<T> z) const;
  void fall_back(VectorView<T> z) const;
  template <class X>
  Status refine_lanes(const X* b, X* z) const;
  template <class F>
  void for_each_panel(MatrixView<const T> in, MatrixView<T> out, F&& f) const;
  template <class F>
  void for_each_unit_panel(F&& f) const;

  ModelOf<T> model_;  // of the last factor, like the rows
  CondensedOptions options_;
  ConstraintRows<T> rows_;
  int num_rows_ = 0;
  bool planned_ = false, articulated_ = false, factored_ = false, damped_ = false, checks_ = false,
       unsymmetric_ = false;
  mutable bool differ_ = false, used_matrix_ = false;
  double mass_ratio_;
  mutable T residual_;
  mutable Boxed<Work> work_;
};

}  // namespace delassus
