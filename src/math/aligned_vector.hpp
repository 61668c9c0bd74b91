// Vectors that begin with a cache line, for kernels whose loads are as wide as one: each that lies across two takes twice as
// long, and malloc decides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "delassus/math/scalar.hpp"

namespace delassus {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{std::max(std::size_t{64}, alignof(T))};

  CacheLineAllocator() = default;
  template <class U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* at, std::size_t) { ::operator delete(at, kAlignment); }
  bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

template <class T>
std::size_t heap_bytes_of(const AlignedVector<T>& list) {
  return list.capacity() * sizeof(T);
}

}  // namespace delassus
