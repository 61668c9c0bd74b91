#include "delassus/math/isa.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "delassus/math/compiled_levels.hpp"
#include "delassus/math/error.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace delassus {
namespace {

constexpr std::array<std::string_view, 4> kNames{"base", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
constexpr std::string_view kPrefix = "x86-64-";

/// As DELASSUS_ISA names it: "v3".
std::string_view short_name(IsaLevel level) {
  const std::string_view name = name_of(level);
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

#if defined(__x86_64__)
// Where the operating system has to save registers too, the compiler's runtime asks for both. What it has no name for is asked
// of the processor itself.
bool has_bits(unsigned leaf, unsigned ecx_bits) {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(leaf, &eax, &ebx, &ecx, &edx) != 0 && (ecx & ecx_bits) == ecx_bits;
}

bool has_v2() {
  constexpr unsigned kCmpxchg16b = 1u << 13, kLahf = 1u << 0;
  return has_bits(1, kCmpxchg16b) && has_bits(0x80000001, kLahf) && __builtin_cpu_supports("popcnt") &&
         __builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
         __builtin_cpu_supports("sse4.2");
}

bool has_v3() {
  constexpr unsigned kMovbe = 1u << 22, kF16c = 1u << 29, kLzcnt = 1u << 5;
  return has_bits(1, kMovbe | kF16c) && has_bits(0x80000001, kLzcnt) && __builtin_cpu_supports("avx") &&
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}

bool has_v4() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

IsaLevel find_processor_isa() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!has_v2()) return IsaLevel::kBase;
  if (!has_v3()) return IsaLevel::kV2;
  return has_v4() ? IsaLevel::kV4 : IsaLevel::kV3;
#else
  return IsaLevel::kBase;
#endif
}

/// "v2, v3 or v4".
std::string listed(std::span<const IsaLevel> levels) {
  std::string out;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (k > 0) out += k + 1 == levels.size() ? " or " : ", ";
    out += short_name(levels[k]);
  }
  return out;
}

std::string what_may_be(std::span<const IsaLevel> possible) {
  return "; it may be " + listed(possible) + " here, or not set at all";
}

/// What DELASSUS_ISA chose, or the message that says why nothing.
struct Choice {
  IsaLevel level = IsaLevel::kBase;
  std::string error;
};

Choice choose_from_environment() {
  const char* wanted = std::getenv("DELASSUS_ISA");
  try {
    return {choose_isa(wanted == nullptr ? "" : wanted, compiled_isa_levels(), processor_isa()), ""};
  } catch (const Error& error) {
    return {IsaLevel::kBase, error.what()};
  }
}

}  // namespace

std::string_view name_of(IsaLevel level) { return kNames[static_cast<std::size_t>(level)]; }

std::span<const IsaLevel> compiled_isa_levels() {
#if DELASSUS_HAS_ISA_LEVELS
#define DELASSUS_LEVEL(N) IsaLevel::kV##N,
  static constexpr IsaLevel kLevels[] = {DELASSUS_FOR_EACH_ISA_LEVEL(DELASSUS_LEVEL)};
#undef DELASSUS_LEVEL
#else
  static constexpr IsaLevel kLevels[] = {IsaLevel::kBase};
#endif
  return kLevels;
}

IsaLevel processor_isa() {
  static const IsaLevel kLevel = find_processor_isa();
  return kLevel;
}

IsaLevel choose_isa(std::string_view wanted, std::span<const IsaLevel> compiled, IsaLevel processor) {
  // Levels ascend. No allocation: the choice may fall into a loop that must not have one.
  const auto first_beyond = std::find_if(compiled.begin(), compiled.end(), [&](IsaLevel l) { return l > processor; });
  const std::span<const IsaLevel> possible(compiled.begin(), first_beyond);
  if (possible.empty()) {
    throw Error("this library has kernels for processors of level " + listed(compiled) + ", and this one is below (" +
                std::string(name_of(processor)) + "): build it with -DDELASSUS_ISA_LEVELS= (docs/isa.md)");
  }
  if (wanted.empty()) return possible.back();
  const std::string said = "environment variable DELASSUS_ISA is '" + std::string(wanted) + "'";
  const auto known = std::find_if(kNames.begin(), kNames.end(), [&](std::string_view name) {
    return wanted == name || (name.starts_with(kPrefix) && wanted == name.substr(kPrefix.size()));
  });
  if (known == kNames.end()) throw Error(said + ", which is no level" + what_may_be(possible));
  const auto level = static_cast<IsaLevel>(known - kNames.begin());
  if (std::find(compiled.begin(), compiled.end(), level) == compiled.end()) {
    throw Error(said + ", which this library was built without" + what_may_be(possible));
  }
  if (level > processor) {
    throw Error(said + ", but this processor has no more than " + std::string(name_of(processor)) +
                what_may_be(possible));
  }
  return level;
}

IsaLevel active_isa() {
  static const Choice kChoice = choose_from_environment();
  if (!kChoice.error.empty()) throw Error(kChoice.error);
  return kChoice.level;
}

}  // namespace delassus
