// The scalars that the library's kernels are compiled for. One list, so that no kernel misses one.
#pragma once

#include "delassus/math/scalars.hpp"
#include "math/limbs.hpp"
#include "math/sincos.hpp"

// Plain numbers, and Counted, by which the planner decides; the further ones cost most of the time to compile.
#define DELASSUS_FOR_EACH_PLAIN_SCALAR(M) M(float) M(double) M(Counted)
#if DELASSUS_HAS_ALL_SCALARS
#define DELASSUS_FOR_EACH_PACK(M) M(PackDoubles) M(PackFloats)
#define DELASSUS_FOR_EACH_DUAL(M) M(DualDouble)
#else
#define DELASSUS_FOR_EACH_PACK(M)
#define DELASSUS_FOR_EACH_DUAL(M)
#endif
#define DELASSUS_FOR_EACH_FURTHER_SCALAR(M) DELASSUS_FOR_EACH_DUAL(M) DELASSUS_FOR_EACH_PACK(M)
// Motion, rows and the condensed tree.
#define DELASSUS_FOR_EACH_SCALAR(M) DELASSUS_FOR_EACH_PLAIN_SCALAR(M) DELASSUS_FOR_EACH_FURTHER_SCALAR(M)
// Constrained dynamics, which iterates: each lane of a pack would want to end by itself.
#define DELASSUS_FOR_EACH_SOLVER_SCALAR(M) DELASSUS_FOR_EACH_PLAIN_SCALAR(M) DELASSUS_FOR_EACH_DUAL(M)
// PV-OSIMr, which batches take for matrices.
#define DELASSUS_FOR_EACH_BATCH_SCALAR(M) DELASSUS_FOR_EACH_PLAIN_SCALAR(M) DELASSUS_FOR_EACH_PACK(M)
// The other operators: they are there to be compared with, or for one state at a time.
#define DELASSUS_FOR_EACH_OPERATOR_SCALAR(M) DELASSUS_FOR_EACH_PLAIN_SCALAR(M)
// Panels of plain numbers go in lanes of eight, which need not be a scalar that everything is compiled for.
#if !DELASSUS_HAS_ALL_SCALARS
#define DELASSUS_FOR_EACH_PANEL_ONLY(M) M(PackFloat8) M(PackDouble8)
#elif DELASSUS_PACK_BYTES == 64
#define DELASSUS_FOR_EACH_PANEL_ONLY(M) M(PackFloat8)
#else
#define DELASSUS_FOR_EACH_PANEL_ONLY(M) M(PackDouble8)
#endif
// What runs on the limbs of a robot side by side as well.
#define DELASSUS_FOR_EACH_FOLD(M) M(Limbs)
#define DELASSUS_FOR_EACH_TREE_SCALAR(M) DELASSUS_FOR_EACH_SCALAR(M) DELASSUS_FOR_EACH_FOLD(M)
// Link-local frames are there to count operations as the papers do. Counted carries values too, by which they are checked.
#define DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(M) M(Counted)
// Derivatives.
#define DELASSUS_FOR_EACH_COUNTING_SCALAR(M) M(double) M(Counted)

// Scalars of which kernels are compiled for every instruction set level (docs/isa.md); NUMBER: those of them that take panels of
// right-hand sides. The compilation of a level has these alone, and that of the engines of batches the packs of its registers alone.
#define DELASSUS_FOR_EACH_LEVEL_NUMBER(M) M(double)
#define DELASSUS_FOR_EACH_LEVEL_SCALAR(M) DELASSUS_FOR_EACH_LEVEL_NUMBER(M) M(Limbs)
#ifdef DELASSUS_ISA_LEVEL
#undef DELASSUS_FOR_EACH_SCALAR
#undef DELASSUS_FOR_EACH_TREE_SCALAR
#undef DELASSUS_FOR_EACH_SOLVER_SCALAR
#undef DELASSUS_FOR_EACH_OPERATOR_SCALAR
#undef DELASSUS_FOR_EACH_BATCH_SCALAR
#undef DELASSUS_FOR_EACH_COUNTING_SCALAR
#undef DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR
#undef DELASSUS_FOR_EACH_PANEL_ONLY
#define DELASSUS_FOR_EACH_SOLVER_SCALAR(M)
#define DELASSUS_FOR_EACH_OPERATOR_SCALAR(M)
#define DELASSUS_FOR_EACH_COUNTING_SCALAR(M)
#define DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(M)
#define DELASSUS_FOR_EACH_PANEL_ONLY(M)
#ifdef DELASSUS_ISA_LEVEL_OF_PACKS
#define DELASSUS_FOR_EACH_SCALAR(M) DELASSUS_FOR_EACH_PACK(M)
#define DELASSUS_FOR_EACH_BATCH_SCALAR(M) DELASSUS_FOR_EACH_PACK(M)
#define DELASSUS_FOR_EACH_TREE_SCALAR(M) DELASSUS_FOR_EACH_SCALAR(M)
#else
#define DELASSUS_FOR_EACH_SCALAR(M) DELASSUS_FOR_EACH_LEVEL_NUMBER(M)
#define DELASSUS_FOR_EACH_BATCH_SCALAR(M)
#define DELASSUS_FOR_EACH_TREE_SCALAR(M) DELASSUS_FOR_EACH_LEVEL_SCALAR(M)
#endif
#endif

// The compilation that records kernels, for generated code, has these alone (CMakeLists.txt: delassus_recorded).
#ifdef DELASSUS_RECORDING
#include "math/traced.hpp"
#undef DELASSUS_FOR_EACH_SCALAR
#undef DELASSUS_FOR_EACH_TREE_SCALAR
#undef DELASSUS_FOR_EACH_PLAIN_SCALAR
#undef DELASSUS_FOR_EACH_OPERATOR_SCALAR
#undef DELASSUS_FOR_EACH_BATCH_SCALAR
#undef DELASSUS_FOR_EACH_PANEL_ONLY
#undef DELASSUS_FOR_EACH_COUNTING_SCALAR
#undef DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR
#define DELASSUS_FOR_EACH_SCALAR(M) M(Traced<float>) M(Traced<double>)
#undef DELASSUS_FOR_EACH_FOLD
#define DELASSUS_FOR_EACH_FOLD(M) M(TracedLimbs<float>) M(TracedLimbs<double>)
#define DELASSUS_FOR_EACH_TREE_SCALAR(M) DELASSUS_FOR_EACH_SCALAR(M) DELASSUS_FOR_EACH_FOLD(M)
#define DELASSUS_FOR_EACH_OPERATOR_SCALAR(M)
#define DELASSUS_FOR_EACH_BATCH_SCALAR(M)
#define DELASSUS_FOR_EACH_PANEL_ONLY(M)
#define DELASSUS_FOR_EACH_COUNTING_SCALAR(M)
#define DELASSUS_FOR_EACH_LINK_FRAMES_SCALAR(M)
#endif
