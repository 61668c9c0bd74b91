#include "delassus/math/instantiate.hpp"
#include "delassus/operators/lcaba_factor.hpp"
#include "kinematics/width.hpp"

namespace delassus {
namespace {

using Node = LcabaPlan::Node;

template <class T>
DELASSUS_INLINE Motion<T> motion_at(const T* from) {
  return {{{from[0], from[1], from[2]}}, {{from[3], from[4], from[5]}}};
}

/// Line 24: value -= hatᵀ u on all neighbours.
template <int N, class T>
DELASSUS_INLINE void push_to_neighbours(const LcabaPlan& plan, const Node& node, const LcabaFactor<T>& f,
                                        const Vec<T, N>& u, T* values) {
  for (int r = node.runs.first; r < node.runs.first + node.runs.count; ++r) {
    const LcabaPlan::Run& run = plan.runs[r];
    const T* hat = &f.hat[node.hat + run.column];
    for (int c = 0; c < run.count; ++c) {
      T sum = values[run.value + c];
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) sum -= hat[k * node.columns + c] * u[k];
      values[run.value + c] = sum;
    }
  }
}

/// Line 36: u -= hat value of all neighbours.
template <int N, class T>
DELASSUS_INLINE void pull_from_neighbours(const LcabaPlan& plan, const Node& node, const LcabaFactor<T>& f,
                                          const T* values, Vec<T, N>& u) {
  for (int r = node.runs.first; r < node.runs.first + node.runs.count; ++r) {
    const LcabaPlan::Run& run = plan.runs[r];
    const T* hat = &f.hat[node.hat + run.column];
    for (int c = 0; c < run.count; ++c) {
      DELASSUS_UNROLL
      for (int k = 0; k < N; ++k) u[k] -= hat[k * node.columns + c] * values[run.value + c];
    }
  }
}

template <int N, class T>
DELASSUS_INLINE void push_link(const Model& model, const LcabaPlan& plan, const Node& node, const LcabaFactor<T>& f,
                               LcabaSweep<T>& sweep) {
  const Link& link = model.link(node.link);
  Force<T> force = force_at(&sweep.value[node.value]);
  Vec<T, N> u = subspace_dot<N>(f.art.frames, link, force);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] += sweep.joint[link.v + k];
  push_to_neighbours<N>(plan, node, f, u, sweep.value.data());
  if (node.parent >= 0) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) force -= scaled(f.art.U_hat[link.v + k], u[k]);
    T* parent = &sweep.value[plan.nodes[node.parent].value];
    store_force(parent, force_at(parent) + to_parent(f.art.frames, node.link, force));
  }
  joint_factor<N>(f.art, link).solve(u);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) sweep.joint[link.v + k] = u[k];
}

template <int N, class T>
DELASSUS_INLINE void pull_link(const Model& model, const LcabaPlan& plan, const Node& node, const LcabaFactor<T>& f,
                               LcabaSweep<T>& sweep) {
  const Link& link = model.link(node.link);
  T* joint = &sweep.joint[link.v];
  Vec<T, N> u;
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) u[k] = joint[k];
  pull_from_neighbours<N>(plan, node, f, sweep.value.data(), u);
  Motion<T> a = Motion<T>::zero();
  if (node.parent >= 0) {
    a = from_parent(f.art.frames, node.link, motion_at(&sweep.value[plan.nodes[node.parent].value]));
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) u[k] -= dot(a, f.art.U_hat[link.v + k]);
  }
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) joint[k] = u[k];
  a += subspace_times<N>(f.art.frames, link, joint);
  store_force(&sweep.value[node.value], Force<T>{a.angular, a.linear});
}

template <int N, class T>
DELASSUS_INLINE Ldlt<T, N> multiplier_factor(const LcabaFactor<T>& f, const Node& node) {
  Ldlt<T, N> D;
  for (int k = 0; k < Sym<T, N>::kSize; ++k) D.factor.a[k] = f.triangle[node.diagonal + k];
  return D;
}

template <int N, class T>
DELASSUS_INLINE void push_multiplier(const LcabaPlan& plan, const Node& node, const LcabaFactor<T>& f, T* values) {
  Vec<T, N> u;
  for (int k = 0; k < N; ++k) u[k] = values[node.value + k];
  push_to_neighbours<N>(plan, node, f, u, values);
  multiplier_factor<N>(f, node).solve(u);
  for (int k = 0; k < N; ++k) values[node.value + k] = u[k];
}

template <int N, class T>
DELASSUS_INLINE void pull_multiplier(const LcabaPlan& plan, const Node& node, const LcabaFactor<T>& f, T* values) {
  Vec<T, N> u;
  for (int k = 0; k < N; ++k) u[k] = values[node.value + k];
  pull_from_neighbours<N>(plan, node, f, values, u);
  for (int k = 0; k < N; ++k) values[node.value + k] = u[k];
}

}  // namespace

template <class T>
void sweep_lcaba(const Model& model, const LcabaPlan& plan, const LcabaFactor<T>& factor, LcabaSweep<T>& sweep) {
  for (const Node& node : plan.nodes) {
    with_width(node.width, [&](auto N) {
      if (node.link >= 0) {
        push_link<N()>(model, plan, node, factor, sweep);
      } else {
        push_multiplier<N()>(plan, node, factor, sweep.value.data());
      }
    });
  }
  for (std::size_t at = plan.nodes.size(); at-- > 0;) {
    const Node& node = plan.nodes[at];
    with_width(node.width, [&](auto N) {
      if (node.link >= 0) {
        pull_link<N()>(model, plan, node, factor, sweep);
      } else {
        pull_multiplier<N()>(plan, node, factor, sweep.value.data());
      }
    });
  }
}

#define DELASSUS_INSTANTIATE(T) \
  template void sweep_lcaba(const Model&, const LcabaPlan&, const LcabaFactor<T>&, LcabaSweep<T>&);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
