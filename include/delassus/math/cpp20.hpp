// The library is written in C++20, and says so before a compiler that was told of an older standard says it a thousand times.
#pragma once

#if __cplusplus < 202002L
// A file that cannot be included ends the compilation at once; after #error it would go on.
#define DELASSUS_OLDER_STANDARD "delassus needs C++20: compile with -std=c++20 or later"
#include DELASSUS_OLDER_STANDARD
#endif
