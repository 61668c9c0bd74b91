// What a simulator shows of the solves in its steps.
#include <gtest/gtest.h>

#include <vector>

#include "delassus/simulation/simulator.hpp"
#include "scenes/boxes.hpp"
#include "simulation/stored_problem.hpp"

namespace delassus {
namespace {

constexpr double kStackMass = 20;  // two boxes

Simulator make_stack() {
  SimulationOptions options;
  options.tolerance = 1e-8;
  return Simulator(Model(make_box_stack(2)), {}, options);
}

/// Boxes at rest: normal impulses on the floor carry the weight of both. Each step begins with the impulses of the one before.
TEST(SolvedProblem, ShowsTheProblemAndWhatWasMadeOfIt) {
  Simulator sim = make_stack();
  std::vector<double> last;
  int seen = 0;
  sim.observe_solves([&](const SolvedProblem& solved) {
    ++seen;
    ASSERT_EQ(solved.problem.rows(), 24);  // four contacts under each box
    ASSERT_EQ(solved.op.rows(), 24);
    EXPECT_EQ(solved.problem.time_step, 1e-3);
    const std::vector<double> start(solved.start.data(), solved.start.data() + 24);
    // World axes lie between them, so the last digit may differ: impulses are below one.
    for (std::size_t r = 0; r < last.size(); ++r) EXPECT_NEAR(start[r], last[r], 1e-15) << r;
    last.assign(solved.lambda.data(), solved.lambda.data() + 24);
    CertificateWork work;
    const ContactResiduals residuals = certify(solved.op, solved.problem, solved.lambda, work);
    EXPECT_TRUE(is_within(residuals, 1e-7));  // ten times what the step asks for: mobilities are estimated there
    EXPECT_TRUE(solved.certificate.solved());
    double floor = 0;
    for (const RowSpan& span : solved.problem.spans) {
      // The floor's contacts are those that the upper box does not have: half of all impulses but its weight.
      floor += solved.lambda[span.first_row];
    }
    const double weight = kStackMass * 9.81 * 1e-3;
    EXPECT_NEAR(floor, 1.5 * weight,
                1e-5);  // all of it on the floor, half of it between the boxes; 20 kg times 1e-7 m/s, and recovery
  });
  ASSERT_TRUE(sim.advance(20).ok());
  EXPECT_EQ(seen, 20);
  sim.observe_solves({});
  ASSERT_TRUE(sim.advance(1).ok());
  EXPECT_EQ(seen, 20);
}

TEST(SolvedProblem, MotionsAreTheSameWithAndWithout) {
  Simulator seen = make_stack(), alone = make_stack();
  std::vector<io::StoredProblem> problems;
  seen.observe_solves(
      [&](const SolvedProblem& solved) { problems.push_back(make_stored(solved.op, solved.problem, solved.start)); });
  for (Simulator* sim : {&seen, &alone}) {
    sim->forces()[3] = 30;  // pushes the lower box along x
    ASSERT_TRUE(sim->advance(20).ok());
  }
  EXPECT_EQ(seen.save(), alone.save());
  EXPECT_EQ(problems.size(), 20U);
}

/// The problem as a file has it: another operator and another start, the same certificate.
TEST(SolvedProblem, IsJudgedTheSameFromAFile) {
  Simulator sim = make_stack();
  int seen = 0;
  sim.observe_solves([&](const SolvedProblem& solved) {
    ++seen;
    const io::StoredProblem stored = io::parse_contact_problem(
        io::write_contact_problem(make_stored(solved.op, solved.problem, solved.start)), "step.npz");
    CertificateWork work;
    const std::vector<double> lambda(24, 0.01);  // any
    const ContactResiduals a = certify(solved.op, solved.problem, lambda, work);
    const ContactResiduals b = certify(make_operator(stored), view_of(stored), lambda, work);
    EXPECT_GT(a.velocity, 1e-6);
    EXPECT_NEAR(a.velocity, b.velocity, 1e-12 * a.velocity);  // products of 24 rows, rounded in another order
    EXPECT_NEAR(a.dual, b.dual, 1e-12 * a.velocity);
  });
  ASSERT_TRUE(sim.advance(2).ok());
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace delassus
