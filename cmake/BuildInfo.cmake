# delassus_build_info(<target>): gives the target the headers build_flags.hpp and build_commit.hpp, which say how the kernels
# are built and from which commit.
set(_build_info_script "${CMAKE_CURRENT_LIST_DIR}/write_commit.cmake")

function(delassus_build_info target)
  set(folder "${PROJECT_BINARY_DIR}/generated/build_info")
  if(NOT TARGET delassus_commit) # the headers are the same for all targets
    _delassus_write_build_info("${folder}")
  endif()
  add_dependencies(${target} delassus_commit)
  target_include_directories(${target} PRIVATE "${folder}" "${folder}/$<CONFIG>")
endfunction()

function(_delassus_write_build_info folder)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  get_target_property(options delassus_core COMPILE_OPTIONS)
  # A comma of a plain option, such as -fsanitize=address,undefined, must not part the arguments of the expressions below.
  list(TRANSFORM options REPLACE "," "$<COMMA>" REGEX "^[^$]*$")
  # The options hold generator expressions, so the filter has to be one as well.
  set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  string(STRIP "${flags}" flags)
  string(REPLACE " " ";" flags "${flags}")
  set(flags "$<JOIN:$<FILTER:$<REMOVE_DUPLICATES:${flags};${options}>,EXCLUDE,^(-W.*|--param.*|)$>, >")
  file(
    GENERATE
    OUTPUT "${folder}/$<CONFIG>/build_flags.hpp"
    CONTENT
      "// How the kernels were built. Written by cmake/BuildInfo.cmake.
#pragma once

namespace delassus::cli {

inline constexpr const char* kBuildType = \"$<CONFIG>\";
inline constexpr const char* kBuildFlags = R\"(${flags})\";

}  // namespace delassus::cli
"
    TARGET delassus_core)

  # When building, so that it is true after the next commit as well; and now, for tools that only read the sources (lint).
  set(write_commit "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${folder}/build_commit.hpp" -P
                   "${_build_info_script}")
  execute_process(COMMAND ${write_commit} COMMAND_ERROR_IS_FATAL ANY)
  add_custom_target(delassus_commit COMMAND ${write_commit} BYPRODUCTS "${folder}/build_commit.hpp"
                    COMMENT "Looking up the commit")
endfunction()
