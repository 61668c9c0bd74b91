// The operators by name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "delassus/math/scalar.hpp"

namespace delassus {

/// Those that compute the matrix Λ⁻¹ first, then those that do without it or in joint space, then the published sweeps.
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
  kMatrixFree,
  kThreeMaps,  // matrix-free, one map after the other
  kGenerated,  // code for one model and its constraints, which compile() makes (generate/compile.hpp)
};

/// Those that have a damped solve of their own: planners choose among them. The sweeps have products, and form the matrix to solve.
inline constexpr std::array kDirectAlgorithms{Algorithm::kDense,       Algorithm::kLtl,  Algorithm::kKjr,
                                              Algorithm::kChangKhatib, Algorithm::kEfpa, Algorithm::kPvOsim,
                                              Algorithm::kPvOsimr,     Algorithm::kKkt,  Algorithm::kLcaba,
                                              Algorithm::kCondensed,   Algorithm::kLimbs};

/// Those that are made from a model alone.
inline constexpr std::array kAllAlgorithms = [] {
  std::array<Algorithm, kDirectAlgorithms.size() + 2> all{};
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Algorithm>(k);
  return all;
}();

/// Those that compute the matrix: the algorithms of ExplicitDelassus.
inline constexpr std::array kExplicitAlgorithms{Algorithm::kDense,       Algorithm::kLtl,  Algorithm::kKjr,
                                                Algorithm::kChangKhatib, Algorithm::kEfpa, Algorithm::kPvOsim,
                                                Algorithm::kPvOsimr};

constexpr std::string_view name_of(Algorithm algorithm) {
  constexpr std::array<std::string_view, kAllAlgorithms.size() + 1> kNames{
      "dense", "ltl",   "kjr",       "chang-khatib", "efpa",        "pv-osim",    "pv-osimr",
      "kkt",   "lcaba", "condensed", "limbs",        "matrix-free", "three-maps", "generated"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

constexpr std::optional<Algorithm> find_algorithm(std::string_view name) {
  for (const Algorithm a : kAllAlgorithms) {
    if (name_of(a) == name) return a;
  }
  return std::nullopt;
}

}  // namespace delassus
