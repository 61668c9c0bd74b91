// LinkArray: one value per link and one for the world, so that sweeps read a parent without asking whether it moves.
#pragma once

#include <limits>
#include <vector>

#include "delassus/math/heap_bytes.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

/// Fills workspace memory: NaN in debug builds, so that a stage that reads what no stage wrote shows itself.
template <class T>
DELASSUS_INLINE T unwritten() {
#ifdef NDEBUG
  return T(0);
#else
  return T(std::numeric_limits<double>::quiet_NaN());
#endif
}

template <class X>
class LinkArray {
 public:
  LinkArray() = default;
  LinkArray(const Model& model, const X& fill) : values_(model.num_links() + 1, fill) {}

  /// Valid from kWorld to num_links() - 1.
  DELASSUS_INLINE X& operator[](int link) { return values_.data()[link + 1]; }
  DELASSUS_INLINE const X& operator[](int link) const { return values_.data()[link + 1]; }

  std::size_t bytes() const { return heap_bytes(values_); }

 private:
  static_assert(kWorld == -1);
  std::vector<X> values_;
};

}  // namespace delassus
