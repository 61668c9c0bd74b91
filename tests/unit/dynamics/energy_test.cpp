#include "delassus/dynamics/inverse_dynamics.hpp"

#include <gtest/gtest.h>

#include "delassus/kinematics/kinematics.hpp"
#include "delassus/operators/oracle.hpp"
#include "support/compare.hpp"
#include "support/random_system.hpp"
#include "support/seeds.hpp"

namespace delassus {
namespace {

using testing::converted;
using Vector = std::vector<double>;

double potential_at(const Model& model, const Vector& q) {
  Kinematics<double> kin(model);
  update_kinematics<double>(model, q, kin);
  return potential_energy(model, kin);
}

TEST(Energy, KineticIsHalfOfTheSquareInTheMetricOfTheInertia) {
  testing::for_each_seed(0, 50, [](int seed) {
    const Model model = samples::random_model(seed);
    const samples::State s = samples::random_state(model, seed);
    Kinematics<double> kin(model);
    Velocities<double> vel(model);
    update_kinematics<double>(model, s.q, kin);
    update_velocities<double>(model, kin, s.v, vel);
    const oracle::Matrix<long double> v(model.nv(), 1, converted<long double>(s.v));
    const auto M = oracle::inertia_matrix<long double>(model, converted<long double>(s.q));
    const auto want = static_cast<double>((oracle::transposed(v) * M * v)(0, 0) / 2);
    // Rounding of velocities that add up over some twenty links.
    EXPECT_NEAR(kinetic_energy(model, kin, vel), want, 1e-13 * want);
  });
}

// Its derivative along any motion is what gravity takes from the joints.
TEST(Energy, PotentialHasTheForcesOfGravityAsItsGradient) {
  testing::for_each_seed(0, 50, [](int seed) {
    const Model model = samples::random_model(seed);
    const samples::State s = samples::random_state(model, seed);
    constexpr double kStep = 1e-5;
    Vector step(s.v), before(s.q), after(s.q);
    for (double& x : step) x *= kStep;
    integrate(model, s.q, step, after);
    for (double& x : step) x = -x;
    integrate(model, s.q, step, before);
    const auto g = oracle::bias_forces<long double>(model, converted<long double>(s.q),
                                                    std::vector<long double>(static_cast<std::size_t>(model.nv())));
    double want = 0, size = 0;
    for (int k = 0; k < model.nv(); ++k) {
      want += static_cast<double>(g[k]) * s.v[k];
      size += std::abs(static_cast<double>(g[k]) * s.v[k]);
    }
    const double got = (potential_at(model, after) - potential_at(model, before)) / (2 * kStep);
    // Central differences: 1e-10 of the third derivative, and rounding of the potential, 1e-16 of 1e3 J, over 1e-5.
    EXPECT_NEAR(got, want, 1e-8 * (1 + size));
  });
}

}  // namespace
}  // namespace delassus
