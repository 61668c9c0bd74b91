// The text of a kernel: a structure, a verb and a scalar.
#pragma once

#include <span>
#include <string>

#include "delassus/io/load.hpp"
#include "gpu/kernel/arguments.hpp"
#include "gpu/plan.hpp"

namespace delassus::gpu {

/// The headers of src/gpu/kernel, which the build puts into the library.
std::span<const EmbeddedFile> kernel_headers();

inline constexpr const char* kKernelName = "delassus_verb";
inline constexpr int kBlockThreads = 128;

/// `real`: float or double.
std::string kernel_text(const Plan& plan, Verb verb, const std::string& real);

}  // namespace delassus::gpu
