#if defined(DELASSUS_HAS_HDF5) && DELASSUS_HAS_HDF5
#include "sweep/hdf5_device.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus {

Hdf5Device::Hdf5Device(const std::string& path) : file_(::open(path.c_str(), O_RDWR | O_TRUNC | O_CLOEXEC)) {
  struct stat about {};
  if (file_ >= 0 && fstat(file_, &about) == 0 && S_ISREG(about.st_mode)) return;
  if (file_ >= 0) ::close(file_);
  throw Error("HDF5 cannot be written to " + in_quotes(path) +
              ": it needs a regular file that may be read and written");
}

Hdf5Device::~Hdf5Device() { ::close(file_); }

void Hdf5Device::write(std::uint64_t place, const char* bytes, std::size_t size) {
  size_ = std::max(size_, place + size);
  while (size > 0 && failure_ == 0) {
    const ssize_t written = pwrite(file_, bytes, size, static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      failure_ = written < 0 ? errno : ENOSPC;
      return;
    }
    bytes += written;
    place += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void Hdf5Device::read(std::uint64_t place, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t got = pread(file_, bytes, size, static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && failure_ == 0) failure_ = errno;
    if (got <= 0) break;
    bytes += got;
    place += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  std::fill_n(bytes, size, '\0');
}

void Hdf5Device::resize(std::uint64_t size) {
  if (failure_ == 0 && size != size_ && ftruncate(file_, static_cast<off_t>(size)) != 0) failure_ = errno;
  size_ = size;
}

// ------------------------------------------------------------------------------------- the driver of HDF5

namespace {

constexpr const char* kDriverName = "delassus";
constexpr haddr_t kMostPlace = std::numeric_limits<std::int64_t>::max();

/// What the properties of a file have for the driver.
struct DevicePlace {
  Hdf5Device* device;
};

/// A file that is open. HDF5 knows the first part of it.
struct OpenFile {
  H5FD_t base{};
  Hdf5Device* device = nullptr;
  haddr_t end = 0;  // of what HDF5 has given away
};

OpenFile& of(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& of(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

H5FD_t* open_device(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*most*/) {
  const Hdf5 hdf5;
  const void* const place = hdf5->driver_information(access);
  if (place == nullptr) return nullptr;
  auto out = std::make_unique<OpenFile>();
  out->device = static_cast<const DevicePlace*>(place)->device;
  return &out.release()->base;
}

herr_t close_device(H5FD_t* file) {
  const std::unique_ptr<OpenFile> ends(&of(file));
  return 0;
}

/// As the library's own driver of files, so that it can read them.
herr_t say_features(const H5FD_t* /*file*/, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t given_end(const H5FD_t* file, H5FD_mem_t /*kind*/) { return of(file).end; }
herr_t set_given_end(H5FD_t* file, H5FD_mem_t /*kind*/, haddr_t end) {
  of(file).end = end;
  return 0;
}
haddr_t written_end(const H5FD_t* file, H5FD_mem_t /*kind*/) { return of(file).device->size(); }

herr_t read_device(H5FD_t* file, H5FD_mem_t /*kind*/, hid_t /*how*/, haddr_t place, std::size_t size, void* out) {
  of(file).device->read(place, static_cast<char*>(out), size);
  return 0;
}
herr_t write_device(H5FD_t* file, H5FD_mem_t /*kind*/, hid_t /*how*/, haddr_t place, std::size_t size,
                    const void* bytes) {
  of(file).device->write(place, static_cast<const char*>(bytes), size);
  return 0;
}
herr_t truncate_device(H5FD_t* file, hid_t /*how*/, hbool_t /*closing*/) {
  of(file).device->resize(of(file).end);
  return 0;
}

H5FD_class_t driver() {
  H5FD_class_t out{};
#ifdef H5FD_CLASS_VERSION
  out.version = H5FD_CLASS_VERSION;
  out.value = 600;  // any that the library does not have
#endif
  out.name = kDriverName;
  out.maxaddr = kMostPlace;
  out.fc_degree = H5F_CLOSE_WEAK;
  out.fapl_size = sizeof(DevicePlace);
  out.open = open_device;
  out.close = close_device;
  out.query = say_features;
  out.get_eoa = given_end;
  out.set_eoa = set_given_end;
  out.get_eof = written_end;
  out.read = read_device;
  out.write = write_device;
  out.truncate = truncate_device;
  constexpr H5FD_mem_t kKinds[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kKinds), std::end(kKinds), std::begin(out.fl_map));
  return out;
}

}  // namespace

herr_t Hdf5Device::use_for(const Hdf5& hdf5, hid_t access) {
  static const H5FD_class_t kDriver = driver();
  static const hid_t kId = hdf5->register_driver(&kDriver);
  const DevicePlace place{this};
  return hdf5->set_driver(access, kId, &place);
}

}  // namespace delassus
#endif
