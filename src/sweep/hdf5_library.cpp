#if defined(DELASSUS_HAS_HDF5) && DELASSUS_HAS_HDF5
#include "sweep/hdf5_library.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

constexpr const char* kAdvice = "install libhdf5 (Debian: libhdf5-103-1), or give the results a name that ends in .npz";

/// What has a name in the library; null where it has none of that name.
template <class Function>
void look_up(void* library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(dlsym(library, name));
}

template <class Function>
void take(void* library, const char* name, Function& out) {
  look_up(library, name, out);
  if (out == nullptr) throw Error(fmt::format("{} has no {}; {}", DELASSUS_HDF5_LIBRARY, name, kAdvice));
}

void take_value(void* library, const char* name, hid_t& out) {
  hid_t* place = nullptr;
  take(library, name, place);
  out = *place;
}

void take_general(void* library, Hdf5Table& out) {
  take(library, "H5open", out.open);
  take(library, "H5get_libversion", out.version);
  take(library, "H5free_memory", out.free_memory);
  take(library, "H5Eset_auto2", out.set_error_printer);
  take(library, "H5Ewalk2", out.walk_errors);
  take(library, "H5Pcreate", out.create_properties);
  take(library, "H5Pclose", out.close_properties);
  take(library, "H5Pset_layout", out.set_layout);
  take(library, "H5Pset_alloc_time", out.set_allocation_time);
  take(library, "H5Pset_fill_time", out.set_fill_time);
  take(library, "H5Pset_obj_track_times", out.set_times);
  take(library, "H5FDregister", out.register_driver);
  take(library, "H5Pset_driver", out.set_driver);
  take(library, "H5Pget_driver_info", out.driver_information);
  look_up(library, "H5Pset_file_locking", out.set_file_locking);
}

void take_objects(void* library, Hdf5Table& out) {
  take(library, "H5Fcreate", out.create_file);
  take(library, "H5Fopen", out.open_file);
  take(library, "H5Fclose", out.close_file);
  take(library, "H5Gcreate2", out.create_group);
  take(library, "H5Gclose", out.close_group);
  take(library, "H5Dcreate2", out.create_dataset);
  take(library, "H5Dwrite", out.write_dataset);
  take(library, "H5Dclose", out.close_dataset);
  take(library, "H5Acreate2", out.create_attribute);
  take(library, "H5Awrite", out.write_attribute);
  take(library, "H5Aexists", out.has_attribute);
  take(library, "H5Aopen", out.open_attribute);
  take(library, "H5Aread", out.read_attribute);
  take(library, "H5Aget_type", out.type_of_attribute);
  take(library, "H5Aget_space", out.space_of_attribute);
  take(library, "H5Aclose", out.close_attribute);
}

void take_descriptions(void* library, Hdf5Table& out) {
  take(library, "H5Screate", out.create_space);
  take(library, "H5Screate_simple", out.create_simple_space);
  take(library, "H5Sselect_hyperslab", out.select_hyperslab);
  take(library, "H5Sget_simple_extent_npoints", out.count_points);
  take(library, "H5Sclose", out.close_space);
  take(library, "H5Tcopy", out.copy_type);
  take(library, "H5Tset_size", out.set_size);
  take(library, "H5Tset_cset", out.set_encoding);
  take(library, "H5Tset_strpad", out.set_padding);
  take(library, "H5Tis_variable_str", out.is_variable_string);
  take(library, "H5Tclose", out.close_type);
}

/// They have values once the library is open.
void take_values(void* library, Hdf5Table& out) {
  take_value(library, "H5P_CLS_FILE_CREATE_ID_g", out.file_creation);
  take_value(library, "H5P_CLS_FILE_ACCESS_ID_g", out.file_access);
  take_value(library, "H5P_CLS_GROUP_CREATE_ID_g", out.group_creation);
  take_value(library, "H5P_CLS_DATASET_CREATE_ID_g", out.dataset_creation);
  take_value(library, "H5T_C_S1_g", out.string);
  take_value(library, "H5T_IEEE_F64LE_g", out.float64);
  take_value(library, "H5T_STD_I64LE_g", out.int64);
  take_value(library, "H5T_NATIVE_DOUBLE_g", out.own_float64);
  take_value(library, "H5T_NATIVE_INT64_g", out.own_int64);
}

/// What the headers say of types and constants holds for one minor version.
void require_version(const Hdf5Table& table) {
  unsigned major = 0, minor = 0, release = 0;
  table.version(&major, &minor, &release);
  if (major == H5_VERS_MAJOR && minor == H5_VERS_MINOR) return;
  throw Error(fmt::format("{} is HDF5 {}.{}.{}, and this build is made for {}.{}; {}", DELASSUS_HDF5_LIBRARY, major,
                          minor, release, H5_VERS_MAJOR, H5_VERS_MINOR, kAdvice));
}

Hdf5Table load() {
  void* const library = dlopen(DELASSUS_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error(fmt::format("HDF5 cannot be loaded: {}; {}", dlerror(), kAdvice));
  Hdf5Table out;
  take_general(library, out);
  take_objects(library, out);
  take_descriptions(library, out);
  require_version(out);
  if (out.open() < 0) throw Error(fmt::format("{} does not start; {}", DELASSUS_HDF5_LIBRARY, kAdvice));
  take_values(library, out);
  out.set_error_printer(H5E_DEFAULT, nullptr, nullptr);  // what fails is said by an Error
  return out;
}

const Hdf5Table& loaded() {
  static const Hdf5Table kTable = load();
  return kTable;
}

/// Recursive, since what is open is closed wherever an Error passes.
std::recursive_mutex& mutex() {
  static std::recursive_mutex one;
  return one;
}

/// Takes the innermost of the descriptions.
herr_t take_reason(unsigned depth, const H5E_error2_t* error, void* out) {
  if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
  return 0;
}

}  // namespace

Hdf5::Hdf5() : lock_(mutex()), table_(&loaded()) {}

std::string Hdf5::reason() const {
  std::string out;
  table_->walk_errors(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &out);
  return out.empty() ? "HDF5 does not say why" : "HDF5 says: " + out;
}

Hdf5Id::~Hdf5Id() { close(); }

herr_t Hdf5Id::close() {
  if (id_ < 0) return 0;
  const std::unique_lock<std::recursive_mutex> lock(mutex());
  return close_(std::exchange(id_, -1));
}

}  // namespace delassus
#endif
