# HDF5 for the results of sweeps (Debian: libhdf5-dev). Its headers are used, and the library is opened by its name when a file of it is written or read:
# with all that it needs it takes 7 ms to load. Sets DELASSUS_HAS_HDF5 to 1 or 0, DELASSUS_HDF5_INCLUDE_DIR and DELASSUS_HDF5_LIBRARY.
set(DELASSUS_HAS_HDF5 0)
set(DELASSUS_HDF5_LIBRARY "")
if(NOT DELASSUS_HDF5 STREQUAL "OFF")
  # The serial one first: Debian has one for each MPI beside it.
  find_path(DELASSUS_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(DELASSUS_HDF5_FILE NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
  mark_as_advanced(DELASSUS_HDF5_INCLUDE_DIR DELASSUS_HDF5_FILE)
  if(DELASSUS_HDF5_INCLUDE_DIR AND DELASSUS_HDF5_FILE)
    # libhdf5_serial.so leads to libhdf5_serial.so.103.3.1, and programs ask for libhdf5_serial.so.103.
    file(REAL_PATH "${DELASSUS_HDF5_FILE}" _file)
    get_filename_component(_file "${_file}" NAME)
    if(_file MATCHES "^(.*\\.so\\.[0-9]+)")
      set(DELASSUS_HDF5_LIBRARY "${CMAKE_MATCH_1}")
      set(DELASSUS_HAS_HDF5 1)
    endif()
  endif()
  if(NOT DELASSUS_HAS_HDF5 AND DELASSUS_HDF5 STREQUAL "ON")
    message(FATAL_ERROR "DELASSUS_HDF5=ON, and there are no headers of HDF5 or no shared library (Debian: libhdf5-dev)")
  endif()
endif()
