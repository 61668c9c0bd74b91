#include "io/contact_file.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "delassus/math/error.hpp"
#include "io/npz.hpp"
#include "io/text_file.hpp"

namespace delassus::io {
namespace {

constexpr int kKinds = 4;         // of SetKind, which has their numbers
constexpr int kMostConeRows = 6;  // n, t1, t2, and rotation about them
constexpr int kContactRows = 3;

std::size_t at(int k) { return static_cast<std::size_t>(k); }
std::size_t lower_size(std::size_t rows) { return rows * (rows + 1) / 2; }

/// Arrays by name, with what they must be.
class Fields {
 public:
  Fields(const NpzReader& file, const std::string& name) : file_(file), name_(name) {}

  bool has(const std::string& field) const { return file_.has(field); }

  [[noreturn]] void fail(const std::string& field, const std::string& what) const {
    throw Error(fmt::format("{}: '{}' {}", name_, field, what));
  }

  /// So many numbers; any number of them if nothing is said. Whole numbers are numbers too.
  std::vector<double> numbers(const std::string& field, std::optional<std::size_t> size) const {
    NpzArray array = file_.read(field);
    check_size(field, array, size);
    if (!array.is_real) array.real.assign(array.whole.begin(), array.whole.end());
    return std::move(array.real);
  }
  /// As above, finite ones.
  std::vector<double> finite(const std::string& field, std::optional<std::size_t> size) const {
    std::vector<double> out = numbers(field, size);
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!std::isfinite(out[k])) fail(field, fmt::format("has entry {}, which is not finite", k));
    }
    return out;
  }
  std::vector<double> not_negative(const std::string& field, std::optional<std::size_t> size) const {
    std::vector<double> out = finite(field, size);
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (out[k] < 0) fail(field, fmt::format("has entry {}, which is negative", k));
    }
    return out;
  }
  /// Whole numbers between bounds, both included.
  std::vector<int> whole(const std::string& field, std::optional<std::size_t> size, int least, int most) const {
    const NpzArray array = file_.read(field);
    check_size(field, array, size);
    if (array.is_real) fail(field, "has to have whole numbers");
    std::vector<int> out;
    for (std::size_t k = 0; k < array.whole.size(); ++k) {
      if (array.whole[k] < least || array.whole[k] > most)
        fail(field, fmt::format("has entry {}, {}; it has to be between {} and {}", k, array.whole[k], least, most));
      out.push_back(static_cast<int>(array.whole[k]));
    }
    return out;
  }

 private:
  void check_size(const std::string& field, const NpzArray& array, std::optional<std::size_t> size) const {
    if (size && array.size() != *size)
      fail(field, fmt::format("has {} numbers, and there should be {}", array.size(), *size));
  }

  const NpzReader& file_;
  const std::string& name_;
};

/// The other half of a symmetric matrix, and whether its diagonal can be that of J M⁻¹ Jᵀ.
void finish_matrix(const Fields& in, const char* field, StoredProblem& out) {
  const std::size_t n = out.free_velocity.size();
  for (std::size_t r = 0; r < n; ++r) {
    if (out.matrix[r * n + r] < 0) in.fail(field, fmt::format("has a negative number on the diagonal of row {}", r));
    for (std::size_t c = 0; c < r; ++c) out.matrix[c * n + r] = out.matrix[r * n + c];
  }
}

/// Rows of constraints follow each other.
void add_span(int rows, StoredProblem& out) {
  const int first = out.spans.empty() ? 0 : out.spans.back().first_row + out.spans.back().rows;
  out.spans.push_back({0, first, rows, 0, 0, 0, 0});
}

/// Coefficients of a cone whose rows have their own.
ForceSet uneven_cone(const Fields& in, const RowSpan& span, const std::vector<double>& mus) {
  const auto of = [&](int k) { return k < span.rows ? mus[at(span.first_row + k)] : 0.0; };
  ForceSet out{SetKind::kFrictionCone};
  out.mu = of(1);
  out.mu_torsion = of(3);
  out.mu_rolling = of(4);
  const auto refuse = [&](const char* what) {
    in.fail("mus", fmt::format("has {} in the cone from row {} on; that is not supported", what, span.first_row));
  };
  if (span.rows > 2 && of(2) != of(1)) {
    if (of(2) == 0) refuse("friction along t1 and none along t2");
    out.mu_across = of(2);
  }
  if (span.rows > 5 && of(5) != of(4)) refuse("two coefficients of rolling");
  return out;
}

void read_sets(const Fields& in, StoredProblem& out) {
  const int n = out.rows();
  const std::vector<int> kind = in.whole("kind", std::nullopt, 0, kKinds - 1);
  const std::size_t count = kind.size();
  const std::vector<int> row = in.whole("row", count, 0, n), rows = in.whole("rows", count, 1, n);
  const std::vector<double> mu = in.not_negative("mu", count), bound = in.numbers("bound", count);
  const std::vector<double> mus = in.has("mus") ? in.not_negative("mus", at(n)) : std::vector<double>{};
  int next = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (row[c] != next) in.fail("row", fmt::format("has entry {}, {}; rows follow each other: {}", c, row[c], next));
    if (rows[c] > n - next) in.fail("rows", "has more rows than 'n'");
    next += rows[c];
    add_span(rows[c], out);
    ForceSet set{static_cast<SetKind>(kind[c])};
    if (set.kind == SetKind::kBox) {
      if (!(bound[c] >= 0)) in.fail("bound", fmt::format("has entry {}, which is negative or NaN", c));
      set.bound = bound[c] / out.time_step;
    }
    if (set.kind == SetKind::kFrictionCone) {
      if (rows[c] > kMostConeRows) in.fail("rows", fmt::format("has a cone of {} rows; the most are six", rows[c]));
      set.mu = mu[c];
      if (!mus.empty()) set = uneven_cone(in, out.spans.back(), mus);
    }
    out.sets.push_back(set);
  }
  if (next != n) in.fail("rows", fmt::format("has {} rows in all, and 'n' is {}", next, n));
}

void read_step(const Fields& in, StoredProblem& out) {
  const std::size_t n = out.free_velocity.size();
  out.free_velocity = in.finite("g", n);
  out.compliance = in.not_negative("R", n);
  out.start = in.finite("start", n);
  out.time_step = in.finite("dt", 1)[0];
  if (out.time_step <= 0) in.fail("dt", "has to be greater than zero");
  out.convex = in.has("law") && in.whole("law", 1, 0, 1)[0] == 1;
  const std::vector<double> lower = in.finite("W_lower", lower_size(n));
  out.matrix.resize(n * n);
  for (std::size_t r = 0, k = 0; r < n; ++r) {
    for (std::size_t c = 0; c <= r; ++c) out.matrix[r * n + c] = lower[k++];
  }
  finish_matrix(in, "W_lower", out);
  read_sets(in, out);
}

void read_sparse(const Fields& in, StoredProblem& out) {
  const std::size_t n = out.free_velocity.size();
  if (n % kContactRows != 0) in.fail("n", fmt::format("is {}, and each contact has three rows", n));
  out.free_velocity = in.finite("q", n);
  out.compliance.assign(n, 0.0);
  out.start.assign(n, 0.0);
  out.has_units = false;
  const std::vector<double> x = in.finite("x", std::nullopt);
  const std::vector<int> i = in.whole("i", x.size(), 0, out.rows() - 1), j = in.whole("j", x.size(), 0, out.rows() - 1);
  out.matrix.assign(n * n, 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (j[k] > i[k]) in.fail("j", fmt::format("has entry {} right of the diagonal; the lower triangle is read", k));
    double& entry = out.matrix[at(i[k]) * n + at(j[k])];
    if (entry != 0) in.fail("x", fmt::format("has entry {} at the place of one before it", k));
    entry = x[k];
  }
  finish_matrix(in, "x", out);
  for (const double mu : in.not_negative("mu", n / kContactRows)) {
    add_span(kContactRows, out);
    ForceSet set{SetKind::kFrictionCone};
    set.mu = mu;
    out.sets.push_back(set);
  }
}

/// What `mu` alone cannot say.
bool is_uneven(const RowSpan& span, const ForceSet& set) {
  return set.kind == SetKind::kFrictionCone &&
         (span.rows > kContactRows || (set.mu_across != 0 && set.mu_across != set.mu));
}

/// A coefficient for each row but normals.
std::vector<double> coefficients(const StoredProblem& problem) {
  std::vector<double> out(problem.free_velocity.size());
  for (std::size_t c = 0; c < problem.spans.size(); ++c) {
    const ForceSet& set = problem.sets[c];
    if (set.kind != SetKind::kFrictionCone) continue;
    const double across = set.mu_across == 0 ? set.mu : set.mu_across;
    const double mu[] = {0, set.mu, across, set.mu_torsion, set.mu_rolling, set.mu_rolling};
    for (int k = 1; k < problem.spans[c].rows; ++k) out[at(problem.spans[c].first_row + k)] = mu[k];
  }
  return out;
}

void write_sets(const StoredProblem& problem, NpzWriter& out) {
  std::vector<std::int64_t> kind, row, rows;
  std::vector<double> mu, bound;
  bool uneven = false;
  for (std::size_t c = 0; c < problem.spans.size(); ++c) {
    const ForceSet& set = problem.sets[c];
    const bool is_box = set.kind == SetKind::kBox;
    kind.push_back(static_cast<std::int64_t>(set.kind));
    row.push_back(problem.spans[c].first_row);
    rows.push_back(problem.spans[c].rows);
    mu.push_back(set.mu);
    bound.push_back(is_box ? set.bound * problem.time_step : std::numeric_limits<double>::infinity());
    uneven = uneven || is_uneven(problem.spans[c], set);
  }
  out.add("kind", kind);
  out.add("row", row);
  out.add("rows", rows);
  out.add("mu", mu);
  out.add("bound", bound);
  if (uneven) out.add("mus", coefficients(problem));
}

}  // namespace

StoredProblem parse_contact_problem(std::string bytes, const std::string& file_name) {
  const NpzReader file(std::move(bytes), file_name);
  const Fields in(file, file_name);
  StoredProblem out;
  out.free_velocity.resize(at(in.whole("n", 1, 1, kMostProblemRows)[0]));
  if (in.has("W_lower")) {
    read_step(in, out);
  } else if (in.has("x")) {
    read_sparse(in, out);
  } else {
    in.fail("W_lower", "is not in the file, nor is 'x', the entries of a sparse matrix");
  }
  return out;
}

StoredProblem load_contact_problem(const std::string& path) {
  return parse_contact_problem(read_text_file(path), path);
}

std::string write_contact_problem(const StoredProblem& problem) {
  const std::size_t n = problem.free_velocity.size();
  if (n > kMostProblemRows)
    throw Error(
        fmt::format("a contact problem of {} rows is too large for a file; the most are {}", n, kMostProblemRows));
  std::vector<double> lower;
  lower.reserve(lower_size(n));
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c <= r; ++c) lower.push_back(problem.matrix[r * n + c]);
  }
  NpzWriter out;
  out.add("n", static_cast<std::int64_t>(n));
  out.add("W_lower", lower);
  out.add("g", problem.free_velocity);
  out.add("R", problem.compliance);
  out.add("start", problem.start);
  out.add("dt", problem.time_step);
  write_sets(problem, out);
  if (problem.convex) out.add("law", std::int64_t{1});
  return out.finish();
}

}  // namespace delassus::io
