#include <array>

#include "gpu/device_parts.hpp"

namespace delassus::gpu {
namespace {

// Of CUdevice_attribute.
constexpr int kMajor = 75, kMinor = 76;

int attribute(int which, DeviceHandle device) {
  int value = 0;
  require_done(driver().get_attribute(&value, which, device), "asking a device what it is");
  return value;
}

}  // namespace

Device::Parts::Parts(int which) : index(which) {
  const DriverTable& d = driver();
  const int devices = Device::count();
  if (which < 0 || which >= devices) {
    throw Error("argument 'index' is " + std::to_string(which) + ", and there are " + std::to_string(devices) +
                " devices of CUDA");
  }
  require_done(d.get_device(&handle, which), "opening device " + std::to_string(which));
  std::array<char, 256> text{};
  require_done(d.get_name(text.data(), static_cast<int>(text.size()), handle), "asking a device for its name");
  name = text.data();
  architecture = "sm_" + std::to_string(10 * attribute(kMajor, handle) + attribute(kMinor, handle));
  require_done(d.get_memory(&memory, handle), "asking a device for its memory");
  require_done(d.retain_context(&context, handle), "starting device " + std::to_string(which));
}

Device::Parts::~Parts() { driver().release_context(handle); }

Device::Device(int index) : parts_(std::make_shared<const Parts>(index)) {}

int Device::count() {
  int n = 0;
  if (!driver_fault().empty()) return 0;
  require_done(driver().count_devices(&n), "counting devices");
  return n;
}

int Device::index() const { return parts_->index; }
const std::string& Device::name() const { return parts_->name; }
const std::string& Device::architecture() const { return parts_->architecture; }
std::size_t Device::memory_bytes() const { return parts_->memory; }

void Device::synchronize() const {
  const Current current(*parts_);
  require_done(driver().synchronize(), "work on " + parts_->name);
}

}  // namespace delassus::gpu
