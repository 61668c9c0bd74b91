# Writes the commit of the source in SOURCE_DIR into the header OUTPUT, if it changed.
cmake_minimum_required(VERSION 3.25)

set(commit "unknown")
find_package(Git QUIET)
# Only a repository of our own: a source that is part of another project's has that one's commits around it.
if(GIT_FOUND AND EXISTS "${SOURCE_DIR}/.git")
  execute_process(
    COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=12
    WORKING_DIRECTORY "${SOURCE_DIR}"
    OUTPUT_VARIABLE described
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(described)
    set(commit "${described}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "// Written by cmake/write_commit.cmake.
#pragma once

namespace delassus {

inline constexpr const char* kBuildCommit = \"@commit@\";

}  // namespace delassus
" @ONLY)
