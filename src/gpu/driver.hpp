// The driver of CUDA, opened when it is first asked for, so that one binary serves machines without a card. Nothing of the toolkit is
// included: what is called is declared here.
#pragma once

#include <cstddef>
#include <string>

namespace delassus::gpu {

/// Handles of the driver.
using DeviceHandle = int;
using ContextHandle = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;
using StreamHandle = struct CUstream_st*;
using DeviceAddress = void*;  // an integer in the driver's own header, of the same size

/// Functions of the driver by what they do; each returns 0 or a code.
struct DriverTable {
  int (*start)(unsigned);
  int (*count_devices)(int*);
  int (*get_device)(DeviceHandle*, int);
  int (*get_name)(char*, int, DeviceHandle);
  int (*get_attribute)(int*, int, DeviceHandle);
  int (*get_memory)(std::size_t*, DeviceHandle);
  int (*retain_context)(ContextHandle*, DeviceHandle);
  int (*release_context)(DeviceHandle);
  int (*push_context)(ContextHandle);
  int (*pop_context)(ContextHandle*);
  int (*synchronize)();
  int (*allocate)(DeviceAddress*, std::size_t);
  int (*free)(DeviceAddress);
  int (*to_device)(DeviceAddress, const void*, std::size_t);
  int (*to_host)(void*, DeviceAddress, std::size_t);
  int (*load_module)(ModuleHandle*, const void*);
  int (*unload_module)(ModuleHandle);
  int (*get_function)(FunctionHandle*, ModuleHandle, const char*);
  int (*set_function_attribute)(FunctionHandle, int, int);
  int (*launch)(FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, StreamHandle,
                void**, void**);
  int (*synchronize_stream)(StreamHandle);
  int (*get_error_name)(int, const char**);
  int (*get_error_text)(int, const char**);
};

/// Throws an Error that says what is missing: the driver, a function of it (it is too old), or its consent to start.
const DriverTable& driver();
/// Why there is no driver; empty where there is one.
std::string driver_fault();

/// Throws an Error unless the code is 0; `what` did not succeed.
void require_done(int code, const std::string& what);

}  // namespace delassus::gpu
