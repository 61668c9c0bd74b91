// How much memory lists hold.
#pragma once

#include <cstddef>
#include <vector>

namespace delassus {

template <class... V>
std::size_t bytes_of(const std::vector<V>&... lists) {
  return (std::size_t{0} + ... + (lists.capacity() * sizeof(V)));
}

}  // namespace delassus
