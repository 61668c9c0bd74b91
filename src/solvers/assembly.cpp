#include "delassus/solvers/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "delassus/kinematics/kinematics.hpp"
#include "math/finite.hpp"
#include "solvers/operator_work.hpp"
#include "solvers/proximal_method.hpp"

namespace delassus {
namespace {

// μ relative to Λ⁻¹. Above the last one a step is so short that it would have come closer, if any did.
constexpr double kRaise = 30, kLower = 1e-2, kMost = 1e8;
/// A sum of squares that falls by less than this part of itself has stopped falling.
constexpr double kStalled = 1e-11;
/// No angle turns by more in one step, in radians: beyond, the rows say nothing of where they lead.
constexpr double kLongestTurn = 1;

bool is_angle(const Model& model, int link, int dof) { return !is_displacement(model.link(link).kind, dof); }

/// Whether row `r` of a constraint is an angle.
struct IsAngular {
  bool operator()(const LoopClosure& x) const {
    int linear = 3;
    for (int k = 0; k < 3; ++k) linear -= x.free_linear >> k & 1;
    return r >= linear;
  }
  bool operator()(const JointCoupling& x) const {
    return !x.terms.empty() && is_angle(model, x.terms[0].link, x.terms[0].dof);
  }
  bool operator()(const JointPolynomial& x) const { return is_angle(model, x.link, x.dof); }
  bool operator()(const JointLimit& x) const { return is_angle(model, x.link, x.dof); }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }

  const Model& model;
  int r;
};

bool follows_configuration(const Constraint& c) {
  return !std::holds_alternative<PointContact>(c) && !std::holds_alternative<JointFriction>(c) &&
         !std::holds_alternative<CustomRows>(c);
}

template <class T>
T sum_of_squares(const std::vector<T>& x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), T(0));
}

void require_equalities(std::span<const Constraint> constraints) {
  for (const Constraint& c : constraints) {
    if (is_equality(c)) continue;
    throw Error(std::string(kind_of(c)) + " constraint '" + name_of(c) +
                "' is no equality, and nothing can be moved onto it; leave out what only pushes: contacts and limits");
  }
}

}  // namespace

bool is_equality(const Constraint& c) { return set_of(c).kind == SetKind::kEquality; }

std::vector<Constraint> make_equalities(std::span<const Constraint> constraints) {
  std::vector<Constraint> out;
  std::copy_if(constraints.begin(), constraints.end(), std::back_inserter(out), is_equality);
  return out;
}

template <FloatingPoint T>
Assembler<T>::Assembler(const Model& model, std::span<const Constraint> constraints, const AssemblyOptions& options)
    : options_(options),
      state_(model, constraints),
      op_(model, state_.rows(), CondensedOptions{.refinements = 0}),
      step_(static_cast<std::size_t>(model.nv())),
      trial_(static_cast<std::size_t>(model.nq())),
      still_(static_cast<std::size_t>(model.nv())) {
  require_equalities(constraints);
  const double rounding = std::numeric_limits<T>::epsilon();
  if (options_.tolerance == 0) options_.tolerance = 1e3 * rounding;
  if (options_.velocity_tolerance == 0) options_.velocity_tolerance = 100 * std::cbrt(rounding * rounding);
  if (options_.damping == 0) options_.damping = std::cbrt(rounding * rounding);
  proximal_.reserve(state_.num_rows());
  for (std::vector<T>* work : {&phi_, &best_, &lambda_}) work->resize(static_cast<std::size_t>(state_.num_rows()));
  describe_rows();
}

template <FloatingPoint T>
void Assembler<T>::describe_rows() {
  const Model& model = state_.model();
  for (const Constraint& c : state_.constraints()) {
    for (int r = 0; r < row_count(c); ++r) {
      rows_.push_back({follows_configuration(c), std::visit(IsAngular{model, r}, c)});
    }
  }
  for (const Link& link : model.links()) {
    for (int k = 0; k < link.nv; ++k) {
      if (!is_displacement(link.kind, k)) turns_.push_back(link.v + k);
    }
  }
}

/// φ at q.
template <FloatingPoint T>
Status Assembler<T>::measure(In<T> q) {
  const Status status = state_.update(q, still_);
  if (!status.ok()) return status;
  state_.position(phi_);
  for (int r = 0; r < state_.num_rows(); ++r) {
    if (!rows_[r].follows) phi_[r] = T(0);
    if (!std::isfinite(phi_[r])) return {Status::Code::kNotFinite, r};
  }
  return {};
}

template <FloatingPoint T>
AssemblyError<T> Assembler<T>::error() const {
  AssemblyError<T> out;
  for (int r = 0; r < state_.num_rows(); ++r) {
    T& most = rows_[r].angular ? out.angular : out.linear;
    most = std::max(most, std::abs(best_[r]));
  }
  return out;
}

template <FloatingPoint T>
Status Assembler<T>::factor() {
  const Status status = op_.factor(state_);
  if (status.ok()) scale_ = size_of_operator<T>(op_, phi_, lambda_);
  return status;
}

/// One step from q, which is taken if it comes closer.
template <FloatingPoint T>
bool Assembler<T>::try_step(Out<T> q) {
  ++report_.iterations;
  if (!op_.update_damping(Damping<T>(damping_ * scale_)).ok()) return false;
  const Status status = op_.solve(best_, lambda_);
  if (is_fatal(status)) return false;
  op_.joint_response(lambda_, step_);
  T longest(0);
  for (const std::int32_t k : turns_) longest = std::max(longest, std::abs(step_[k]));
  const T length = longest > T(kLongestTurn) ? T(kLongestTurn) / longest : T(1);
  for (T& entry : step_) entry *= -length;
  integrate(state_.model(), q, step_, trial_);
  if (!measure(trial_).ok()) return false;
  const T square = sum_of_squares(phi_);
  if (!(square < square_)) return false;
  square_ = square;
  std::swap(phi_, best_);
  std::copy(trial_.begin(), trial_.end(), q.data());
  return true;
}

template <FloatingPoint T>
Status Assembler<T>::assemble(Out<T> q) {
  require_size("q", q.size(), state_.model().nq());
  report_ = {};
  Status status = measure(q);
  if (!status.ok()) return status;
  std::swap(phi_, best_);
  square_ = sum_of_squares(best_);
  report_.before = report_.after = error();
  damping_ = T(options_.damping);
  const auto farthest = [&] { return worst_row(best_.data(), state_.num_rows()); };
  bool moved = true;
  while (report_.after.linear > T(options_.tolerance) * reach() || report_.after.angular > T(options_.tolerance)) {
    if (report_.iterations >= options_.iterations) return {Status::Code::kNotConverged, farthest()};
    if (moved) status = factor();
    if (!status.ok()) return status;
    const T before = square_;
    moved = try_step(q);
    if (moved) report_.after = error();
    damping_ = moved ? std::max(T(kLower) * damping_, T(options_.damping)) : T(kRaise) * damping_;
    const bool stalled = moved ? square_ > T(1 - kStalled) * before : damping_ > T(kMost);
    if (stalled) return {Status::Code::kInfeasible, farthest()};
  }
  return {};
}

/// How far from the origin things are, at least a metre: their positions are no more exact than that times rounding.
template <FloatingPoint T>
T Assembler<T>::reach() const {
  T most(1);
  for (int i = 0; i < state_.model().num_links(); ++i) most = std::max(most, norm(state_.kinematics().pose[i].p));
  return most;
}

/// The largest velocity of a link, in m/s or rad/s.
template <FloatingPoint T>
T Assembler<T>::fastest() const {
  T most(0);
  for (int i = 0; i < state_.model().num_links(); ++i) {
    const Motion<T>& motion = state_.velocities().velocity[i];
    most = std::max({most, norm(motion.linear), norm(motion.angular)});
  }
  return most;
}

/// Points that are as far apart as counts as nothing turn about each other with that much velocity: it is not worth a solve.
template <FloatingPoint T>
Status Assembler<T>::project_velocity(In<T> q, Out<T> v) {
  Status status = require_finite<T>(VectorView<const T>(v.data(), v.size()));
  if (status.ok()) status = state_.update(q, v);
  if (!status.ok()) return status;
  if (largest(state_.velocity().data(), state_.num_rows()) <= T(options_.tolerance) * fastest()) return {};
  status = op_.factor(state_);
  if (!status.ok()) return status;
  std::fill(lambda_.begin(), lambda_.end(), T(0));
  const T size = largest(state_.velocity().data(), op_.rows());
  status = proximal_.solve(op_, state_.velocity(), {size, state_.velocity_terms()}, lambda_);
  op_.joint_response(lambda_, step_);
  for (int k = 0; k < v.size(); ++k) v[k] -= step_[k];
  return proximal_.report().residual <= T(options_.velocity_tolerance) * fastest() ? Status{} : status;
}

template class Assembler<float>;
template class Assembler<double>;

}  // namespace delassus
