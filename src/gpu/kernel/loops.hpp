// Loops over the tables of a structure. On the device each turn is code of its own, so that state stays in registers; under a
// compiler for the host they are loops, which compile in no time.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define DELASSUS_LANE_INLINE __forceinline__
#define DELASSUS_LANE_UNROLL _Pragma("unroll")
#define DELASSUS_LANE_ROLL _Pragma("unroll 1")
#else
#define DELASSUS_LANE_INLINE inline
#define DELASSUS_LANE_UNROLL
#define DELASSUS_LANE_ROLL
#endif

namespace delassus::gpu {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

template <int kValue>
struct Constant {
  constexpr operator int() const { return kValue; }
};

template <int kBegin, int kEnd, class F>
DELASSUS_LANE_INLINE void upward(F&& f) {
  if constexpr (kBegin < kEnd) {
    f(Constant<kBegin>());
    upward<kBegin + 1, kEnd>(f);
  }
}
template <int kBegin, int kEnd, class F>
DELASSUS_LANE_INLINE void downward(F&& f) {
  if constexpr (kBegin < kEnd) {
    f(Constant<kEnd - 1>());
    downward<kBegin, kEnd - 1>(f);
  }
}
template <class S, int kElement, class F>
DELASSUS_LANE_INLINE void for_slots(Constant<kElement>, F&& f) {
  upward<S::kFirstSlot[kElement], S::kFirstSlot[kElement + 1]>(f);
}
template <class S, int kElement, class F>
DELASSUS_LANE_INLINE void for_joint_rows(Constant<kElement>, F&& f) {
  upward<S::kFirstJointRow[kElement], S::kFirstJointRow[kElement + 1]>(f);
}
template <class S, int kElement, class F>
DELASSUS_LANE_INLINE void for_ways(Constant<kElement>, F&& f) {
  upward<S::kFirstWay[kElement], S::kFirstWay[kElement + 1]>(f);
}

#else

template <int kBegin, int kEnd, class F>
void upward(F&& f) {
  for (int i = kBegin; i < kEnd; ++i) f(i);
}
template <int kBegin, int kEnd, class F>
void downward(F&& f) {
  for (int i = kEnd - 1; i >= kBegin; --i) f(i);
}
template <class S, class F>
void for_slots(int element, F&& f) {
  for (int s = S::kFirstSlot[element]; s < S::kFirstSlot[element + 1]; ++s) f(s);
}
template <class S, class F>
void for_joint_rows(int element, F&& f) {
  for (int r = S::kFirstJointRow[element]; r < S::kFirstJointRow[element + 1]; ++r) f(r);
}
template <class S, class F>
void for_ways(int element, F&& f) {
  for (int w = S::kFirstWay[element]; w < S::kFirstWay[element + 1]; ++w) f(w);
}

#endif

}  // namespace delassus::gpu
