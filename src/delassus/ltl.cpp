#include "delassus/delassus/ltl.hpp"

#include "delassus/kinematics/width.hpp"
#include "delassus/math/chunks.hpp"
#include "delassus/math/instantiate.hpp"
#include "delassus/math/pivot.hpp"

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
Ltl<T, F>::Ltl(const Model& model) : frames_(model), composite_(model, RigidInertia<T>::zero()) {
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

template <class T, class F>
void Ltl<T, F>::plan(const Model& model, const ConstraintRows<T>& rows) {
  plan_ = make_carrier_plan(model, rows, Meeting::kNeverEnds);
  product_plan_ = make_row_product_plan(plan_, rows);
  carriers_.resize(model, plan_);
}

template <class T, class F>
void Ltl<T, F>::place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  place_frames(model, kin, frames_);
  place_rows(rows, frames_);
}

/// CRBA on the paths: what a unit acceleration of k takes from each degree of freedom that carries it.
template <class T, class F>
void Ltl<T, F>::inertia_matrix(const Model& model, const Kinematics<T>& kin) {
  for (int i = 0; i < model.num_links(); ++i) composite_[i] = link_inertia(frames_, kin, model.link(i), i);
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    for (int k = 0; k < link.nv; ++k) {
      T* M = row(link.v + k);
      Force<T> f = inertia_times_subspace(frames_, kin, link, i, composite_[i], k);
      int at = path_[link.v + k].size - 1 - k;  // place of the joint's first degree of freedom
      for (int l = 0; l <= k; ++l) M[at + l] = subspace_dot(frames_, link, l, f);
      M[at + k] += T(model.armature()[link.v + k]);
      for (int j = i; model.link(j).parent != kWorld;) {
        f = to_parent(frames_, j, f);
        j = model.link(j).parent;
        at -= model.link(j).nv;
        with_width(model.link(j).nv, [&](auto N) {
          const Vec<T, N()> felt = subspace_dot<N()>(frames_, model.link(j), f);
          for (int l = 0; l < N(); ++l) M[at + l] = felt[l];
        });
      }
    }
    if (link.parent != kWorld) composite_[link.parent] += to_parent(frames_, kin, i, composite_[i]);
  }
}

/// M = Lᵀ L from the tips inwards: each degree of freedom takes itself out of those that carry it.
template <class T, class F>
Status Ltl<T, F>::factor(const Model& model) {
  for (int i = model.num_links() - 1; i >= 0; --i) {
    for (int k = model.link(i).v + model.link(i).nv - 1; k >= model.link(i).v; --k) {
      T* L = row(k);
      const int above = path_[k].size - 1;
      if (!all_lanes(T(kPivotTolerance<T> * model.inertia_scale()[k]) < L[above])) {
        return {Status::Code::kSingularJoint, i};
      }
      L[above] = T(1) / sqrt(L[above]);
      for (int a = 0; a < above; ++a) L[a] = L[a] * L[above];
      for (int a = 0; a < above; ++a) subtract_scaled(row(carriers_of(k)[a]), L[a], L, a + 1);
    }
  }
  return {};
}

/// Y ← L⁻ᵀ Y, for each row on its support alone.
template <class T, class F>
void Ltl<T, F>::solve_rows(const Model& model) {
  for (const CarrierPlan::Step& step : plan_.steps) {
    const Link& link = model.link(step.link);
    const CarrierPlan::Segment& segment = plan_.segments[step.segment];
    for (int s = segment.first_run; s < segment.first_run + segment.runs; ++s) {
      const CarrierPlan::Run& run = plan_.runs[s];
      for (int k = link.v + link.nv - 1; k >= link.v; --k) {
        const T* L = row(k);
        const int above = path_[k].size - 1;
        for_each_chunk<T>(run.count, [&]<class X>(std::type_identity<X>, int at) {
          const X y = L[above] * load<X>(carriers_.y(k, run.y + at));
          store(carriers_.y(k, run.y + at), y);
          for (int a = 0; a < above; ++a) {
            T* to = carriers_.y(carriers_of(k)[a], run.y + at);
            store(to, load<X>(to) - L[a] * y);
          }
        });
      }
    }
  }
}

template <class T, class F>
Status Ltl<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows,
                          LowerView<T> lower) {
  inertia_matrix(model, kin);
  end_stage<T>("inertia matrix");
  if (const Status status = factor(model); !status.ok()) return status;
  end_stage<T>("factorization");
  carry_rows_rigidly(model, frames_, rows, plan_, carriers_);
  end_stage<T>("Jacobian");
  solve_rows(model);
  end_stage<T>("back-substitution");
  add_row_products(product_plan_, carriers_, lower);
  end_stage<T>("products");
  return {};
}

template <class T, class F>
void Ltl<T, F>::respond(const Model& model, const ConstraintRows<T>& rows, VectorView<const T> x,
                        VectorView<T> acceleration) {
  for (int k = 0; k < model.nv(); ++k) {
    T u(0);
    for (int r = 0; r < rows.num_rows(); ++r) u += *carriers_.y(k, r) * x[r];
    const int above = path_[k].size - 1;
    for (int a = 0; a < above; ++a) u -= row(k)[a] * acceleration[carriers_of(k)[a]];
    acceleration[k] = u * row(k)[above];
  }
}

#define DELASSUS_INSTANTIATE(T)               \
  template class Ltl<T>;                      \
  template class ExplicitDelassus<T, Ltl<T>>; \
  static_assert(DelassusOperator<LtlDelassus<T>, T>);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) template class Ltl<T, LinkFrames<T>>;
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
