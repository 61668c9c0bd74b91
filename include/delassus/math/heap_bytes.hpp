// How much memory an object holds beside itself.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

#include "delassus/math/cpp20.hpp"

namespace delassus {

/// Capacity of vectors, and what anything else says of itself by bytes(). Elements hold nothing.
template <class E>
std::size_t heap_bytes_of(const std::vector<E>& list) {
  return list.capacity() * sizeof(E);
}
inline std::size_t heap_bytes_of(const std::vector<bool>& list) { return list.capacity() / 8; }
template <class X>
std::size_t heap_bytes_of(const X& part) requires requires {
  { part.bytes() } -> std::same_as<std::size_t>;
}
{ return part.bytes(); }

template <class... Parts>
std::size_t heap_bytes(const Parts&... parts) {
  return (std::size_t{0} + ... + heap_bytes_of(parts));
}

}  // namespace delassus
