#include "delassus/operators/oracle.hpp"

#include <cmath>
#include <string>

#include "delassus/math/error.hpp"
#include "operators/oracle_kinematics.hpp"

namespace delassus::oracle {
namespace {

/// One body as its place moves it: the Jacobian of its centre of mass, and its inertia about that in world
/// axes.
template <class S>
struct BodyTerms {
  S mass;
  Matrix<S> J;
  Matrix<S> I;
};

template <class S>
std::vector<BodyTerms<S>> body_terms(const Model& model, const Kinematics<S>& k) {
  std::vector<BodyTerms<S>> terms;
  int frame = 1;
  for (const BodyDescription& body : model.description().bodies) {
    const Place<S>& at = k.places[static_cast<std::size_t>(frame)];
    const Matrix<S> com = at.p + at.R * matrix<S>(body.inertial.com);
    terms.push_back({S(body.inertial.mass), velocity_at(k, frame, com),
                     at.R * matrix<S>(body.inertial.inertia) * transposed(at.R)});
    ++frame;
  }
  return terms;
}

}  // namespace

template <class T>
Kinematics<T> kinematics(const Model& model, In<T> q) {
  require_size("q", q.size(), model.nq());
  return kinematics_of(model, numbers<T>(q));
}

template <class T>
std::vector<T> integrate(const Model& model, In<T> q, In<T> v, T dt) {
  require_size("q", q.size(), model.nq());
  require_size("v", v.size(), model.nv());
  return moved(model, numbers<T>(q), numbers<T>(v), dt);
}

// M = Σ_b m JvᵀJv + JωᵀI Jω + armature
template <class T>
Matrix<T> inertia_matrix(const Model& model, In<T> q) {
  Matrix<T> M(model.nv(), model.nv());
  for (int i = 0; i < model.num_links(); ++i) {
    const int first = model.link(i).v;
    for (int k = 0; k < model.link(i).nv; ++k) {
      M(first + k, first + k) = T(model.joint(i).dofs[static_cast<std::size_t>(k)].armature);
    }
  }
  for (const BodyTerms<T>& b : body_terms(model, kinematics<T>(model, q))) {
    const Matrix<T> Jw = angular(b.J), Jv = linear(b.J);
    M = M + b.mass * (transposed(Jv) * Jv) + transposed(Jw) * b.I * Jw;
  }
  return M;
}

// h = Σ_b Jωᵀ d/dt(I ω) + Jvᵀ (d/dt(m v) - m g), with rates at v̇ = 0: Newton and Euler, body by body
template <class T>
std::vector<T> bias_forces(const Model& model, In<T> q, In<T> v) {
  require_size("q", q.size(), model.nq());
  require_size("v", v.size(), model.nv());
  const Matrix<Jet<T>> nu = column_of(numbers<Jet<T>>(v));
  Matrix<T> h(model.nv(), 1);
  const auto moving = body_terms(model, motion_of<T>(model, q, v));
  const auto still = body_terms(model, kinematics<T>(model, q));
  for (std::size_t b = 0; b < still.size(); ++b) {
    const Matrix<T> moment = column_of(rates_of(moving[b].I * (angular(moving[b].J) * nu)));
    const Matrix<T> force = column_of(rates_of(moving[b].mass * (linear(moving[b].J) * nu)));
    const Matrix<T> weight = still[b].mass * matrix<T>(model.gravity());
    h = h + transposed(angular(still[b].J)) * moment + transposed(linear(still[b].J)) * (force - weight);
  }
  return h.entries();
}

template <class T>
Matrix<T> solve_positive(Matrix<T> A, Matrix<T> B) {
  require_size("B", B.rows(), A.rows());
  const int n = A.rows();
  for (int j = 0; j < n; ++j) {  // A = L Lᵀ, L in the lower triangle
    for (int k = 0; k < j; ++k) A(j, j) -= A(j, k) * A(j, k);
    if (!(A(j, j) > 0)) throw Error("matrix is not positive definite: pivot " + std::to_string(j) + " is not positive");
    A(j, j) = std::sqrt(A(j, j));
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) A(i, j) -= A(i, k) * A(j, k);
      A(i, j) /= A(j, j);
    }
  }
  for (int c = 0; c < B.cols(); ++c) {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) B(i, c) -= A(i, k) * B(k, c);
      B(i, c) /= A(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) B(i, c) -= A(k, i) * B(k, c);
      B(i, c) /= A(i, i);
    }
  }
  return B;
}

template <class T>
Matrix<T> delassus_matrix(const Model& model, const std::vector<Constraint>& constraints, In<T> q) {
  const Matrix<T> J = constraint_jacobian<T>(model, constraints, q);
  return J * solve_positive(inertia_matrix<T>(model, q), transposed(J));
}

#define DELASSUS_INSTANTIATE(T)                                        \
  template Kinematics<T> kinematics<T>(const Model&, In<T>);           \
  template std::vector<T> integrate<T>(const Model&, In<T>, In<T>, T); \
  template Matrix<T> inertia_matrix<T>(const Model&, In<T>);           \
  template std::vector<T> bias_forces<T>(const Model&, In<T>, In<T>);  \
  template Matrix<T> solve_positive<T>(Matrix<T>, Matrix<T>);          \
  template Matrix<T> delassus_matrix<T>(const Model&, const std::vector<Constraint>&, In<T>);

DELASSUS_INSTANTIATE(double)
DELASSUS_INSTANTIATE(long double)
#undef DELASSUS_INSTANTIATE

}  // namespace delassus::oracle
