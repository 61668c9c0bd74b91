// The operator inside someone else's solver: a conjugate gradient method that knows nothing of robots, and takes
// anything that multiplies. The damped solve is a preconditioner for it that needs no matrix either.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "delassus/constraints/state.hpp"
#include "delassus/operators/condensed.hpp"
#include "delassus/scenes/load_named.hpp"

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// Someone else's: x with A x = b, from zero. `multiply` and `precondition` write into their second argument. Returns
/// the number of products.
template <class Multiply, class Precondition>
int conjugate_gradients(Multiply&& multiply, Precondition&& precondition, const Vector& b, Vector& x,
                        double tolerance) {
  Vector r = b, z(b.size()), Ap(b.size());
  x.assign(b.size(), 0.0);
  precondition(r, z);
  Vector p = z;
  double rz = dot(r, z);
  int products = 0;
  while (dot(r, r) > tolerance * tolerance * dot(b, b) && products < 10000) {
    multiply(p, Ap);
    ++products;
    const double step = rz / dot(p, Ap);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += step * p[k], r[k] -= step * Ap[k];
    precondition(r, z);
    const double next = dot(r, z);
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = z[k] + next / rz * p[k];
    rz = next;
  }
  return products;
}

}  // namespace

int main() {
  using namespace delassus;
  const Scene g1 = load_named("g1-fallen");       // 23 contacts: more rows than degrees of freedom
  State<double> state(g1.model, g1.constraints);  // kinematics and rows
  CondensedDelassus<double> op(g1.model);
  if (!state.update(g1.q, g1.v).ok() || !op.factor(state).ok()) return 1;
  std::printf("%d rows, %d degrees of freedom, %.0f kB\n", op.rows(), g1.model.nv(),
              1e-3 * static_cast<double>(op.bytes()));

  // Impulses that stop a motion of the robot, by contacts that give way: (Λ⁻¹ + R) x = -J v, with an R of its own for
  // each contact.
  Vector v(g1.model.nv()), compliance(op.rows());
  for (int k = 0; k < g1.model.nv(); ++k) v[k] = -std::cos(k);
  if (!state.update(g1.q, v).ok()) return 1;
  const Vector& b = state.velocity();
  for (int r = 0; r < op.rows(); ++r) {
    const int contact = r / 3;
    compliance[r] = std::pow(10.0, -3 + 2 * contact / 22.0);
  }
  const auto multiply = [&](const Vector& x, Vector& y) {
    op.apply(x, y);
    for (std::size_t r = 0; r < x.size(); ++r) y[r] += compliance[r] * x[r];
  };

  Vector plain, helped, exact(op.rows());
  const int without = conjugate_gradients(
      multiply, [](const Vector& r, Vector& z) { z = r; }, b, plain, 1e-10);
  // A damped solve with one number for all contacts is close enough to help.
  if (!op.update_damping(1e-2).ok()) return 1;
  const auto precondition = [&](const Vector& r, Vector& z) { (void)op.solve(r, z); };
  const int with = conjugate_gradients(multiply, precondition, b, helped, 1e-10);
  std::printf("conjugate gradients: %d products; preconditioned by the damped solve %d\n", without, with);

  // The operator can do that alone, with a damping for each row.
  if (!op.update_damping(compliance).ok() || !op.solve(b, exact).ok()) return 1;
  double largest = 0, off = 0;
  for (int r = 0; r < op.rows(); ++r) {
    largest = std::max(largest, std::abs(exact[r]));
    off = std::max({off, std::abs(plain[r] - exact[r]), std::abs(helped[r] - exact[r])});
  }
  std::printf("impulses up to %.3f Ns; the three agree to %.0e Ns\n", largest, off);
  // Residuals of 1e-10, and a condition of 1e5 or so.
  return with < without / 2 && off < 1e-5 * largest ? 0 : 1;
}
