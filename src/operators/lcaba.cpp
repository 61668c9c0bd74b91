#include "delassus/operators/lcaba.hpp"

#include <algorithm>

#include "math/instantiate.hpp"
#include "operators/condensed/damped_solve.hpp"
#include "operators/condensed/work.hpp"

namespace delassus {
namespace {

using Kind = CondensedPlan::Kind;
using Node = CondensedPlan::Node;

/// Forces on links and joints, beside those of the rows. A free joint pushes its link.
template <class T>
struct GivenForces {
  static constexpr bool kOnJoints = true;
  const Sweep<T>& given;

  void add(const condensed::Placed<T>& p, NodeSweep<T>& sweep) const {
    for (const Node& node : p.plan.nodes) {
      if (node.kind == Kind::kMultiplier) continue;
      Force<T> force = given.force[node.link];
      for (int k = 0; k < node.width; ++k) {
        const T& joint = given.joint[node.v + k];
        const Motion<T>& S = p.c.art.frames.S[node.v + k];
        if (node.kind == Kind::kFree) {
          force += Force<T>{joint * S.angular, joint * S.linear};
        } else {
          sweep.joint[node.v + k] += joint;
        }
      }
      condensed::add_force(&sweep.value[node.value], force);
    }
  }
};

template <class T>
void read_motions(const condensed::Placed<T>& p, const NodeSweep<T>& from, Sweep<T>& to) {
  for (const Node& node : p.plan.nodes) {
    if (node.kind == Kind::kMultiplier) continue;
    const Motion<T> a = motion_at(&from.value[node.value]);
    to.motion[node.link] = a;
    for (int k = 0; k < node.width; ++k) {
      const Motion<T>& S = p.c.art.frames.S[node.v + k];
      to.joint[node.v + k] = node.kind == Kind::kFree ? dot(S.angular, a.angular) + dot(S.linear, a.linear)
                             : node.lone >= 0         ? from.joint[node.v + k] + from.lone[node.lone + k]
                                                      : from.joint[node.v + k];
    }
  }
}

}  // namespace

CondensedOptions LcabaOptions::condensed() const {
  CondensedOptions out;
  out.form = form;
  out.condense = Condense::kNothing;
  out.order = order;
  out.seed = seed;
  out.refinements = refinements;
  out.check_always = true;
  out.fallback_rows = 0;
  return out;
}

/// Links that feel no constraint are swept as in the free tree, before and after the others.
template <class T>
CallStatus LcabaDelassus<T>::solve_system(Sweep<T>& sweep, In<T> b, Out<T> lambda) const {
  if (!this->damped_) return spoiled(kTooEarly, lambda);
  if (const Status s = check_sizes({{1, b.size(), this->num_rows_}, {2, lambda.size(), this->num_rows_}}); !s.ok())
    return spoiled(s, lambda);
  auto& w = *this->work_;
  std::copy_n(b.data(), b.size(), w.right.data());
  const Articulation<T>& art = w.configuration.art;
  sweep_forces<T, T>(this->model_, art, w.quiet, sweep);
  if (this->num_rows_ > 0) {
    const condensed::Placed<T> p{this->rows_, w.plan, w.configuration};
    condensed::solve_nodes(p, w.damping, w.right.data(), lambda.data(), w.sweep, GivenForces<T>{sweep});
    read_motions(p, w.sweep, sweep);
  }
  for (const std::int32_t i : w.free) {
    if (!this->feels(i)) this->respond_freely(i, sweep);
  }
  sweep_motions<T, T>(this->model_, art, w.quiet, sweep);
  return {};
}

#define DELASSUS_INSTANTIATE(T)    \
  template class LcabaDelassus<T>; \
  static_assert(DelassusOperator<LcabaDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
