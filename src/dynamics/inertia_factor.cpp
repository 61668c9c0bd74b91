#include "dynamics/inertia_factor.hpp"

#include "dynamics/singular_status.hpp"
#include "kinematics/width.hpp"
#include "math/chunks.hpp"
#include "math/instantiate.hpp"
#include "math/pivot.hpp"

namespace delassus {
namespace {

/// to -= s x
template <class T>
DELASSUS_INLINE void subtract_scaled(T* to, const T& s, const T* x, int count) {
  for_each_chunk<T>(
      count, [&]<class X>(std::type_identity<X>, int at) { store(to + at, load<X>(to + at) - s * load<X>(x + at)); });
}

}  // namespace

template <class T, class F>
InertiaFactor<T, F>::InertiaFactor(const Model& model) : composite_(model, RigidInertia<T>::zero()) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    for (int k = 0; k < link.nv; ++k) {
      const bool follows = k > 0 || link.parent != kWorld;
      const int before = k > 0     ? link.v + k - 1
                         : follows ? model.link(link.parent).v + model.link(link.parent).nv - 1
                                   : 0;
      const Path above = follows ? path_[before] : Path{0, 0};
      path_.push_back({static_cast<std::int32_t>(dofs_.size()), above.size + 1});
      for (int a = 0; a < above.size; ++a) dofs_.push_back(dofs_[above.first + a]);
      dofs_.push_back(link.v + k);
    }
  }
  L_.assign(dofs_.size(), T(0));
}

/// CRBA on the paths: what a unit acceleration of k takes from each degree of freedom that carries it.
template <class T, class F>
void InertiaFactor<T, F>::inertia_matrix(const Model& model, const Kinematics<T>& kin, const F& frames) {
  for (int i = 0; i < model.num_links(); ++i) composite_[i] = link_inertia(frames, kin, model, i);
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    for (int k = 0; k < link.nv; ++k) {
      T* M = own_row(link.v + k);
      Force<T> f = inertia_times_subspace(frames, kin, link, i, composite_[i], k);
      int at = path_[link.v + k].size - 1 - k;  // place of the joint's first degree of freedom
      for (int l = 0; l <= k; ++l) M[at + l] = subspace_dot(frames, link, l, f);
      M[at + k] += T(model.armature()[link.v + k]);
      for (int j = i; model.link(j).parent != kWorld;) {
        f = to_parent(frames, j, f);
        j = model.link(j).parent;
        at -= model.link(j).nv;
        with_width(model.link(j).nv, [&](auto N) {
          const Vec<T, N()> felt = subspace_dot<N()>(frames, model.link(j), f);
          for (int l = 0; l < N(); ++l) M[at + l] = felt[l];
        });
      }
    }
    if (link.parent != kWorld) composite_[link.parent] += to_parent(frames, kin, i, composite_[i]);
  }
}

/// From the tips inwards: each degree of freedom takes itself out of those that carry it.
template <class T, class F>
Status InertiaFactor<T, F>::factor(const Model& model) {
  for (int i = model.num_links() - 1; i >= 0; --i) {
    for (int k = model.link(i).v + model.link(i).nv - 1; k >= model.link(i).v; --k) {
      T* L = own_row(k);
      const int above = path_[k].size - 1;
      if (!all_lanes(T(kPivotTolerance<T> * model.inertia_scale()[k]) < L[above])) {
        return {Status::Code::kSingularJoint, i};
      }
      L[above] = T(1) / sqrt(L[above]);
      for (int a = 0; a < above; ++a) L[a] = L[a] * L[above];
      for (int a = 0; a < above; ++a) subtract_scaled(own_row(carriers_of(k)[a]), L[a], L, a + 1);
    }
  }
  return {};
}

template <class T, class F>
Status InertiaFactor<T, F>::compute(const Model& model, const Kinematics<T>& kin, const F& frames) {
  inertia_matrix(model, kin, frames);
  end_stage<T>("inertia matrix");
  const Status status = factor(model);
  end_stage<T>("factorization");
  return explained(model, kin, status);
}

template <class T, class F>
template <class X>
void InertiaFactor<T, F>::solve(X* x) const {
  for (int k = 0; k < static_cast<int>(path_.size()); ++k) {
    X sum = x[k];
    for (int a = 0; a < above(k); ++a) sum -= row(k)[a] * x[carriers_of(k)[a]];
    x[k] = sum * row(k)[above(k)];
  }
}

template <class T, class F>
void InertiaFactor<T, F>::solve_transposed(T* x) const {
  for (int k = static_cast<int>(path_.size()) - 1; k >= 0; --k) {
    x[k] = x[k] * row(k)[above(k)];
    for (int a = 0; a < above(k); ++a) x[carriers_of(k)[a]] -= row(k)[a] * x[k];
  }
}

#define DELASSUS_INSTANTIATE(T)    \
  template class InertiaFactor<T>; \
  template void InertiaFactor<T>::solve(T*) const;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)
template void InertiaFactor<float>::solve(Pack<float, 4>*) const;
template void InertiaFactor<double>::solve(Pack<double, 4>*) const;
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T)       \
  template class InertiaFactor<T, LinkFrames<T>>; \
  template void InertiaFactor<T, LinkFrames<T>>::solve(T*) const;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
