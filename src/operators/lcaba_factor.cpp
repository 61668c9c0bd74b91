// Sathya, Montaut, de Mont-Marin, Carpentier, "Matrix-Free Delassus Operations: Scalable and Memory-Efficient
// Algorithms", algorithm 4, with the corrections in docs/algorithms/lcaba.md. Line numbers below are of that algorithm.
#include "delassus/operators/lcaba_factor.hpp"

#include <algorithm>

#include "delassus/math/instantiate.hpp"
#include "kinematics/width.hpp"
#include "operators/panel_kernels.hpp"

namespace delassus {
namespace {

using Node = LcabaPlan::Node;

template <class T>
DELASSUS_INLINE T entry_of(const Force<T>& f, int e) {
  return e < 3 ? f.moment[e] : f.force[e - 3];
}

// ------------------------------------------------------------------------------ what constraints add

/// Row r of R K, for the rows of a constraint.
template <class T>
Force<T> weighed_row(const RowWeights<T>& w, int first_row, int rows, const Force<T>* K, int r) {
  if (w.kind != Damping<T>::Kind::kBlocks) return scaled(K[r], w.weight[first_row + r]);
  Force<T> sum = Force<T>::zero();
  for (int s = 0; s < rows; ++s) sum += scaled(K[s], w.between(first_row + r, first_row + s));
  return sum;
}

/// Lines 3 to 9: Kᵀ R K on the links and between them.
template <class T>
void add_stiffness(const LcabaPlan& plan, const RowWeights<T>& w, LcabaFactor<T>& f) {
  for (const LcabaPlan::StiffInertia& s : plan.stiff_inertias) {
    ArticulatedInertia<T>& H = f.H[s.diagonal];
    const Force<T>* K = &f.wrench[s.wrench];
    for (int r = 0; r < s.rows; ++r) downdate(H, K[r], -weighed_row(w, s.first_row, s.rows, K, r));
  }
  for (const LcabaPlan::StiffCoupling& s : plan.stiff_couplings) {
    for (int r = 0; r < s.rows; ++r) {
      const Force<T> RK = weighed_row(w, s.first_row, s.rows, &f.wrench[s.left], r);
      const Force<T>& K = f.wrench[s.right + r];
      for (int i = 0; i < 6; ++i) {
        T* to = &f.panel[s.to + i * s.stride];
        for (int c = 0; c < 6; ++c) to[c] += entry_of(RK, i) * entry_of(K, c);
      }
    }
  }
}

/// Lines 10 and 11, as a sum.
template <class T>
void add_joint_stiffness(const ConstraintRows<T>& rows, const LcabaPlan& plan, const RowWeights<T>& w,
                         LcabaFactor<T>& f) {
  std::fill(f.stiff_joint.begin(), f.stiff_joint.end(), T(0));
  for (const LcabaPlan::StiffJoint& s : plan.stiff_joints) {
    const int left = rows.entries[s.left].row, right = rows.entries[s.right].row;
    if (left != right && w.kind != Damping<T>::Kind::kBlocks) continue;
    f.stiff_joint[s.place] += rows.weights[s.left] * rows.weights[s.right] * w.between(left, right);
  }
}

/// Multipliers are coupled to links by their rows, and to themselves by their damping.
template <class T>
void add_multipliers(const LcabaPlan& plan, const RowWeights<T>& w, LcabaFactor<T>& f) {
  for (const LcabaPlan::MultiplierRows& m : plan.multiplier_rows) {
    for (int r = 0; r < m.rows; ++r) {
      for (int i = 0; i < 6; ++i) f.panel[m.to + i * m.stride + r] = entry_of(f.wrench[m.wrench + r], i);
    }
  }
  std::fill(f.triangle.begin(), f.triangle.end(), T(0));
  for (const Node& node : plan.nodes) {
    if (node.link >= 0) continue;
    for (int r = 0; r < node.width; ++r) {
      for (int c = 0; c < r + 1; ++c) {
        const int place = node.diagonal + Sym<T, 6>::index(r, c);
        f.triangle[place] = w.damping_between(node.first_row + r, node.first_row + c);
      }
    }
  }
}

// ----------------------------------------------------------------------------------- eliminating a node

/// Line 25: so does each neighbour itself.
template <int N, class T>
void update_diagonals(const LcabaPlan& plan, const Node& node, const T* felt, const T* hat, LcabaFactor<T>& f) {
  for (const LcabaPlan::Neighbour& n : part(plan.neighbours, node.neighbours)) {
    const Node& other = plan.nodes[n.node];
    for (int k = 0; k < N; ++k) {
      const T *left = felt + k * node.columns + n.column, *right = hat + k * node.columns + n.column;
      if (other.link >= 0) {
        downdate(f.H[other.diagonal], force_at(left), force_at(right));
        continue;
      }
      T* triangle = &f.triangle[other.diagonal];
      for (int r = 0; r < other.width; ++r) {
        for (int c = 0; c < r + 1; ++c) *triangle++ += left[r] * right[c];
      }
    }
  }
}

/// From the origins of links to the reference points, where the sweeps are.
template <class T>
void place_hat(const LcabaPlan& plan, const Node& node, LcabaFactor<T>& f) {
  for (const LcabaPlan::Neighbour& n : part(plan.neighbours, node.neighbours)) {
    const int link = plan.nodes[n.node].link;
    if (link < 0) continue;
    for (int k = 0; k < node.width; ++k) {
      T* hat = &f.hat[node.hat + k * node.columns + n.column];
      store_force(hat, shifted(force_at(hat), f.art.frames.lever[link]));
    }
  }
}

/// Eliminates the couplings of a node whose pivot is D.
template <int N, class T>
void eliminate_couplings(const LcabaPlan& plan, const Node& node, const Ldlt<T, N>& D, const T* felt,
                         LcabaFactor<T>& f) {
  T* hat = &f.hat[node.hat];
  divide_felt<N>(D, felt, node.columns, hat);
  update_panels<N>(plan, node, felt, hat, f.panel);
  update_diagonals<N>(plan, node, felt, hat, f);
  place_hat(plan, node, f);
}

template <int N, bool kRotation, class T>
void feel_panel(const ConstraintRows<T>& rows, const LcabaPlan& plan, const Node& node, const Motion<T>* S,
                LcabaFactor<T>& f) {
  feel<N, kRotation>(S, &f.panel[node.panel], node.columns, f.felt.data());
  for (const LcabaPlan::Weight& w : part(plan.weights, node.weights)) {
    f.felt[w.dof * node.columns + w.column] += rows.weights[w.entry];
  }
}

/// D of the damped tree, and half of what it would be without constraints as its floor.
template <int N, class T>
DELASSUS_INLINE T factor_damped_joint(const Model& model, const Articulation<T>& free, const Link& link, Sym<T, N> D,
                                      LcabaFactor<T>& f, Ldlt<T, N>& factor) {
  Vec<T, N> floor;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) {
    D(k, k) += T(model.armature()[link.v + k]);
    floor[k] = T(0.5) / free.D_factor[link.factor + Sym<T, N>::index(k, k)];
  }
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) D.a[k] += f.stiff_joint[link.factor + k];
  T margin;
  factor = factor_ldlt(D, floor, margin);
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, N>::kSize; ++k) f.art.D_factor[link.factor + k] = factor.factor.a[k];
  return margin;
}

template <int N, bool kRotation, class T>
T eliminate_link(const Model& model, const Articulation<T>& free, const ConstraintRows<T>& rows, const LcabaPlan& plan,
                 const Node& node, LcabaFactor<T>& f) {
  const Link& link = model.link(node.link);
  const Motion<T>* S = &f.origins.S[link.v];
  ArticulatedInertia<T> H = f.H[node.diagonal];
  typename ArticulatedInertia<T>::Column U_hat[N];
  Ldlt<T, N> D;
  const T margin =
      articulate_joint<N, kRotation>(S, node.parent < 0, H, U_hat, [&](const Sym<T, N>& A, Ldlt<T, N>& out) {
        const T m = factor_damped_joint<N>(model, free, link, A, f, out);
        D = out;
        return m;
      });
  if (node.columns > 0) feel_panel<N, kRotation>(rows, plan, node, S, f);
  if (node.parent >= 0) {
    ArticulatedInertia<T>& parent = f.H[plan.nodes[node.parent].diagonal];
    parent += to_parent(f.origins, node.link, H);
    if (node.columns > 0) {
      T* panel = &f.panel[node.panel];
      cross_panel<N>(f.origins.step[node.link], node.columns, U_hat, f.felt.data(), panel);
      move_panel(plan, node, f.panel);
      if (node.parent_column >= 0) add_both(panel + node.parent_column, node.columns, parent);
    }
    for (int k = 0; k < N; ++k) f.art.U_hat[link.v + k] = shifted(U_hat[k], f.art.frames.lever[node.link]);
  }
  if (node.columns > 0) eliminate_couplings<N>(plan, node, D, f.felt.data(), f);
  return margin;
}

/// A multiplier has no joint: its panel is what it feels, and its pivot is negative.
template <int N, class T>
T eliminate_multiplier(const LcabaPlan& plan, const Node& node, const RowWeights<T>& w, LcabaFactor<T>& f) {
  Sym<T, N> E;
  Vec<T, N> floor;
  for (int k = 0; k < Sym<T, N>::kSize; ++k) E.a[k] = f.triangle[node.diagonal + k];
  // Half of the damping; of a block, what its entries leave to a pivot is not known here.
  const bool blocks = w.kind == Damping<T>::Kind::kBlocks;
  for (int k = 0; k < N; ++k) floor[k] = blocks ? T(0) : T(0.5) * w.damping[node.first_row + k];
  T margin;
  Ldlt<T, N> D = factor_ldlt(E, floor, margin);
  for (int k = 0; k < N; ++k) D.factor(k, k) = -D.factor(k, k);
  for (int k = 0; k < Sym<T, N>::kSize; ++k) f.triangle[node.diagonal + k] = D.factor.a[k];
  if (node.columns > 0) eliminate_couplings<N>(plan, node, D, &f.panel[node.panel], f);
  return margin;
}

template <class T>
T eliminate(const Model& model, const Articulation<T>& free, const ConstraintRows<T>& rows, const LcabaPlan& plan,
            const Node& node, const RowWeights<T>& w, LcabaFactor<T>& f) {
  if (node.link < 0) {
    return with_width(node.width, [&](auto N) { return eliminate_multiplier<N()>(plan, node, w, f); });
  }
  if (model.link(node.link).pure_rotation) return eliminate_link<1, true>(model, free, rows, plan, node, f);
  return with_width(node.width, [&](auto N) { return eliminate_link<N(), false>(model, free, rows, plan, node, f); });
}

/// Who is to blame for a pivot: the multiplier, or the stiffest row.
template <class T>
int stiffest_row(const LcabaPlan& plan, const Node& node, const RowWeights<T>& w) {
  if (node.link < 0) return node.first_row;
  int stiffest = -1;
  const auto damping = [&](int r) { return w.damping_between(r, r); };
  for (int r = 0; r < static_cast<int>(plan.stiff_row.size()); ++r) {
    if (plan.stiff_row[r] && (stiffest < 0 || all_lanes(damping(r) < damping(stiffest)))) stiffest = r;
  }
  return std::max(stiffest, 0);
}

template <class T>
Status rows_are_finite(const ConstraintRows<T>& rows, const LcabaPlan& plan, const LcabaFactor<T>& f) {
  for (const LcabaPlan::Attachment& a : plan.attachments) {
    for (int r = 0; r < a.rows; ++r) {
      const Force<T>& K = f.wrench[a.wrench + r];
      if (!all_lanes(is_finite(dot(K.moment, K.moment) + dot(K.force, K.force)))) {
        return {Status::Code::kNotFinite, a.first_row + r};
      }
    }
  }
  for (std::size_t k = 0; k < rows.entries.size(); ++k) {
    if (!all_lanes(is_finite(rows.weights[k] * rows.weights[k])))
      return {Status::Code::kNotFinite, rows.entries[k].row};
  }
  return {};
}

}  // namespace

template <class T>
void LcabaFactor<T>::resize(const Model& model, const LcabaPlan& plan) {
  wrench.assign(plan.wrenches, Force<T>::zero());
  placed.assign(plan.wrenches, Force<T>::zero());
  base.assign(plan.live.size(), ArticulatedInertia<T>::zero());
  H.assign(plan.live.size(), ArticulatedInertia<T>::zero());
  panel.assign(plan.panel_size, T(0));
  hat.assign(plan.hat_size, T(0));
  triangle.assign(plan.triangle_size, T(0));
  stiff_joint.assign(model.factor_size(), T(0));
  felt.assign(6 * static_cast<std::size_t>(plan.widest), T(0));
}

template <class T>
Status place_lcaba(const Kinematics<T>& kin, const Articulation<T>& free, const ConstraintRows<T>& rows,
                   const LcabaPlan& plan, LcabaFactor<T>& f) {
  f.art.frames = free.frames;
  place_frames(kin, f.origins);
  std::fill(f.wrench.begin(), f.wrench.end(), Force<T>::zero());
  for (const LcabaPlan::Placing& p : plan.placings) {
    const RowBlock& block = rows.blocks[p.block];
    for (int r = 0; r < block.rows; ++r) f.wrench[p.wrench + r] += row_wrench(rows, block, r, Vec3<T>::zero());
  }
  for (const LcabaPlan::Attachment& a : plan.attachments) {
    for (int r = 0; r < a.rows; ++r) {
      f.placed[a.wrench + r] = shifted(f.wrench[a.wrench + r], free.frames.lever[a.link]);
    }
  }
  for (std::size_t k = 0; k < plan.live.size(); ++k) {
    f.base[k] = articulated(kin.inertia[plan.live[k]]);
    f.base[k] += free.H[plan.live[k]];
  }
  return rows_are_finite(rows, plan, f);
}

template <class T>
Status damp_lcaba(const Model& model, const Articulation<T>& free, const ConstraintRows<T>& rows, const LcabaPlan& plan,
                  const RowWeights<T>& w, LcabaFactor<T>& f) {
  f.H = f.base;
  std::fill(f.panel.begin(), f.panel.end(), T(0));
  add_multipliers(plan, w, f);
  add_stiffness(plan, w, f);
  add_joint_stiffness(rows, plan, w, f);
  for (const Node& node : plan.nodes) {
    const T margin = eliminate<T>(model, free, rows, plan, node, w, f);
    // A comparison of numbers, but not a choice of arithmetic: it only ends what has no result.
    if (!all_lanes(T(0) < margin)) return {Status::Code::kNotPositive, stiffest_row(plan, node, w)};
  }
  return {};
}

#define DELASSUS_INSTANTIATE(T)                                                                                \
  template struct LcabaFactor<T>;                                                                              \
  template Status place_lcaba(const Kinematics<T>&, const Articulation<T>&, const ConstraintRows<T>&,          \
                              const LcabaPlan&, LcabaFactor<T>&);                                              \
  template Status damp_lcaba(const Model&, const Articulation<T>&, const ConstraintRows<T>&, const LcabaPlan&, \
                             const RowWeights<T>&, LcabaFactor<T>&);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
