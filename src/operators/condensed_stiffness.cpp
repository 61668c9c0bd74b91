// What constraints add to the nodes, their couplings and their joints: Kᵀ R K, and K̂ᵀ (R⁻¹ + Ω)⁻¹ K̂ of carried groups.
#include "operators/condensed_stiffness.hpp"

#include <algorithm>

#include "delassus/math/heap_bytes.hpp"
#include "delassus/operators/condensed_rows.hpp"
#include "dynamics/joint_step.hpp"
#include "math/kernel_scalars.hpp"
#include "operators/row_strips.hpp"

namespace delassus {
namespace {

// ----------------------------------------------------------------------------------------------- points

template <class T>
DELASSUS_INLINE Vec3<T> vector_at(const T* from) {
  return {{from[0], from[1], from[2]}};
}

/// Rows of R times the directions at a point.
template <int R, class T>
DELASSUS_INLINE void weigh(const RowWeights<T>& w, const CondensedPlan::Point& p, const T* directions, Vec3<T>* out) {
  if (w.kind != Damping<T>::Kind::kBlocks) {
    DELASSUS_UNROLL
    for (int r = 0; r < R; ++r) out[r] = w.weight[p.first_row + r] * vector_at(directions + 3 * r);
    return;
  }
  const T* block = &w.weight[w.begin[p.first_row]];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    out[r] = block[r * R] * vector_at(directions);
    DELASSUS_UNROLL
    for (int s = 1; s < R; ++s) out[r] += block[r * R + s] * vector_at(directions + 3 * s);
  }
}

/// Σ_r d_r e_rᵀ.
template <int R, class T>
DELASSUS_INLINE Mat3<T> sum_of_products(const T* directions, const Vec3<T>* weighed) {
  Mat3<T> N;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      T sum = directions[i] * weighed[0][c];
      DELASSUS_UNROLL
      for (int r = 1; r < R; ++r) sum += directions[3 * r + i] * weighed[r][c];
      N(i, c) = sum;
    }
  }
  return N;
}

/// l× N, column by column.
template <class T>
DELASSUS_INLINE Mat3<T> cross_columns(const Vec3<T>& l, const Mat3<T>& N) {
  Mat3<T> G;
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    G(0, c) = l[1] * N(2, c) - l[2] * N(1, c);
    G(1, c) = l[2] * N(0, c) - l[0] * N(2, c);
    G(2, c) = l[0] * N(1, c) - l[1] * N(0, c);
  }
  return G;
}
template <class T>
DELASSUS_INLINE Vec3<T> row_of(const Mat3<T>& X, int r) {
  return {{X(r, 0), X(r, 1), X(r, 2)}};
}

/// N = Σ d R dᵀ of the directions at a point.
template <int R, class T>
DELASSUS_INLINE Mat3<T> stiffness_at(const RowWeights<T>& w, const T* values, const CondensedPlan::Point& p) {
  const T* directions = values + p.value + 3;
  Vec3<T> weighed[R];
  weigh<R>(w, p, directions, weighed);
  return sum_of_products<R>(directions, weighed);
}

/// Kᵀ R K with K = [ (l × d)ᵀ dᵀ ]: N, G = l× N and l× N l×ᵀ, which is less than row by row.
template <class T>
DELASSUS_INLINE void add_stiffness_at(const Vec3<T>& l, const Mat3<T>& N, const Mat3<T>& G, ArticulatedInertia<T>& H) {
  Sym3<T> A, M;
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> lG = cross(l, row_of(G, i));
    DELASSUS_UNROLL
    for (int c = 0; c < i + 1; ++c) {
      A(i, c) = lG[c];
      M(i, c) = N(i, c);
    }
  }
  H += ArticulatedInertia<T>{A, G, M};
}

template <int R, class T>
DELASSUS_INLINE void add_point(const RowWeights<T>& w, const T* values, const CondensedPlan::Point& p,
                               ArticulatedInertia<T>& H) {
  const Mat3<T> N = stiffness_at<R>(w, values, p);
  const Vec3<T> l = vector_at(values + p.value);
  add_stiffness_at(l, N, cross_columns(l, N), H);
}

/// The same for both of two opposite points, and minus as much between them.
template <int R, class T>
DELASSUS_INLINE void add_twins(const RowWeights<T>& w, const T* values, const CondensedPlan::Twins& t,
                               std::vector<ArticulatedInertia<T>>& H, T* to) {
  const Mat3<T> N = stiffness_at<R>(w, values, t.earlier);
  const Vec3<T> la = vector_at(values + t.earlier.value), lb = vector_at(values + t.later.value);
  const Mat3<T> Ga = cross_columns(la, N), Gb = cross_columns(lb, N);
  add_stiffness_at(la, N, Ga, H[t.earlier.slot]);
  add_stiffness_at(lb, N, Gb, H[t.later.slot]);
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> crossed = cross(lb, row_of(Ga, i));
    T *moment = to + i * t.stride, *force = to + (i + 3) * t.stride;
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      moment[c] -= crossed[c];
      moment[c + 3] -= Ga(i, c);
      force[c] -= Gb(c, i);
      force[c + 3] -= N(i, c);
    }
  }
}

template <int R, class T>
DELASSUS_INLINE void add_point_pair(const RowWeights<T>& w, const T* values, const CondensedPlan::Point& a,
                                    const CondensedPlan::Point& b, T* to, int stride) {
  Vec3<T> weighed[R];
  weigh<R>(w, b, values + b.value + 3, weighed);
  const Mat3<T> N = sum_of_products<R>(values + a.value + 3, weighed);
  const Vec3<T> la = vector_at(values + a.value), lb = vector_at(values + b.value);
  const Mat3<T> G = cross_columns(la, N);
  DELASSUS_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> G_lb = cross(lb, row_of(G, i)), N_lb = cross(lb, row_of(N, i));
    T *moment = to + i * stride, *force = to + (i + 3) * stride;
    DELASSUS_UNROLL
    for (int c = 0; c < 3; ++c) {
      moment[c] += G_lb[c];
      moment[c + 3] += G(i, c);
      force[c] += N_lb[c];
      force[c + 3] += N(i, c);
    }
  }
}

template <Laned T>
DELASSUS_INLINE void subtract_six(T* to, const Lane3<T>& first, const Lane3<T>& second) {
  using Four = Pack<T, 4>;
  using Two = Pack<T, 2>;
  store(to, load<Four>(to) - Four(__builtin_shufflevector(first.v, second.v, 0, 1, 2, 4)));
  store(to + 4, load<Two>(to + 4) - Two(__builtin_shufflevector(second.v, second.v, 1, 2)));
}

/// Strips of points. With D from the later link's origin to the earlier's, the later link feels minus what the earlier does,
/// moved by D.
template <Laned T>
void add_strips(const CondensedPlan& plan, const CondensedConfiguration<T>& c, const RowWeights<T>& w,
                std::vector<ArticulatedInertia<T>>& H, std::vector<T>& panel) {
  const auto stiffness = [&](const CondensedPlan::Strip& s) {
    return strip_stiffness(&c.strip[s.pack], s.rows, &w.weight[s.first_row]);
  };
  for (const CondensedPlan::Strip& s : plan.point_strips) H[plan.points[s.parts.first].slot] += stiffness(s);
  for (std::size_t k = 0; k < plan.twin_strips.size(); ++k) {
    const CondensedPlan::Twins& t = plan.twins[plan.twin_strips[k].parts.first];
    const ArticulatedInertia<T> own = stiffness(plan.twin_strips[k]);
    H[t.earlier.slot] += own;
    H[t.later.slot] += shifted(own, c.apart[k]);
    const Lane3<T> lever(c.apart[k]);
    Rows3<T> Bt = own.B;
    transpose(Bt.row);
    DELASSUS_UNROLL
    for (int i = 0; i < 3; ++i) {
      T* to = &panel[t.to + i * t.stride];
      subtract_six(to, own.A.row[i] + cross(lever, own.B.row[i]), own.B.row[i]);
      subtract_six(to + 3 * t.stride, Bt.row[i] + cross(lever, own.M.row[i]), own.M.row[i]);
    }
  }
}

// ------------------------------------------------------------------------------------------- other rows

/// Row r of R times wrenches.
template <class T, class Part>
Force<T> weighed_row(const RowWeights<T>& w, const Part& p, const Force<T>* K, int r) {
  if (w.kind != Damping<T>::Kind::kBlocks) return scaled(K[r], w.weight[p.first_row + r]);
  Force<T> sum = Force<T>::zero();
  for (int s = 0; s < p.rows; ++s) {
    sum += scaled(K[s], w.weight[w.begin[p.first_row + r] + s]);
  }
  return sum;
}

template <class T>
void add_products(const Force<T>& left, const Force<T>& right, T* to, int stride) {
  for (int i = 0; i < 6; ++i) {
    DELASSUS_UNROLL
    for (int c = 0; c < 6; ++c) to[i * stride + c] += entry_of(left, i) * entry_of(right, c);
  }
}

template <class T>
void add_rows(const CondensedPlan& plan, const CondensedConfiguration<T>& c, const RowWeights<T>& w,
              std::vector<ArticulatedInertia<T>>& H, std::vector<T>& panel) {
  for (const CondensedPlan::Rows& p : plan.stiff_rows) {
    const Force<T>* K = &c.wrench[p.wrench];
    for (int r = 0; r < p.rows; ++r) downdate(H[p.slot], K[r], -weighed_row(w, p, K, r));
  }
  for (const CondensedPlan::RowsPair& p : plan.rows_pairs) {
    for (int r = 0; r < p.rows; ++r) {
      add_products(c.wrench[p.earlier + r], weighed_row(w, p, &c.wrench[p.later], r), &panel[p.to], p.stride);
    }
  }
}

// ----------------------------------------------------------------------------------------------- groups

/// R⁻¹ + Ω, and half of the damping as the floor of its pivots.
template <int R, class T>
DELASSUS_INLINE Sym<T, R> damped_omega(const CondensedPlan& plan, const CondensedPlan::Group& g, const T* omega,
                                       const RowWeights<T>& w, Vec<T, R>& floor) {
  Sym<T, R> A;
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, R>::kSize; ++k) A.a[k] = omega[k];
  const std::int32_t* rows = &plan.group_rows[g.row];
  if (w.kind != Damping<T>::Kind::kBlocks) {
    DELASSUS_UNROLL
    for (int r = 0; r < R; ++r) {
      A(r, r) += w.damping[rows[r]];
      floor[r] = T(0.5) * w.damping[rows[r]];
    }
    return A;
  }
  for (int r = 0; r < R; ++r) {
    floor[r] = T(0);
    for (int s = 0; s < r + 1; ++s) {
      if (w.first[rows[r]] == w.first[rows[s]]) A(r, s) += w.damping[w.begin[rows[r]] + rows[s] - w.first[rows[s]]];
    }
  }
  return A;
}

/// K̂ᵀ S K̂ for the node of a side, and S K̂.
template <int R, class T>
DELASSUS_INLINE void add_side(const CondensedPlan& plan, const CondensedPlan::Side& side, const Ldlt<T, R>& S,
                              const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  using Column = typename ArticulatedInertia<T>::Column;
  const Vec3<T>& lever = c.art.frames.lever[side.link];
  Column K[R], SK[R];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) K[r] = Column(shifted(c.side[side.panel + r], -lever));
  divide<R>(K, S, SK);
  ArticulatedInertia<T> H = d.H[plan.nodes[side.node].slot];
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) {
    downdate(H, K[r], -SK[r]);
    d.dual_side[side.panel + r] = shifted(SK[r], lever);
  }
  d.H[plan.nodes[side.node].slot] = H;
}

template <int R, class T>
DELASSUS_INLINE T factor_group(const CondensedPlan& plan, const CondensedPlan::Group& g,
                               const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  Vec<T, R> floor;
  const Sym<T, R> A = damped_omega<R>(plan, g, &c.omega[g.triangle], d.rows, floor);
  T margin;
  const Ldlt<T, R> S = factor_ldlt(A, floor, margin);
  DELASSUS_UNROLL
  for (int r = 0; r < R; ++r) d.growth = max(d.growth, A(r, r) * S.factor(r, r));
  DELASSUS_UNROLL
  for (int k = 0; k < Sym<T, R>::kSize; ++k) d.dual[g.triangle + k] = S.factor.a[k];
  return margin;
}

/// First the small factorizations of all groups: each is a chain of divisions, and chains overlap when they are short.
template <class T>
Status add_groups(const CondensedPlan& plan, const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  for (const CondensedPlan::Group& g : plan.groups) {
    const T margin = with_rows(g.rows, [&](auto R) { return factor_group<R()>(plan, g, c, d); });
    if (!all_lanes(T(0) < margin)) return {Status::Code::kNotPositive, plan.group_rows[g.row]};
  }
  for (const CondensedPlan::Group& g : plan.groups) {
    with_rows(g.rows, [&](auto R) {
      const auto S = ldlt_at<R()>(&d.dual[g.triangle]);
      for (int k = g.sides.first; k < g.sides.end(); ++k) add_side<R()>(plan, plan.sides[k], S, c, d);
    });
  }
  return {};
}

template <class T>
void add_side_pair(const CondensedPlan& plan, const CondensedPlan::SidePair& p, const CondensedConfiguration<T>& c,
                   CondensedDamping<T>& d) {
  const CondensedPlan::Side &a = plan.sides[p.earlier], &b = plan.sides[p.later];
  const Vec3<T>&lever_a = c.art.frames.lever[a.link], &lever_b = c.art.frames.lever[b.link];
  for (int r = 0; r < plan.groups[p.group].rows; ++r) {
    add_products(shifted(c.side[a.panel + r], -lever_a), shifted(d.dual_side[b.panel + r], -lever_b), &d.panel[p.to],
                 p.stride);
  }
}

template <class T>
void add_constraints(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     const RowWeights<T>& w, std::vector<ArticulatedInertia<T>>& H, std::vector<T>& panel) {
  const T* values = rows.values.data();
  const bool strips = Laned<T> && w.kind != Damping<T>::Kind::kBlocks;
  for (const CondensedPlan::Point& p : without_strips(plan.points, strips, plan.loose_points)) {
    with_directions(p.rows, [&](auto R) { add_point<R()>(w, values, p, H[p.slot]); });
  }
  for (const CondensedPlan::Twins& t : without_strips(plan.twins, strips, plan.loose_twins)) {
    with_directions(t.earlier.rows, [&](auto R) { add_twins<R()>(w, values, t, H, &panel[t.to]); });
  }
  for (const CondensedPlan::PointPair& pair : plan.point_pairs) {
    const CondensedPlan::Point &a = plan.points[pair.earlier], &b = plan.points[pair.later];
    with_directions(a.rows, [&](auto R) { add_point_pair<R()>(w, values, a, b, &panel[pair.to], pair.stride); });
  }
  if constexpr (Laned<T>) {
    if (strips) add_strips(plan, c, w, H, panel);
  }
  add_rows(plan, c, w, H, panel);
}

/// With one damping r for all rows stiffness is 1/r times what it is for r = 1, which is kept.
template <class T>
void add_scaled(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                CondensedDamping<T>& d) {
  const T weight = d.rows.weight.empty() ? T(0) : d.rows.weight[0];
  if (!d.unit_ready) {
    std::fill(d.unit_H.begin(), d.unit_H.end(), ArticulatedInertia<T>::zero());
    std::fill(d.unit_panel.begin(), d.unit_panel.end(), T(0));
    fill_rows(rows.num_rows(), T(1), d.rows.weight.data());
    add_constraints(rows, plan, c, d.rows, d.unit_H, d.unit_panel);
    fill_rows(rows.num_rows(), weight, d.rows.weight.data());
    d.unit_ready = true;
  }
  for (std::size_t k = 0; k < d.H.size(); ++k) {
    d.H[k] = c.base[k];
    add_scaled(d.H[k], weight, d.unit_H[k]);
  }
  for_each_chunk<T>(static_cast<int>(d.panel.size()), [&]<class X>(std::type_identity<X>, int at) {
    store(&d.panel[at], weight * load<X>(&d.unit_panel[at]));
  });
}

}  // namespace

template <class T>
Status add_stiffness(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     CondensedDamping<T>& d) {
  if (d.rows.kind == Damping<T>::Kind::kScalar) {
    add_scaled(rows, plan, c, d);
  } else {
    d.H = c.base;
    std::fill(d.panel.begin(), d.panel.end(), T(0));
    add_constraints(rows, plan, c, d.rows, d.H, d.panel);
  }
  const Status groups = add_groups(plan, c, d);
  if (!groups.ok()) return groups;
  for (const CondensedPlan::SidePair& pair : plan.side_pairs) add_side_pair(plan, pair, c, d);
  return {};
}

template <class T>
void add_joint_stiffness(const ConstraintRows<T>& rows, const CondensedPlan& plan, CondensedDamping<T>& d) {
  std::fill(d.stiff_joint.begin(), d.stiff_joint.end(), T(0));
  const RowWeights<T>& w = d.rows;
  for (const CondensedPlan::StiffJoint& s : plan.stiff_joints) {
    const int left = rows.entries[s.left].row, right = rows.entries[s.right].row;
    const bool blocks = w.kind == Damping<T>::Kind::kBlocks;
    if (left != right && !blocks) continue;
    const T& weight = w.weight[blocks ? w.begin[left] + right - w.first[right] : left];
    d.stiff_joint[s.place] += rows.weights[s.left] * rows.weights[s.right] * weight;
  }
}

template <class T>
void add_multipliers(const CondensedPlan& plan, const CondensedConfiguration<T>& c, CondensedDamping<T>& d) {
  for (const CondensedPlan::MultiplierRows& m : plan.multiplier_rows) {
    for (int r = 0; r < m.rows; ++r) {
      for (int i = 0; i < 6; ++i) d.panel[m.to + i * m.stride + r] = entry_of(c.wrench[m.wrench + r], i);
    }
  }
  const RowWeights<T>& w = d.rows;
  for (const int at : plan.multipliers) {
    const CondensedPlan::Node& node = plan.nodes[at];
    T* triangle = &d.multiplier[node.slot];
    for (int r = 0; r < node.width; ++r) {
      d.peak[node.first_row + r] = T(0);
      for (int s = 0; s < r + 1; ++s) {
        const int row = node.first_row + r;
        *triangle++ = w.kind == Damping<T>::Kind::kBlocks ? w.damping[w.begin[row] + node.first_row + s - w.first[row]]
                      : r == s                            ? w.damping[row]
                                                          : T(0);
      }
    }
  }
}

#define DELASSUS_INSTANTIATE(T)                                                                                   \
  template Status add_stiffness(const ConstraintRows<T>&, const CondensedPlan&, const CondensedConfiguration<T>&, \
                                CondensedDamping<T>&);                                                            \
  template void add_joint_stiffness(const ConstraintRows<T>&, const CondensedPlan&, CondensedDamping<T>&);        \
  template void add_multipliers(const CondensedPlan&, const CondensedConfiguration<T>&, CondensedDamping<T>&);
DELASSUS_FOR_EACH_KERNEL_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
