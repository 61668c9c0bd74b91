// Instruction set levels: the hottest kernels are compiled for several, and one is chosen when they are first called (docs/isa.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// The levels of the x86-64 psABI, each with all that those before it have; kBase: whatever the library was compiled for.
enum class IsaLevel : std::uint8_t { kBase, kV2, kV3, kV4 };

/// "base", "x86-64-v2", ...
std::string_view name_of(IsaLevel level);

/// Levels for which this library has kernels, ascending; kBase alone where it was built without levels.
std::span<const IsaLevel> compiled_isa_levels();

/// The best level that this processor and its operating system offer. kBase: none, or another architecture.
IsaLevel processor_isa();

/// The best of the compiled levels that a processor has, or the one wanted: "v3", "x86-64-v3", "base"; empty: the best. Throws an
/// Error that names the environment variable DELASSUS_ISA and what it may be, if there is no such level.
IsaLevel choose_isa(std::string_view wanted, std::span<const IsaLevel> compiled, IsaLevel processor);

/// The level in use: what choose_isa says to DELASSUS_ISA, this library and this processor. The variable is read once, when a
/// kernel or this function is first called; if it names no possible level, that and every further call throws.
IsaLevel active_isa();

}  // namespace delassus
