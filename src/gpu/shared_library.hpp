// Libraries that are opened at run time.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

namespace delassus::gpu {

/// The first of these that can be opened, or null; it stays open to the end of the program.
inline void* open_library(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

/// What has a name in a library. Notes the name where the library has none of it.
template <class Function>
void take(void* library, const char* name, Function& out, std::string& missing) {
  out = reinterpret_cast<Function>(dlsym(library, name));
  if (out == nullptr && missing.empty()) missing = name;
}

}  // namespace delassus::gpu
