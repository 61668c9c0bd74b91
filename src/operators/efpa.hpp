// The extended-force-propagator algorithm: each row is carried to the root once and its response back out once, and two
// rows meet in one product at their closest common ancestor.
//
// Wensing, Featherstone and Orin, "A reduced-order recursive algorithm for the computation of the operational-space
// inertia matrix", ICRA 2012. Extended here by rows on several links, several roots and rows on joints:
// docs/algorithms/efpa.md.
//
//   here   paper       what it is
//   chi    ᵏχ_i        a row of constraint k as a wrench on link i, joints in between free      eq. (11)
//   Theta  Λ⁻¹_ik      motion of link i per unit of a row of k                                  eq. (13)
//   F      Φᵀ ᵏχᵀ_i    what joint i feels of the row
//   Û, D   I^A Φ D⁻¹, Φᵀ I^A Φ: L_i = 1 - Φ Ûᵀ, K_i = Φ D⁻¹ Φᵀ. No 6 × 6 matrix is formed.
//
// O(n + m d + m²) with n links, m rows and depth d.
//
// What the joints feel of the rows also gives J̄ = M⁻¹ Jᵀ Λ, which the paper leaves open: O(n m + m² d), and once more
// outwards (src/operators/efpa_inverse.cpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "constraints/row_sites.hpp"
#include "delassus/math/boxed.hpp"
#include "delassus/math/pack.hpp"
#include "delassus/operators/explicit_method.hpp"
#include "dynamics/articulate.hpp"
#include "dynamics/sweeps.hpp"
#include "operators/outward_joints.hpp"

namespace delassus {

/// Everything that follows from the structure. Rows of one site travel in groups of as many as there are lanes. Groups
/// are numbered so that those that cross a joint follow each other: those on its link, those from behind the link, and
/// those that act on the joint itself.
struct EfpaPlan {
  /// One joint that rows cross.
  struct Step {
    std::int32_t link;
    std::int32_t first, own_end, joint_first,
        end;            // groups: [first, own_end) on the link, [joint_first, end) on the joint
    std::int32_t F;     // first value that joints feel; nv for each group
    std::int32_t kept;  // first chi that is kept for meetings at the link
    std::int32_t first_meeting, end_meeting;
  };
  /// Groups [a, a_end) and [b, b_end) whose closest common ancestor is the link. A group that meets itself is the last.
  struct Meeting {
    std::int32_t link;
    std::int32_t a, a_end, b, b_end;
  };

  void build(const Model& model, int lanes);
  std::size_t bytes() const { return heap_bytes(sites, steps, meetings, element, row, count); }

  RowSites sites;
  std::vector<Step> steps;  // ascending links
  std::vector<Meeting> meetings;
  // Per group and lane; lanes without a row of their own repeat the last one, and nobody reads them.
  std::vector<std::int32_t> element, row;
  std::vector<std::int32_t> count;  // rows of each group
  std::int32_t F_size = 0, kept_size = 0;

 private:
  void number_groups(const Model& model, int lanes);
  void fill_lanes(int lanes);
  void find_meetings(const Model& model);
  void drop_idle_links(const Model& model);
};

template <class T, class F>
class Efpa {
 public:
  static_assert(require_operator_scalar<T>());

  explicit Efpa(const Model& model);

  void plan(const Model& model, const RowStructure& rows);
  void place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows);
  /// Fails where articulate does.
  Status compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, LowerView<T> lower);
  void respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
               VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>>;
  /// J̄ from Λ after compute.
  void consistent_inverse(const Model& model, MatrixView<const T> lambda, MatrixView<T> out);
  std::size_t bytes() const {
    return heap_bytes(art_, plan_, chi_, kept_, felt_, theta_, sweep_, outward_, weights_, weighted_, rates_);
  }

  const EfpaPlan& structure() const { return plan_; }

 private:
  /// Plain floating point takes four rows at a time, one per lane; other scalars one, so that counts are exact.
  static constexpr int kLanes = FloatingPoint<T> && std::same_as<F, WorldFrames<T>> ? 4 : 1;
  using Lanes = std::conditional_t<kLanes == 1, T, Pack<T, 4>>;
  template <int N>
  using Felt = Vec<Lanes, N>;

  DELASSUS_INLINE static T lane(const Lanes& x, int k) {
    if constexpr (kLanes == 1) {
      return x;
    } else {
      return x[k];
    }
  }
  static void set_lane(Lanes& x, int k, const T& value);
  static void add_lanes(const Lanes& x, int count, T* out);

  void load_rows(const ConstraintRows<T>& rows, const EfpaPlan::Step& step);
  template <int N>
  Felt<N> load_joint_rows(const ConstraintRows<T>& rows, int group) const;
  template <int N>
  void carry_in(const Link& link, const EfpaPlan::Step& step, const ConstraintRows<T>& rows, LowerView<T> lower);
  template <int N>
  void carry_out(const Link& link, const EfpaPlan::Step& step);
  template <int N>
  void meet_on_joint(const Link& link, const EfpaPlan::Step& step, int group, LowerView<T> lower) const;
  void meet_on_link(const EfpaPlan::Step& step, LowerView<T> lower) const;
  template <class Products>
  void add_tile(int a, int b, Products&& products, LowerView<T> lower) const;

  template <int N>
  Felt<N> weighted_sum(const EfpaPlan::Step& step, int first, int end) const;
  template <int N>
  void weighted_response(const Link& link, int i, const EfpaPlan::Step* step);

  Articulation<T, F> art_;
  EfpaPlan plan_;
  std::vector<Force<Lanes>> chi_;     // per group, at the link that the sweep has reached
  std::vector<Force<Lanes>> kept_;    // chi at links where groups meet
  std::vector<Lanes> felt_;           // F at every joint; of rows from its link and beyond D⁻¹ F on the way back out
  std::vector<Motion<Lanes>> theta_;  // per group, at the link that the sweep has reached
  Sweep<T> sweep_;
  // Of J̄.
  OutwardJoints<T, F> outward_;
  std::vector<Lanes> weights_;         // per row: the columns of Λ that the sweep is at
  LinkArray<Motion<Lanes>> weighted_;  // Θ̄, the motion of each link
  std::vector<Lanes> rates_;           // ν̄, per degree of freedom
};

}  // namespace delassus
