// Commands that a program of its own has, delassus-bench: what they measure needs more to compile than all others together, and
// links the libraries that it is compared with. `delassus` shows them, and starts it with the same words.
#pragma once

#include <array>

namespace delassus::cli {

struct CommandTitle {
  const char *name, *description;
};
inline constexpr CommandTitle kOpcount{"opcount",
                                       "Counts the operations of every algorithm on a mechanism of the papers"};
inline constexpr CommandTitle kBench{"bench", "Measures every operator: times, memory, operations"};
inline constexpr std::array kBenchCommands{kOpcount, kBench};

}  // namespace delassus::cli
