// The two sweeps that every recursive algorithm shares: forces to the root, motions to the tips.
//
// Together they are M⁻¹ with wrenches on links as well as forces on joints as input, and motions of links as well as
// joint accelerations as output. The right-hand side X may be the factor's scalar or a pack of it: several columns at
// once.
#pragma once

#include <cstdint>
#include "delassus/math/boxed.hpp"
#include "dynamics/articulate.hpp"

namespace delassus {

/// Links that a sweep goes over: all of them, or those that feel a constraint, on them or further out.
enum class Reach : std::uint8_t { kAll, kFelt };

/// Vectors of one pass of the sweeps.
template <class X>
struct Sweep {
  explicit Sweep(const Model& model)
      : force(model, Force<X>::filled(unwritten<X>())),
        motion(model, Motion<X>::filled(unwritten<X>())),
        joint(model.nv(), unwritten<X>()) {}

  std::size_t bytes() const { return heap_bytes(force, motion, joint); }

  LinkArray<Force<X>> force;    // wrench on each link about its reference point; used up by the sweep
  LinkArray<Motion<X>> motion;  // acceleration of each link about its reference point
  std::vector<X> joint;         // joint forces in, joint accelerations out
};

/// joint ← D⁻¹ (joint + Sᵀ force), with the forces that each link passes on to its parent. Uses up sweep.force.
template <class T, class X>
void sweep_forces(const ModelOf<T>& model, const Articulation<T>& art, Sweep<X>& sweep);

/// joint ← joint - Ûᵀ a_parent and the motions that follow from it. The world stands still.
template <class T, class X>
void sweep_motions(const ModelOf<T>& model, const Articulation<T>& art, Sweep<X>& sweep);

/// The same over some of the links, in ascending order and with all their ancestors. Others are neither read nor written:
/// where no force acts on them, what they would have done is only not known.
template <class T, class X>
void sweep_forces(const ModelOf<T>& model, const Articulation<T>& art, std::span<const std::int32_t> links,
                  Sweep<X>& sweep);
template <class T, class X>
void sweep_motions(const ModelOf<T>& model, const Articulation<T>& art, std::span<const std::int32_t> links,
                   Sweep<X>& sweep);

}  // namespace delassus
