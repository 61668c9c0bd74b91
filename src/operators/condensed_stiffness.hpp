// What constraints add to the nodes of the condensed tree before they are eliminated.
#pragma once

#include "delassus/operators/condensed_factor.hpp"

namespace delassus {

/// Inertias and panels: those of the configuration, with stiffness and carried groups.
template <class T>
Status add_stiffness(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     CondensedDamping<T>& d);

/// 𝒦ᵀ R 𝒦 of rows on joints.
template <class T>
void add_joint_stiffness(const ConstraintRows<T>& rows, const CondensedPlan& plan, CondensedDamping<T>& d);

/// Multipliers are coupled to nodes by their rows, and to themselves by their damping.
template <class T>
void add_multipliers(const CondensedPlan& plan, const CondensedConfiguration<T>& c, CondensedDamping<T>& d);

}  // namespace delassus
