// What help and the manual page say beside the commands.
#pragma once

#include <array>

namespace delassus::cli {

struct ManualEntry {
  const char* name;
  const char* text;
};

/// Those of exit_code.hpp.
inline constexpr std::array kExitCodes{
    ManualEntry{"0", "all is well"},
    ManualEntry{"1",
                "a check failed: numbers differ, a file to compare with could not be read, doctor --exit-code found "
                "something, a simulation could not go on, or a problem of bench contact could not be read"},
    ManualEntry{"2", "wrong usage or input, or output that cannot be written; the message says what to do"},
    ManualEntry{"3", "an error in the command itself; please report it"},
};

inline constexpr std::array kEnvironment{
    ManualEntry{"NO_COLOR", "if set and not empty: no colours"},
    ManualEntry{"TERM", "no colours if it is dumb or not set"},
    ManualEntry{"PATH", "python3 is looked for here, then at /usr/bin/python3, to draw for --plot"},
};

}  // namespace delassus::cli
