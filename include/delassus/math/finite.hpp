// Whether all of a vector are numbers.
#pragma once

#include "delassus/math/pack.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

/// The first entry that is no finite number, in some lane; -1 if there is none.
template <class T>
int first_not_finite(VectorView<const T> x) {
  for (int k = 0; k < x.size(); ++k) {
    if (!all_lanes(is_finite(x[k]))) return k;
  }
  return -1;
}

}  // namespace delassus
