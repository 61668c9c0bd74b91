// Constants of links, and how links hang together, in one wording for all scalars: a model has one number for all lanes, a fold
// (limb_model.hpp) one for each.
#pragma once

#include "delassus/math/pivot.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

template <class T>
DELASSUS_INLINE Pose<T> placement_of(const Model& model, int i) {
  if constexpr (kFolded<T>) return model.fold().links[i].placement;
  else return cast<T>(model.link(i).placement);
}
template <class T>
DELASSUS_INLINE Mat3<T> second_of(const Model& model, int i) {
  if constexpr (kFolded<T>) return model.fold().links[i].second;
  else return cast<T>(model.link(i).second);
}
template <class T>
DELASSUS_INLINE T pitch_of(const Model& model, int i) {
  if constexpr (kFolded<T>) return model.fold().links[i].pitch;
  else return T(model.link(i).pitch);
}
template <class T>
DELASSUS_INLINE RigidInertia<T> inertia_of(const Model& model, int i) {
  if constexpr (kFolded<T>) {
    return model.fold().links[i].inertia;
  } else {
    const RigidInertia<double>& I = model.link(i).inertia;
    return {T(I.mass), cast<T>(I.moment), cast<T>(I.rotational)};
  }
}
/// Of a degree of freedom.
template <class T>
DELASSUS_INLINE T armature_of(const Model& model, int v) {
  if constexpr (kFolded<T>) return model.fold().armature[v];
  else return T(model.armature()[v]);
}
/// How large rounding alone could make a pivot of this degree of freedom.
template <class T>
DELASSUS_INLINE T pivot_floor_of(const Model& model, int v) {
  if constexpr (kFolded<T>) return kPivotTolerance<T> * model.fold().inertia_scale[v];
  else return T(kPivotTolerance<T> * model.inertia_scale()[v]);
}

/// Entry `link.parent` of an array with one value per link, lane by lane where a fold has several parents.
template <class T, class Array>
DELASSUS_INLINE auto from_parents(const Model& model, const Link& link, const Array& values) {
  auto value = values[link.parent];
  if constexpr (kFolded<T>) {
    if (link.ways.count == 0) return value;
    const Way* way = &model.fold().ways[link.ways.first];
    value = masked(value, way->lanes);
    for (int k = 1; k < link.ways.count; ++k) value = together(value, masked(values[way[k].parent], way[k].lanes));
  }
  return value;
}

/// Adds what a link hands to its parent, or in lanes to its parents.
template <class T, class Array, class X>
DELASSUS_INLINE void add_to_parents(const Model& model, const Link& link, const X& value, Array& values) {
  if constexpr (kFolded<T>) {
    for (int k = 0; k < link.ways.count; ++k) {
      const Way& way = model.fold().ways[link.ways.first + k];
      values[way.parent] += masked(value, way.lanes);
    }
    if (link.ways.count == 0) values[link.parent] += link.trunk ? in_one_lane(value) : value;
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
/// The other way round.
template <class T, class X>
DELASSUS_INLINE X in_parts(bool trunk, const X& x) {
  if constexpr (kFolded<T>) {
    if (trunk) return in_one_lane(x);
  }
  return x;
}

}  // namespace delassus
