#include "delassus/dynamics/row_carriers.hpp"

#include "delassus/kinematics/width.hpp"
#include "delassus/math/chunks.hpp"
#include "delassus/math/instantiate.hpp"

namespace delassus {
namespace {

template <class X, class T>
DELASSUS_INLINE Force<X> load_rows(RowCarriers<T>& work, int column) {
  Force<X> f;
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    f.moment[c] = load<X>(work.k(c, column));
    f.force[c] = load<X>(work.k(c + 3, column));
  }
  return f;
}

template <class X, class T>
DELASSUS_INLINE void store_rows(RowCarriers<T>& work, int column, const Force<X>& f) {
  DELASSUS_UNROLL
  for (int c = 0; c < 3; ++c) {
    store(work.k(c, column), f.moment[c]);
    store(work.k(c + 3, column), f.force[c]);
  }
}

template <class T>
void merge_columns(const CarrierPlan::Merge& merge, RowCarriers<T>& work) {
  for_each_chunk<T>(merge.count, [&]<class X>(std::type_identity<X>, int at) {
    store_rows(work, merge.into + at, load_rows<X>(work, merge.into + at) + load_rows<X>(work, merge.from + at));
  });
}

/// All that happens at a link before its joint is crossed, but for nodes.
template <class T, class F>
void begin_step(const CarrierPlan& plan, const CarrierPlan::Step& step, const F& frames, const ConstraintRows<T>& rows,
                RowCarriers<T>& work) {
  for (int k = 0; k < step.merges.count; ++k) merge_columns(plan.merges[step.merges.first + k], work);
  for (int k = 0; k < step.empty.count; ++k) {
    const CarrierPlan::Range& columns = plan.empty[step.empty.first + k];
    for (int c = 0; c < columns.count; ++c) store_rows(work, columns.first + c, Force<T>::zero());
  }
  for (int k = 0; k < step.starts.count; ++k) {
    const CarrierPlan::Start& start = plan.starts[step.starts.first + k];
    for (int r = 0; r < rows.blocks[start.block].rows; ++r) {
      Force<T> f = placed_row(frames, rows, start.block, r);
      if (start.adds) f += load_rows<T>(work, start.column + r);
      store_rows(work, start.column + r, f);
    }
  }
}

/// Puts the weights on the joint of a link into Y, where crossing the joint finds them.
template <class T>
void begin_weights(const CarrierPlan& plan, const CarrierPlan::Step& step, const Link& link,
                   const ConstraintRows<T>& rows, RowCarriers<T>& work) {
  const CarrierPlan::Segment& segment = plan.segments[step.segment];
  for (int s = segment.first_run; s < segment.first_run + segment.runs; ++s) {
    for (int k = 0; k < link.nv; ++k) {
      for (int c = 0; c < plan.runs[s].count; ++c) *work.y(link.v + k, plan.runs[s].y + c) = T(0);
    }
  }
  for (int k = 0; k < step.weights.count; ++k) {
    const CarrierPlan::Weight& w = plan.weights[step.weights.first + k];
    *work.y(rows.entries[w.entry].v, w.y) += rows.entries[w.entry].weight;
  }
}

template <class T>
DELASSUS_INLINE Force<T> unit_wrench(int e) {
  Force<T> f = Force<T>::zero();
  entry(f.moment, f.force, e) = T(1);
  return f;
}

/// D^(-1/2) L⁻¹ of a joint.
template <int N, class T>
struct JointRoot {
  Ldlt<T, N> D;
  Vec<T, N> root;

  template <class F>
  DELASSUS_INLINE JointRoot(const Articulation<T, F>& art, const Link& link) : D(joint_factor<N>(art, link)) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) root[k] = sqrt(D.factor(k, k));
  }
  template <class X>
  DELASSUS_INLINE Vec<X, N> operator*(Vec<X, N> u) const {
    DELASSUS_UNROLL
    for (int r = 1; r < N; ++r) {
      DELASSUS_UNROLL
      for (int k = 0; k < r; ++k) u[r] -= D.factor(r, k) * u[k];
    }
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) u[k] = root[k] * u[k];
    return u;
  }
};

/// A joint that gives way.
template <int N, class T, class F>
struct FreeJoint {
  const Articulation<T, F>& art;
  const Link& link;
  JointRoot<N, T> root;

  DELASSUS_INLINE FreeJoint(const Articulation<T, F>& a, const Link& l) : art(a), link(l), root(a, l) {}
  template <class X>
  DELASSUS_INLINE Force<X> rest(Force<X> K, const Vec<X, N>& felt) const {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) K -= scaled(art.U_hat[link.v + k], felt[k]);
    return K;
  }
  template <class X>
  DELASSUS_INLINE Vec<X, N> result(const Vec<X, N>& felt) const {
    return root * felt;
  }
};

/// A joint that is locked.
template <int N>
struct LockedJoint {
  template <class X>
  DELASSUS_INLINE Force<X> rest(const Force<X>& K, const Vec<X, N>&) const {
    return K;
  }
  template <class X>
  DELASSUS_INLINE Vec<X, N> result(const Vec<X, N>& felt) const {
    return felt;
  }
};

template <class X, int N, class T, class F, class Joint>
DELASSUS_INLINE void cross_chunk(const F& frames, const Link& link, int i, const Joint& joint, bool weighted,
                                 int column, int y, RowCarriers<T>& work) {
  const Force<X> K = load_rows<X>(work, column);
  Vec<X, N> felt = subspace_dot<N>(frames, link, K);
  if (weighted) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) felt[k] += load<X>(work.y(link.v + k, y));
  }
  if (link.parent != kWorld) store_rows(work, column, to_parent(frames, i, joint.rest(K, felt)));
  const Vec<X, N> result = joint.result(felt);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) store(work.y(link.v + k, y), result[k]);
}

template <int N, class T, class F, class Joint>
DELASSUS_INLINE void cross_run(const F& frames, const Link& link, int i, const Joint& joint, bool weighted,
                               const CarrierPlan::Run& run, RowCarriers<T>& work) {
  for_each_chunk<T>(run.count, [&]<class X>(std::type_identity<X>, int at) {
    cross_chunk<X, N>(frames, link, i, joint, weighted, run.column + at, run.y + at, work);
  });
}

/// The first joint that a node's unit wrenches cross: what it feels of them is S itself.
template <int N, class T, class F>
void cross_unit_wrenches(const Articulation<T, F>& art, const Link& link, int i, const FreeJoint<N, T, F>& joint,
                         const CarrierPlan::Node& node, RowCarriers<T>& work) {
  for (int e = 0; e < 6; ++e) {
    const Vec<T, N> felt = felt_of_unit<N>(art.frames, link, e);
    if (link.parent != kWorld) {
      const bool untouched = unit_untouched<N>(art.frames, link, e);
      store_rows(work, node.column + e,
                 untouched ? unit_to_parent(art.frames, i, e)
                           : to_parent(art.frames, i, joint.rest(unit_wrench<T>(e), felt)));
    }
    const Vec<T, N> result = joint.result(felt);
    for (int k = 0; k < N; ++k) *work.y(link.v + k, node.y + e) = result[k];
  }
}

}  // namespace

template <class T, class F>
void carry_rows(const Model& model, const Articulation<T, F>& art, const ConstraintRows<T>& rows,
                const CarrierPlan& plan, RowCarriers<T>& work) {
  for (const CarrierPlan::Step& step : plan.steps) {
    const Link& link = model.link(step.link);
    const CarrierPlan::Segment& segment = plan.segments[step.segment];
    begin_step(plan, step, art.frames, rows, work);
    if (step.weights.count > 0) begin_weights(plan, step, link, rows, work);
    with_width(link.nv, [&](auto N) {
      const FreeJoint<N(), T, F> joint(art, link);
      const int carried = segment.runs - (step.node >= 0 ? 1 : 0);
      for (int s = 0; s < carried; ++s) {
        cross_run<N()>(art.frames, link, step.link, joint, step.weights.count > 0, plan.runs[segment.first_run + s],
                       work);
      }
      if (step.node >= 0) cross_unit_wrenches(art, link, step.link, joint, plan.nodes[step.node], work);
    });
  }
}

template <class T, class F>
void carry_rows_rigidly(const Model& model, const F& frames, const ConstraintRows<T>& rows, const CarrierPlan& plan,
                        RowCarriers<T>& work) {
  for (const CarrierPlan::Step& step : plan.steps) {
    const Link& link = model.link(step.link);
    const CarrierPlan::Segment& segment = plan.segments[step.segment];
    begin_step(plan, step, frames, rows, work);
    if (step.weights.count > 0) begin_weights(plan, step, link, rows, work);
    with_width(link.nv, [&](auto N) {
      for (int s = 0; s < segment.runs; ++s) {
        cross_run<N()>(frames, link, step.link, LockedJoint<N()>{}, step.weights.count > 0,
                       plan.runs[segment.first_run + s], work);
      }
    });
  }
}

#define DELASSUS_INSTANTIATE_FRAMES(T, F)                                                                             \
  template void carry_rows(const Model&, const Articulation<T, F>&, const ConstraintRows<T>&, const CarrierPlan&,    \
                           RowCarriers<T>&);                                                                          \
  template void carry_rows_rigidly(const Model&, const F&, const ConstraintRows<T>&, const CarrierPlan&,             \
                                   RowCarriers<T>&);
#define DELASSUS_INSTANTIATE(T) DELASSUS_INSTANTIATE_FRAMES(T, WorldFrames<T>)
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) DELASSUS_INSTANTIATE_FRAMES(T, LinkFrames<T>)
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
