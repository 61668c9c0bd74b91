// Relaxed contacts, as MuJoCo has them: each row is drawn to where it should be like a damped spring, and gives way in proportion to its own
// inverse inertia, so that the problem is strictly convex and has one solution (Todorov, "Convex and analytically-invertible dynamics with
// contacts and constraints", 2014; the parameters are those of MuJoCo's solref and solimp).
#pragma once

#include "delassus/solvers/soft_contact.hpp"

namespace delassus {

struct RelaxedContact {
  double time_constant = 0.02;  // s
  double damping_ratio = 1;     // 1: critical
  // Impedance d, between 0 (gives way) and 1 (rigid): from `least` where a row is at its place to `most` where it is `width` away from it.
  double least = 0.9, most = 0.95;
  double width = 0.001;       // m
  double midpoint = 0.5;      // between 0 and 1
  double power = 2;           // 1 or more
  double friction_ratio = 1;  // how much stiffer friction is than the normal
};

/// Throws an Error that names the parameter which makes no sense.
void require_valid(const RelaxedContact& relaxed);

/// d at a distance from where the row should be.
double impedance(const RelaxedContact& relaxed, double position);

/// A row at a position and with a velocity Jν, whose mobility (diagonal of Λ⁻¹) is given, over a step of length h: compliance (1 - d) / d
/// times the mobility, and the velocity of a damped spring. The time constant counts as two steps at least.
RowSoftening relax_row(const RelaxedContact& relaxed, double position, double velocity, double mobility, double h);

}  // namespace delassus
