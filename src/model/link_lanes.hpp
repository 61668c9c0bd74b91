// Constants of links, and how a link exchanges with its parent, in one wording for all scalars. A model has one number for all lanes
// and one parent for each link; what a fold has instead stands in model/limb_model.hpp.
#pragma once

#include "math/pivot.hpp"
#include "model/limb_model.hpp"

namespace delassus {

/// Constants of a fold as what records has them.
template <class T>
T converted(const Limbs& x) {
  return T(x);
}
template <class T, template <class, int...> class M, int... N>
M<T, N...> converted(const M<Limbs, N...>& x) {
  M<T, N...> out;
  for (std::size_t k = 0; k < std::size(x.a); ++k) out.a[k] = T(x.a[k]);
  return out;
}
template <class T>
Pose<T> converted(const Pose<Limbs>& x) {
  return {converted<T>(x.R), converted<T>(x.p)};
}
template <class T>
RigidInertia<T> converted(const RigidInertia<Limbs>& x) {
  return {T(x.mass), converted<T>(x.moment), converted<T>(x.rotational)};
}
template <class T, class X>
DELASSUS_INLINE decltype(auto) as_lanes(const X& x) {
  if constexpr (std::same_as<T, Limbs>)
    return (x);
  else
    return converted<T>(x);
}

template <class T>
DELASSUS_INLINE decltype(auto) placement_of(const ModelOf<T>& model, int i) {
  if constexpr (kFolded<T>)
    return as_lanes<T>(model.fold().links[i].placement);
  else
    return cast<T>(model.link(i).placement);
}
template <class T>
DELASSUS_INLINE decltype(auto) second_of(const ModelOf<T>& model, int i) {
  if constexpr (kFolded<T>)
    return as_lanes<T>(model.fold().links[i].second);
  else
    return cast<T>(model.link(i).second);
}
template <class T>
DELASSUS_INLINE T pitch_of(const ModelOf<T>& model, int i) {
  if constexpr (kFolded<T>)
    return T(model.fold().links[i].pitch);
  else
    return T(model.link(i).pitch);
}
template <class T>
DELASSUS_INLINE decltype(auto) inertia_of(const ModelOf<T>& model, int i) {
  if constexpr (kFolded<T>) {
    return as_lanes<T>(model.fold().links[i].inertia);
  } else {
    const RigidInertia<double>& I = model.link(i).inertia;
    return RigidInertia<T>{T(I.mass), cast<T>(I.moment), cast<T>(I.rotational)};
  }
}
/// Of a degree of freedom.
template <class T>
DELASSUS_INLINE T armature_of(const ModelOf<T>& model, int v) {
  if constexpr (kFolded<T>)
    return T(model.fold().armature[v]);
  else
    return T(model.armature()[v]);
}
/// How large rounding alone could make a pivot of this degree of freedom.
template <class T>
DELASSUS_INLINE T pivot_floor_of(const ModelOf<T>& model, int v) {
  if constexpr (kFolded<T>)
    return kPivotTolerance<T> * T(model.fold().inertia_scale[v]);
  else
    return T(kPivotTolerance<T> * model.inertia_scale()[v]);
}

/// How a link exchanges with its parent: values of the parent in, what is handed to it out. Arrays have one value per link.
template <class T>
struct LinkExchange {
  /// (By reference: what may be one of two values would go through memory.)
  template <class Array, class X>
  DELASSUS_INLINE static const X& from_parent(const Model& model, int i, const Array& values, X&) {
    return values[model.link(i).parent];
  }
  template <class Array, class X>
  DELASSUS_INLINE static void add_to_parent(const Model& model, int i, const X& value, Array& values) {
    values[model.link(i).parent] += value;
  }
  /// What others have added to a link, to be read; the same added to something; and what a link hands on.
  template <class X>
  DELASSUS_INLINE static const X& whole(const Model&, int, const X& parts) {
    return parts;
  }
  template <class X>
  DELASSUS_INLINE static void add_whole(const Model&, int, const X& parts, X& to) {
    to += parts;
  }
  template <class X>
  DELASSUS_INLINE static const X& in_parts(const Model&, int, const X& x) {
    return x;
  }
  /// Whether children add to a link each for itself, so that none may write its sum.
  static bool adds_in_parts(const Model&, int) { return false; }
};

/// In lanes a link may have several parents, and what others have added to a link of the trunk is in parts.
template <class T>
requires kFolded<T>
struct LinkExchange<T> {
  template <class Array, class X>
  DELASSUS_INLINE static const X& from_parent(const FoldedModel& model, int i, const Array& values, X& room) {
    const std::span<const Way> ways = model.fold().ways_of(i);
    if (ways.empty()) [[likely]]
      return values[model.link(i).parent];
    gather(ways, values, room);
    return room;
  }
  template <class Array, class X>
  DELASSUS_INLINE static void add_to_parent(const FoldedModel& model, int i, const X& value, Array& values) {
    const std::span<const Way> ways = model.fold().ways_of(i);
    for (const Way& way : ways) values[way.parent] += masked(value, way.lanes);
    if (ways.empty()) values[model.link(i).parent] += in_parts(model, i, value);
  }
  template <class X>
  DELASSUS_INLINE static X whole(const FoldedModel& model, int i, const X& parts) {
    return model.fold().is_trunk(i) ? joined(parts) : parts;
  }
  template <class X>
  DELASSUS_INLINE static void add_whole(const FoldedModel& model, int i, const X& parts, X& to) {
    to += whole(model, i, parts);
  }
  template <class X>
  DELASSUS_INLINE static X in_parts(const FoldedModel& model, int i, const X& x) {
    return model.fold().is_trunk(i) ? in_one_lane(x) : x;
  }
  static bool adds_in_parts(const FoldedModel& model, int i) { return model.fold().is_trunk(i); }

 private:
  template <class Array, class X>
  [[gnu::noinline]] static void gather(std::span<const Way> ways, const Array& values, X& out) {
    out = masked(values[ways[0].parent], ways[0].lanes);
    for (const Way& way : ways.subspan(1)) out = together(out, masked(values[way.parent], way.lanes));
  }
};

}  // namespace delassus
