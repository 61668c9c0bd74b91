// Contact problems as files: what solvers are measured with, steps of simulations and problems of others (docs/algorithms/contact.md#problems-as-files).
#pragma once

#include <string>
#include <vector>

#include "delassus/constraints/rows.hpp"

namespace delassus::io {

/// More rows would be files of more than 64 MiB.
inline constexpr int kMostProblemRows = 4000;

/// λ in its sets such that σ = (W + R) λ + g obeys the laws of solvers/contact_problem.hpp. It owns what a ContactProblem shows, and Λ⁻¹ = W.
struct StoredProblem {
  int rows() const { return static_cast<int>(free_velocity.size()); }

  std::vector<double> matrix;         // W, symmetric, rows × rows
  std::vector<double> free_velocity;  // g
  std::vector<double> compliance;     // R
  std::vector<double> start;          // where a solver begins: impulses of the step before
  std::vector<RowSpan> spans;
  std::vector<ForceSet> sets;
  double time_step = 1;
  bool convex = false;    // the law without de Saxcé's shift
  bool has_units = true;  // metres per second; problems of others are in units of their own
};

/// Reads both kinds of files: a step, with all of the above, and a problem of others with a sparse matrix, three rows for each contact and one coefficient of
/// friction. Throws an Error that names the file and the field.
StoredProblem load_contact_problem(const std::string& path);
/// The same of what is in memory; `file_name` is for messages.
StoredProblem parse_contact_problem(std::string bytes, const std::string& file_name);

/// The bytes of a file of the first kind, the same for the same problem. Throws an Error if there are too many rows.
std::string write_contact_problem(const StoredProblem& problem);

}  // namespace delassus::io
