#include "operators/node_tree.hpp"

#include "math/chunks.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

/// Six rows of numbers, each `stride` long.
template <class T>
struct Panel {
  T* data;
  std::ptrdiff_t stride;
  DELASSUS_INLINE T* at(int component, int column) const { return data + component * stride + column; }
};

template <class T>
Panel<T> panel(std::vector<T>& x) {
  return {x.data(), static_cast<std::ptrdiff_t>(x.size() / 6)};
}

template <class T>
void copy_columns(const Panel<const T>& from, int source, int count, const Panel<T>& to, int place) {
  for (int c = 0; c < 6; ++c) {
    for (int k = 0; k < count; ++k) *to.at(c, place + k) = *from.at(c, source + k);
  }
}

template <class T>
void add_columns(const Panel<T>& x, const NodeTreePlan::Sum& sum) {
  for (int c = 0; c < 6; ++c) {
    for (int k = 0; k < sum.count; ++k) {
      T& into = *x.at(c, sum.into + k);
      into = sum.adds ? into + *x.at(c, sum.from + k) : *x.at(c, sum.from + k);
    }
  }
}

/// to = A from, column by column, or added to it.
template <bool kAdd, class T>
void multiply_columns(const Mat<T, 6, 6>& A, const Panel<T>& from, int source, int count, const Panel<T>& to,
                      int place) {
  for_each_chunk<T>(count, [&]<class X>(std::type_identity<X>, int at) {
    X in[6];
    DELASSUS_UNROLL
    for (int j = 0; j < 6; ++j) in[j] = load<X>(from.at(j, source + at));
    DELASSUS_UNROLL
    for (int k = 0; k < 6; ++k) {
      X sum = A(k, 0) * in[0];
      DELASSUS_UNROLL
      for (int j = 1; j < 6; ++j) sum += A(k, j) * in[j];
      if constexpr (kAdd) sum += load<X>(to.at(k, place + at));
      store(to.at(k, place + at), sum);
    }
  });
}

template <int kColumns, class X, class T>
DELASSUS_INLINE void add_tile(const Panel<T>& left, int l, const Panel<T>& right, int r, T* to, std::ptrdiff_t stride) {
  X sum[kColumns];
  DELASSUS_UNROLL
  for (int c = 0; c < kColumns; ++c) sum[c] = load<X>(to + c * stride);
  DELASSUS_UNROLL
  for (int j = 0; j < 6; ++j) {
    const X x = load<X>(left.at(j, l));
    DELASSUS_UNROLL
    for (int c = 0; c < kColumns; ++c) sum[c] += *right.at(j, r + c) * x;
  }
  DELASSUS_UNROLL
  for (int c = 0; c < kColumns; ++c) store(to + c * stride, sum[c]);
}

template <class T>
void add_product(const NodeTreePlan::Product& p, const Panel<T>& left, const Panel<T>& right, LowerView<T> lower) {
  const auto add_columns_of = [&]<int kColumns>(std::integral_constant<int, kColumns>, int column) {
    const int first = p.row == p.column ? column : 0;
    for_each_chunk<T>(p.rows - first, [&]<class X>(std::type_identity<X>, int at) {
      const int row = first + at;
      add_tile<kColumns, X>(left, p.left + row, right, p.right + column, lower.at(p.row + row, p.column + column),
                            lower.stride);
    });
  };
  // Several columns at once, so that a loaded chunk of rows serves them all; others count, and take each alone.
  if constexpr (FloatingPoint<T>) {
    for_each_block<6, 3>(p.columns, add_columns_of);
  } else {
    for_each_block<1>(p.columns, add_columns_of);
  }
}

/// Kup: row j is unit wrench j of the node as its parent's link sees it.
template <class T>
Mat<T, 6, 6> rows_above(const RowCarriers<T>& rows, const CarrierPlan::Node& node) {
  Mat<T, 6, 6> Kup;
  for (int j = 0; j < 6; ++j) {
    for (int k = 0; k < 6; ++k) Kup(j, k) = rows.K[static_cast<std::size_t>(k) * rows.columns + node.column + j];
  }
  return Kup;
}

/// Ωseg of all nodes, and what couples them to joint rows that cross together with them.
template <class T>
void add_segments(const CarrierPlan& carriers, const NodeTreePlan& plan, const RowCarriers<T>& rows,
                  NodeTree<T>& tree) {
  for (Mat<T, 6, 6>& omega : tree.segment) omega = Mat<T, 6, 6>::zero();
  for (const CarrierPlan::Segment& segment : carriers.segments) {
    if (segment.node < 0) continue;
    const CarrierPlan::Run& six = carriers.runs[segment.first_run + segment.runs - 1];
    add_product({six.y, six.y, 6, 6, {segment.first_dof, segment.dofs}}, carriers.dofs.data(), rows,
                LowerView<T>{tree.segment[segment.node].a, 6});
  }
  for (Mat<T, 6, 6>& omega : tree.segment) {
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < r; ++c) omega(r, c) = omega(c, r);  // was filled by columns
    }
  }
  for (T& c : tree.C) c = T(0);
  for (const NodeTreePlan::Coupled& coupled : plan.coupled) {
    const CarrierPlan::Segment& segment = carriers.segments[coupled.segment];
    const CarrierPlan::Run &six = carriers.runs[segment.first_run + segment.runs - 1],
                           &joint = carriers.runs[coupled.run];
    const Panel<T> C = panel(tree.C);
    add_product({joint.y, six.y, joint.count, 6, {segment.first_dof, segment.dofs}}, carriers.dofs.data(), rows,
                LowerView<T>{C.at(0, coupled.place), C.stride});
  }
}

/// KE of a node from what ends there and from the nodes below (paper 000, eq. 19).
template <class T>
void gather(const CarrierPlan& carriers, const NodeTreePlan& plan, const NodeTreePlan::NodeLists& node,
            const RowCarriers<T>& rows, NodeTree<T>& tree) {
  const Panel<const T> K{rows.K.data(), rows.columns};
  const Panel<T> KE = panel(tree.KE);
  for (int k = node.tracks.first; k < node.tracks.first + node.tracks.count; ++k) {
    const NodeTreePlan::Arrival& a = plan.arrivals[k];
    copy_columns(K, a.from, a.count, KE, a.place);
  }
  for (int k = 0; k < node.carried.count; ++k) {
    const NodeTreePlan::Arrival& a = plan.arrivals[node.carried.first + k];
    const CarrierPlan::Node& below = carriers.nodes[plan.below[node.below.first + k]];
    multiply_columns<false>(transposed(rows_above(rows, below)), KE, a.from, a.count, KE, a.place);
  }
  for (int k = node.sums.first; k < node.sums.first + node.sums.count; ++k) add_columns(KE, plan.sums[k]);
}

/// Ω⁰ = Ωseg + Kup Ω⁰(parent) Kupᵀ (eq. 18).
template <class T>
void add_parent_inertia(const Mat<T, 6, 6>& Kup, const Mat<T, 6, 6>& parent, Mat<T, 6, 6>& omega) {
  const Mat<T, 6, 6> left = Kup * parent;
  DELASSUS_UNROLL
  for (int r = 0; r < 6; ++r) {
    DELASSUS_UNROLL
    for (int c = 0; c < r + 1; ++c) {
      T sum = omega(r, c);
      DELASSUS_UNROLL
      for (int k = 0; k < 6; ++k) sum += left(r, k) * Kup(c, k);
      omega(r, c) = omega(c, r) = sum;
    }
  }
}

/// W of a node: how its link moves for unit forces on the rows that it has a share in.
template <class T>
void respond(const NodeTreePlan& plan, int b, const Mat<T, 6, 6>& Kup, NodeTree<T>& tree) {
  const Panel<T> KE = panel(tree.KE), W = panel(tree.W), C = panel(tree.C);
  const CarrierPlan::Range& range = plan.nodes[b].shares;
  for (int k = range.first; k < range.first + range.count; ++k) {
    const NodeTreePlan::Shares& s = plan.shares[k];
    multiply_columns<false>(s.above < 0 ? tree.absolute[b] : tree.segment[b], KE, s.place, s.count, W, s.place);
    if (s.above >= 0) multiply_columns<true>(Kup, W, s.above, s.count, W, s.place);
    if (s.coupled < 0) continue;
    for (int c = 0; c < 6; ++c) {
      for (int r = 0; r < s.count; ++r) *W.at(c, s.place + r) += *C.at(c, s.coupled + r);
    }
  }
}

}  // namespace

template <class T>
void NodeTree<T>::resize(const NodeTreePlan& plan) {
  KE.assign(6 * static_cast<std::size_t>(plan.columns), T(0));
  W.assign(KE.size(), T(0));
  C.assign(6 * static_cast<std::size_t>(plan.coupled_columns), T(0));
  segment.assign(plan.nodes.size(), Mat<T, 6, 6>::zero());
  absolute = segment;
}

template <class T>
void add_node_products(const CarrierPlan& carriers, const NodeTreePlan& plan, const RowCarriers<T>& rows,
                       NodeTree<T>& tree, LowerView<T> lower) {
  const int n = static_cast<int>(plan.nodes.size());
  if (n == 0) return;
  add_segments(carriers, plan, rows, tree);
  for (int b = 0; b < n; ++b) gather(carriers, plan, plan.nodes[b], rows, tree);
  for (int b = n - 1; b >= 0; --b) {
    const CarrierPlan::Node& node = carriers.nodes[b];
    const Mat<T, 6, 6> Kup = rows_above(rows, node);
    tree.absolute[b] = tree.segment[b];
    if (node.parent >= 0) add_parent_inertia(Kup, tree.absolute[node.parent], tree.absolute[b]);
    respond(plan, b, Kup, tree);
  }
  const Panel<T> KE = panel(tree.KE), W = panel(tree.W), C = panel(tree.C);
  for (const NodeTreePlan::Product& p : plan.products) add_product(p, KE, W, lower);
  for (const NodeTreePlan::Product& p : plan.left_couplings) add_product(p, C, KE, lower);
  for (const NodeTreePlan::Product& p : plan.right_couplings) add_product(p, KE, C, lower);
}

#define DELASSUS_INSTANTIATE(T)                                                                                 \
  template struct NodeTree<T>;                                                                                  \
  template void add_node_products(const CarrierPlan&, const NodeTreePlan&, const RowCarriers<T>&, NodeTree<T>&, \
                                  LowerView<T>);
DELASSUS_FOR_EACH_BATCH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
