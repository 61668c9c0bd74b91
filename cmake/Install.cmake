# Install rules: headers, libraries, the command with its manual page and completions, the CMake package and the pkg-config file.
include(CMakePackageConfigHelpers)

set(_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/delassus")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
foreach(_notice LICENSE NOTICE)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${_notice}")
    install(FILES "${PROJECT_SOURCE_DIR}/${_notice}" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/licenses" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(TARGETS delassus_core delassus_io delassus_simulation delassus_batch delassus_all EXPORT delassus-targets)
install(EXPORT delassus-targets NAMESPACE delassus:: DESTINATION "${_cmake_dir}")
if(TARGET delassus-cli)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH _bin_to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_target_properties(delassus-cli PROPERTIES INSTALL_RPATH "$ORIGIN/${_bin_to_lib}")
  endif()
  install(TARGETS delassus-cli)
  if(TARGET delassus-cli-share)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/share/" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}")
  endif()
endif()
if(BUILD_SHARED_LIBS)
  foreach(_library core io simulation batch)
    get_target_property(_type delassus_${_library} TYPE)
    if(NOT _type STREQUAL "INTERFACE_LIBRARY")
      set_target_properties(delassus_${_library} PROPERTIES INSTALL_RPATH "$ORIGIN")
    endif()
  endforeach()
endif()

# A static library does not carry what it was linked with, so its users link pugixml, fmt, oneTBB and Bullet; the
# shared library has them as its own dependencies and its users need not even have their headers.
set(DELASSUS_STATIC ON)
set(DELASSUS_PC_REQUIRES "pugixml fmt tbb")
set(DELASSUS_LINKS_BULLET ${DELASSUS_HAS_BULLET})
if(BUILD_SHARED_LIBS)
  set(DELASSUS_STATIC OFF)
  set(DELASSUS_PC_REQUIRES "")
  set(DELASSUS_LINKS_BULLET OFF)
endif()

configure_package_config_file(cmake/delassus-config.cmake.in "${PROJECT_BINARY_DIR}/delassus-config.cmake"
                              INSTALL_DESTINATION "${_cmake_dir}")
if(DELASSUS_LINKS_BULLET)
  install(FILES cmake/Bullet.cmake DESTINATION "${_cmake_dir}" RENAME delassus-bullet.cmake)
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/delassus-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/delassus-config.cmake"
              "${PROJECT_BINARY_DIR}/delassus-config-version.cmake" DESTINATION "${_cmake_dir}")

# pkg-config: the libraries in link order, users before those they use.
set(DELASSUS_PC_LIBS "")
foreach(_library batch simulation io core)
  get_target_property(_type delassus_${_library} TYPE)
  if(NOT _type STREQUAL "INTERFACE_LIBRARY")
    string(APPEND DELASSUS_PC_LIBS " -ldelassus_${_library}")
  endif()
endforeach()
if(DELASSUS_LINKS_BULLET)
  # Not through Bullet's own file, which brings all of its libraries and defines its precision for whoever uses them.
  string(APPEND DELASSUS_PC_LIBS " -lBulletCollision-float64 -lLinearMath-float64")
endif()
# Paths relative to the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH DELASSUS_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH DELASSUS_PC_LIBDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH DELASSUS_PC_INCLUDEDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
configure_file(cmake/delassus.pc.in "${PROJECT_BINARY_DIR}/delassus.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/delassus.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
