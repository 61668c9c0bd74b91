# Turns text files into a C++ source that holds them as string literals.
#
# delassus_embed_files(<variable> <function> <output.cpp> [<glob>...] [FILES <file>...]) adds the rule that writes
# <output.cpp> and sets <variable> to it. FILES are those that the build makes, which no glob finds before. The rule runs
# this same file as a script. The source defines the function, such as delassus::embedded_files, which returns the files:
# see include/delassus/io/load.hpp.

if(CMAKE_SCRIPT_MODE_FILE AND CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  # cmake -DOUT=<output.cpp> -DFUNCTION=<name> -DLIST=<file with one path per line> -P EmbedFiles.cmake
  cmake_policy(SET CMP0057 NEW) # if(... IN_LIST ...)
  file(STRINGS "${LIST}" files)
  list(LENGTH files count)
  set(delimiter "delassus_embed")
  set(text "// Written by cmake/EmbedFiles.cmake from the files named below.\n")
  string(APPEND text "#include \"delassus/io/load.hpp\"\n\n#include <array>\n\n")
  string(REGEX MATCH "^(.*)::([^:]+)$" _ "${FUNCTION}")
  set(namespace "${CMAKE_MATCH_1}")
  set(function "std::span<const EmbeddedFile> ${CMAKE_MATCH_2}()")
  string(APPEND text "namespace ${namespace} {\n\n${function};\n\nnamespace {\n\n")
  string(APPEND text "constexpr std::array<EmbeddedFile, ${count}> kFiles{{\n")
  foreach(path IN LISTS files)
    get_filename_component(folder "${path}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    get_filename_component(name "${path}" NAME_WLE)
    get_filename_component(extension "${path}" LAST_EXT)
    if("${folder}/${name}" IN_LIST seen)
      message(FATAL_ERROR "${path}: another file of ${folder} has this name; embedded files are found by it")
    endif()
    list(APPEND seen "${folder}/${name}")
    file(READ "${path}" content)
    file(SIZE "${path}" size)
    string(LENGTH "${content}" length)
    if(NOT size EQUAL length)
      message(FATAL_ERROR "${path}: holds bytes that are not text")
    endif()
    string(FIND "${content}" ")${delimiter}\"" clash)
    if(NOT clash EQUAL -1)
      message(FATAL_ERROR "${path}: contains the delimiter )${delimiter}\"")
    endif()
    # With its size: clang gives up finding the end of a long literal at compile time.
    string(APPEND text "    EmbeddedFile{\"${folder}\", \"${name}\", \"${extension}\", "
                       "{R\"${delimiter}(${content})${delimiter}\", ${size}}},\n")
  endforeach()
  string(APPEND text "}};\n\n}  // namespace\n\n")
  string(APPEND text "${function} { return kFiles; }\n\n")
  string(APPEND text "}  // namespace ${namespace}\n")
  file(WRITE "${OUT}" "${text}")
  return()
endif()

set(_delassus_embed_script "${CMAKE_CURRENT_LIST_FILE}")

function(delassus_embed_files variable function output)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" FILES)
  set(files ${arg_FILES})
  if(arg_UNPARSED_ARGUMENTS)
    file(GLOB found CONFIGURE_DEPENDS ${arg_UNPARSED_ARGUMENTS})
    list(APPEND files ${found})
  endif()
  list(SORT files) # by folder and name, whatever the globs
  # The names travel in a file that changes only when the set of files does, so that removing a robot
  # rebuilds the source as well.
  set(list "${output}.list")
  list(JOIN files "\n" lines)
  file(CONFIGURE OUTPUT "${list}" CONTENT "@lines@\n" @ONLY)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${output}" "-DFUNCTION=${function}" "-DLIST=${list}" -P "${_delassus_embed_script}"
    DEPENDS ${files} "${list}" "${_delassus_embed_script}"
    COMMENT "Embedding files"
    VERBATIM)
  # A robot is easily longer than the 65536 bytes the standard asks a compiler to take.
  set_source_files_properties("${output}" PROPERTIES COMPILE_OPTIONS "-Wno-overlength-strings")
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()
