// A lane is a thread: numbers are floats or doubles, exchanges are shuffles. Read by the compiler for the device alone; the tests have
// the same for arrays of numbers (tests/gpu/emulated_lanes.hpp).
#pragma once

#include "gpu/kernel/arguments.hpp"
#include "gpu/kernel/loops.hpp"

namespace delassus::gpu {

DELASSUS_LANE_INLINE float select(bool mask, float a, float b) { return mask ? a : b; }
DELASSUS_LANE_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }
DELASSUS_LANE_INLINE float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
DELASSUS_LANE_INLINE double multiply_add(double a, double b, double c) { return __fma_rn(a, b, c); }
DELASSUS_LANE_INLINE float reciprocal(float x) { return __frcp_rn(x); }
DELASSUS_LANE_INLINE double reciprocal(double x) { return 1.0 / x; }
DELASSUS_LANE_INLINE float inverse_root(float x) { return rsqrtf(x); }
DELASSUS_LANE_INLINE double inverse_root(double x) { return 1.0 / sqrt(x); }
DELASSUS_LANE_INLINE float nearest_integer(float x) { return rintf(x); }
DELASSUS_LANE_INLINE void sine_cosine(double x, double& s, double& c) { sincos(x, &s, &c); }

/// What one thread knows of where it is.
template <class S, class T>
struct DeviceLanes {
  using Real = T;
  using Number = T;
  using Mask = bool;
  using Index = int;
  static constexpr int kLanes = S::kLanes;
  static constexpr unsigned kWarp = 0xffffffffU;

  const T* numbers;  // in shared memory
  const int* indices;
  int lane, environment;
  bool live;  // whether there is such an environment: the last warp may have more lanes

  DELASSUS_LANE_INLINE T number(int k) const { return numbers[k * kLanes + lane]; }
  DELASSUS_LANE_INLINE int index(int k) const { return indices[k * kLanes + lane]; }
  DELASSUS_LANE_INLINE static int after(int index, int k) { return index < 0 ? index : index + k; }
  DELASSUS_LANE_INLINE static bool is_there(int index) { return index >= 0; }
  DELASSUS_LANE_INLINE bool in(int lanes) const { return (lanes >> lane & 1) != 0; }

  template <class X>
  DELASSUS_LANE_INLINE X* at(const Array<X>& array, int k) const {
    return array.data + k * array.step;
  }
  DELASSUS_LANE_INLINE T load(const Array<const T>& array, int k) const { return *at(array, k); }
  /// Of each lane its own entry, zero where it has none: then it reads another, because branches cost more than that.
  template <class X>
  DELASSUS_LANE_INLINE T load_each(const Array<X>& array, int k) const {
    const T x = *at(array, k < 0 ? 0 : k);
    return k < 0 ? T(0) : x;
  }
  DELASSUS_LANE_INLINE void store(const Array<T>& array, int k, T x) const {
    if (live && lane == 0) *at(array, k) = x;
  }
  DELASSUS_LANE_INLINE void store_each(const Array<T>& array, int k, T x, bool from_all) const {
    if (live && k >= 0 && (from_all || lane == 0)) *at(array, k) = x;
  }

  DELASSUS_LANE_INLINE static T exchanged(T x, int distance) { return __shfl_xor_sync(kWarp, x, distance); }
  DELASSUS_LANE_INLINE static bool any(bool mask) {
    unsigned votes = __ballot_sync(kWarp, mask);
    const unsigned first = (threadIdx.x & 31U) / kLanes * kLanes;
    return (votes >> first & ((1U << kLanes) - 1U)) != 0;
  }
  /// Whether it holds for all environments whose lanes exchange with each other.
  DELASSUS_LANE_INLINE static bool whole_warp(bool mine) { return __all_sync(kWarp, mine); }
  DELASSUS_LANE_INLINE void set_status(unsigned char* status, unsigned char code) const {
    if (live && lane == 0) status[environment] = code;
  }
  /// NaN to all entries of an environment.
  DELASSUS_LANE_INLINE void spoil(const Array<T>& array, int components) const {
    if (!live) return;
    for (int k = lane; k < components; k += kLanes) *at(array, k) = T(0) / T(0);
  }
};

}  // namespace delassus::gpu
