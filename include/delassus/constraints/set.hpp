// The set that a constraint's force lies in: the other half of a constraint, kept apart from its kinematic map.
#pragma once

#include <cstdint>
#include <limits>

#include "delassus/math/cpp20.hpp"

namespace delassus {

enum class SetKind : std::uint8_t {
  kEquality,      // any force; the rows' velocity is held
  kNonNegative,   // force >= 0: limits, frictionless contacts
  kBox,           // |force| <= bound: dry friction of joints
  kFrictionCone,  // row 0 is the normal; tangential, torsional and rolling force within the cone of its coefficients
};

struct ForceSet {
  SetKind kind = SetKind::kEquality;
  double bound = std::numeric_limits<double>::infinity();  // kBox
  double mu = 0;                                           // kFrictionCone: sliding
  double mu_torsion = 0;                                   // metres
  double mu_rolling = 0;                                   // metres
  double mu_across = 0;  // sliding along t2, where it is another than along t1; else 0
  bool operator==(const ForceSet&) const = default;
};

}  // namespace delassus
