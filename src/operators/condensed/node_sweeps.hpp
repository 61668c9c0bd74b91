// The two sweeps over the nodes: forces from the tips inwards, motions from the world outwards.
#pragma once

#include "kinematics/width.hpp"
#include "operators/condensed/node_steps.hpp"

namespace delassus::condensed {

using Kind = CondensedPlan::Kind;

/// Forces, from the tips inwards.
template <JointForces kForces, class T, class X>
void sweep_in(const Factors<T>& f, NodeSweep<X>& sweep) {
  Force<X> handed = Force<X>::zero();
  X* values = sweep.value.data();
  for (const Node *at = f.plan.nodes.data(), *end = at + f.plan.nodes.size(); at != end; ++at) {
    const Node& node = *at;
    switch (node.kind) {
      case Kind::kAxis: {
        Force<X> force = received(node, handed, values);
        push_joint<1, kForces>(f, node, force, sweep);
        // Along a chain of axes the force stays in registers.
        for (; at->hands_on && at[1].kind == Kind::kAxis; ++at) {
          force = received(at[1], force, values);
          push_joint<1, kForces>(f, at[1], force, sweep);
        }
        hand_on(f, *at, force, handed, values);
        break;
      }
      case Kind::kFree:
        push_free(f, node, handed, values);
        break;
      case Kind::kMultiplier:
        if (f.multiplier == nullptr) break;
        with_rows(node.width, [&](auto N) { push_multiplier<N()>(f, node, values); });
        break;
      default:
        with_width(node.width, [&](auto N) {
          Force<X> force = received(node, handed, values);
          push_joint<N(), kForces>(f, node, force, sweep);
          hand_on(f, node, force, handed, values);
        });
    }
  }
}

/// Motions, from the world outwards.
template <JointForces kForces, class T, class X>
void sweep_out(const Factors<T>& f, NodeSweep<X>& sweep) {
  Motion<X> last = Motion<X>::zero();  // of the node before
  const Node* const begin = f.plan.nodes.data();
  for (const Node* at = begin + f.plan.nodes.size(); at-- != begin;) {
    const Node& node = *at;
    switch (node.kind) {
      case Kind::kAxis: {
        Motion<X> a = last;
        pull_joint<1, kForces>(f, node, a, sweep);
        for (; at != begin && at[-1].hands_on && at[-1].kind == Kind::kAxis; --at) {
          pull_joint<1, kForces>(f, at[-1], a, sweep);
        }
        last = a;
        break;
      }
      case Kind::kFree:
        pull_value<6>(f, node, sweep.value.data());
        last = motion_at(&sweep.value[node.value]);
        break;
      case Kind::kMultiplier:
        if (f.multiplier == nullptr) break;
        with_rows(node.width, [&](auto N) { pull_value<N()>(f, node, sweep.value.data()); });
        break;
      default:
        with_width(node.width, [&](auto N) { pull_joint<N(), kForces>(f, node, last, sweep); });
    }
  }
}

template <JointForces kForces, class T, class X>
void sweep_nodes(const Factors<T>& f, NodeSweep<X>& sweep) {
  sweep_in<kForces>(f, sweep);
  sweep_out<kForces>(f, sweep);
}
template <class T, class X>
void sweep_nodes(const Factors<T>& f, JointForces forces, NodeSweep<X>& sweep) {
  switch (forces) {
    case JointForces::kNone:
      return sweep_nodes<JointForces::kNone>(f, sweep);
    case JointForces::kRows:
      return sweep_nodes<JointForces::kRows>(f, sweep);
    case JointForces::kRowsAndLone:
      return sweep_nodes<JointForces::kRowsAndLone>(f, sweep);
  }
}

}  // namespace delassus::condensed
