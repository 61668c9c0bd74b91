// The law of a contact problem, and why a solver stopped.
#pragma once

#include "delassus/solvers/contact_problem.hpp"
#include "names.hpp"

namespace delassus::python {

template <>
struct EnumNames<ContactLaw> {
  static constexpr std::array<std::string_view, 2> kNames{"coulomb", "convex"};
  static std::span<const std::string_view> names() { return kNames; }
};
template <>
struct EnumNames<StopReason> {
  static std::span<const std::string_view> names() { return names_by_function<StopReason, 7>(); }
};

}  // namespace delassus::python
