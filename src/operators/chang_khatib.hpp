// The algorithm of Chang and Khatib: Ω between links by their recursion, each (i, j) computed once.
//
// Chang and Khatib, "Efficient recursive algorithm for the operational space inertia matrix of branching mechanisms",
// Advanced Robotics 14(8), 2001, Table 1: step 3 is eq. (24), step 4 eq. (29), step 5 eq. (22). The recursion reaches the
// same (i, j) from many pairs of end effectors: with a value kept for each it is O(n m + m²), without it is that of
// kjr.hpp. Rows on interior and on several links, on joints, several roots: docs/algorithms/chang-khatib.md. Symbols:
// dynamics/link_response.hpp.
#pragma once

#include <concepts>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/explicit_method.hpp"
#include "dynamics/sweeps.hpp"
#include "operators/anchored_rows.hpp"

namespace delassus {

struct ChangKhatibPlan {
  /// One value of the recursion, after those that it is made from.
  struct Node {
    enum class Kind : std::uint8_t { kOwn, kJoint, kOut, kTurnOut };
    Kind kind;  // Ω_ii; S of a joint; one joint further out; the same after moving and pushed link change places
    std::int32_t link;     // that moves
    std::int32_t source;   // node; kOwn at a root has none
    std::int32_t columns;  // six, or the joint's degrees of freedom
  };
  /// K_a Ω K_bᵀ with the Ω of a node, which moves anchor a.
  struct Block {
    std::int32_t a, b, node;
  };
  /// A site on a joint, an anchor behind the joint, and how the joint moves it.
  struct JointBlock {
    std::int32_t site, b, node;
  };

  std::size_t bytes() const { return heap_bytes(nodes, blocks, joint_blocks); }

  std::vector<Node> nodes;
  std::vector<Block> blocks;
  std::vector<JointBlock> joint_blocks;
};

template <class T, class F>
class ChangKhatib {
 public:
  static_assert(require_operator_scalar<T>());

  explicit ChangKhatib(const Model& model) : art_(model), sweep_(model) {}

  /// Besides the nodes, takes a table of 2 n² indices.
  void plan(const Model& model, const RowStructure& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  /// Fails where articulate does.
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
               VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>>;
  std::size_t bytes() const { return heap_bytes(art_, rows_, plan_, memo_, path_, omega_, sweep_); }

  const ChangKhatibPlan& structure() const { return plan_; }

 private:
  void find_nodes(const Model& model);
  LinkResponse<T> response_of(const Model& model, const ChangKhatibPlan::Node& node) const;

  Articulation<T, F> art_;
  AnchoredRows<T, F> rows_;
  ChangKhatibPlan plan_;
  std::vector<std::int32_t> memo_;      // of the plan: node of (moving link, pushed link or joint)
  std::vector<std::int32_t> path_;      // of the plan
  std::vector<LinkResponse<T>> omega_;  // per node
  Sweep<T> sweep_;
};

}  // namespace delassus
