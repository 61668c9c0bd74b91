// What constraints add to the nodes of the condensed tree before they are eliminated.
#pragma once

#include "operators/condensed/factor.hpp"

namespace delassus {

/// Inertias, panels and joints: those of the configuration, with what every kind of rows adds for the weights in d.rows.
template <class T>
Status stiffen_nodes(const ConstraintRows<T>& rows, const CondensedPlan& plan, const CondensedConfiguration<T>& c,
                     CondensedDamping<T>& d);

}  // namespace delassus
