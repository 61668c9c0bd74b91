// The operators by name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "delassus/math/cpp20.hpp"

namespace delassus {

/// Those that compute the matrix Λ⁻¹ first, then those that do without it or in joint space.
enum class Algorithm : std::uint8_t {
  kDense,
  kLtl,
  kKjr,
  kChangKhatib,
  kEfpa,
  kPvOsim,
  kPvOsimr,
  kKkt,
  kLcaba,
  kCondensed,
  kLimbs,  // the condensed tree, with limbs of the robot in lanes
};

inline constexpr std::array kAlgorithms{Algorithm::kDense,       Algorithm::kLtl,  Algorithm::kKjr,
                                        Algorithm::kChangKhatib, Algorithm::kEfpa, Algorithm::kPvOsim,
                                        Algorithm::kPvOsimr,     Algorithm::kKkt,  Algorithm::kLcaba,
                                        Algorithm::kCondensed,   Algorithm::kLimbs};

/// Those that compute the matrix: the algorithms of ExplicitDelassus.
inline constexpr std::array kExplicitAlgorithms{Algorithm::kDense,       Algorithm::kLtl,  Algorithm::kKjr,
                                                Algorithm::kChangKhatib, Algorithm::kEfpa, Algorithm::kPvOsim,
                                                Algorithm::kPvOsimr};

constexpr std::string_view name_of(Algorithm algorithm) {
  constexpr std::array<std::string_view, kAlgorithms.size()> kNames{
      "dense", "ltl", "kjr", "chang-khatib", "efpa", "pv-osim", "pv-osimr", "kkt", "lcaba", "condensed", "limbs"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

constexpr std::optional<Algorithm> find_algorithm(std::string_view name) {
  for (const Algorithm a : kAlgorithms) {
    if (name_of(a) == name) return a;
  }
  return std::nullopt;
}

}  // namespace delassus
