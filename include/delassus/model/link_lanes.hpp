// Constants of links, and how links hang together, in one wording for all scalars: a model has one number for all lanes, a fold
// (limb_model.hpp) one for each.
#pragma once

#include "delassus/math/pivot.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

template <class T>
DELASSUS_INLINE decltype(auto) placement_of(const Model& model, int i) {
  if constexpr (kFolded<T>)
    return (model.fold().links[i].placement);
  else
    return cast<T>(model.link(i).placement);
}
template <class T>
DELASSUS_INLINE decltype(auto) second_of(const Model& model, int i) {
  if constexpr (kFolded<T>)
    return (model.fold().links[i].second);
  else
    return cast<T>(model.link(i).second);
}
template <class T>
DELASSUS_INLINE T pitch_of(const Model& model, int i) {
  if constexpr (kFolded<T>)
    return model.fold().links[i].pitch;
  else
    return T(model.link(i).pitch);
}
template <class T>
DELASSUS_INLINE decltype(auto) inertia_of(const Model& model, int i) {
  if constexpr (kFolded<T>) {
    return (model.fold().links[i].inertia);
  } else {
    const RigidInertia<double>& I = model.link(i).inertia;
    return RigidInertia<T>{T(I.mass), cast<T>(I.moment), cast<T>(I.rotational)};
  }
}
/// Of a degree of freedom.
template <class T>
DELASSUS_INLINE T armature_of(const Model& model, int v) {
  if constexpr (kFolded<T>)
    return model.fold().armature[v];
  else
    return T(model.armature()[v]);
}
/// How large rounding alone could make a pivot of this degree of freedom.
template <class T>
DELASSUS_INLINE T pivot_floor_of(const Model& model, int v) {
  if constexpr (kFolded<T>)
    return kPivotTolerance<T> * model.fold().inertia_scale[v];
  else
    return T(kPivotTolerance<T> * model.inertia_scale()[v]);
}

/// Lane by lane from the parents.
template <class Array, class X>
[[gnu::noinline]] void gather_from_parents(const Model& model, const Link& link, const Array& values, X& out) {
  const Way* way = &model.fold().ways[link.ways.first];
  out = masked(values[way->parent], way->lanes);
  for (int k = 1; k < link.ways.count; ++k) out = together(out, masked(values[way[k].parent], way[k].lanes));
}

/// Entry `link.parent` of an array with one value per link; in `room` where the lanes of a fold have several parents. (By
/// reference: what may be one of two values would go through memory.)
template <class T, class Array, class X>
DELASSUS_INLINE const X& from_parents(const Model& model, const Link& link, const Array& values, X& room) {
  if constexpr (kFolded<T>) {
    if (link.ways.count > 0) [[unlikely]] {
      gather_from_parents(model, link, values, room);
      return room;
    }
  }
  return values[link.parent];
}

/// Adds what a link hands to its parent, or in lanes to its parents.
template <class T, class Array, class X>
DELASSUS_INLINE void add_to_parents(const Model& model, const Link& link, const X& value, Array& values) {
  if constexpr (kFolded<T>) {
    for (int k = 0; k < link.ways.count; ++k) {
      const Way& way = model.fold().ways[link.ways.first + k];
      values[way.parent] += masked(value, way.lanes);
    }
    if (link.ways.count > 0) return;
    if (link.trunk) {
      values[link.parent] += in_one_lane(value);
    } else {
      values[link.parent] += value;
    }
  } else {
    values[link.parent] += value;
  }
}

/// What lanes have added to a link of the trunk, as a whole.
template <class T, class X>
DELASSUS_INLINE X whole(bool trunk, const X& parts) {
  if constexpr (kFolded<T>) {
    if (trunk) return joined(parts);
  }
  return parts;
}
/// The same, added to something.
template <class T, class X>
DELASSUS_INLINE void add_whole(bool trunk, const X& parts, X& to) {
  if constexpr (kFolded<T>) {
    if (trunk) {
      to += joined(parts);
      return;
    }
  }
  to += parts;
}
/// The other way round.
template <class T, class X>
DELASSUS_INLINE X in_parts(bool trunk, const X& x) {
  if constexpr (kFolded<T>) {
    if (trunk) return in_one_lane(x);
  }
  return x;
}

}  // namespace delassus
