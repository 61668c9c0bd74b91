// How a node exchanges with its parent. Without a fold a link has one parent, and this is a sum; in the lanes of a fold (Limbs,
// docs/algorithms/limbs.md) lanes may have different ones, and what all lanes share is kept in parts.
#pragma once

#include "operators/condensed/placed.hpp"

namespace delassus::condensed {

using Node = CondensedPlan::Node;

/// One parent, and nothing in parts.
template <class X>
struct Exchange {
  /// What others have added to a node, to be read; and what a node hands on.
  template <class V>
  DELASSUS_INLINE static const V& whole(const Node&, const V& x) {
    return x;
  }
  template <class V>
  DELASSUS_INLINE static const V& parts(const Node&, const V& x) {
    return x;
  }
  static void join(const Node&, int, X*) {}
  static void split(const Node&, int, X*) {}

  DELASSUS_INLINE static void push(const CondensedPlan& plan, const Node& node, const Force<X>& force, X* values) {
    add_force(values + plan.nodes[node.parent].value, force);
  }
  DELASSUS_INLINE static Motion<X> pull(const CondensedPlan& plan, const Node& node, const X* values) {
    return motion_at(values + plan.nodes[node.parent].value);
  }
  DELASSUS_INLINE static void hand_over(const CondensedPlan& plan, const Node& node, const ArticulatedInertia<X>& H,
                                        std::vector<ArticulatedInertia<X>>& inertias) {
    inertias[plan.nodes[node.parent].slot] += H;
  }
};

template <class X>
requires kFolded<X>
struct Exchange<X> {
  template <class V>
  DELASSUS_INLINE static V whole(const Node& node, const V& x) {
    return node.trunk ? joined(x) : x;
  }
  template <class V>
  DELASSUS_INLINE static V parts(const Node& node, const V& x) {
    return node.trunk ? in_one_lane(x) : x;
  }
  /// The same for as many rows of a panel.
  static void join(const Node& node, int rows, X* panel) {
    for (int k = 0; node.trunk && k < rows * node.columns; ++k) panel[k] = joined(panel[k]);
  }
  static void split(const Node& node, int rows, X* panel) {
    for (int k = 0; node.trunk && k < rows * node.columns; ++k) panel[k] = in_one_lane(panel[k]);
  }

  static void push(const CondensedPlan& plan, const Node& node, const Force<X>& force, X* values) {
    for (int k = node.ways.first; k < node.ways.end(); ++k) {
      const Ways::ToNode& way = plan.ways.nodes[k];
      add_force(values + plan.nodes[way.node].value, masked(force, way.lanes));
    }
    if (node.ways.count == 0) add_force(values + plan.nodes[node.parent].value, parts(node, force));
  }
  static Motion<X> pull(const CondensedPlan& plan, const Node& node, const X* values) {
    Motion<X> motion = motion_at(values + plan.nodes[node.parent].value);
    if (node.ways.count > 1) motion = masked(motion, plan.ways.nodes[node.ways.first].lanes);
    for (int k = node.ways.first + 1; k < node.ways.end(); ++k) {
      const Ways::ToNode& way = plan.ways.nodes[k];
      motion += masked(motion_at(values + plan.nodes[way.node].value), way.lanes);
    }
    return motion;
  }
  static void hand_over(const CondensedPlan& plan, const Node& node, const ArticulatedInertia<X>& H,
                        std::vector<ArticulatedInertia<X>>& inertias) {
    for (int k = node.ways.first; k < node.ways.end(); ++k) {
      const Ways::ToNode& way = plan.ways.nodes[k];
      inertias[plan.nodes[way.node].slot] += masked(H, way.lanes);
    }
    if (node.ways.count == 0) inertias[plan.nodes[node.parent].slot] += parts(node, H);
  }
};

}  // namespace delassus::condensed
