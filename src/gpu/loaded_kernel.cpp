#include "gpu/loaded_kernel.hpp"

#include <array>
#include <utility>

#include "gpu/kernel_text.hpp"

namespace delassus::gpu {
namespace {

// Of CUfunction_attribute, and what a block has without asking.
constexpr int kMostShared = 8;
constexpr std::size_t kSharedWithoutAsking = 48 * 1024;

}  // namespace

LoadedKernel::LoadedKernel(std::shared_ptr<const Device::Parts> device, const std::string& code, std::size_t shared)
    : device_(std::move(device)), shared_(static_cast<unsigned>(shared)) {
  const Current current(*device_);
  require_done(driver().load_module(&module_, code.data()), "loading a kernel on " + device_->name);
  require_done(driver().get_function(&function_, module_, kKernelName), "finding a kernel");
  if (shared > kSharedWithoutAsking) {
    require_done(driver().set_function_attribute(function_, kMostShared, static_cast<int>(shared)),
                 "reserving " + std::to_string(shared) + " bytes of shared memory for the robot's numbers");
  }
}

LoadedKernel::LoadedKernel(LoadedKernel&& other) noexcept
    : device_(std::move(other.device_)),
      module_(std::exchange(other.module_, nullptr)),
      function_(other.function_),
      shared_(other.shared_) {}

LoadedKernel::~LoadedKernel() {
  if (module_ == nullptr) return;
  const Current current(*device_);
  driver().unload_module(module_);
}

void LoadedKernel::start(void* arguments, long long threads, Stream stream) const {
  const Current current(*device_);
  std::array<void*, 1> list{arguments};
  const auto blocks = static_cast<unsigned>((threads + kBlockThreads - 1) / kBlockThreads);
  require_done(driver().launch(function_, blocks, 1, 1, kBlockThreads, 1, 1, shared_, stream, list.data(), nullptr),
               "starting a kernel");
}

}  // namespace delassus::gpu
