// The tables of functions that instruction set levels hand out (docs/isa.md). A source says the type and the names of its tables,
// which cmake/IsaLevels.cmake knows, before it includes this:
//   #define DELASSUS_LEVEL_TABLE_TYPE CoreKernels
//   #define DELASSUS_LEVEL_TABLE(N) delassus_core_level_v##N
// then declares them with DELASSUS_DECLARE_LEVEL_TABLES, and defines DELASSUS_THIS_LEVEL_TABLE where DELASSUS_ISA_LEVEL is set, or
// else defines active_level_table() with DELASSUS_DEFINE_ACTIVE_LEVEL_TABLE.
#pragma once

#include <string>

#include "delassus/math/compiled_levels.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/isa.hpp"

// Hidden: a shared library keeps them to itself.
#define DELASSUS_DECLARE_LEVEL_TABLE(N) \
  __attribute__((visibility("hidden"))) extern const DELASSUS_LEVEL_TABLE_TYPE DELASSUS_LEVEL_TABLE(N);
#define DELASSUS_DECLARE_LEVEL_TABLES()                     \
  extern "C" {                                              \
  DELASSUS_FOR_EACH_ISA_LEVEL(DELASSUS_DECLARE_LEVEL_TABLE) \
  }

#define DELASSUS_LEVEL_TABLE_OF(level) DELASSUS_LEVEL_TABLE(level)
#define DELASSUS_THIS_LEVEL_TABLE DELASSUS_LEVEL_TABLE_OF(DELASSUS_ISA_LEVEL)

#define DELASSUS_LEVEL_TABLE_CASE(N) \
  if (level == IsaLevel::kV##N) return DELASSUS_LEVEL_TABLE(N);
#define DELASSUS_DEFINE_ACTIVE_LEVEL_TABLE()                                            \
  const DELASSUS_LEVEL_TABLE_TYPE& active_level_table() {                               \
    const IsaLevel level = active_isa();                                                \
    DELASSUS_FOR_EACH_ISA_LEVEL(DELASSUS_LEVEL_TABLE_CASE)                              \
    throw Error("no kernels for instruction set level " + std::string(name_of(level))); \
  }
