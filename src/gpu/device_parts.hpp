// What a Device is: a primary context of the driver, kept until nobody has it any more.
#pragma once

#include <memory>
#include <string>

#include "delassus/gpu/gpu.hpp"
#include "gpu/driver.hpp"

namespace delassus::gpu {

class Device::Parts {
 public:
  explicit Parts(int index);
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  int index;
  DeviceHandle handle = 0;
  ContextHandle context = nullptr;
  std::string name, architecture;
  std::size_t memory = 0;
};

/// The device's context is current on this thread for a scope.
class Current {
 public:
  explicit Current(const Device::Parts& device) {
    require_done(driver().push_context(device.context), "entering a device's context");
  }
  ~Current() {
    ContextHandle left = nullptr;
    driver().pop_context(&left);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
};

}  // namespace delassus::gpu
