// How kernels are compiled: forced inlining, and full unrolling of loops with constant bounds.
//
// Neither g++ nor clang unrolls nested or triangular loops over packed storage at -O3; their indices then become data
// that is loaded at run time, and small matrices stay in memory. Every loop over a compile-time bound in a kernel is
// therefore unrolled by force.
#pragma once

#include "delassus/math/cpp20.hpp"

#define DELASSUS_INLINE [[gnu::always_inline]] inline

#if defined(__clang__)
#define DELASSUS_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define DELASSUS_UNROLL _Pragma("GCC unroll 64")
#else
#define DELASSUS_UNROLL
#endif
