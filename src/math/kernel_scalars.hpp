// For sources of kernels that are chosen by instruction set level (docs/isa.md): which scalars this compilation makes them for.
//
// The library leaves out what its levels have, and calls theirs instead (src/operators/level_kernels.cpp). KERNEL_NUMBER: scalars
// that take panels of right-hand sides.
#pragma once

#include "delassus/math/compiled_levels.hpp"
#include "math/instantiate.hpp"

#if defined(DELASSUS_ISA_LEVEL_OF_PACKS) || defined(DELASSUS_RECORDING)
#define DELASSUS_FOR_EACH_KERNEL_SCALAR(M) DELASSUS_FOR_EACH_TREE_SCALAR(M)
#define DELASSUS_FOR_EACH_KERNEL_NUMBER(M)
#elif defined(DELASSUS_ISA_LEVEL)
#define DELASSUS_FOR_EACH_KERNEL_SCALAR(M) DELASSUS_FOR_EACH_LEVEL_SCALAR(M)
#define DELASSUS_FOR_EACH_KERNEL_NUMBER(M) DELASSUS_FOR_EACH_LEVEL_NUMBER(M)
#elif DELASSUS_HAS_ISA_LEVELS
#define DELASSUS_FOR_EACH_KERNEL_SCALAR(M) M(float) M(Counted) DELASSUS_FOR_EACH_FURTHER_SCALAR(M)
#define DELASSUS_FOR_EACH_KERNEL_NUMBER(M) M(float)
#else
#define DELASSUS_FOR_EACH_KERNEL_SCALAR(M) DELASSUS_FOR_EACH_TREE_SCALAR(M)
#define DELASSUS_FOR_EACH_KERNEL_NUMBER(M) M(float) DELASSUS_FOR_EACH_LEVEL_NUMBER(M)
#endif
