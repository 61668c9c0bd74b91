# One step of the package tests; see CMakeLists.txt beside this file for the arguments.
cmake_minimum_required(VERSION 3.22)

# Spaces are where quotes are missing.
set(prefix "${WORK_DIR}/moved prefix")
set(consumer_dir "${PACKAGE_DIR}/consumer")
set(common_arguments -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX}"
    "-DCMAKE_CXX_FLAGS=${FLAGS}")

function(run)
  list(JOIN ARGV " " line)
  message(STATUS "${line}")
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# What standing.cpp prints, with any compiler and any flags: four digits are far from rounding.
function(run_standing program)
  set(expected "6.6519 6.6721 4.8057 6.6519 6.6721 4.8051 6.6546 6.6674 4.8364 6.6546 6.6674 4.8370 1/kg")
  execute_process(COMMAND "${program}" OUTPUT_VARIABLE printed OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${program} prints\n${printed}\ninstead of\n${expected}")
  endif()
endfunction()

# What examples/c_api.c prints, likewise: impulses with a damping far below their inverse.
function(run_c_api program)
  execute_process(COMMAND "${program}" OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed MATCHES "^FL_foot [0-9.]+ Ns\nFR_foot [0-9.]+ Ns\nRL_foot [0-9.]+ Ns\nRR_foot [0-9.]+ Ns\n$")
    message(FATAL_ERROR "${program} prints\n${printed}")
  endif()
endfunction()

# A program in C by the C compiler alone, with what pkg-config says.
function(build_and_run_c_api tree)
  use_pkg_config()
  find_program(cc NAMES cc gcc clang)
  if(NOT cc)
    message("a compiler of C was not found: skipped")
    return()
  endif()
  execute_process(COMMAND "${pkg_config}" --cflags --libs delassus-c OUTPUT_VARIABLE package
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "${FLAGS} ${package}")
  file(MAKE_DIRECTORY "${WORK_DIR}/${tree}")
  run("${cc}" -std=c99 -pedantic -Wall -Werror "${SOURCE_DIR}/examples/c_api.c" -o "${WORK_DIR}/${tree}/c_api" ${options})
  run_c_api("${WORK_DIR}/${tree}/c_api")
endfunction()

# Fails unless a pattern is in what a program prints.
function(require_printed pattern)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed MATCHES "${pattern}")
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "`${line}` has nothing like ${pattern}:\n${printed}")
  endif()
endfunction()

# SONAMEs with the version of the binary interface, libraries that find each other where they are, and no symbols of others.
function(check_shared_libraries lib_dir)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" abi "${VERSION}")
  foreach(library core io simulation batch cuda c)
    set(file "${lib_dir}/libdelassus_${library}.so.${VERSION}")
    require_printed("SONAME[^\n]*\\[libdelassus_${library}\\.so\\.${abi}\\]" readelf -d "${file}")
    require_printed("RUNPATH[^\n]*\\[\\$ORIGIN\\]" readelf -d "${file}")
    set(ours "N[KRO]*8delassus")
    if(library STREQUAL "c")
      set(ours "^delassus_")
    endif()
    execute_process(COMMAND nm -D --defined-only --format=posix "${file}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
    list(FILTER symbols EXCLUDE REGEX "${ours}|^DELASSUS_${abi}")
    if(symbols)
      message(FATAL_ERROR "${file} shows what is not ours: ${symbols}")
    endif()
  endforeach()
endfunction()

# Configures and builds a folder of this one in a fresh tree. The packages our library keeps to itself cannot be found,
# as on the machine of someone who has none of them.
function(build_with_package folder tree prefix_path)
  set(dir "${WORK_DIR}/${tree}")
  file(REMOVE_RECURSE "${dir}")
  run("${CMAKE_COMMAND}" -S "${PACKAGE_DIR}/${folder}" -B "${dir}" ${common_arguments} -DCMAKE_BUILD_TYPE=Release
      "-DCMAKE_PREFIX_PATH=${prefix_path}" -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON ${ARGN})
  run("${CMAKE_COMMAND}" --build "${dir}")
endfunction()

function(build_and_run_consumer tree prefix_path)
  build_with_package(consumer "${tree}" "${prefix_path}" "-DEXPECTED_VERSION=${VERSION}" ${ARGN})
  run("${WORK_DIR}/${tree}/consumer")
endfunction()

# Sets up pkg-config for the prefix, and `pkg_config` to the program; skips the test without it.
macro(use_pkg_config)
  find_program(pkg_config pkg-config)
  if(NOT pkg_config)
    message("pkg-config not found: skipped")
    return()
  endif()
  file(GLOB_RECURSE pc "${prefix}/*/delassus.pc")
  get_filename_component(pc_dir "${pc}" DIRECTORY)
  get_filename_component(lib_dir "${pc_dir}" DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} "${pc_dir}:$ENV{PKG_CONFIG_PATH}")
  set(ENV{LD_LIBRARY_PATH} "${lib_dir}")
endmacro()

# The folder pkg_config with other flags: both programs, that of a user and the one that checks packs.
function(build_and_run_with_flags compiler flags)
  use_pkg_config()
  set(dir "${WORK_DIR}/${STEP}")
  file(REMOVE_RECURSE "${dir}")
  file(COPY "${PACKAGE_DIR}/standing.cpp" "${PACKAGE_DIR}/pkg_config" DESTINATION "${dir}")
  run(make -C "${dir}/pkg_config" "CXX=${compiler}" "CXXFLAGS=${FLAGS} ${flags}")
  run_standing("${dir}/pkg_config/standing")
  execute_process(COMMAND "${pkg_config}" --cflags --libs delassus OUTPUT_VARIABLE package
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "-std=c++20 ${FLAGS} ${flags} -DUSE_ALL ${package}")
  run("${compiler}" "-DEXPECTED_VERSION=\"${VERSION}\"" "${consumer_dir}/main.cpp" -o "${dir}/consumer" ${options})
  run("${dir}/consumer")
endfunction()

if(STEP STREQUAL "install")
  # Moved after it was installed, so whoever keeps the first place fails.
  set(first "${WORK_DIR}/first prefix")
  file(REMOVE_RECURSE "${first}" "${prefix}")
  run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${first}" --config "${CONFIG}")
  file(RENAME "${first}" "${prefix}")
  if(EXISTS "${prefix}/bin/delassus")
    foreach(file man/man1/delassus.1 bash-completion/completions/delassus zsh/site-functions/_delassus
                 fish/vendor_completions.d/delassus.fish)
      if(NOT EXISTS "${prefix}/share/${file}")
        message(FATAL_ERROR "share/${file} was not installed")
      endif()
    endforeach()
  endif()

elseif(STEP STREQUAL "uninstall")
  set(scratch "${WORK_DIR}/scratch prefix")
  file(REMOVE_RECURSE "${scratch}")
  run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${scratch}" --config "${CONFIG}")
  run(make -s -C "${SOURCE_DIR}" uninstall "PREFIX=${scratch}")
  file(GLOB_RECURSE left "${scratch}/*")
  if(left)
    message(FATAL_ERROR "make uninstall leaves ${left}")
  endif()

elseif(STEP STREQUAL "find_package")
  build_and_run_consumer(find_package "${prefix}")
  build_with_package(find_package find_package_standing "${prefix}")
  run_standing("${WORK_DIR}/find_package_standing/standing")

elseif(STEP STREQUAL "examples")
  # As examples/README.md says. All are configured, and one that reads a file beside it is built; the build of the project compiles the others.
  set(dir "${WORK_DIR}/examples")
  file(REMOVE_RECURSE "${dir}")
  run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/examples" -B "${dir}" ${common_arguments} "-DCMAKE_PREFIX_PATH=${prefix}")
  run("${CMAKE_COMMAND}" --build "${dir}" --target load_my_robot)
  execute_process(COMMAND "${dir}/load_my_robot" WORKING_DIRECTORY "${SOURCE_DIR}" COMMAND_ERROR_IS_FATAL ANY)

elseif(STEP STREQUAL "find_core_only")
  # delassus::core alone asks for no other package at all.
  build_and_run_consumer(find_core_only "${prefix}" -DCOMPONENTS=core
                         -DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON
                         -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)

elseif(STEP STREQUAL "pkg_config")
  build_and_run_with_flags("${CXX}" "-O1")

elseif(STEP STREQUAL "c_find_package")
  file(COPY "${PACKAGE_DIR}/c/CMakeLists.txt" "${SOURCE_DIR}/examples/c_api.c" DESTINATION "${WORK_DIR}/c_find_package_source")
  set(PACKAGE_DIR "${WORK_DIR}")
  build_with_package(c_find_package_source c_find_package "${prefix}")
  run_c_api("${WORK_DIR}/c_find_package/c_api")

elseif(STEP STREQUAL "c_pkg_config")
  build_and_run_c_api(c_pkg_config)

elseif(STEP STREQUAL "deb_configures")
  # What `make deb` would pack, without compiling: every file belongs to a package, the libraries to one named after their ABI.
  set(dir "${WORK_DIR}/deb")
  file(REMOVE_RECURSE "${dir}")
  run("${CMAKE_COMMAND}" --preset deb -S "${SOURCE_DIR}" -B "${dir}" "-DCMAKE_CXX_COMPILER=${CXX}" -DDELASSUS_BUILD_PYTHON=OFF
      -DDELASSUS_PYTHON_DIR= -DDELASSUS_BUILD_VIEWER=OFF)
  include("${dir}/CPackConfig.cmake")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" abi "${VERSION}")
  if(NOT CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME STREQUAL "libdelassus${abi}" OR NOT CPACK_PACKAGE_VERSION STREQUAL VERSION)
    message(FATAL_ERROR "the libraries are in ${CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME} ${CPACK_PACKAGE_VERSION}")
  endif()
  file(GLOB_RECURSE scripts "${dir}/cmake_install.cmake")
  foreach(script IN LISTS scripts)
    file(STRINGS "${script}" components REGEX "CMAKE_INSTALL_COMPONENT STREQUAL")
    foreach(line IN LISTS components)
      string(REGEX REPLACE ".*STREQUAL \"([^\"]*)\".*" "\\1" component "${line}")
      if(NOT component IN_LIST CPACK_COMPONENTS_ALL AND NOT component STREQUAL "licences") # in copyright
        message(FATAL_ERROR "${script} installs the component ${component}, which no package has")
      endif()
      list(APPEND seen ${component})
    endforeach()
  endforeach()
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    if(NOT component IN_LIST seen)
      message(FATAL_ERROR "nothing is installed for the package of ${component}")
    endif()
  endforeach()

elseif(STEP STREQUAL "deb")
  run(make -C "${SOURCE_DIR}" deb)
  run("${SOURCE_DIR}/scripts/check-deb" "${SOURCE_DIR}/build/deb")

elseif(STEP STREQUAL "wheel")
  run(make -C "${SOURCE_DIR}" wheel)
  run("${SOURCE_DIR}/scripts/check-wheel" "${SOURCE_DIR}/build/dist")

elseif(STEP STREQUAL "flags_native")
  build_and_run_with_flags("${CXX}" "-O2 -march=native")

elseif(STEP STREQUAL "flags_cxx23")
  build_and_run_with_flags("${CXX}" "-std=c++23 -O1")

elseif(STEP STREQUAL "flags_debug")
  build_and_run_with_flags("${CXX}" "-O0 -g -D_GLIBCXX_ASSERTIONS")

elseif(STEP STREQUAL "flags_clang")
  find_program(clang clang++)
  if(NOT clang)
    message("clang++ not found: skipped")
    return()
  endif()
  build_and_run_with_flags("${clang}" "-O1")

elseif(STEP STREQUAL "unknown_scalar")
  # A scalar that the library has no kernels for is an error of the compiler, which says which there are.
  file(WRITE "${WORK_DIR}/unknown_scalar.cpp"
       "#include <delassus/kinematics/kinematics.hpp>\n"
       "void f(const delassus::Model& model) { delassus::Kinematics<long double> kinematics(model); }\n")
  execute_process(COMMAND "${CXX}" -std=c++20 -fsyntax-only "-I${prefix}/include" "${WORK_DIR}/unknown_scalar.cpp"
                  RESULT_VARIABLE failed ERROR_VARIABLE message)
  if(NOT failed OR NOT message MATCHES "the library has no kernels for this scalar")
    message(FATAL_ERROR "Kinematics<long double> should not compile; the compiler says: ${message}")
  endif()

elseif(STEP STREQUAL "subproject")
  set(dir "${WORK_DIR}/subproject")
  file(REMOVE_RECURSE "${dir}")
  run("${CMAKE_COMMAND}" -S "${consumer_dir}" -B "${dir}" ${common_arguments} "-DSUBPROJECT=${SOURCE_DIR}"
      "-DEXPECTED_VERSION=${VERSION}")
  # A guest neither builds tests or programs nor decides for which processor its host compiles.
  file(STRINGS "${dir}/CMakeCache.txt" cache REGEX "^DELASSUS_")
  foreach(line "DELASSUS_ARCH:STRING=" "DELASSUS_BUILD_TESTS:STRING=OFF" "DELASSUS_BUILD_CLI:BOOL=OFF")
    if(NOT line IN_LIST cache)
      message(FATAL_ERROR "as a subproject, expected in the cache: ${line}")
    endif()
  endforeach()

elseif(STEP MATCHES "^fetch_content")
  set(dir "${WORK_DIR}/${STEP}")
  file(REMOVE_RECURSE "${dir}")
  run("${CMAKE_COMMAND}" -S "${PACKAGE_DIR}/fetch_content" -B "${dir}" ${common_arguments}
      "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -DCMAKE_BUILD_TYPE=Release
      "-DFETCHCONTENT_SOURCE_DIR_DELASSUS=${SOURCE_DIR}")
  # The headers know that this library has no packs.
  file(STRINGS "${dir}/_deps/delassus-build/include/delassus/math/compiled_scalars.hpp" scalars
       REGEX "^#define DELASSUS_HAS_ALL_SCALARS")
  if(NOT scalars STREQUAL "#define DELASSUS_HAS_ALL_SCALARS 0")
    message(FATAL_ERROR "with DELASSUS_SCALARS=plain, compiled_scalars.hpp says ${scalars}")
  endif()
  # And all of them compile without packs.
  run("${CXX}" -std=c++20 -fsyntax-only "-I${SOURCE_DIR}/include" "-I${dir}/_deps/delassus-build/include"
      "${PACKAGE_DIR}/standing.cpp")
  if(STEP STREQUAL "fetch_content")
    run("${CMAKE_COMMAND}" --build "${dir}" --parallel 2)
    run_standing("${dir}/standing")
  endif()

elseif(STEP STREQUAL "documented")
  file(READ "${SOURCE_DIR}/docs/install.md" page)
  foreach(shown find_package/CMakeLists.txt fetch_content/CMakeLists.txt pkg_config/Makefile)
    file(READ "${PACKAGE_DIR}/${shown}" text)
    string(REPLACE "../standing.cpp" "standing.cpp" text "${text}")
    string(FIND "${page}" "\n${text}```" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "docs/install.md does not show tests/package/${shown} as it is")
    endif()
  endforeach()
  file(READ "${SOURCE_DIR}/docs/c-api.md" page)
  foreach(shown examples/c_api.c tests/package/c/CMakeLists.txt)
    file(READ "${SOURCE_DIR}/${shown}" text)
    string(FIND "${page}" "\n${text}```" found)
    if(found EQUAL -1)
      message(FATAL_ERROR "docs/c-api.md does not show ${shown} as it is")
    endif()
  endforeach()

elseif(STEP STREQUAL "shared")
  set(dir "${WORK_DIR}/shared-build")
  run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${dir}" ${common_arguments} "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
      -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON "-DDELASSUS_ARCH=${ARCH}" -DDELASSUS_BUILD_TESTS=OFF
      -DDELASSUS_BUILD_BENCH=OFF)
  run("${CMAKE_COMMAND}" --build "${dir}")
  # Moved, so whoever keeps the first place fails.
  set(first "${WORK_DIR}/first shared prefix")
  set(shared_prefix "${WORK_DIR}/moved shared prefix")
  file(REMOVE_RECURSE "${first}" "${shared_prefix}")
  run("${CMAKE_COMMAND}" --install "${dir}" --prefix "${first}")
  file(RENAME "${first}" "${shared_prefix}")
  file(GLOB_RECURSE core "${shared_prefix}/*/libdelassus_core.so")
  get_filename_component(shared_lib_dir "${core}" DIRECTORY)
  check_shared_libraries("${shared_lib_dir}")
  # The users of a shared library need none of its dependencies.
  build_and_run_consumer(shared-consumer "${shared_prefix}" -DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON
                         -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON
                         -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
  if(EXISTS "${shared_prefix}/bin/delassus")
    run("${shared_prefix}/bin/delassus" --help)
  endif()
  set(prefix "${shared_prefix}")
  build_and_run_c_api(shared-c)

else()
  message(FATAL_ERROR "unknown step ${STEP}")
endif()
