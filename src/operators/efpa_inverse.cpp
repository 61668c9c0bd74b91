// J̄ = M⁻¹ Jᵀ Λ from what the joints feel of the rows, which EFPA's sweep inwards leaves behind (docs/algorithms/efpa.md).
//
// Rows weighted by a column of Λ are felt by joint i as F Λ, a sum over the rows that cross it alone: nothing has to be
// carried inwards a second time. One sweep outwards then has the joints' accelerations, which are J̄ itself.
#include "kinematics/width.hpp"
#include "math/instantiate.hpp"
#include "operators/column_lanes.hpp"
#include "operators/efpa.hpp"

namespace delassus {

template <class T, class F>
void Efpa<T, F>::consistent_inverse(const Model& model, MatrixView<const T> lambda, MatrixView<T> out) {
  outward_.place(model, art_);
  for (int column = 0; column < out.cols(); column += kLanes) {
    load_columns(lambda, column, weights_.data());
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

/// The sum over some groups of what the joint feels of their rows, times the rows of Λ.
template <class T, class F>
template <int N>
DELASSUS_INLINE auto Efpa<T, F>::weighted_sum(const EfpaPlan::Step& step, int first, int end) const -> Felt<N> {
  Felt<N> sum = Felt<N>::zero();
  const Lanes* felt = &felt_[step.F + (first - step.first) * N];
  for (int g = first; g < end; ++g, felt += N) {
    for (int l = 0; l < plan_.count[g]; ++l) {
      const Lanes& weight = weights_[plan_.row[g * kLanes + l]];
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) sum[k] += lane(felt[k], l) * weight;
    }
  }
  return sum;
}

/// ν̄ = D⁻¹ F Λ - Ûᵀ X Θ̄ and Θ̄ ← X Θ̄ + Φ ν̄: eq. (13) with all rows in it at once. Where a row acts on the joint, D⁻¹ is not in
/// its F yet. A joint that no row crosses only follows.
template <class T, class F>
template <int N>
DELASSUS_INLINE void Efpa<T, F>::weighted_response(const Link& link, int i, const EfpaPlan::Step* step) {
  Felt<N> x = Felt<N>::zero();
  if (step) x = weighted_sum<N>(*step, step->first, step->joint_first);
  if (step && step->joint_first < step->end) {
    Felt<N> on_joint = weighted_sum<N>(*step, step->joint_first, step->end);
    joint_factor<N>(art_, link).solve(on_joint);
    x += on_joint;
  }
  if (link.parent == kWorld) {
    weighted_[i] = subspace_times<N>(art_.frames, link, x.a);
  } else {
    Motion<Lanes> motion = outward_.arriving(art_.frames, i, weighted_[link.parent]);
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) x[k] -= dot(motion, outward_.U(link.v + k));
    if (!outward_.is_tip(i)) {
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) motion += scaled(outward_.S(link.v + k), x[k]);
      weighted_[i] = motion;
    }
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) rates_[link.v + k] = x[k];
}

#define DELASSUS_INSTANTIATE(T) \
  template void Efpa<T>::consistent_inverse(const Model&, MatrixView<const T>, MatrixView<T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) \
  template void Efpa<T, LinkFrames<T>>::consistent_inverse(const Model&, MatrixView<const T>, MatrixView<T>);
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
