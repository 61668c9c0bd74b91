// A driver of CUDA and an NVRTC for machines without a card, as far as the library calls them. Memory of the device is that of the host,
// machine code is the kernel's text, and starting a kernel calls who set delassus_fake_launcher.
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using Launcher = void (*)(const char* text, const void* arguments);
Launcher launcher = nullptr;
int contexts = 0;  // that are entered

int copy(void* to, const void* from, std::size_t bytes) {
  if (contexts == 0) return 201;  // CUDA_ERROR_INVALID_CONTEXT
  std::memcpy(to, from, bytes);
  return 0;
}

}  // namespace

// Names are those of CUDA.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void delassus_set_fake_launcher(Launcher f) { launcher = f; }

int cuInit(unsigned) { return 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetName(char* name, int, int) { return std::strcpy(name, "a card that is none"), 0; }
int cuDeviceGetAttribute(int* value, int which, int) { return *value = which == 75 ? 9 : 0, 0; }
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = std::size_t{1} << 30U, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &contexts, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxPushCurrent_v2(void*) { return ++contexts, 0; }
int cuCtxPopCurrent_v2(void**) { return --contexts, 0; }
int cuCtxSynchronize() { return 0; }
int cuStreamSynchronize(void*) { return 0; }
int cuMemAlloc_v2(void** place, std::size_t bytes) {
  if (contexts == 0) return 201;
  return *place = std::malloc(bytes), 0;  // NOLINT: as a driver does
}
int cuMemFree_v2(void* place) { return std::free(place), 0; }  // NOLINT
int cuMemcpyHtoD_v2(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes); }
int cuMemcpyDtoH_v2(void* to, void* from, std::size_t bytes) { return copy(to, from, bytes); }
int cuModuleLoadData(void** module, const void* text) {
  return *module = new std::string(static_cast<const char*>(text)), 0;  // NOLINT
}
int cuModuleUnload(void* module) { return delete static_cast<std::string*>(module), 0; }  // NOLINT
int cuModuleGetFunction(void** function, void* module, const char*) { return *function = module, 0; }
int cuFuncSetAttribute(void*, int, int) { return 0; }
int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                   void*, void** arguments, void**) {
  if (contexts == 0 || blocks == 0 || threads == 0) return 1;
  return launcher(static_cast<std::string*>(function)->c_str(), arguments[0]), 0;
}
int cuGetErrorName(int, const char** name) { return *name = "CUDA_ERROR", 0; }
int cuGetErrorString(int, const char** text) { return *text = "an error of a card that is none", 0; }

int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 99, 0; }
int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*, const char* const*) {
  return *program = new std::string(text), 0;  // NOLINT
}
int nvrtcDestroyProgram(void** program) { return delete static_cast<std::string*>(*program), 0; }  // NOLINT
int nvrtcCompileProgram(void*, int, const char* const*) { return 0; }
int nvrtcGetCUBINSize(void* program, std::size_t* size) {
  return *size = static_cast<std::string*>(program)->size() + 1, 0;
}
int nvrtcGetCUBIN(void* program, char* code) {
  return std::strcpy(code, static_cast<std::string*>(program)->c_str()), 0;
}
int nvrtcGetProgramLogSize(void*, std::size_t* size) { return *size = 1, 0; }
int nvrtcGetProgramLog(void*, char* log) { return *log = '\0', 0; }
const char* nvrtcGetErrorString(int) { return "an error"; }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
