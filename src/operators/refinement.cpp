#include "operators/refinement.hpp"

#include "math/chunks.hpp"
#include "math/instantiate.hpp"
#include "math/limbs.hpp"

namespace delassus {
namespace {

template <class X>
DELASSUS_INLINE X size_of(const X& x) {
  return magnitude(x);
}
template <class T>
DELASSUS_INLINE Dual<T> size_of(const Dual<T>& x) {
  return {max(magnitude(x.value), magnitude(x.derivative)), T(0)};
}

}  // namespace

/// In chunks where numbers are plain, so that none waits for the last.
template <class X>
X largest(const X* x, int size) {
  X most(0);
  if constexpr (FloatingPoint<X>) {
    using V = Pack<X, 4>;
    V lanes(0);
    const int whole = size / 4 * 4;
    for (int r = 0; r < whole; r += 4) lanes = max(lanes, magnitude(load<V>(x + r)));
    for (int k = 0; k < 4; ++k) most = max(most, lanes[k]);
    for (int r = whole; r < size; ++r) most = max(most, magnitude(x[r]));
  } else {
    for (int r = 0; r < size; ++r) most = max(most, size_of(x[r]));
  }
  return largest_lane(most);
}

#define DELASSUS_INSTANTIATE(T) template T largest<T>(const T*, int);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)
DELASSUS_FOR_EACH_PANEL_ONLY(DELASSUS_INSTANTIATE)

}  // namespace delassus
