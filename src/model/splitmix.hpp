// Numbers that look random and are the same everywhere: variety for generated mechanisms.
#pragma once

#include <cstdint>

namespace delassus {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Standard distributions
/// differ between libraries, so it brings its own.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// From low up to, but not including, high.
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11U) * 0x1p-53);
  }

  /// From 0 up to, but not including, n.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }

 private:
  std::uint64_t state_;
};

}  // namespace delassus
