// The contact Delassus matrix of a humanoid that stands on two feet with four points each: what it says of the robot,
// why half of its rows are redundant, and how to do without the matrix.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/state.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/operators/matrix_operator.hpp"
#include "delassus/scenes/load_named.hpp"

namespace {

using namespace delassus;
using Vector = std::vector<double>;

double largest_difference(const Vector& a, const Vector& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

/// What a foot shows of the robot's mass along an axis: its four points are pushed alike, by one newton together.
double mass_at(const CondensedDelassus<double>& feet, int foot, int axis) {
  Vector push(24), answer(24);
  for (int point = 0; point < 4; ++point) push[12 * foot + 3 * point + axis] = 0.25;
  feet.apply(push, answer);
  double acceleration = 0;
  for (int point = 0; point < 4; ++point) acceleration += answer[12 * foot + 3 * point + axis] / 4;
  return 1 / acceleration;
}

}  // namespace

int main() {
  const Scene g1 = load_named("g1-standing");     // eight contacts, rows n, t1, t2 each
  State<double> state(g1.model, g1.constraints);  // kinematics and rows
  CondensedDelassus<double> feet(g1.model);
  if (!state.update(g1.q, g1.v).ok() || !feet.factor(state).ok()) return 1;

  // A unit force on a row accelerates all rows by a column: entries are inverse masses.
  for (const int foot : {0, 1})
    std::printf("%s foot: %.2f kg upwards, %.2f kg forwards, %.2f kg sideways\n", foot == 0 ? "left" : "right",
                mass_at(feet, foot, 0), mass_at(feet, foot, 1), mass_at(feet, foot, 2));
  std::printf("of %.2f kg: joints are limp here, so that a push on a foot bends the leg and moves little else\n",
              g1.model.mass());

  // A rigid foot has six ways to move: twelve rows on it have rank six.
  const int m = feet.rows();
  Vector matrix(m * m);
  feet.dense(MatrixView<double>(matrix.data(), m, m));
  const Spectrum spectrum = make_spectrum(MatrixView<const double>(matrix.data(), m, m));
  std::printf("rank %d of %d, condition %.0f among those that count\n", spectrum.rank, m, spectrum.condition);

  // So the matrix cannot be inverted, and needs no inverse: a damping makes it positive definite, and what is felt of
  // the forces does not depend on how small the damping is.
  Vector wanted(m), impulse(m), other(m), velocity(m), joints(g1.model.nv()), other_joints(g1.model.nv());
  for (int r = 0; r < m; r += 3) wanted[r] = 0.1;  // all points came down with 0.1 m/s
  if (!feet.update_damping(1e-6).ok() || !feet.solve(wanted, other).ok()) return 1;
  if (!feet.update_damping(1e-9).ok() || !feet.solve(wanted, impulse).ok()) return 1;
  double stop = 0;
  for (int r = 0; r < m; r += 3) stop += impulse[r];
  feet.joint_response(impulse, joints);
  feet.joint_response(other, other_joints);
  feet.apply(impulse, velocity);
  const double felt = largest_difference(joints, other_joints), left = largest_difference(velocity, wanted);
  std::printf("landing with 0.1 m/s: %.3f Ns on the feet, after which they move with %.0e m/s\n", stop, left);
  std::printf("a damping of 1e-6 instead of 1e-9 changes impulses by %.0e Ns, and joint velocities by %.0e rad/s\n",
              largest_difference(impulse, other), felt);

  // The operator and the matrix are the same map, to the rounding of 24 terms.
  Vector product(m);
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < m; ++c) product[r] += matrix[r * m + c] * impulse[c];
  return spectrum.rank == 12 && felt < 1e-4 && left < 1e-7 && largest_difference(product, velocity) < 1e-12 ? 0 : 1;
}
