// The scalars that the library's kernels are compiled for. One list, so that no kernel misses one.
#pragma once

#include "delassus/math/counted.hpp"
#include "delassus/math/dual.hpp"
#include "delassus/math/pack.hpp"
#include "delassus/math/sincos.hpp"

namespace delassus {

using DualDouble = Dual<double>;
using PackDouble4 = Pack<double, 4>;
using PackDouble8 = Pack<double, 8>;
using PackFloat8 = Pack<float, 8>;
using PackFloat16 = Pack<float, 16>;

}  // namespace delassus

// The fuzzers need plain numbers only, and instrumented kernels of all scalars take long to compile.
#ifdef DELASSUS_PLAIN_SCALARS
#define DELASSUS_FOR_EACH_SCALAR(M) M(float) M(double)
#define DELASSUS_FOR_EACH_COUNTING_SCALAR(M) M(double)
#else
#define DELASSUS_FOR_EACH_SCALAR(M) \
  M(float) M(double) M(Counted) M(DualDouble) M(PackDouble4) M(PackDouble8) M(PackFloat8) M(PackFloat16)
// Link-local frames are there to count operations as the papers do: those and the numbers to check them are enough.
#define DELASSUS_FOR_EACH_COUNTING_SCALAR(M) M(double) M(Counted)
#endif
