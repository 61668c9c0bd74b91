// Rows of a kind whose damping tends to stay while that of others changes: what holds, at all times. They are eliminated first, and what follows from
// them is kept.
#pragma once

#include "delassus/constraints/constraint.hpp"

namespace delassus {

inline bool tends_to_stay(const RowSpan& span) {
  constexpr std::size_t kinds = std::variant_size_v<Constraint>;
  static_assert(kinds == 9, "say of a new kind of constraint whether it holds");
  const auto is = [&]<class X>(std::type_identity<X>) {
    return Constraint(std::in_place_type<X>).index() == static_cast<std::size_t>(span.kind);
  };
  return !is(std::type_identity<PointContact>{}) && !is(std::type_identity<JointLimit>{}) &&
         !is(std::type_identity<JointFriction>{});
}

}  // namespace delassus
