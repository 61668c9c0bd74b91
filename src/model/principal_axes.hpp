// Principal moments and axes of inertia.
#pragma once

#include "delassus/math/mat.hpp"

namespace delassus {

struct PrincipalAxes {
  Vec3<double> moments;  // ascending
  Mat3<double> axes;     // as columns, in the order of the moments
};

PrincipalAxes principal_axes(const Sym3<double>& inertia);

}  // namespace delassus
