// The Kreutz-Jain-Rodriguez algorithm: Ω of every link from the base to the tips, and for every pair of end effectors a
// walk from their closest common ancestor out to both.
//
// Kreutz-Delgado, Jain and Rodriguez, "Recursive formulation of operational-space control", IJRR 11(4), 1992; also
// Rodriguez, Jain and Kreutz-Delgado 1992. An end effector is a link that rows are anchored on; rows on several links, on
// joints and on trees with several roots: docs/algorithms/kjr.md. Symbols: dynamics/link_response.hpp.
//
// O(n + m² d) with n links, m end effectors and depth d.
#pragma once

#include <concepts>

#include "delassus/math/boxed.hpp"
#include "delassus/operators/explicit_method.hpp"
#include "dynamics/sweeps.hpp"
#include "operators/anchored_rows.hpp"

namespace delassus {

struct KjrPlan {
  /// Anchors a ≥ b with a moving ancestor in common.
  struct Pair {
    std::int32_t a, b;
    std::int32_t common;  // number of links that their paths share
  };
  /// A site on a joint, and an anchor behind that joint.
  struct JointPair {
    std::int32_t site, b;
    std::int32_t common;  // number of links from the root to the joint's
  };

  std::size_t bytes() const { return heap_bytes(links, path, first_path, pairs, joint_pairs); }

  std::vector<std::int32_t> links;             // those that carry an anchor, ascending
  std::vector<std::int32_t> path, first_path;  // per anchor the links from its root to it
  std::vector<Pair> pairs;
  std::vector<JointPair> joint_pairs;
};

template <class T, class F>
class Kjr {
 public:
  static_assert(require_operator_scalar<T>());

  explicit Kjr(const Model& model) : art_(model), own_(model, LinkResponse<T>{}), sweep_(model) {}

  void plan(const Model& model, const RowStructure& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  /// Fails where articulate does.
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
               VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>>;
  std::size_t bytes() const { return heap_bytes(art_, rows_, plan_, own_, sweep_); }

  const KjrPlan& structure() const { return plan_; }

 private:
  void find_paths(const Model& model);
  void find_pairs();
  void walk_out(const Model& model, int anchor, int common, int columns, LinkResponse<T>& omega) const;

  Articulation<T, F> art_;
  AnchoredRows<T, F> rows_;
  KjrPlan plan_;
  LinkArray<LinkResponse<T>> own_;  // Ω_ii
  Sweep<T> sweep_;
};

}  // namespace delassus
