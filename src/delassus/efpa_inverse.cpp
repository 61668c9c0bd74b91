// J̄ = M⁻¹ Jᵀ Λ from what the joints feel of the rows, which EFPA's sweep inwards leaves behind (docs/algorithms/efpa.md).
//
// Rows weighted by a column of Λ are felt by joint i as F Λ, a sum over the rows that cross it alone: nothing has to be
// carried inwards a second time. One sweep outwards then has the joints' accelerations, which are J̄ itself.
#include "delassus/delassus/column_lanes.hpp"
#include "delassus/delassus/efpa.hpp"
#include "delassus/kinematics/width.hpp"
#include "delassus/math/instantiate.hpp"

namespace delassus {

template <class T, class F>
void Efpa<T, F>::consistent_inverse(const Model& model, MatrixView<const T> Lambda, MatrixView<T> out) {
  // Of a tip only the joint is asked for: its Û goes to the parent once, instead of all columns of the motion to the tip.
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (!tip_[i] || link.parent == kWorld) continue;
    for (int k = link.v; k < link.v + link.nv; ++k) tip_U_hat_[k] = to_parent(art_.frames, i, art_.U_hat[k]);
  }
  for (int column = 0; column < out.cols(); column += kLanes) {
    load_columns(Lambda, column, weights_.data());
    auto step = plan_.steps.begin();
    for (int i = 0; i < model.num_links(); ++i) {
      const Link& link = model.link(i);
      const bool feels = step != plan_.steps.end() && step->link == i;
      with_width(link.nv, [&](auto N) { weighted_response<N()>(link, i, feels ? &*step : nullptr); });
      if (feels) ++step;
    }
    store_columns(rates_.data(), column, out);
  }
  end_stage<T>("consistent inverse");
}

/// F Λ over the rows that cross the joint or act on it.
template <class T, class F>
template <int N>
DELASSUS_INLINE auto Efpa<T, F>::weighted_force(const EfpaPlan::Step& step) const -> Felt<N> {
  Felt<N> sum = Felt<N>::zero();
  const Lanes* felt = &felt_[step.F];
  for (int g = step.first; g < step.end; ++g, felt += N) {
    for (int l = 0; l < plan_.count[g]; ++l) {
      const Lanes& weight = weights_[plan_.row[g * kLanes + l]];
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) sum[k] += lane(felt[k], l) * weight;
    }
  }
  return sum;
}

/// ν̄ = D⁻¹ F Λ - Ûᵀ X Θ̄ and Θ̄ ← X Θ̄ + Φ ν̄: eq. (13) with all rows in it at once. A joint that no row crosses only follows.
template <class T, class F>
template <int N>
DELASSUS_INLINE void Efpa<T, F>::weighted_response(const Link& link, int i, const EfpaPlan::Step* step) {
  Felt<N> x = Felt<N>::zero();
  if (step) {
    x = weighted_force<N>(*step);
    joint_factor<N>(art_, link).solve(x);
  }
  const Motion<Lanes>& parent = weighted_[link.parent];
  if (link.parent == kWorld) {
    weighted_[i] = subspace_times<N>(art_.frames, link, x.a);
  } else if (tip_[i]) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) x[k] -= dot(parent, tip_U_hat_[link.v + k]);
  } else {
    const Motion<Lanes> here = from_parent(art_.frames, i, parent);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) x[k] -= dot(here, art_.U_hat[link.v + k]);
    weighted_[i] = plus_subspace_times<N>(art_.frames, link, here, x.a);
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) rates_[link.v + k] = x[k];
}

#define DELASSUS_INSTANTIATE(T) \
  template void Efpa<T>::consistent_inverse(const Model&, MatrixView<const T>, MatrixView<T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) \
  template void Efpa<T, LinkFrames<T>>::consistent_inverse(const Model&, MatrixView<const T>, MatrixView<T>);
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
