// HDF5, opened when a file of it is first written or read: with all that it needs, Debian's takes 7 ms to load, which every start of the command
// would pay if it were linked. Include this only where DELASSUS_HAS_HDF5 is 1.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace delassus {

/// Functions of the library, and the values that its macros look up in it.
struct Hdf5Table {
  decltype(&H5open) open = nullptr;
  decltype(&H5get_libversion) version = nullptr;
  decltype(&H5free_memory) free_memory = nullptr;
  decltype(&H5Eset_auto2) set_error_printer = nullptr;
  decltype(&H5Ewalk2) walk_errors = nullptr;

  decltype(&H5Pcreate) create_properties = nullptr;
  decltype(&H5Pclose) close_properties = nullptr;
  decltype(&H5Pset_layout) set_layout = nullptr;
  decltype(&H5Pset_alloc_time) set_allocation_time = nullptr;
  decltype(&H5Pset_fill_time) set_fill_time = nullptr;
  decltype(&H5Pset_obj_track_times) set_times = nullptr;
  decltype(&H5FDregister) register_driver = nullptr;
  decltype(&H5Pset_driver) set_driver = nullptr;
  decltype(&H5Pget_driver_info) driver_information = nullptr;
  herr_t (*set_file_locking)(hid_t, hbool_t, hbool_t) = nullptr;  // null before 1.10.7 and in 1.12.0

  decltype(&H5Fcreate) create_file = nullptr;
  decltype(&H5Fopen) open_file = nullptr;
  decltype(&H5Fclose) close_file = nullptr;
  decltype(&H5Gcreate2) create_group = nullptr;
  decltype(&H5Gclose) close_group = nullptr;

  decltype(&H5Screate) create_space = nullptr;
  decltype(&H5Screate_simple) create_simple_space = nullptr;
  decltype(&H5Sselect_hyperslab) select_hyperslab = nullptr;
  decltype(&H5Sget_simple_extent_npoints) count_points = nullptr;
  decltype(&H5Sclose) close_space = nullptr;

  decltype(&H5Tcopy) copy_type = nullptr;
  decltype(&H5Tset_size) set_size = nullptr;
  decltype(&H5Tset_cset) set_encoding = nullptr;
  decltype(&H5Tset_strpad) set_padding = nullptr;
  decltype(&H5Tis_variable_str) is_variable_string = nullptr;
  decltype(&H5Tclose) close_type = nullptr;

  decltype(&H5Dcreate2) create_dataset = nullptr;
  decltype(&H5Dwrite) write_dataset = nullptr;
  decltype(&H5Dclose) close_dataset = nullptr;
  decltype(&H5Acreate2) create_attribute = nullptr;
  decltype(&H5Awrite) write_attribute = nullptr;
  decltype(&H5Aexists) has_attribute = nullptr;
  decltype(&H5Aopen) open_attribute = nullptr;
  decltype(&H5Aread) read_attribute = nullptr;
  decltype(&H5Aget_type) type_of_attribute = nullptr;
  decltype(&H5Aget_space) space_of_attribute = nullptr;
  decltype(&H5Aclose) close_attribute = nullptr;

  hid_t file_creation = -1, file_access = -1, group_creation = -1, dataset_creation = -1;  // classes of properties
  hid_t string = -1, float64 = -1, int64 = -1;                                             // types in files
  hid_t own_float64 = -1, own_int64 = -1;                                                  // types of this machine
};

/// While it lives, no other thread of ours uses the library, which is not made for several.
class Hdf5 {
 public:
  /// Throws an Error that says what to do where the library is not there, or is another one than this build knows.
  Hdf5();
  const Hdf5Table* operator->() const { return table_; }

  /// Why the last call failed, in the words of the library.
  std::string reason() const;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  const Hdf5Table* table_;
};

/// Something that the library opened, closed at the end.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close how) : id_(id), close_(how) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Hdf5Id(const Hdf5Id&) = delete;
  Hdf5Id& operator=(const Hdf5Id&) = delete;
  ~Hdf5Id();

  hid_t get() const { return id_; }
  /// A negative number where that failed.
  herr_t close();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace delassus
