# Pinocchio, to compare with where it is (not packaged by Debian; CMAKE_PREFIX_PATH names where it is installed). Sources named
# *_pinocchio.cpp need it. Its headers alone: what they define is compiled here, with the flags of the target that uses them.
if(NOT TARGET delassus_pinocchio)
  find_package(pinocchio 3 QUIET CONFIG)
  if(TARGET pinocchio::pinocchio_headers)
    add_library(delassus_pinocchio INTERFACE)
    get_target_property(_folders pinocchio::pinocchio_headers INTERFACE_INCLUDE_DIRECTORIES)
    target_include_directories(delassus_pinocchio SYSTEM INTERFACE ${_folders})
    target_link_libraries(delassus_pinocchio INTERFACE pinocchio::pinocchio_headers Eigen3::Eigen)
    # Its calls on constraints say that they may change.
    target_compile_options(delassus_pinocchio INTERFACE -Wno-deprecated-declarations)
  endif()
endif()
