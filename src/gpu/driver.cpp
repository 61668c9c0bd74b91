#include "gpu/driver.hpp"

#include "delassus/math/error.hpp"
#include "gpu/shared_library.hpp"

namespace delassus::gpu {
namespace {

struct OpenedDriver {
  DriverTable table{};
  std::string fault;

  OpenedDriver() {
    void* library = open_library({"libcuda.so.1"});
    if (library == nullptr) {
      fault =
          "the driver of CUDA (libcuda.so.1) was not found; install NVIDIA's driver, or run on the CPU "
          "(delassus::Batch)";
      return;
    }
    std::string missing;
    take_all(library, missing);
    if (!missing.empty()) {
      fault = "the driver of CUDA has no " + missing + "; install a newer one";
      return;
    }
    if (const int code = table.start(0); code != 0) fault = "the driver of CUDA does not start: " + text_of(code);
  }

  std::string text_of(int code) const {
    const char *name = nullptr, *text = nullptr;
    table.get_error_name(code, &name);
    table.get_error_text(code, &text);
    return (name != nullptr ? std::string(name) : "code " + std::to_string(code)) +
           (text != nullptr ? std::string(", ") + text : "");
  }

 private:
  void take_all(void* l, std::string& missing) {
    DriverTable& t = table;
    take(l, "cuInit", t.start, missing);
    take(l, "cuDeviceGetCount", t.count_devices, missing);
    take(l, "cuDeviceGet", t.get_device, missing);
    take(l, "cuDeviceGetName", t.get_name, missing);
    take(l, "cuDeviceGetAttribute", t.get_attribute, missing);
    take(l, "cuDeviceTotalMem_v2", t.get_memory, missing);
    take(l, "cuDevicePrimaryCtxRetain", t.retain_context, missing);
    take(l, "cuDevicePrimaryCtxRelease_v2", t.release_context, missing);
    take(l, "cuCtxPushCurrent_v2", t.push_context, missing);
    take(l, "cuCtxPopCurrent_v2", t.pop_context, missing);
    take(l, "cuCtxSynchronize", t.synchronize, missing);
    take(l, "cuMemAlloc_v2", t.allocate, missing);
    take(l, "cuMemFree_v2", t.free, missing);
    take(l, "cuMemcpyHtoD_v2", t.to_device, missing);
    take(l, "cuMemcpyDtoH_v2", t.to_host, missing);
    take(l, "cuModuleLoadData", t.load_module, missing);
    take(l, "cuModuleUnload", t.unload_module, missing);
    take(l, "cuModuleGetFunction", t.get_function, missing);
    take(l, "cuFuncSetAttribute", t.set_function_attribute, missing);
    take(l, "cuLaunchKernel", t.launch, missing);
    take(l, "cuStreamSynchronize", t.synchronize_stream, missing);
    take(l, "cuGetErrorName", t.get_error_name, missing);
    take(l, "cuGetErrorString", t.get_error_text, missing);
  }
};

const OpenedDriver& opened() {
  static const OpenedDriver kDriver;
  return kDriver;
}

}  // namespace

std::string driver_fault() { return opened().fault; }

const DriverTable& driver() {
  if (!opened().fault.empty()) throw Error(opened().fault);
  return opened().table;
}

void require_done(int code, const std::string& what) {
  if (code != 0) throw Error(what + " failed: " + opened().text_of(code));
}

}  // namespace delassus::gpu
