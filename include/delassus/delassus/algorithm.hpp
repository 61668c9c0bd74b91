// The explicit algorithms by name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace delassus {

enum class Algorithm : std::uint8_t { kDense, kLtl, kKjr, kChangKhatib, kEfpa, kPvOsim, kPvOsimr };

inline constexpr std::array kAlgorithms{Algorithm::kDense,       Algorithm::kLtl,  Algorithm::kKjr,
                                        Algorithm::kChangKhatib, Algorithm::kEfpa, Algorithm::kPvOsim,
                                        Algorithm::kPvOsimr};

constexpr std::string_view name_of(Algorithm algorithm) {
  constexpr std::array<std::string_view, kAlgorithms.size()> kNames{"dense", "ltl",     "kjr",     "chang-khatib",
                                                                    "efpa",  "pv-osim", "pv-osimr"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

constexpr std::optional<Algorithm> find_algorithm(std::string_view name) {
  for (const Algorithm a : kAlgorithms) {
    if (name_of(a) == name) return a;
  }
  return std::nullopt;
}

}  // namespace delassus
