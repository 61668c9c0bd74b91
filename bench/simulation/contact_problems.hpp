// What `delassus bench contact --problems` measures: contact problems of files, by every solver on the matrix of the file, judged by one certificate.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "delassus/solvers/contact_problem.hpp"

namespace delassus::cli {

struct ProblemOptions {
  /// Largest residual, in m/s, of steps; of problems in units of their own, as a share of the largest free velocity.
  double tolerance = 1e-7, relative_tolerance = 1e-8;
  int iterations = 0;                // the most; 0: each solver's own
  std::vector<std::string> solvers;  // none: all
  bool quick = false;
};

struct ProblemEntry {
  std::string solver;
  int iterations = 0, dampings = 0, runs = 0;
  double median_us = 0;
  /// By `certify`, of the forces that the solver left.
  ContactResiduals residuals{};
  std::string status;   // what the solver says
  bool solved = false;  // what the certificate says
  double residual() const { return residuals.worst(); }
};

struct ProblemResult {
  std::string name;
  int rows = 0, constraints = 0;
  bool has_units = true;
  double free_velocity = 0;  // the largest that forces are needed against
  double tolerance = 0;      // for its residuals, in its units
  std::vector<ProblemEntry> entries{};
  std::string unreadable{};  // the message, for a file that cannot be read; there are no entries then
};

/// "admm", ...: in the order of results.
const std::vector<std::string>& problem_solvers();

/// Paths of all .npz files in a folder and in those inside of it, sorted; or that file. Throws an Error if there are none.
std::vector<std::string> find_problems(const std::string& folder);

/// A file that cannot be read has a result that says so, by its name and the field.
ProblemResult measure_problem(const std::string& path, const std::string& name, const ProblemOptions& options);

/// What the columns are; before the first problem.
std::string problems_head(const ProblemOptions& options);
std::string as_text(const ProblemResult& result);
/// One for each solver, or one alone that has the message as its status.
nlohmann::json as_json(const ProblemResult& result);

/// How many problems each solver solved, and what it took.
std::string summary_text(const std::vector<ProblemResult>& results);
nlohmann::json summary_json(const std::vector<ProblemResult>& results);

}  // namespace delassus::cli
