// Systems with loops, rows on joints, on many links and redundant ones, together with what the long-double oracle says.
#pragma once

#include <vector>

#include "delassus/constraints/lower.hpp"
#include "delassus/delassus/damping.hpp"
#include "delassus/delassus/oracle.hpp"
#include "delassus/delassus/spectrum.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "support/random_system.hpp"

namespace delassus::testing {

using Exact = oracle::Matrix<long double>;

/// A column.
Exact exact_column(const std::vector<double>& x);
Exact exact_column(const std::vector<float>& x);
/// The largest row sum.
double norm_of(const Exact& A);
/// The largest entry.
double size_of(const std::vector<double>& x);

/// A system, its rows, and what the oracle says of it.
struct OracleCase {
  OracleCase(Model m, std::vector<Constraint> list, samples::State s);

  int m() const { return rows.num_rows(); }
  /// Entries between -1 and 1.
  std::vector<double> random_vector(int stream) const;
  Exact damped(const std::vector<double>& damping) const;
  Spectrum spectrum() const;

  Model model;
  std::vector<Constraint> constraints;
  samples::State state;
  Kinematics<double> kin;
  ConstraintRows<double> rows;
  Exact J, exact;
  double norm = 0;  // of Λ⁻¹
};

/// All kinds of constraints; every fourth system states its first ones twice, so that rows are redundant.
OracleCase random_case(int seed);
/// Contacts of all kinds and loops, many of them at tips, few enough that chains of joints stay between them; every third
/// system has one row on a joint as well.
OracleCase random_limbs(int seed);
/// Free boxes that touch the ground and each other at random, with some loops and rows on their joints among them.
OracleCase random_boxes(int seed);
/// One of the three.
OracleCase any_random_case(int seed);
/// Free boxes that lie on the ground and touch each other at four points, each with the next and with the one after that.
OracleCase clutter(int boxes);

/// R⁻¹ of one kind, none of whose eigenvalues is below `least`, but for rounding.
struct SampleDamping {
  Damping<double> view() const;
  /// Λ⁻¹ + R⁻¹.
  Exact added_to(const OracleCase& c) const;

  Damping<double>::Kind kind;
  double least;
  std::vector<double> numbers;
};
SampleDamping scalar_damping(double least);
/// Over four decades.
SampleDamping diagonal_damping(const OracleCase& c, double least, int stream);
/// Over as many; what stands above the diagonals is not symmetric, because nobody is to read it.
SampleDamping block_damping(const OracleCase& c, double least, int stream);

}  // namespace delassus::testing
