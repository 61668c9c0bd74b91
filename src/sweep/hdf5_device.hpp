// A file as HDF5 writes it through us, by a driver of ours. The library's own cannot be used: where a disk is full it can neither close the file nor forget it,
// and ends the process by a signal when that exits.
#pragma once

#include <cstdint>
#include <string>

#include "sweep/hdf5_library.hpp"

namespace delassus {

/// Must outlive the file of HDF5 that is created on it. From the first failure on it writes nothing more and lets HDF5 believe that it did, so that all is closed
/// in order; the one who writes asks for the failure.
class Hdf5Device {
 public:
  /// Throws an Error if the file, which is there, cannot be written at any place.
  explicit Hdf5Device(const std::string& path);
  ~Hdf5Device();
  Hdf5Device(const Hdf5Device&) = delete;
  Hdf5Device& operator=(const Hdf5Device&) = delete;

  /// For a file that is created with these properties. A negative number where that failed.
  herr_t use_for(const Hdf5& hdf5, hid_t access);
  /// What the system said first, as errno has it; 0: all was written.
  int failure() const { return failure_; }

  void write(std::uint64_t place, const char* bytes, std::size_t size);
  /// What was never written is zeros.
  void read(std::uint64_t place, char* bytes, std::size_t size);
  void resize(std::uint64_t size);
  std::uint64_t size() const { return size_; }

 private:
  int file_ = -1, failure_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace delassus
