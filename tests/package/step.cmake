# One step of the package tests; see CMakeLists.txt beside this file for the arguments.
cmake_minimum_required(VERSION 3.22)

set(prefix "${WORK_DIR}/prefix")

function(run)
  list(JOIN ARGV " " line)
  message(STATUS "${line}")
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Configures, builds and runs the consumer in a fresh build tree. The packages our library keeps to
# itself cannot be found, as on the machine of someone who has none of them.
function(build_and_run_consumer tree prefix_path)
  set(dir "${WORK_DIR}/${tree}")
  file(REMOVE_RECURSE "${dir}")
  run("${CMAKE_COMMAND}" -S "${CONSUMER_DIR}" -B "${dir}" -G "${GENERATOR}"
      "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
      -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${prefix_path}" "-DEXPECTED_VERSION=${VERSION}"
      -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON ${ARGN})
  run("${CMAKE_COMMAND}" --build "${dir}")
  run("${dir}/consumer")
endfunction()

if(STEP STREQUAL "install")
  file(REMOVE_RECURSE "${prefix}")
  run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}" --config "${CONFIG}")
  if(EXISTS "${prefix}/bin/delassus")
    foreach(file man/man1/delassus.1 bash-completion/completions/delassus zsh/site-functions/_delassus
                 fish/vendor_completions.d/delassus.fish)
      if(NOT EXISTS "${prefix}/share/${file}")
        message(FATAL_ERROR "share/${file} was not installed")
      endif()
    endforeach()
  endif()

elseif(STEP STREQUAL "find_package")
  build_and_run_consumer(find_package "${prefix}")

elseif(STEP STREQUAL "find_core_only")
  # delassus::core alone asks for no other package at all.
  build_and_run_consumer(find_core_only "${prefix}" -DCOMPONENTS=core
                         -DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)

elseif(STEP STREQUAL "pkg_config")
  find_program(pkg_config pkg-config)
  if(NOT pkg_config)
    message("pkg-config not found")
    return()
  endif()
  file(GLOB_RECURSE pc "${prefix}/*/delassus.pc")
  get_filename_component(pc_dir "${pc}" DIRECTORY)
  get_filename_component(lib_dir "${pc_dir}" DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} "${pc_dir}:$ENV{PKG_CONFIG_PATH}")
  execute_process(COMMAND "${pkg_config}" --cflags --libs delassus OUTPUT_VARIABLE flags
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${FLAGS} ${flags}")
  run("${CXX}" -std=c++20 -O1 -DUSE_ALL "-DEXPECTED_VERSION=\"${VERSION}\"" "${CONSUMER_DIR}/main.cpp" -o
      "${WORK_DIR}/pkg_config_consumer" ${flags})
  set(ENV{LD_LIBRARY_PATH} "${lib_dir}")
  run("${WORK_DIR}/pkg_config_consumer")

elseif(STEP STREQUAL "subproject")
  set(dir "${WORK_DIR}/subproject")
  file(REMOVE_RECURSE "${dir}")
  run("${CMAKE_COMMAND}" -S "${CONSUMER_DIR}" -B "${dir}" -G "${GENERATOR}"
      "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DSUBPROJECT=${SOURCE_DIR}"
      "-DEXPECTED_VERSION=${VERSION}")
  # A guest neither builds tests or programs nor decides for which processor its host compiles.
  file(STRINGS "${dir}/CMakeCache.txt" cache REGEX "^DELASSUS_")
  foreach(line "DELASSUS_ARCH:STRING=" "DELASSUS_BUILD_TESTS:STRING=OFF" "DELASSUS_BUILD_CLI:BOOL=OFF")
    if(NOT line IN_LIST cache)
      message(FATAL_ERROR "as a subproject, expected in the cache: ${line}")
    endif()
  endforeach()

elseif(STEP STREQUAL "shared")
  set(dir "${WORK_DIR}/shared-build")
  run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${dir}" -G "${GENERATOR}"
      "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
      "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON
      "-DDELASSUS_ARCH=${ARCH}" -DDELASSUS_BUILD_TESTS=OFF -DDELASSUS_BUILD_BENCH=OFF)
  run("${CMAKE_COMMAND}" --build "${dir}")
  set(shared_prefix "${WORK_DIR}/shared-prefix")
  file(REMOVE_RECURSE "${shared_prefix}")
  run("${CMAKE_COMMAND}" --install "${dir}" --prefix "${shared_prefix}")
  # The users of a shared library need none of its dependencies.
  build_and_run_consumer(shared-consumer "${shared_prefix}" -DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON
                         -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
  if(EXISTS "${shared_prefix}/bin/delassus")
    run("${shared_prefix}/bin/delassus" --help)
  endif()

else()
  message(FATAL_ERROR "unknown step ${STEP}")
endif()
