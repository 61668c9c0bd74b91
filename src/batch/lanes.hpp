// Between arrays of a batch and the lanes of packs.
#pragma once

#include "batch/engine.hpp"
#include "math/chunks.hpp"

namespace delassus {

/// Component by component. Where environments stand next to each other one load per vector, else lane by lane.
template <class P, class T>
void load_lanes(const BatchView<const T>& from, const BatchBlock& block, int components, P* to) {
  if (block.contiguous && from.environment_stride() == 1) {
    for (int c = 0; c < components; ++c) to[c] = load<P>(from.at(block.environment[0], c));
    return;
  }
  for (int lane = 0; lane < P::kWidth && components > 0; ++lane) {
    const T* environment = from.at(block.environment[lane], 0);
    T* out = reinterpret_cast<T*>(&to[0].lanes) + lane;
    for (int c = 0; c < components; ++c) out[c * P::kWidth] = environment[c * from.component_stride()];
  }
}

template <class P, class T>
void store_lanes(const P* from, const BatchBlock& block, int components, const BatchView<T>& to) {
  if (block.contiguous && to.environment_stride() == 1) {
    for (int c = 0; c < components; ++c) store(to.at(block.environment[0], c), from[c]);
    return;
  }
  for (int lane = 0; lane < block.count && components > 0; ++lane) {
    T* environment = to.at(block.environment[lane], 0);
    const T* in = reinterpret_cast<const T*>(&from[0].lanes) + lane;
    for (int c = 0; c < components; ++c) environment[c * to.component_stride()] = in[c * P::kWidth];
  }
}

/// What an array has beyond the components at hand: none of these environments uses it.
template <class T>
void fill_beyond(const BatchBlock& block, int components, T value, const BatchView<T>& to) {
  for (int c = components; c < to.components(); ++c) {
    for (int lane = 0; lane < block.count; ++lane) to(block.environment[lane], c) = value;
  }
}

}  // namespace delassus
