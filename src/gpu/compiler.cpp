#include "gpu/compiler.hpp"

#include <cstdlib>

#include "delassus/math/error.hpp"
#include "gpu/kernel_text.hpp"
#include "gpu/shared_library.hpp"

namespace delassus::gpu {
namespace {

using Program = struct ProgramTag*;

struct OpenedCompiler {
  int (*version)(int*, int*);
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*destroy)(Program*);
  int (*compile)(Program, int, const char* const*);
  int (*get_code_size)(Program, std::size_t*);
  int (*get_code)(Program, char*);
  int (*get_log_size)(Program, std::size_t*);
  int (*get_log)(Program, char*);
  const char* (*text_of)(int);
  std::string fault;

  OpenedCompiler() {
    void* library = open_library(names());
    if (library == nullptr) {
      fault =
          "NVRTC (libnvrtc.so), which compiles kernels, was not found; install it with CUDA 12 or 13, or set CUDA_PATH "
          "to where it is";
      return;
    }
    take_all(library);
  }

 private:
  static std::vector<std::string> names() {
    std::vector<std::string> out{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    if (const char* path = std::getenv("CUDA_PATH")) out.push_back(std::string(path) + "/lib64/libnvrtc.so");
    out.emplace_back("/usr/local/cuda/lib64/libnvrtc.so");
    return out;
  }
  void take_all(void* library) {
    std::string missing;
    take(library, "nvrtcVersion", version, missing);
    take(library, "nvrtcCreateProgram", create, missing);
    take(library, "nvrtcDestroyProgram", destroy, missing);
    take(library, "nvrtcCompileProgram", compile, missing);
    take(library, "nvrtcGetCUBINSize", get_code_size, missing);
    take(library, "nvrtcGetCUBIN", get_code, missing);
    take(library, "nvrtcGetProgramLogSize", get_log_size, missing);
    take(library, "nvrtcGetProgramLog", get_log, missing);
    take(library, "nvrtcGetErrorString", text_of, missing);
    if (!missing.empty()) fault = "NVRTC has no " + missing + "; install that of CUDA 12 or 13";
  }
};

const OpenedCompiler& opened() {
  static const OpenedCompiler kCompiler;
  return kCompiler;
}
const OpenedCompiler& compiler() {
  if (!opened().fault.empty()) throw Error(opened().fault);
  return opened();
}

/// A program that is destroyed when it goes.
class Compilation {
 public:
  explicit Compilation(const std::string& text) {
    std::vector<std::string> names, sources;
    for (const EmbeddedFile& file : kernel_headers()) {
      names.push_back("gpu/kernel/" + std::string(file.name) + std::string(file.extension));
      sources.emplace_back(file.text);
    }
    std::vector<const char*> name_list, source_list;
    for (const std::string& s : names) name_list.push_back(s.c_str());
    for (const std::string& s : sources) source_list.push_back(s.c_str());
    require(compiler().create(&program_, text.c_str(), "delassus_kernel.cu", static_cast<int>(names.size()),
                              source_list.data(), name_list.data()));
  }
  ~Compilation() { compiler().destroy(&program_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  std::string run(const KernelSource& source) {
    const std::vector<std::string> words = compile_options(source);
    std::vector<const char*> options;
    for (const std::string& s : words) options.push_back(s.c_str());
    if (const int code = compiler().compile(program_, static_cast<int>(options.size()), options.data()); code != 0) {
      throw Error("NVRTC " + compiler_version() + " does not compile a kernel for " + source.architecture + ": " +
                  compiler().text_of(code) + "\n" + log());
    }
    std::size_t size = 0;
    require(compiler().get_code_size(program_, &size));
    std::string code(size, '\0');
    require(compiler().get_code(program_, code.data()));
    return code;
  }

 private:
  static void require(int code) {
    if (code != 0) throw Error(std::string("NVRTC failed: ") + compiler().text_of(code));
  }
  std::string log() const {
    std::size_t size = 0;
    if (compiler().get_log_size(program_, &size) != 0) return "";
    std::string text(size, '\0');
    return compiler().get_log(program_, text.data()) == 0 ? text : "";
  }

  Program program_ = nullptr;
};

}  // namespace

std::string compiler_fault() { return opened().fault; }

std::string compiler_version() {
  int major = 0, minor = 0;
  compiler().version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

std::vector<std::string> compile_options(const KernelSource& source) {
  // Functions of the headers are for the device without a word at each.
  return {"-arch=" + source.architecture, "-std=c++20", "-default-device"};
}

std::string compile(const KernelSource& source) { return Compilation(source.text).run(source); }

}  // namespace delassus::gpu
