# delassus_library(), and delassus_own(), which every target of this project passes through.
include(KernelFlags)
include(Warnings)

set(_delassus_sanitize_flags "")
if(DELASSUS_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "DELASSUS_FUZZ needs clang (libFuzzer); try: cmake --preset fuzz")
  endif()
  # Coverage instrumentation for all code, so that the fuzzer sees the branches inside the library.
  list(APPEND _delassus_sanitize_flags -fsanitize=fuzzer-no-link)
endif()
if(DELASSUS_SANITIZE)
  list(APPEND _delassus_sanitize_flags "-fsanitize=${DELASSUS_SANITIZE}" -fno-sanitize-recover=all
       -fno-omit-frame-pointer)
  # What sees to pointers that are null or misaligned stands at every access, takes three times as long to compile as all else
  # together, and finds little that the address sanitizer does not.
  if(DELASSUS_SANITIZE MATCHES "undefined")
    list(APPEND _delassus_sanitize_flags -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
  endif()
  # What programs that are not sanitized themselves have to load before what is. The thread sanitizer's is that of GCC: clang 14's
  # own cannot be loaded so.
  set(DELASSUS_SANITIZER_RUNTIME "")
  foreach(_file libclang_rt.asan-x86_64.so libtsan.so libstdc++.so.6)
    if((_file MATCHES "asan" AND NOT DELASSUS_SANITIZE MATCHES "address")
       OR (_file MATCHES "tsan" AND NOT DELASSUS_SANITIZE MATCHES "thread"))
      continue()
    endif()
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${_file} OUTPUT_VARIABLE _path OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND DELASSUS_SANITIZER_RUNTIME "${_path}")
  endforeach()
  list(JOIN DELASSUS_SANITIZER_RUNTIME ":" DELASSUS_SANITIZER_RUNTIME)
  set(DELASSUS_SANITIZER_OPTIONS "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
  add_compile_definitions(_GLIBCXX_ASSERTIONS) # indices of std::vector, std::span and the like
endif()

# delassus_own(<target> [ARCH <level>]): flags that every target of ours has, whatever it is. ARCH: instead of DELASSUS_ARCH.
function(delassus_own target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCH" "")
  if(NOT arg_ARCH)
    set(arg_ARCH "${DELASSUS_ARCH}")
  endif()
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # Private: the public interface passes no vector types by value and holds no type whose layout depends on the
  # instruction set, so users compile with their own flags.
  if(arg_ARCH)
    target_compile_options(${target} PRIVATE "-march=${arg_ARCH}")
  endif()
  delassus_warnings(${target})
  delassus_kernel_flags(${target})
  # A gigabyte before GCC collects its garbage: a tenth less time for sources with many templates.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>")
  if(_delassus_sanitize_flags)
    target_compile_options(${target} PRIVATE ${_delassus_sanitize_flags})
    target_link_options(${target} PRIVATE ${_delassus_sanitize_flags})
  endif()
endfunction()

# delassus_exports(<target> <symbol>...): a shared library shows these symbols (patterns of the linker) and no others.
function(delassus_exports target)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "SHARED_LIBRARY" OR NOT CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    return()
  endif()
  list(JOIN ARGN "<end>" exports)
  string(REPLACE "<end>" ";\n    " exports "${exports}")
  set(map "${PROJECT_BINARY_DIR}/generated/${target}.map")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/exports.map.in" "${map}" @ONLY)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${map}")
endfunction()

# Functions and data of namespace delassus, const members, static ones of inline functions with their guards; vtables, type
# information and its names.
set(_delassus_cxx_exports "_ZN8delassus*" "_ZNK8delassus*" "_ZZN8delassus*" "_ZZNK8delassus*" "_ZGV*N8delassus*"
                          "_ZGV*NK8delassus*" "_ZT[VITS]N8delassus*")

# delassus_library(<name> FOLDERS <folder>... [SOURCES <file>...] [PUBLIC <lib>...] [PRIVATE <lib>...] [EXPORTS <symbol>...])
#
# EXPORTS: what it shows as a shared library; names of namespace delassus unless said otherwise.
# Makes the target delassus_<name>, known to others as delassus::<name>, from all src/<folder>/*.cpp.
# Sources are globbed: one algorithm is one file, and adding it should touch no list. CONFIGURE_DEPENDS
# makes the build look for new files each time. A library without any source becomes an INTERFACE one.
function(delassus_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;SOURCES;PUBLIC;PRIVATE;EXPORTS")
  set(target delassus_${name})
  set(sources ${arg_SOURCES})
  foreach(folder IN LISTS arg_FOLDERS)
    file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
    list(APPEND sources ${found})
  endforeach()

  if(sources)
    add_library(${target} ${sources})
    delassus_own(${target})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/private")
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE})
    # While the major version is 0, each minor version may change the binary interface. No DEFINE_SYMBOL: objects of static and
    # shared libraries are compiled alike, so that a compiler cache serves both.
    set_target_properties(
      ${target}
      PROPERTIES POSITION_INDEPENDENT_CODE ON
                 DEFINE_SYMBOL ""
                 VERSION ${PROJECT_VERSION}
                 SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    if(NOT arg_EXPORTS)
      set(arg_EXPORTS ${_delassus_cxx_exports})
    endif()
    delassus_exports(${target} ${arg_EXPORTS})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()

  target_compile_features(${target} ${scope} cxx_std_20)
  target_include_directories(
    ${target} ${scope} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${target} ${scope} ${arg_PUBLIC})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  add_library(delassus::${name} ALIAS ${target})
endfunction()

# delassus_together(<target> <name> <regex>): compiles the sources of which the names match as one file. For sources that use
# little of large headers, and take most of their time to read them. Names in their anonymous namespaces must differ. Without
# DELASSUS_TOGETHER each is compiled alone, and a missing #include shows: tests/meta/clang_syntax.py does so.
function(delassus_together target name regex)
  if(NOT DELASSUS_TOGETHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "${regex}")
  if(NOT sources)
    return()
  endif()
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP "${name}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# delassus_precompile(<target> <header>...): reads the headers once for all sources of the target. Not with ccache, which knows every
# source better than that, and not with clang, which is there to find a missing #include.
# delassus_precompile(<target> REUSE_FROM <other>): takes what was read for another target with the same flags.
function(delassus_precompile target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    list(TRANSFORM ARGN REPLACE "^delassus/(.*)$" "<delassus/\\1>")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
set(DELASSUS_OFTEN_READ <algorithm> <array> <cmath> <functional> <limits> <memory> <numeric> <optional> <span> <string>
                        <utility> <variant> <vector> delassus/constraints/rows.hpp delassus/constraints/constraint.hpp
                        delassus/kinematics/kinematics.hpp "${PROJECT_SOURCE_DIR}/src/math/instantiate.hpp")

# delassus_wanted(<variable> <option> <package>): sets <variable> to whether an ON/OFF/AUTO option asks
# for the package and it is there. ON without the package stops the configuration.
macro(delassus_wanted variable option package)
  set(${variable} OFF)
  if("${${option}}" STREQUAL "AUTO")
    find_package(${package} QUIET)
    if(${package}_FOUND)
      set(${variable} ON)
    else()
      message(STATUS "${package} not found: ${option}=AUTO leaves out what needs it")
    endif()
  elseif(${option})
    find_package(${package} REQUIRED)
    set(${variable} ON)
  endif()
endmacro()
