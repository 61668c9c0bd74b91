// A kernel on a device, ready to be started.
#pragma once

#include <string>

#include "gpu/device_parts.hpp"
#include "gpu/kernel/arguments.hpp"

namespace delassus::gpu {

class LoadedKernel {
 public:
  /// `shared`: bytes of shared memory that each block needs.
  LoadedKernel(std::shared_ptr<const Device::Parts> device, const std::string& code, std::size_t shared);
  LoadedKernel(LoadedKernel&& other) noexcept;
  LoadedKernel& operator=(LoadedKernel&&) = delete;
  ~LoadedKernel();

  /// `arguments`: an Arguments<T>, which is copied. For `threads` threads at least.
  void start(void* arguments, long long threads, Stream stream) const;

 private:
  std::shared_ptr<const Device::Parts> device_;
  ModuleHandle module_ = nullptr;
  FunctionHandle function_ = nullptr;
  unsigned shared_;
};

}  // namespace delassus::gpu
