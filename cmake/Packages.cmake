# Debian packages of an installed tree, by CPack: `make deb`, or the target `package` of a tree like that of the preset `deb`.
#
#   libdelassus0.1    shared libraries; named after their SONAMEs, so that two binary interfaces can be installed together
#   libdelassus-dev   headers, CMake package, pkg-config files
#   delassus          the command, its manual page and completions
#   python3-delassus  the Python package
if(NOT PROJECT_IS_TOP_LEVEL OR NOT BUILD_SHARED_LIBS)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ${PROJECT_NAME})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON) # with the same version
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Who answers for the packages is who builds them; the variables are those of Debian's own tools.
set(_name "$ENV{DEBFULLNAME}")
set(_mail "$ENV{DEBEMAIL}")
if(NOT _name)
  set(_name "local build of delassus")
endif()
if(NOT _mail)
  set(_mail "nobody@localhost")
endif()
set(CPACK_PACKAGE_CONTACT "${_name} <${_mail}>")

# delassus_deb(<component> <package> <section> <summary> [DEPENDS <component>...] [PACKAGES <dependency>...] TEXT <line>...)
macro(delassus_deb component package section summary)
  cmake_parse_arguments(_arg "" "" "DEPENDS;PACKAGES;TEXT" ${ARGN})
  string(TOUPPER "${component}" _key)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  list(JOIN _arg_PACKAGES ", " _packages)
  # The first line of a description is its summary.
  list(JOIN _arg_TEXT "\n" _text)
  set(CPACK_DEBIAN_${_key}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${_key}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${_key}_PACKAGE_DEPENDS "${_packages}")
  set(CPACK_COMPONENT_${_key}_DESCRIPTION "${summary}\n${_text}")
  set(CPACK_COMPONENT_${_key}_DEPENDS ${_arg_DEPENDS})
endmacro()

set(_about "For rigid-body robots with contacts, loops and limits: the Delassus matrix"
           "J M^-1 J^T by every published algorithm, operators that never form it,"
           "constrained dynamics, contact forces with Coulomb friction, and a simulator.")
set(CPACK_COMPONENTS_ALL "")
set(_abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
delassus_deb(libraries libdelassus${_abi} libs "robots in contact by their Delassus matrices - shared libraries"
             TEXT ${_about} "This package has the libraries for C++ and C.")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/deb/triggers")
delassus_deb(development libdelassus-dev libdevel "robots in contact by their Delassus matrices - development files"
             DEPENDS libraries TEXT ${_about} "This package has headers for C++ and C, the CMake package and pkg-config files.")
if(TARGET delassus-cli)
  delassus_deb(command delassus science "robots in contact by their Delassus matrices - command" DEPENDS libraries
               TEXT ${_about} "This package has the command delassus, and delassus-bench, which measures.")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS python3-matplotlib)
endif()
if(DELASSUS_PYTHON_DIR)
  # The module is compiled for one minor version of Python, which python/ has found in a scope of its own.
  find_package(Python 3.9 REQUIRED COMPONENTS Interpreter)
  math(EXPR _next "${Python_VERSION_MINOR} + 1")
  delassus_deb(python python3-delassus python "robots in contact by their Delassus matrices - Python package" DEPENDS libraries
               PACKAGES "python3 (>= 3.${Python_VERSION_MINOR})" "python3 (<< 3.${_next})" python3-numpy
               TEXT ${_about} "This package has the module delassus for Python 3.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/deb/postinst"
                                                "${PROJECT_SOURCE_DIR}/cmake/deb/prerm")
endif()

# What Debian asks of every package beside its files.
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/deb/finish.cmake")
set(CPACK_DELASSUS_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
include(CPack)
