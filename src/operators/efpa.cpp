#include "operators/efpa.hpp"

#include <cstring>
#include <utility>

#include "dynamics/row_response.hpp"
#include "dynamics/site_rows.hpp"
#include "kinematics/width.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T, class F>
Efpa<T, F>::Efpa(const Model& model)
    : art_(model),
      sweep_(model),
      outward_(model),
      weighted_(model, Motion<Lanes>::filled(unwritten<Lanes>())),
      rates_(model.nv(), unwritten<Lanes>()) {}

template <class T, class F>
void Efpa<T, F>::plan(const Model& model, const RowStructure& rows) {
  plan_.sites.plan(model, rows);
  plan_.build(model, kLanes);
  const std::size_t groups = plan_.count.size();
  chi_.resize(groups);
  theta_.resize(groups);
  kept_.resize(plan_.kept_size);
  felt_.resize(plan_.F_size);
  weights_.resize(rows.num_rows());
}

template <class T, class F>
void Efpa<T, F>::place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  place_frames(model, kin, art_.frames);
  place_rows(rows, art_.frames);
}

template <class T, class F>
Status Efpa<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                           LowerView<T> lower) {
  if (const Status status = articulate_placed(model, kin, art_); !status.ok()) return status;
  end_stage<T>("articulation");
  for (int s = static_cast<int>(plan_.steps.size()) - 1; s >= 0; --s) {
    const EfpaPlan::Step& step = plan_.steps[s];
    const Link& link = model.link(step.link);
    load_rows(rows, step);
    with_width(link.nv, [&](auto N) { carry_in<N()>(link, step, rows, lower); });
  }
  end_stage<T>("rows inwards");
  for (const EfpaPlan::Step& step : plan_.steps) {
    const Link& link = model.link(step.link);
    with_width(link.nv, [&](auto N) { carry_out<N()>(link, step); });
    meet_on_link(step, lower);
  }
  end_stage<T>("responses outwards and products");
  return {};
}

template <class T, class F>
void Efpa<T, F>::respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
                         VectorView<T> acceleration) requires std::same_as<F, WorldFrames<T>> {
  // clang 14 instantiates this without asking what it requires.
  if constexpr (std::same_as<F, WorldFrames<T>>) row_response<T>(model, art_, rows, x, acceleration, sweep_);
}

template <class T, class F>
DELASSUS_INLINE void Efpa<T, F>::set_lane(Lanes& x, int k, const T& value) {
  if constexpr (kLanes == 1) {
    x = value;
  } else {
    x.set(k, value);
  }
}

/// ᵏχ at the link that carries k.
template <class T, class F>
DELASSUS_INLINE void Efpa<T, F>::load_rows(const ConstraintRows<T>& rows, const EfpaPlan::Step& step) {
  for (int g = step.first; g < step.own_end; ++g) {
    Force<Lanes> chi;
    DELASSUS_UNROLL
    for (int k = 0; k < kLanes; ++k) {
      const auto& element = plan_.sites.elements()[plan_.element[g * kLanes + k]];
      const Force<T> K = link_row(art_.frames, rows, plan_.sites, element);
      DELASSUS_UNROLL
      for (int c = 0; c < 3; ++c) {
        set_lane(chi.moment[c], k, K.moment[c]);
        set_lane(chi.force[c], k, K.force[c]);
      }
    }
    chi_[g] = chi;
  }
}

template <class T, class F>
template <int N>
DELASSUS_INLINE auto Efpa<T, F>::load_joint_rows(const ConstraintRows<T>& rows, int group) const -> Felt<N> {
  Felt<N> out;
  for (int k = 0; k < kLanes; ++k) {
    const auto& element = plan_.sites.elements()[plan_.element[group * kLanes + k]];
    const Vec<T, N> weights = joint_row<N>(rows, plan_.sites, element);
    for (int c = 0; c < N; ++c) set_lane(out[c], k, weights[c]);
  }
  return out;
}

/// F = Φᵀ χᵀ and χ ← (χ - F Ûᵀ) X, eq. (11). A row on the joint is one whose χ is zero and whose F is not.
template <class T, class F>
template <int N>
DELASSUS_INLINE void Efpa<T, F>::carry_in(const Link& link, const EfpaPlan::Step& step, const ConstraintRows<T>& rows,
                                          LowerView<T> lower) {
  const Force<T>* U_hat = &art_.U_hat[link.v];
  const bool keep = step.first_meeting < step.end_meeting;
  Lanes* felt = &felt_[step.F];
  for (int g = step.first; g < step.joint_first; ++g, felt += N) {
    Force<Lanes> chi = chi_[g];
    if (keep) kept_[step.kept + g - step.first] = chi;
    const Felt<N> f = subspace_dot<N>(art_.frames, link, chi);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) felt[k] = f[k];
    if (link.parent == kWorld) continue;
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) chi -= scaled(U_hat[k], f[k]);
    chi_[g] = to_parent(art_.frames, step.link, chi);
  }
  for (int g = step.joint_first; g < step.end; ++g, felt += N) {
    const Felt<N> f = load_joint_rows<N>(rows, g);
    for (int k = 0; k < N; ++k) felt[k] = f[k];
    meet_on_joint<N>(link, step, g, lower);
    if (link.parent == kWorld) continue;
    Force<Lanes> chi = scaled(U_hat[0], -f[0]);
    for (int k = 1; k < N; ++k) chi -= scaled(U_hat[k], f[k]);
    chi_[g] = to_parent(art_.frames, step.link, chi);
  }
}

/// Θ ← L X Θ + Φ D⁻¹ Φᵀ χᵀ, eq. (13). Leaves D⁻¹ F for J̄.
template <class T, class F>
template <int N>
DELASSUS_INLINE void Efpa<T, F>::carry_out(const Link& link, const EfpaPlan::Step& step) {
  const Force<T>* U_hat = &art_.U_hat[link.v];
  const Ldlt<T, N> D = joint_factor<N>(art_, link);
  Lanes* felt = &felt_[step.F];
  for (int g = step.first; g < step.joint_first; ++g, felt += N) {
    Felt<N> x;
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) x[k] = felt[k];
    D.solve(x);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) felt[k] = x[k];
    if (link.parent == kWorld) {
      theta_[g] = subspace_times<N>(art_.frames, link, x.a);
      continue;
    }
    const Motion<Lanes> theta = from_parent(art_.frames, step.link, theta_[g]);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) x[k] -= dot(theta, U_hat[k]);
    theta_[g] = plus_subspace_times<N>(art_.frames, link, theta, x.a);
  }
}

/// F_a D⁻¹ F_bᵀ of a group on the joint with those that cross it; the rest of their product comes at the parent link.
template <class T, class F>
template <int N>
DELASSUS_INLINE void Efpa<T, F>::meet_on_joint(const Link& link, const EfpaPlan::Step& step, int group,
                                               LowerView<T> lower) const {
  const Lanes* felt = &felt_[step.F];
  Felt<N> x;
  for (int k = 0; k < N; ++k) x[k] = felt[(group - step.first) * N + k];
  joint_factor<N>(art_, link).solve(x);
  for (int b = step.first; b <= group; ++b, felt += N) {
    const auto products = [&](int l) {
      Lanes sum = felt[0] * lane(x[0], l);
      for (int k = 1; k < N; ++k) sum += felt[k] * lane(x[k], l);
      return sum;
    };
    add_tile(group, b, products, lower);
  }
}

/// χ_a Θ_b, eq. (14), with the later rows as b: those are rows of the lower triangle, whose columns are contiguous.
template <class T, class F>
DELASSUS_INLINE void Efpa<T, F>::meet_on_link(const EfpaPlan::Step& step, LowerView<T> lower) const {
  const Force<Lanes>* kept = kept_.data() + step.kept - step.first;
  for (int m = step.first_meeting; m < step.end_meeting; ++m) {
    const EfpaPlan::Meeting& meeting = plan_.meetings[m];
    for (int first = meeting.a; first < meeting.a_end; ++first) {
      for (int second = meeting.b; second < meeting.b_end; ++second) {
        int a = first, b = second;
        if (plan_.row[a * kLanes] > plan_.row[b * kLanes]) std::swap(a, b);
        const Motion<Lanes>& theta = theta_[b];
        const Force<Lanes>& chi = kept[a];
        const auto products = [&](int l) {
          Force<T> row;
          DELASSUS_UNROLL
          for (int c = 0; c < 3; ++c) {
            row.moment[c] = lane(chi.moment[c], l);
            row.force[c] = lane(chi.force[c], l);
          }
          return dot(theta, row);
        };
        add_tile(a, b, products, lower);
      }
    }
  }
}

/// Adds the first lanes to numbers that follow each other in memory.
template <class T, class F>
DELASSUS_INLINE void Efpa<T, F>::add_lanes(const Lanes& x, int count, T* out) {
  if constexpr (kLanes == 1) {
    *out += x;
  } else if (count == kLanes) {
    Lanes sum;
    std::memcpy(&sum.lanes, out, sizeof(sum.lanes));
    sum += x;
    std::memcpy(out, &sum.lanes, sizeof(sum.lanes));
  } else {
    DELASSUS_UNROLL
    for (int k = 0; k < kLanes - 1; ++k) {
      if (k < count) out[k] += x[k];
    }
  }
}

/// Adds the products of two groups; products(l) are those of row l of a with all rows of b.
template <class T, class F>
template <class Products>
DELASSUS_INLINE void Efpa<T, F>::add_tile(int a, int b, Products&& products, LowerView<T> lower) const {
  const std::int32_t *rows_a = &plan_.row[a * kLanes], *rows_b = &plan_.row[b * kLanes];
  const int count_a = plan_.count[a], count_b = plan_.count[b];
  const bool follow = rows_b[count_b - 1] - rows_b[0] == count_b - 1;
  if (follow && (a == b || rows_a[count_a - 1] < rows_b[0])) {
    // Of a group with itself the rows above the diagonal come along, and are lost.
    for (int l = 0; l < count_a; ++l) add_lanes(products(l), count_b, lower.at(rows_b[0], rows_a[l]));
    return;
  }
  for (int l = 0; l < count_a; ++l) {
    const Lanes x = products(l);
    if (a == b) lower(rows_a[l], rows_a[l]) += lane(x, l);
    for (int k = 0; k < (a == b ? l : count_b); ++k) add_pair(lower, rows_a[l], rows_b[k], lane(x, k));
  }
}

#define DELASSUS_INSTANTIATE(T)                \
  template class Efpa<T>;                      \
  template class ExplicitDelassus<T, Efpa<T>>; \
  static_assert(DelassusOperator<EfpaDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class Efpa<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
