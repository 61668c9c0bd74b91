// What a core could do at most: the measure for kernels in lanes.
#pragma once

namespace delassus::cli {

/// Billions of additions and multiplications in double precision that one core does in a second, measured now: independent multiply-adds in
/// registers of up to so many lanes, as wide as the instruction set level in use has them. Takes 20 ms. In single precision it is twice
/// that: lanes of half the size.
double core_peak_gflops(int lanes);

}  // namespace delassus::cli
