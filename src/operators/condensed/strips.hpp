// Points on the same nodes, four rows at a time in lanes.
#pragma once

#include "operators/condensed/placed.hpp"
#include "operators/condensed/strip_lanes.hpp"

namespace delassus::condensed {

/// `point(k)` is the point k of the strip.
template <Laned T, class F>
void place_strip(const ConstraintRows<T>& rows, const Strips::Strip& s, F&& point, Force<Pack<T, 4>>* out) {
  const T* from[4];
  with_directions(point(0).rows, [&](auto R) {
    for (int first = 0; first < s.parts.count; first += 4, out += R()) {
      const int count = std::min(s.parts.count - first, 4);
      for (int k = 0; k < 4; ++k) from[k] = k < count ? &rows.values[point(first + k).value] : nullptr;
      fill_strip<R()>(from, count, out);
    }
  });
}

/// Wrenches about the origin of the (earlier) link.
template <Laned T>
void place(const Strips& strips, const Kinematics<T>& kin, const ConstraintRows<T>& rows, const Points& points,
           CondensedConfiguration<T>& c) {
  for (const Strips::Strip& s : strips.points) {
    const Points::Point* first = &points.list[s.parts.first];
    place_strip(
        rows, s, [&](int k) -> auto& { return first[k]; }, &c.strip[s.pack]);
  }
  for (std::size_t k = 0; k < strips.twins.size(); ++k) {
    const Strips::Strip& s = strips.twins[k];
    const Points::Twins* first = &points.twins[s.parts.first];
    place_strip(
        rows, s, [&](int t) -> auto& { return first[t].earlier; }, &c.strip[s.pack]);
    c.apart[k] = kin.pose[first->earlier.link].p - kin.pose[first->later.link].p;
  }
}

/// Ways from reference points of two links to the origin of the earlier, about which a strip of twins is.
template <class T>
struct StripLevers {
  DELASSUS_INLINE StripLevers(const Placed<T>& p, const Points::Twins& t, std::size_t strip)
      : earlier(p.lever(t.earlier.link)), later(p.lever(t.later.link) + p.c.apart[strip]) {}
  const Vec3<T>& earlier;
  Vec3<T> later;
};

/// Kᵀ x on nodes.
template <Laned T>
void push(const Strips& strips, const Placed<T>& p, const T* x, T* values) {
  for (const Strips::Strip& s : strips.points) {
    const Points::Point& point = p.plan.points.list[s.parts.first];
    const Force<T> f = push_strip(&p.c.strip[s.pack], s.rows, x + s.first_row);
    add_force(p.at(point.node, values), shifted(f, p.lever(point.link)));
  }
  for (std::size_t k = 0; k < strips.twins.size(); ++k) {
    const Strips::Strip& s = strips.twins[k];
    const Points::Twins& t = p.plan.points.twins[s.parts.first];
    const StripLevers<T> levers(p, t, k);
    const Force<T> f = push_strip(&p.c.strip[s.pack], s.rows, x + s.first_row);
    add_force(p.at(t.earlier.node, values), shifted(f, levers.earlier));
    add_force(p.at(t.later.node, values), -shifted(f, levers.later));
  }
}

/// y += K a, or -=.
template <bool kMinus, Laned T>
void pull(const Strips& strips, const Placed<T>& p, const T* values, T* y) {
  for (const Strips::Strip& s : strips.points) {
    const Points::Point& point = p.plan.points.list[s.parts.first];
    const Motion<T> a = shifted(motion_at(p.at(point.node, values)), p.lever(point.link));
    pull_strip<kMinus>(&p.c.strip[s.pack], s.rows, a, y + s.first_row);
  }
  for (std::size_t k = 0; k < strips.twins.size(); ++k) {
    const Strips::Strip& s = strips.twins[k];
    const Points::Twins& t = p.plan.points.twins[s.parts.first];
    const StripLevers<T> levers(p, t, k);
    const Motion<T> apart = shifted(motion_at(p.at(t.earlier.node, values)), levers.earlier) -
                            shifted(motion_at(p.at(t.later.node, values)), levers.later);
    pull_strip<kMinus>(&p.c.strip[s.pack], s.rows, apart, y + s.first_row);
  }
}

/// Where there are lanes to go in.
template <class T, class X>
void push_strips(const Placed<T>& p, const X* x, X* values) {
  if constexpr (kInStrips<T, X>) push(p.plan.strips, p, x, values);
}
template <bool kMinus, class T, class X>
void pull_strips(const Placed<T>& p, const X* values, X* y) {
  if constexpr (kInStrips<T, X>) pull<kMinus>(p.plan.strips, p, values, y);
}

template <Laned T>
DELASSUS_INLINE void subtract_six(T* to, const Lane3<T>& first, const Lane3<T>& second) {
  using Four = Pack<T, 4>;
  using Two = Pack<T, 2>;
  store(to, load<Four>(to) - Four(__builtin_shufflevector(first.v, second.v, 0, 1, 2, 4)));
  store(to + 4, load<Two>(to + 4) - Two(__builtin_shufflevector(second.v, second.v, 1, 2)));
}

/// Kᵀ R K. With D from the later link's origin to the earlier's, the later link feels minus what the earlier does, moved by D.
template <Laned T>
void stiffen(const Strips& strips, const Placed<T>& p, const RowWeights<T>& w, const Stiffened<T>& to) {
  const auto stiffness = [&](const Strips::Strip& s) {
    return strip_stiffness(&p.c.strip[s.pack], s.rows, &w.weight[s.first_row]);
  };
  for (const Strips::Strip& s : strips.points) to.H[p.plan.points.list[s.parts.first].slot] += stiffness(s);
  for (std::size_t k = 0; k < strips.twins.size(); ++k) {
    const Points::Twins& t = p.plan.points.twins[strips.twins[k].parts.first];
    const ArticulatedInertia<T> own = stiffness(strips.twins[k]);
    to.H[t.earlier.slot] += own;
    to.H[t.later.slot] += shifted(own, p.c.apart[k]);
    const Lane3<T> lever(p.c.apart[k]);
    Rows3<T> Bt = own.B;
    transpose(Bt.row);
    DELASSUS_UNROLL
    for (int i = 0; i < 3; ++i) {
      T* row = &to.panel[t.to + i * t.stride];
      subtract_six(row, own.A.row[i] + cross(lever, own.B.row[i]), own.B.row[i]);
      subtract_six(row + 3 * t.stride, Bt.row[i] + cross(lever, own.M.row[i]), own.M.row[i]);
    }
  }
}

}  // namespace delassus::condensed
