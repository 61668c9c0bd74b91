// Contact problems as files: what is read is what was written, and what makes no sense is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>

#include "delassus/math/error.hpp"
#include "io/contact_file.hpp"
#include "io/npz.hpp"
#include "io/text_file.hpp"

namespace delassus::io {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

StoredProblem problem_seed(const std::string& name) {
  return load_contact_problem(DELASSUS_SOURCE_DIR "/tests/corpus/contact_problem/" + name);
}

void expect_same(const StoredProblem& a, const StoredProblem& b) {
  EXPECT_EQ(a.matrix, b.matrix);
  EXPECT_EQ(a.free_velocity, b.free_velocity);
  EXPECT_EQ(a.compliance, b.compliance);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.spans, b.spans);
  EXPECT_EQ(a.sets, b.sets);
  EXPECT_EQ(a.time_step, b.time_step);
  EXPECT_EQ(a.convex, b.convex);
}

/// Made by numpy; the numbers are those of tests/corpus/contact_problem.
TEST(ContactFile, ReadsAStep) {
  const StoredProblem problem = problem_seed("step_deflated.npz");
  ASSERT_EQ(problem.rows(), 8);
  ASSERT_EQ(problem.sets.size(), 4U);
  EXPECT_TRUE(problem.has_units);
  EXPECT_FALSE(problem.convex);
  EXPECT_EQ(problem.time_step, 1e-3);
  EXPECT_EQ(problem.compliance, std::vector<double>(8, 1e-3));
  EXPECT_EQ(problem.sets[0].kind, SetKind::kEquality);
  EXPECT_EQ(problem.sets[1].kind, SetKind::kNonNegative);
  EXPECT_EQ(problem.sets[2].kind, SetKind::kBox);
  EXPECT_DOUBLE_EQ(problem.sets[2].bound, 20);  // 0.02 N s in a millisecond
  EXPECT_EQ(problem.sets[3].kind, SetKind::kFrictionCone);
  EXPECT_EQ(problem.sets[3].mu, 0.7);
  EXPECT_EQ(problem.spans[3].first_row, 5);
  EXPECT_EQ(problem.spans[3].rows, 3);
  for (std::size_t r = 0; r < 8; ++r) {
    EXPECT_GT(problem.matrix[9 * r], 0);
    for (std::size_t c = 0; c < r; ++c) EXPECT_EQ(problem.matrix[8 * r + c], problem.matrix[8 * c + r]);
  }
  expect_same(problem_seed("step_stored.npz"), problem);
}

TEST(ContactFile, ReadsConesWhoseRowsDiffer) {
  const StoredProblem problem = problem_seed("uneven.npz");
  EXPECT_TRUE(problem.convex);
  ASSERT_EQ(problem.sets.size(), 2U);
  EXPECT_EQ(problem.sets[0], (ForceSet{SetKind::kFrictionCone, kUnbounded, 0.5, 0.01, 0.02, 0.8}));
  EXPECT_EQ(problem.sets[1], (ForceSet{SetKind::kFrictionCone, kUnbounded, 0.3}));
}

TEST(ContactFile, ReadsProblemsOfOthers) {
  const StoredProblem problem = problem_seed("sparse.npz");
  EXPECT_FALSE(problem.has_units);
  ASSERT_EQ(problem.rows(), 6);
  EXPECT_EQ(problem.matrix[0], 1);
  EXPECT_EQ(problem.matrix[3], 0.25);  // above the diagonal, from below it
  EXPECT_EQ(problem.matrix[18], 0.25);
  EXPECT_EQ(problem.matrix[35], 2);
  EXPECT_EQ(problem.free_velocity, (std::vector<double>{-1, 0.3, 0.1, -1, 0, 2}));
  ASSERT_EQ(problem.sets.size(), 2U);
  EXPECT_EQ(problem.sets[1].mu, 0.2);
  EXPECT_EQ(problem.spans[1].first_row, 3);
}

TEST(ContactFile, ReadsWhatItWrote) {
  for (const char* name : {"step_stored.npz", "uneven.npz", "sparse.npz"}) {
    SCOPED_TRACE(name);
    const StoredProblem problem = problem_seed(name);
    const std::string bytes = write_contact_problem(problem);
    expect_same(parse_contact_problem(bytes, "again.npz"), problem);
    EXPECT_EQ(write_contact_problem(problem), bytes);
  }
}

/// Fields of one contact, any of which a test replaces.
class FieldsOfAContact {
 public:
  std::map<std::string, std::vector<double>> real{{"W_lower", {1, 0, 1, 0, 0, 1}},
                                                  {"g", {-1, 0, 0}},
                                                  {"R", {0, 0, 0}},
                                                  {"start", {0, 0, 0}},
                                                  {"dt", {1e-3}},
                                                  {"mu", {0.5}},
                                                  {"bound", {kUnbounded}}};
  std::map<std::string, std::vector<std::int64_t>> whole{{"n", {3}}, {"kind", {3}}, {"row", {0}}, {"rows", {3}}};

  std::string complaint() const {
    NpzWriter out;
    for (const auto& [name, values] : real) out.add(name, values);
    for (const auto& [name, values] : whole) out.add(name, values);
    try {
      parse_contact_problem(out.finish(), "a.npz");
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
};

TEST(ContactFile, NamesFileAndField) {
  EXPECT_EQ(FieldsOfAContact().complaint(), "none");
  const auto complaint = [](const std::function<void(FieldsOfAContact&)>& change) {
    FieldsOfAContact fields;
    change(fields);
    return fields.complaint();
  };
  EXPECT_EQ(complaint([](auto& f) { f.whole["n"] = {0}; }),
            "a.npz: 'n' has entry 0, 0; it has to be between 1 and 4000");
  EXPECT_EQ(complaint([](auto& f) { f.real.erase("W_lower"); }),
            "a.npz: 'W_lower' is not in the file, nor is 'x', the entries of a sparse matrix");
  EXPECT_EQ(complaint([](auto& f) { f.real["g"] = {1, 2}; }), "a.npz: 'g' has 2 numbers, and there should be 3");
  EXPECT_EQ(complaint([](auto& f) { f.real["g"][1] = std::nan(""); }), "a.npz: 'g' has entry 1, which is not finite");
  EXPECT_EQ(complaint([](auto& f) { f.real["R"][2] = -1; }), "a.npz: 'R' has entry 2, which is negative");
  EXPECT_EQ(complaint([](auto& f) { f.real["W_lower"][2] = -1; }),
            "a.npz: 'W_lower' has a negative number on the diagonal of row 1");
  EXPECT_EQ(complaint([](auto& f) { f.real["dt"] = {0}; }), "a.npz: 'dt' has to be greater than zero");
  EXPECT_EQ(complaint([](auto& f) { f.real["mu"] = {-0.1}; }), "a.npz: 'mu' has entry 0, which is negative");
  EXPECT_EQ(complaint([](auto& f) { f.whole["kind"] = {4}; }),
            "a.npz: 'kind' has entry 0, 4; it has to be between 0 and 3");
  EXPECT_EQ(complaint([](auto& f) { f.whole["row"] = {1}; }), "a.npz: 'row' has entry 0, 1; rows follow each other: 0");
  EXPECT_EQ(complaint([](auto& f) { f.whole["rows"] = {2}; }), "a.npz: 'rows' has 2 rows in all, and 'n' is 3");
  EXPECT_EQ(complaint([](auto& f) {
              f.whole["kind"] = {2};
              f.real["bound"] = {-1};
            }),
            "a.npz: 'bound' has entry 0, which is negative or NaN");
  EXPECT_EQ(complaint([](auto& f) {
              f.real["mus"] = {0, 0.5, 0};
            }),
            "a.npz: 'mus' has friction along t1 and none along t2 in the cone from row 0 on; that is not supported");
  EXPECT_EQ(complaint([](auto& f) { f.real.erase("start"); }), "a.npz: 'start': is not in the file");
  EXPECT_EQ(complaint([](auto& f) {
              f.real["kind"] = {3};
              f.whole.erase("kind");
            }),
            "a.npz: 'kind' has to have whole numbers");
}

/// Problems that others keep beside the repository.
TEST(ContactFile, ReadsProblemsBesideTheRepository) {
  const std::string folder = DELASSUS_SOURCE_DIR "/../shared/contact-problems";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "there is no " << folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".npz") continue;
    SCOPED_TRACE(entry.path());
    const StoredProblem problem = load_contact_problem(entry.path().string());
    expect_same(parse_contact_problem(write_contact_problem(problem), "again.npz"), problem);
  }
}

}  // namespace
}  // namespace delassus::io
