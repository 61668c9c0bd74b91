#include "dynamics/row_carriers.hpp"

#include "dynamics/joint_crossing.hpp"
#include "kinematics/width.hpp"
#include "math/chunks.hpp"
#include "math/instantiate.hpp"

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
    *work.y(rows.entries[w.entry].v, w.y) += rows.weights[w.entry];
  }
}

template <class T>
DELASSUS_INLINE Force<T> unit_wrench(int e) {
  Force<T> f = Force<T>::zero();
  entry(f.moment, f.force, e) = T(1);
  return f;
}

/// Joints that are locked.
template <class F>
struct LockedJoints {
  const F& placed;

  const F& frames() const { return placed; }
  template <int N, class X>
  DELASSUS_INLINE Force<X> rest(const Link&, const Force<X>& K, const Vec<X, N>&) const {
    return K;
  }
  template <int N, class X>
  DELASSUS_INLINE Vec<X, N> result(const Link&, const Vec<X, N>& felt) const {
    return felt;
  }
};

/// Roots of D for all joints of a segment.
template <class T, class F>
void take_roots(const Model& model, const Articulation<T, F>& art, const CarrierPlan& plan,
                const CarrierPlan::Segment& segment, RowCarriers<T>& work) {
  for (int s = segment.first_step; s < segment.first_step + segment.steps; ++s) {
    take_joint_roots(art, model.link(plan.steps[s].link), work.root.data());
  }
}

/// One joint, for as many rows as X has lanes.
template <int N, class X, class T, class Joints>
DELASSUS_INLINE void cross(const Joints& joints, const Link& link, int i, bool weighted, int y, Force<X>& K,
                           RowCarriers<T>& work) {
  Vec<X, N> felt = subspace_dot<N>(joints.frames(), link, K);
  if (weighted) {
    DELASSUS_UNROLL
    for (int k = 0; k < N; ++k) felt[k] += load<X>(work.y(link.v + k, y));
  }
  if (link.parent != kWorld) K = to_parent(joints.frames(), i, joints.template rest<N>(link, K, felt));
  const Vec<X, N> result = joints.template result<N>(link, felt);
  DELASSUS_UNROLL
  for (int k = 0; k < N; ++k) store(work.y(link.v + k, y), result[k]);
}

/// A run over all joints of a segment but the first few: its rows stay in registers from one joint to the next.
template <class T, class Joints>
void carry_run(const Model& model, const Joints& joints, const CarrierPlan& plan, const CarrierPlan::Segment& segment,
               int first, const CarrierPlan::Run& run, RowCarriers<T>& work) {
  for_each_chunk<T>(run.count, [&]<class X>(std::type_identity<X>, int at) {
    Force<X> K = load_rows<X>(work, run.column + at);
    for (int s = segment.first_step + first; s < segment.first_step + segment.steps; ++s) {
      const CarrierPlan::Step& step = plan.steps[s];
      const Link& link = model.link(step.link);
      with_width(link.nv,
                 [&](auto N) { cross<N()>(joints, link, step.link, step.weights.count > 0, run.y + at, K, work); });
    }
    store_rows(work, run.column + at, K);
  });
}

/// The first joint that a node's unit wrenches cross: what it feels of them is S itself.
template <int N, class T, class F>
void cross_unit_wrenches(const FreeJoints<T, F>& joints, const Link& link, int i, const CarrierPlan::Node& node,
                         RowCarriers<T>& work) {
  for (int e = 0; e < 6; ++e) {
    const Vec<T, N> felt = felt_of_unit<N>(joints.frames(), link, e);
    if (link.parent != kWorld) {
      const bool untouched = unit_untouched<N>(joints.frames(), link, e);
      store_rows(work, node.column + e,
                 untouched ? unit_to_parent(joints.frames(), i, e)
                           : to_parent(joints.frames(), i, joints.template rest<N>(link, unit_wrench<T>(e), felt)));
    }
    const Vec<T, N> result = joints.template result<N>(link, felt);
    for (int k = 0; k < N; ++k) *work.y(link.v + k, node.y + e) = result[k];
  }
  for (int e = 6; e < kNodeColumns<T>; ++e) {
    store_rows(work, node.column + e, Force<T>::zero());
    for (int k = 0; k < N; ++k) *work.y(link.v + k, node.y + e) = T(0);
  }
}

}  // namespace

template <class T, class F>
void carry_rows(const Model& model, const Articulation<T, F>& art, const ConstraintRows<T>& rows,
                const CarrierPlan& plan, RowCarriers<T>& work) {
  const FreeJoints<T, F> joints{art, work.root.data()};
  for (const CarrierPlan::Segment& segment : plan.segments) {
    const CarrierPlan::Step& first = plan.steps[segment.first_step];
    const Link& link = model.link(first.link);
    begin_step(plan, first, art.frames, rows, work);
    if (first.weights.count > 0) begin_weights(plan, first, link, rows, work);
    take_roots(model, art, plan, segment, work);
    const int carried = segment.runs - (first.node >= 0 ? 1 : 0);
    for (int s = 0; s < carried; ++s) {
      carry_run(model, joints, plan, segment, 0, plan.runs[segment.first_run + s], work);
    }
    if (first.node < 0) continue;
    with_width(link.nv,
               [&](auto N) { cross_unit_wrenches<N()>(joints, link, first.link, plan.nodes[first.node], work); });
    carry_run(model, joints, plan, segment, 1, plan.runs[segment.first_run + carried], work);
  }
}

template <class T, class F>
void carry_rows_rigidly(const Model& model, const F& frames, const ConstraintRows<T>& rows, const CarrierPlan& plan,
                        RowCarriers<T>& work) {
  for (const CarrierPlan::Segment& segment : plan.segments) {
    const CarrierPlan::Step& first = plan.steps[segment.first_step];
    begin_step(plan, first, frames, rows, work);
    if (first.weights.count > 0) begin_weights(plan, first, model.link(first.link), rows, work);
    for (int s = 0; s < segment.runs; ++s) {
      carry_run(model, LockedJoints<F>{frames}, plan, segment, 0, plan.runs[segment.first_run + s], work);
    }
  }
}

#define DELASSUS_INSTANTIATE_FRAMES(T, F)                                                                         \
  template void carry_rows(const Model&, const Articulation<T, F>&, const ConstraintRows<T>&, const CarrierPlan&, \
                           RowCarriers<T>&);                                                                      \
  template void carry_rows_rigidly(const Model&, const F&, const ConstraintRows<T>&, const CarrierPlan&,          \
                                   RowCarriers<T>&);
#define DELASSUS_INSTANTIATE(T) DELASSUS_INSTANTIATE_FRAMES(T, WorldFrames<T>)
DELASSUS_FOR_EACH_BATCH_SCALAR(DELASSUS_INSTANTIATE)
#define DELASSUS_INSTANTIATE_LINK_FRAMES(T) DELASSUS_INSTANTIATE_FRAMES(T, LinkFrames<T>)
DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(DELASSUS_INSTANTIATE_LINK_FRAMES)

}  // namespace delassus
