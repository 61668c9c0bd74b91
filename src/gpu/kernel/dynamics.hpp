// Inverse and forward dynamics: RNEA and ABA.
#pragma once

#include "gpu/kernel/program.hpp"

namespace delassus::gpu {

template <class S, class C>
DELASSUS_LANE_INLINE void inverse_dynamics(const C& lanes, const Arguments<typename C::Real>& arguments) {
  using T = typename C::Number;
  Program<S, C> p{lanes, arguments, {}};
  Motions<S, C> motions;
  upward<0, S::kElements>([&](auto element) {
    p.frames.place(lanes, arguments.q, element);
    motions.carry(lanes, p.frames, arguments.v, arguments.in, p.gravity(), element);
  });
  Handed<S, C, Wrench<T>> handed;
  downward<0, S::kElements>([&](auto element) {
    const int i = element;
    Wrench<T> f = S::kLeaf[i] ? Wrench<T>{zero_vector<T>(), zero_vector<T>()} : handed.of[i];
    if (S::kMassive[i]) add(f, force_for(mass_of<S, C>(lanes, p.frames.axes[i], i), motions.of[i]));
    if (S::kKind[i] == Kind::kFree) {
      p.template store_base<true>(f, i);
      return;
    }
    const Kind kind = S::kKind[i];
    const Vector<T> z = axis_of(p.frames.axes[i], kind);
    T push = turns(kind) ? dot(z, f.angular) : dot(z, f.linear);
    if (kind == Kind::kScrew)
      push = multiply_add(lanes.number(Frames<S, C>::number(i, element::kPitch)), dot(z, f.linear), push);
    const T rotor = lanes.number(Frames<S, C>::number(i, element::kArmature));
    p.store_dof(i, multiply_add(rotor, lanes.load_each(arguments.in, p.dof(i)), push));
    f.angular = plus_cross(f.angular, p.frames.lever[i], f.linear);
    handed.give(lanes, element, f);
  });
  p.finish(S::kDofs);
}

template <class S, class C>
DELASSUS_LANE_INLINE void forward_dynamics(const C& lanes, const Arguments<typename C::Real>& arguments) {
  using T = typename C::Number;
  using In = Array<const typename C::Real>;
  Program<S, C> p{lanes, arguments, {}};
  Wrench<T> bias[S::kElements];
  {
    Motions<S, C> motions;
    upward<0, S::kElements>([&](auto element) {
      const int i = element;
      p.frames.place(lanes, arguments.q, element);
      motions.carry(lanes, p.frames, arguments.v, In(), p.gravity(), element);
      if (S::kMassive[i]) bias[i] = force_for(mass_of<S, C>(lanes, p.frames.axes[i], i), motions.of[i]);
    });
  }
  Elimination<S, C> elimination;
  T w[S::kElements];
  Wrench<T> on_base;
  const auto load = [&](auto element, Inertia<T>&, Wrench<T>& f) {
    const int i = element;
    if (S::kMassive[i]) f = {f.angular - bias[i].angular, f.linear - bias[i].linear};
    if (S::kKind[i] == Kind::kFree) add(f, p.load_base(arguments.in, i));
  };
  eliminate_inwards(
      p, elimination, w, on_base, load, [&](int i) { return lanes.load_each(arguments.in, p.dof(i)); },
      [](int) { return T(0); }, [](int, const T&) {});
  move_outwards(
      p, elimination, on_base, [&](int i) { return w[i]; },
      [&](auto element, const Wrench<T>& a, const T& g) {
        const int i = element;
        if (S::kKind[i] == Kind::kFree) {
          p.template store_base<false>(a, i);
        } else {
          p.store_dof(i, g);
        }
      });
  p.finish(S::kDofs);
}

}  // namespace delassus::gpu
