# Kernels for several instruction set levels in one library (docs/isa.md).
#
# A level's sources are compiled with -march=x86-64-v<N> and DELASSUS_ISA_LEVEL=<N>, linked into one object, and all symbols but
# one table of functions are made local. So nothing of it can stand in for anything else: without that, the linker keeps one copy
# of each inline function and template, whichever level it was compiled for.
set(_levels "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$"
   AND CMAKE_SIZEOF_VOID_P EQUAL 8
   AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF"
   AND NOT DELASSUS_SANITIZE
   AND NOT DELASSUS_FUZZ)
  # GNU ld: others do not know --force-group-allocation. The linker of the toolchain comes first, for cross builds.
  find_program(DELASSUS_BFD_LD ld.bfd)
  mark_as_advanced(DELASSUS_BFD_LD)
  set(DELASSUS_LD "")
  foreach(_linker IN ITEMS "${CMAKE_LINKER}" "${DELASSUS_BFD_LD}")
    if(_linker AND NOT DELASSUS_LD)
      execute_process(COMMAND "${_linker}" --version OUTPUT_VARIABLE _version ERROR_QUIET)
      if(_version MATCHES "^GNU ld")
        set(DELASSUS_LD "${_linker}")
      endif()
    endif()
  endforeach()
  if(DELASSUS_LD AND CMAKE_OBJCOPY)
    set(_levels v2 v3 v4)
  else()
    message(STATUS "GNU ld and objcopy were not found: kernels are compiled once, for the processor of DELASSUS_ARCH")
  endif()
endif()
set(DELASSUS_ISA_LEVELS "${_levels}" CACHE STRING
    "x86-64 levels that kernels are compiled for, of v2;v3;v4; empty: the one of DELASSUS_ARCH")

set(DELASSUS_HAS_ISA_LEVELS 0)
set(DELASSUS_EACH_ISA_LEVEL "")
foreach(_level IN LISTS DELASSUS_ISA_LEVELS)
  if(NOT _level MATCHES "^v[234]$")
    message(FATAL_ERROR "DELASSUS_ISA_LEVELS has '${_level}'; levels are v2, v3 and v4")
  endif()
  if(NOT DELASSUS_LD OR NOT CMAKE_OBJCOPY)
    message(FATAL_ERROR "DELASSUS_ISA_LEVELS needs x86-64 ELF, GNU ld and objcopy, and no sanitizer; set it to nothing")
  endif()
  string(REPLACE "v" "" _number "${_level}")
  string(APPEND DELASSUS_EACH_ISA_LEVEL " M(${_number})")
  set(DELASSUS_HAS_ISA_LEVELS 1)
endforeach()
configure_file(cmake/compiled_levels.hpp.in "${PROJECT_BINARY_DIR}/private/delassus/math/compiled_levels.hpp" @ONLY)

# What works on doubles and on packs of four copies them in memory by 32 bytes: read by 64 right after it was written by 32, it
# would have to wait until the writes are through.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-mmove-max=256 -mstore-max=256" DELASSUS_HAS_MOVE_MAX) # GCC 12

# delassus_isa_levels(<target> <name> [PACKS] SOURCES <file>...)
#
# Adds to <target> one object for each level, made from the sources. Each defines delassus_<name>_level_v<N>, and nothing else
# that others see. The sources may be sources of the target as well, and find out by DELASSUS_ISA_LEVEL which they are. PACKS: for
# packs as wide as the registers of the level, instead of doubles and limbs.
function(delassus_isa_levels target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "PACKS" "" "SOURCES")
  foreach(level IN LISTS DELASSUS_ISA_LEVELS)
    set(part ${target}_${level})
    string(REPLACE "v" "" number "${level}")
    add_library(${part} OBJECT ${arg_SOURCES})
    delassus_own(${part} ARCH x86-64-${level})
    # Packs of 512 bits in one register: clang would split them, as it prefers 256 bits at this level. No link-time optimisation:
    # its objects hold no code to link yet. No unique symbols: objcopy does not make them local.
    target_compile_options(${part} PRIVATE "$<$<STREQUAL:${level},v4>:-mprefer-vector-width=512>" -fno-lto
                                           "$<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>")
    target_compile_definitions(${part} PRIVATE DELASSUS_ISA_LEVEL=${number})
    if(arg_PACKS)
      math(EXPR bytes "1 << (${number} + 2)") # 128, 256 and 512 bits
      target_compile_definitions(${part} PRIVATE DELASSUS_ISA_LEVEL_OF_PACKS DELASSUS_PACK_BYTES=${bytes})
      delassus_precompile(${part} ${DELASSUS_OFTEN_READ})
    elseif(DELASSUS_HAS_MOVE_MAX)
      target_compile_options(${part} PRIVATE -mmove-max=256 -mstore-max=256)
    endif()
    target_include_directories(${part} PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set_target_properties(${part} PROPERTIES POSITION_INDEPENDENT_CODE ON INTERPROCEDURAL_OPTIMIZATION OFF)

    set(object "${CMAKE_CURRENT_BINARY_DIR}/levels/${part}.o")
    set(objects "$<FILTER:$<TARGET_OBJECTS:${part}>,EXCLUDE,\\.gch$>") # precompiled headers are among them
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/levels")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${DELASSUS_LD}" -r --force-group-allocation -o "${object}" "${objects}"
      COMMAND "${CMAKE_OBJCOPY}" --keep-global-symbol=delassus_${name}_level_${level} "${object}"
      DEPENDS "${objects}"
      COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Linking the kernels of delassus_${name} for x86-64-${level}")
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
endfunction()
