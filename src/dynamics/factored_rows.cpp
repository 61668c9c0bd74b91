#include "dynamics/factored_rows.hpp"

#include "math/chunks.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

/// Calls f(dof, run) for each run of columns that a degree of freedom has, from the tips inwards.
template <class Call>
DELASSUS_INLINE void for_each_run(const Model& model, const CarrierPlan& plan, Call&& f) {
  for (const CarrierPlan::Step& step : plan.steps) {
    const Link& link = model.link(step.link);
    const CarrierPlan::Segment& segment = plan.segments[step.segment];
    for (int s = segment.first_run; s < segment.first_run + segment.runs; ++s) {
      for (int k = link.v + link.nv - 1; k >= link.v; --k) f(k, plan.runs[s]);
    }
  }
}

}  // namespace

template <class T, class F>
void FactoredRows<T, F>::plan(const Model& model, const RowStructure& rows) {
  plan_ = make_carrier_plan(model, rows, Meeting::kNeverEnds);
  carriers_.resize(model, plan_);
}

template <class T, class F>
void FactoredRows<T, F>::place(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  place_frames(model, kin, frames_);
  place_rows(rows, frames_);
}

/// Y ← L⁻ᵀ Y, for each row on its support alone.
template <class T, class F>
void FactoredRows<T, F>::solve_rows(const Model& model) {
  for_each_run(model, plan_, [&](int k, const CarrierPlan::Run& run) {
    const T* L = inertia_.row(k);
    const int above = inertia_.above(k);
    const std::int32_t* carriers_of = inertia_.carriers_of(k);
    for_each_chunk<T>(run.count, [&]<class X>(std::type_identity<X>, int at) {
      const X y = L[above] * load<X>(carriers_.y(k, run.y + at));
      store(carriers_.y(k, run.y + at), y);
      for (int a = 0; a < above; ++a) {
        T* to = carriers_.y(carriers_of[a], run.y + at);
        store(to, load<X>(to) - L[a] * y);
      }
    });
  });
}

template <class T, class F>
Status FactoredRows<T, F>::compute(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  if (const Status status = inertia_.compute(model, kin, frames_); !status.ok()) return status;
  carry_rows_rigidly(model, frames_, rows, plan_, carriers_);
  end_stage<T>("Jacobian");
  solve_rows(model);
  end_stage<T>("back-substitution");
  return {};
}

template <class T, class F>
template <class X>
void FactoredRows<T, F>::multiply(const Model& model, const X* x, X* u) const {
  for (int k = 0; k < model.nv(); ++k) u[k] = X(0);
  for_each_run(model, plan_, [&](int k, const CarrierPlan::Run& run) {
    const T* y = carriers_.y(k, run.y);
    X sum = u[k];
    for (int r = 0; r < run.count; ++r) sum += y[r] * x[run.y + r];
    u[k] = sum;
  });
}

template <class T, class F>
void FactoredRows<T, F>::multiply(const Model& model, VectorView<const T> x, VectorView<T> u) const {
  multiply(model, x.data(), u.data());
}

template <class T, class F>
void FactoredRows<T, F>::multiply_transposed(const Model& model, VectorView<const T> u, VectorView<T> y) const {
  for (int r = 0; r < y.size(); ++r) y[r] = T(0);
  for_each_run(model, plan_, [&](int k, const CarrierPlan::Run& run) {
    T* to = y.data() + run.y;
    for_each_chunk<T>(run.count, [&]<class X>(std::type_identity<X>, int at) {
      store(to + at, load<X>(to + at) + u[k] * load<X>(carriers_.y(k, run.y + at)));
    });
  });
}

template <class T, class F>
void FactoredRows<T, F>::squared_norms(const Model& model, VectorView<T> out) const {
  for (int r = 0; r < out.size(); ++r) out[r] = T(0);
  for_each_run(model, plan_, [&](int k, const CarrierPlan::Run& run) {
    for (int r = run.y; r < run.y + run.count; ++r) out[r] += *carriers_.y(k, r) * *carriers_.y(k, r);
  });
}

template <class T, class F>
template <class X>
void FactoredRows<T, F>::respond(const Model& model, const X* x, X* acceleration) const {
  multiply(model, x, acceleration);
  inertia_.solve(acceleration);
}

#define DELASSUS_INSTANTIATE(T)   \
  template class FactoredRows<T>; \
  template void FactoredRows<T>::respond(const Model&, const T*, T*) const;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)
template void FactoredRows<float>::respond(const Model&, const Pack<float, 4>*, Pack<float, 4>*) const;
template void FactoredRows<double>::respond(const Model&, const Pack<double, 4>*, Pack<double, 4>*) const;
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T)      \
  template class FactoredRows<T, LinkFrames<T>>; \
  template void FactoredRows<T, LinkFrames<T>>::respond(const Model&, const T*, T*) const;
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
