// The scalars that the library has kernels for.
#pragma once

#include <concepts>

#include "delassus/math/compiled_scalars.hpp"
#include "delassus/math/counted.hpp"
#include "delassus/math/dual.hpp"
#include "delassus/math/pack.hpp"

namespace delassus {

using DualDouble = Dual<double>;
using PackDouble4 = Pack<double, 4>;
using PackDouble8 = Pack<double, 8>;
using PackFloat8 = Pack<float, 8>;
using PackFloat16 = Pack<float, 16>;
/// The widths that kernels are compiled for.
using PackDoubles = Pack<double, DELASSUS_PACK_BYTES / 8>;
using PackFloats = Pack<float, DELASSUS_PACK_BYTES / 4>;

/// What records a kernel, for generated code (src/math/traced.hpp). Role: one number, or the limbs of a robot.
template <class B, class Role = void>
struct Traced;
template <class T>
inline constexpr bool kIsTraced = false;
template <class B, class Role>
inline constexpr bool kIsTraced<Traced<B, Role>> = true;

/// Whether the library has all of its operators for T.
template <class T>
concept OperatorScalar = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, Counted>;

/// Whether it has kernels for T: motion, rows and the condensed tree. Limbs and Traced are for its own use.
template <class T>
concept CompiledScalar = OperatorScalar<T> || std::same_as<T, Limbs> || kIsTraced<T> ||
    (DELASSUS_HAS_ALL_SCALARS != 0 &&
     (std::same_as<T, DualDouble> || std::same_as<T, PackDoubles> || std::same_as<T, PackFloats>));

/// For static_assert in operators that are not compiled for packs.
template <class T>
constexpr bool require_operator_scalar() {
  static_assert(
      OperatorScalar<T>,
      "this operator has no kernels for this scalar: for packs take CondensedDelassus or PvOsimrDelassus, for duals "
      "CondensedDelassus");
  return true;
}

}  // namespace delassus
