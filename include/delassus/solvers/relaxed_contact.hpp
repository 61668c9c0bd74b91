// Contacts that give way: soft ones, with springs and dampers, and relaxed ones, as MuJoCo has them.
#pragma once

#include "delassus/math/mat.hpp"

namespace delassus {

/// A spring and a damper along the normal that push but never pull, and friction that grows with the slip.
///
/// Explicit, the force is a function of the state: simple, and stable only while the step is short beside the oscillation of the spring. Implicit,
/// the same law holds at the end of the step, which makes it a compliance and a bias of a contact problem: stable at any stiffness, and the rigid
/// contact at infinite stiffness.
struct SoftContact {
  double stiffness = 5e4;    // N/m
  double damping = 200;      // N s/m, along the normal and against the slip
  double slip_speed = 1e-3;  // m/s: below it friction is that part of its bound (explicit only)
};

/// Throws an Error that names the parameter which makes no sense.
void require_valid(const SoftContact& soft);

/// The force along n, t1, t2 at a gap (negative: penetration) and a velocity along the same axes:
/// max(0, -stiffness gap - damping v_n), none where there is a gap; and friction of mu times that against the slip.
Vec3<double> soft_contact_force(const SoftContact& soft, double mu, double gap, const Vec3<double>& velocity);

/// One row of a contact problem: it gives way by `compliance` times its impulse, and its velocity is asked to be -bias.
struct RowSoftening {
  double compliance = 0;  // m/s per N s
  double bias = 0;        // m/s
};

/// The same law at the end of a step of length h: λ = h max(0, -stiffness (gap + h v) - damping v), with v the velocity after it.
RowSoftening implicit_normal(const SoftContact& soft, double gap, double h);
/// Friction, while it sticks, is a damper.
RowSoftening implicit_tangent(const SoftContact& soft, double h);

/// Each row is drawn to where it should be like a damped spring, and gives way in proportion to its own inverse inertia, so that the problem
/// is strictly convex and has one solution (Todorov, "Convex and analytically-invertible dynamics with contacts and constraints", 2014; the
/// parameters are those of MuJoCo's solref and solimp).
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
