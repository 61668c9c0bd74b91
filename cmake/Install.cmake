# Install rules: headers, libraries, the command with its manual page and completions, the CMake package and the pkg-config files.
# Each belongs to a component; packages of distributions are made of these (cmake/Packages.cmake).
include(CMakePackageConfigHelpers)

set(_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/delassus")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
foreach(_notice LICENSE NOTICE)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${_notice}")
    install(FILES "${PROJECT_SOURCE_DIR}/${_notice}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT licences)
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/licenses" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT licences)
install(TARGETS delassus_core delassus_io delassus_generate delassus_simulation delassus_batch ${_cuda_target} delassus_c delassus_all EXPORT delassus-targets
        LIBRARY COMPONENT libraries NAMELINK_COMPONENT development
        ARCHIVE COMPONENT development)
install(EXPORT delassus-targets NAMESPACE delassus:: DESTINATION "${_cmake_dir}" COMPONENT development)
if(TARGET delassus-cli)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH _bin_to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(delassus-cli delassus-bench PROPERTIES INSTALL_RPATH "$ORIGIN/${_bin_to_lib}")
  endif()
  install(TARGETS delassus-cli COMPONENT command)
  install(TARGETS delassus-bench COMPONENT command OPTIONAL) # `make build` leaves it out
  if(TARGET delassus-mpi)
    install(TARGETS delassus-mpi COMPONENT command)
  endif()
  if(TARGET delassus-cli-share)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/share/" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}" COMPONENT command)
  endif()
endif()
if(BUILD_SHARED_LIBS)
  foreach(_library core io generate simulation batch ${_cuda} c)
    get_target_property(_type delassus_${_library} TYPE)
    if(NOT _type STREQUAL "INTERFACE_LIBRARY")
      set_target_properties(delassus_${_library} PROPERTIES INSTALL_RPATH "$ORIGIN")
    endif()
  endforeach()
endif()

# A static library does not carry what it was linked with, so its users link pugixml, fmt, zlib, oneTBB and Bullet; the
# shared library has them as its own dependencies and its users need not even have their headers.
set(DELASSUS_STATIC ON)
set(DELASSUS_LINKS_BULLET ${DELASSUS_HAS_BULLET})
if(BUILD_SHARED_LIBS)
  set(DELASSUS_STATIC OFF)
  set(DELASSUS_LINKS_BULLET OFF)
endif()

configure_package_config_file(cmake/delassus-config.cmake.in "${PROJECT_BINARY_DIR}/delassus-config.cmake"
                              INSTALL_DESTINATION "${_cmake_dir}")
if(DELASSUS_LINKS_BULLET)
  install(FILES cmake/Bullet.cmake DESTINATION "${_cmake_dir}" RENAME delassus-bullet.cmake COMPONENT development)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/delassus-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/delassus-config.cmake"
              "${PROJECT_BINARY_DIR}/delassus-config-version.cmake" DESTINATION "${_cmake_dir}"
        COMPONENT development)

# pkg-config. Paths relative to the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH DELASSUS_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH DELASSUS_PC_LIBDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH DELASSUS_PC_INCLUDEDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")

# delassus_pkg_config(<name> <description> LIBRARIES <library>... [REQUIRES <package>...] [LINK <option>...]): the libraries
# in link order, users before those they use.
function(delassus_pkg_config name description)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES;REQUIRES;LINK")
  set(DELASSUS_PC_NAME "${name}")
  set(DELASSUS_PC_DESCRIPTION "${description}")
  list(TRANSFORM arg_LIBRARIES PREPEND -ldelassus_)
  list(JOIN arg_REQUIRES " " DELASSUS_PC_REQUIRES)
  string(JOIN " " DELASSUS_PC_LIBS ${arg_LIBRARIES} ${arg_LINK})
  configure_file(cmake/delassus.pc.in "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endfunction()

set(_c_description "C interface of ${PROJECT_NAME}")
if(BUILD_SHARED_LIBS)
  delassus_pkg_config(delassus "${PROJECT_DESCRIPTION}" LIBRARIES ${_cuda} batch simulation generate io core)
  delassus_pkg_config(delassus-c "${_c_description}" LIBRARIES c)
else()
  # Not through Bullet's own file, which brings all of its libraries and defines its precision for whoever uses them.
  set(_bullet "")
  list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE _dl)
  if(DELASSUS_LINKS_BULLET)
    set(_bullet -lBulletCollision-float64 -lLinearMath-float64)
  endif()
  delassus_pkg_config(delassus "${PROJECT_DESCRIPTION}" LIBRARIES ${_cuda} batch simulation generate io core REQUIRES pugixml fmt zlib tbb
                      LINK ${_bullet} ${_dl})
  # A compiler of C does not link the runtime of C++ by itself.
  delassus_pkg_config(delassus-c "${_c_description}" LIBRARIES c simulation io core REQUIRES pugixml fmt zlib
                      LINK ${_bullet} -lstdc++ -lm)
endif()
