# Pinocchio, to compare with where it is (not packaged by Debian; CMAKE_PREFIX_PATH names where it is installed). Then there is a
# target delassus_pinocchio: bench/peers/robot_pinocchio.cpp, which sources named *_pinocchio.cpp use.
#
# It is compiled from Pinocchio's headers alone, for the processor that this library is compiled for, however the installed
# library was built; and without the flags that suit our kernels.
if(NOT TARGET delassus_pinocchio)
  find_package(pinocchio 3 QUIET CONFIG)
  if(TARGET pinocchio::pinocchio_headers)
    add_library(delassus_pinocchio STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/bench/peers/robot_pinocchio.cpp")
    set_target_properties(delassus_pinocchio PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
    target_compile_features(delassus_pinocchio PRIVATE cxx_std_20)
    delassus_warnings(delassus_pinocchio)
    # Its calls on constraints say that they may change.
    target_compile_options(delassus_pinocchio PRIVATE -Wno-deprecated-declarations)
    if(DELASSUS_ARCH)
      target_compile_options(delassus_pinocchio PRIVATE "-march=${DELASSUS_ARCH}")
    endif()
    target_include_directories(delassus_pinocchio PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
    target_link_libraries(delassus_pinocchio PRIVATE pinocchio::pinocchio_headers PUBLIC Eigen3::Eigen)
  endif()
endif()
