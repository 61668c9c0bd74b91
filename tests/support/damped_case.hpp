// Systems for damped solves with loops, rows on joints, on many links and redundant ones, and damping of all kinds.
#pragma once

#include <vector>

#include "delassus/operators/delassus_operator.hpp"
#include "delassus/operators/matrix_operator.hpp"
#include "support/oracle_case.hpp"

namespace delassus::testing {

/// The largest entry.
double size_of(const std::vector<double>& x);

struct DampedCase : OracleCase<double> {
  DampedCase(const Model& m, std::vector<Constraint> list, const samples::State& s)
      : OracleCase<double>(m, std::move(list), s) {}
  explicit DampedCase(OracleCase<double> c) : OracleCase<double>(std::move(c)) {}

  /// Entries between -1 and 1, one per row.
  std::vector<double> random_vector(int stream) const { return OracleCase<double>::random_vector(m(), stream); }
  Exact damped(const std::vector<double>& damping) const;
  Spectrum spectrum() const;
};

/// Contacts of all kinds and loops, many of them at tips, few enough that chains of joints stay between them; every third
/// system has one row on a joint as well.
DampedCase random_limbs(int seed);
/// Free boxes that touch the ground and each other at random, with some loops and rows on their joints among them.
DampedCase random_boxes(int seed);
/// One of these, or random_case.
DampedCase any_random_case(int seed);
/// Free boxes that lie on the ground and touch each other at four points, each with the next and with the one after that.
DampedCase clutter(int boxes);

/// R⁻¹ of one kind, none of whose eigenvalues is below `least`, but for rounding.
struct SampleDamping {
  Damping<double> view() const;
  /// Λ⁻¹ + R⁻¹.
  Exact added_to(const DampedCase& c) const;

  Damping<double>::Kind kind;
  double least;
  std::vector<double> numbers;
};
SampleDamping scalar_damping(double least);
/// Over four decades.
SampleDamping diagonal_damping(const DampedCase& c, double least, int stream);
/// Over as many; what stands above the diagonals is not symmetric, because nobody is to read it.
SampleDamping block_damping(const DampedCase& c, double least, int stream);
/// (1 - S) N², the first row of each block less a part of the others: as Newton's matrix of Coulomb's law has them.
SampleDamping unsymmetric_damping(const DampedCase& c, double least, int stream);

}  // namespace delassus::testing
