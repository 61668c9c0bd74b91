// The words for enumerations: those of scene files where they have them.
#pragma once

#include "convert.hpp"
#include "delassus/constraints/constraint.hpp"
#include "delassus/model/description.hpp"
#include "io/scene_words.hpp"

namespace delassus::python {

/// From a function name_of.
template <class E, std::size_t N>
std::span<const std::string_view> names_by_function() {
  static const std::array<std::string_view, N> kNames = [] {
    std::array<std::string_view, N> names;
    for (std::size_t k = 0; k < N; ++k) names[k] = name_of(static_cast<E>(k));
    return names;
  }();
  return kNames;
}

template <>
struct EnumNames<JointKind> {
  static std::span<const std::string_view> names() { return names_by_function<JointKind, kNumJointKinds>(); }
};
template <>
struct EnumNames<ShapeKind> {
  static std::span<const std::string_view> names() { return names_by_function<ShapeKind, kNumShapeKinds>(); }
};
template <>
struct EnumNames<SetKind> {
  static std::span<const std::string_view> names() { return io::kSetKinds; }
};
template <>
struct EnumNames<ContactKind> {
  static std::span<const std::string_view> names() { return io::kContactKinds; }
};
template <>
struct EnumNames<LoopAxes> {
  static std::span<const std::string_view> names() { return io::kLoopAxes; }
};

}  // namespace delassus::python
