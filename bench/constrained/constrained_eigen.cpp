// What a user would write with Eigen: M, J and h from the library, a decomposition of the KKT matrix
//
//   [M   Jᵀ] [ ν̇]   [τ - h]
//   [J  -μ ] [-λ] = [a + μ λ₀]
//
// and steps λ₀ ← λ until J ν̇ = a, as rows may be redundant.
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>

#include "bench/constrained/constrained_solver.hpp"
#include "cli/shell/delassus_matrix.hpp"
#include "delassus/constraints/state.hpp"
#include "delassus/dynamics/inverse_dynamics.hpp"

namespace delassus::cli {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Each takes M and J, then a damping, then right sides.

/// Cholesky of M, then of μ + J M⁻¹ Jᵀ.
class Schur {
 public:
  void set(const Matrix& M, const Matrix& J) {
    M_.compute(M);
    Y_ = J.transpose();
    M_.matrixL().solveInPlace(Y_);
    delassus_.setZero(J.rows(), J.rows());
    delassus_.selfadjointView<Eigen::Lower>().rankUpdate(Y_.transpose());
  }
  void damp(double damping) {
    damped_ = delassus_;
    damped_.diagonal().array() += damping;
    rows_.compute(damped_);
  }
  void solve(const Vector& force, const Vector& b, Vector& qdd, Vector& lambda) {
    qdd = force;
    M_.matrixL().solveInPlace(qdd);
    lambda = b;
    lambda.noalias() -= Y_.transpose() * qdd;
    rows_.solveInPlace(lambda);
    qdd.noalias() += Y_ * lambda;
    M_.matrixU().solveInPlace(qdd);
  }

 private:
  Eigen::LLT<Matrix> M_, rows_;
  Matrix Y_, delassus_, damped_;
};

/// K as a whole.
template <class Decomposition>
class Whole {
 public:
  void set(const Matrix& M, const Matrix& J) {
    n_ = M.rows();
    m_ = J.rows();
    K_.setZero(n_ + m_, n_ + m_);
    K_.topLeftCorner(n_, n_) = M;
    K_.bottomLeftCorner(m_, n_) = J;
    K_.topRightCorner(n_, m_) = J.transpose();
  }
  void damp(double damping) {
    K_.diagonal().tail(m_).setConstant(-damping);
    K_factor_.compute(K_);
  }
  void solve(const Vector& force, const Vector& b, Vector& qdd, Vector& lambda) {
    right_.resize(n_ + m_);
    right_ << force, b;
    solution_ = K_factor_.solve(right_);
    qdd = solution_.head(n_);
    lambda = -solution_.tail(m_);
  }

 private:
  Eigen::Index n_ = 0, m_ = 0;
  Matrix K_;
  Decomposition K_factor_;
  Vector right_, solution_;
};

/// K without its zeros, in the order that Eigen finds best; the pattern is analysed once.
class Sparse {
 public:
  void set(const Matrix& M, const Matrix& J) {
    if (K_.nonZeros() == 0) analyse(M, J);
    double* value = K_.valuePtr();
    for (Eigen::Index c = 0; c < K_.cols(); ++c) {
      for (Eigen::SparseMatrix<double>::InnerIterator entry(K_, c); entry; ++entry, ++value) {
        const Eigen::Index r = entry.row();
        if (r < M.rows()) *value = M(r, c);
        if (r >= M.rows() && c < M.cols()) *value = J(r - M.rows(), c);
      }
    }
  }
  void damp(double damping) {
    for (Eigen::Index k = n_; k < K_.cols(); ++k) K_.valuePtr()[K_.outerIndexPtr()[k]] = -damping;
    K_factor_.factorize(K_);
  }
  void solve(const Vector& force, const Vector& b, Vector& qdd, Vector& lambda) {
    right_.resize(K_.cols());
    right_ << force, b;
    solution_ = K_factor_.solve(right_);
    qdd = solution_.head(n_);
    lambda = -solution_.tail(K_.cols() - n_);
  }

 private:
  /// In a posture without symmetry what is zero is so everywhere.
  void analyse(const Matrix& M, const Matrix& J) {
    n_ = M.rows();
    std::vector<Eigen::Triplet<double>> lower;
    const auto add = [&](Eigen::Index r, Eigen::Index c, double x) {
      if (x != 0) lower.emplace_back(static_cast<int>(r), static_cast<int>(c), x);
    };
    for (Eigen::Index c = 0; c < n_; ++c) {
      for (Eigen::Index r = c; r < n_; ++r) add(r, c, M(r, c));
      for (Eigen::Index r = 0; r < J.rows(); ++r) add(n_ + r, c, J(r, c));
    }
    for (Eigen::Index r = 0; r < J.rows(); ++r) add(n_ + r, n_ + r, -1);
    K_.resize(n_ + J.rows(), n_ + J.rows());
    K_.setFromTriplets(lower.begin(), lower.end());
    K_factor_.analyzePattern(K_);
  }

  Eigen::Index n_ = 0;
  Eigen::SparseMatrix<double> K_;  // below the diagonal
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> K_factor_;
  Vector right_, solution_;
};

template <class Kkt>
class EigenSolver final : public ConstrainedSolver {
 public:
  explicit EigenSolver(const ConstrainedBench& bench)
      : bench_(bench),
        state_(bench.scene.model, bench.scene.constraints),
        inertia_(bench.scene.model),
        inverse_(bench.scene.model),
        tau_(Eigen::Map<const Vector>(bench.tau.data(), bench.scene.model.nv())) {
    const int n = bench.scene.model.nv(), m = bench.scene.rows;
    M_.setZero(n, n);
    J_.setZero(m, n);
    for (Vector* x : {&h_, &force_, &qdd_}) x->setZero(n);
    for (Vector* x : {&target_, &b_, &lambda_}) x->setOnes(m);
  }

  bool has(ConstrainedCall) const override { return true; }
  void call(ConstrainedCall call) override {
    switch (call) {
      case ConstrainedCall::kDynamics:
        return solve_at(turn_++ % 2);
      case ConstrainedCall::kMatrices:
        return place(turn_++ % 2);
      case ConstrainedCall::kFactor:
        place(turn_++ % 2);
        [[fallthrough]];
      case ConstrainedCall::kRedamp:
        return kkt_.damp(kKktDampings[dampings_++ % 2]);
      case ConstrainedCall::kSolve:
        return kkt_.solve(tau_, b_, qdd_, lambda_);
    }
  }
  EquationResiduals residuals() override {
    solve_at(0);
    return residuals_of(bench_, {{qdd_.begin(), qdd_.end()}, {lambda_.begin(), lambda_.end()}, iterations_});
  }
  int iterations() const override { return iterations_; }

 private:
  void place(unsigned configuration) {
    const Model& model = bench_.scene.model;
    require_ok(state_.update(bench_.scene.q[configuration], bench_.v[configuration]), model, bench_.scene.constraints);
    crba<double>(model, state_.kinematics(), M_, inertia_);
    constraint_jacobian<double>(model, state_.kinematics(), state_.rows(), J_);
    kkt_.set(M_, J_);
  }

  void solve_at(unsigned configuration) {
    constexpr double kTolerance = 1e-11, damping = kKktDampings[0];
    constexpr int kMostIterations = 10;
    place(configuration);
    bias_forces<double>(bench_.scene.model, state_.kinematics(), state_.velocities(), h_, inverse_);
    force_ = tau_ - h_;
    state_.target(target_);
    kkt_.damp(damping);
    const double small = kTolerance * target_.cwiseAbs().maxCoeff();
    b_ = target_;
    for (iterations_ = 1;; ++iterations_) {
      kkt_.solve(force_, b_, qdd_, lambda_);
      b_.noalias() = J_ * qdd_;
      if ((b_ - target_).cwiseAbs().maxCoeff() < small || iterations_ == kMostIterations) return;
      b_ = target_ + damping * lambda_;
    }
  }

  const ConstrainedBench& bench_;
  State<double> state_;
  CompositeInertia<double> inertia_;
  InverseDynamics<double> inverse_;
  Kkt kkt_;
  Matrix M_, J_;
  Vector tau_, h_, force_, qdd_, target_, b_, lambda_;
  int iterations_ = 0;
  unsigned turn_ = 0, dampings_ = 0;
};

template <class Kkt>
std::unique_ptr<ConstrainedSolver> make(const ConstrainedBench& bench) {
  return std::make_unique<EigenSolver<Kkt>>(bench);
}

}  // namespace

std::vector<ConstrainedSolverEntry> eigen_solvers() {
  return {{kDenseSolver, make<Schur>},
          {"dense LDLT", make<Whole<Eigen::LDLT<Matrix>>>},
          {"dense LU", make<Whole<Eigen::PartialPivLU<Matrix>>>},
          {"sparse LDLT", make<Sparse>}};
}

}  // namespace delassus::cli
