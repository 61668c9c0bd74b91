// Whether all of a vector are numbers.
#pragma once

#include "delassus/math/error.hpp"
#include "delassus/math/pack.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

/// kNotFinite with the first entry that is no finite number, in some lane.
template <class T>
Status require_finite(VectorView<const T> x) {
  for (int k = 0; k < x.size(); ++k) {
    if (!all_lanes(is_finite(x[k]))) return {Status::Code::kNotFinite, k};
  }
  return {};
}

}  // namespace delassus
