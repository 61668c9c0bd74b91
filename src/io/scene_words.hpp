// The words of the scene format for our enumerations, in the order of their values.
#pragma once

#include <array>
#include <string_view>

#include "delassus/constraints/constraint.hpp"

namespace delassus::io {

inline constexpr std::string_view kSceneFormat = "delassus-scene";
inline constexpr int kSceneVersion = 1;
inline constexpr std::string_view kWorldName = "world";

inline constexpr std::array<std::string_view, 4> kContactKinds{"frictionless", "sliding", "torsional", "rolling"};
inline constexpr std::array<std::string_view, 2> kLoopAxes{"frame1", "world"};
inline constexpr std::array<std::string_view, 4> kSetKinds{"equality", "nonnegative", "box", "friction_cone"};
inline constexpr std::array<std::string_view, 2> kSides{"lower", "upper"};
inline constexpr std::array<std::string_view, 2> kBases{"fixed", "floating"};
inline constexpr std::array<std::string_view, 3> kAxisLetters{"x", "y", "z"};

/// The words that name_of() has for the first N values.
template <class Kind, std::size_t N>
std::array<std::string_view, N> words_of() {
  std::array<std::string_view, N> words;
  for (std::size_t i = 0; i < N; ++i) words[i] = name_of(static_cast<Kind>(i));
  return words;
}
inline const auto kJointKinds = words_of<JointKind, kNumJointKinds>();
inline const auto kShapeKinds = words_of<ShapeKind, kNumShapeKinds>();

template <class Kind, std::size_t N>
std::string_view word_for(Kind kind, const std::array<std::string_view, N>& words) {
  return words[static_cast<std::size_t>(kind)];
}

}  // namespace delassus::io
