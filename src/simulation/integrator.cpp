#include "delassus/simulation/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "delassus/dynamics/inverse_dynamics.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "operators/refinement.hpp"

namespace delassus {
namespace {

/// Relative energy that nothing but an explosion makes out of nothing.
constexpr double kExplosion = 0.5;
constexpr double kPreserved = 1e-6;
/// Rounding of energies, in units of that of their terms.
constexpr double kRounding = 1e4;

}  // namespace

Integrator::Integrator(const Model& model, std::span<const Constraint> constraints, const IntegratorOptions& options)
    : options_(options), state_(model, constraints), dynamics_(model), assembler_(model, constraints) {
  if (!(options.dt > 0 && std::isfinite(options.dt)))
    throw Error("option 'dt' has to be positive: the length of a step in seconds");
  if (options.halvings < 0 || options.halvings > 20) throw Error("option 'halvings' has to lie between 0 and 20");
  if (!(options.energy_error >= 0)) throw Error("option 'energy_error' has to be positive, or zero for the default");
  if (options_.energy_error == 0) {
    options_.energy_error = options_.kind == IntegratorKind::kEnergyPreserving ? kPreserved : kExplosion;
  }
  dynamics_.update_structure(state_);
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  for (Stage& stage : stages_) stage = {Vector(nq), Vector(nv), Vector(nv)};
  end_q_.resize(nq);
  for (Vector* x : {&end_v_, &displacement_, &tau_}) x->resize(nv);
  for (Vector* x : {&target_, &lambda_}) x->resize(static_cast<std::size_t>(state_.num_rows()));
}

Status Integrator::step(double t, Out<double> q, Out<double> v, const JointForces& forces) {
  return advance(t, &forces, q, v);
}

Status Integrator::step(Out<double> q, Out<double> v, In<double> tau) {
  if (const Status s = check_sizes({{2, tau.size(), state_.model().nv()}}); !s.ok()) return s;
  std::copy_n(tau.data(), tau.size(), tau_.begin());
  return advance(0, nullptr, q, v);
}

/// In parts: half as long as one that failed, twice as long again where one ends on a multiple of that. Without `forces`
/// those in tau_ act.
Status Integrator::advance(double t, const JointForces* forces, Out<double> q, Out<double> v) {
  const int first = forces == nullptr ? 0 : 1;  // after t
  const Status fits = check_sizes({{first, q.size(), state_.model().nq()}, {first + 1, v.size(), state_.model().nv()}});
  if (!fits.ok()) return fits;
  std::copy_n(q.data(), q.size(), stages_[0].q.begin());
  std::copy_n(v.data(), v.size(), stages_[0].v.begin());
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  parts_ = evaluations_ = 0;
  missed_ = 0;
  const int whole = 1 << options_.halvings;
  int part = whole;
  for (int done = 0; done < whole;) {
    h_ = options_.dt * part / whole;
    const Status status = take_part(t + options_.dt * done / whole, part == 1, forces);
    if (!status.ok()) {
      if (part == 1) return status;
      std::fill(lambda_.begin(), lambda_.end(), 0.0);  // what failed may have left no numbers
      part /= 2;
      continue;
    }
    ++parts_;
    done += part;
    std::swap(stages_[0].q, end_q_);
    std::swap(stages_[0].v, end_v_);
    if (done % (2 * part) == 0) part *= 2;
  }
  std::copy(stages_[0].q.begin(), stages_[0].q.end(), q.data());
  std::copy(stages_[0].v.begin(), stages_[0].v.end(), v.data());
  return {};
}

/// From the first stage to the end.
Status Integrator::take_part(double t, bool shortest, const JointForces* forces) {
  Status status = accelerate(t, forces, stages_[0]);
  if (!status.ok()) return status;
  start_ = energy();
  status = options_.kind == IntegratorKind::kSemiImplicitEuler ? euler() : runge_kutta(t, forces);
  if (status.ok() && options_.project) status = assembler_.assemble(end_q_);
  if (status.ok() && options_.project) status = assembler_.project_velocity(end_q_, end_v_);
  if (status.ok()) status = state_.update(end_q_, end_v_);
  return status.ok() ? settle_energy(shortest) : status;
}

/// Stages lie beside the constraints, and redundant rows contradict each other there: the motion that misses them least is
/// the one to go on with. Whether loops can be closed at the end, the projection knows.
Status Integrator::accelerate(double t, const JointForces* forces, Stage& stage) {
  ++evaluations_;
  if (forces != nullptr) (*forces)(t, stage.q, stage.v, tau_);
  stage.power = std::inner_product(tau_.begin(), tau_.end(), stage.v.begin(), 0.0);
  Status status = state_.update(stage.q, stage.v);
  if (status.ok()) status = dynamics_.factor(state_);
  if (!status.ok()) return status;
  state_.target(options_.pull, target_);
  status = dynamics_.solve(state_, tau_, target_, stage.a, lambda_);
  if (status.code != Status::Code::kInfeasible) return status;
  missed_ = std::max(missed_, dynamics_.report().residual);
  return {};
}

/// to = from ⊕ time v.
void Integrator::move(const Vector& from, double time, const Vector& v, Vector& to) {
  for (std::size_t k = 0; k < v.size(); ++k) displacement_[k] = time * v[k];
  integrate(state_.model(), from, displacement_, to);
}

Status Integrator::euler() {
  const Stage& s = stages_[0];
  for (std::size_t k = 0; k < s.v.size(); ++k) end_v_[k] = s.v[k] + h_ * s.a[k];
  move(s.q, h_, end_v_, end_q_);
  work_ = h_ * std::inner_product(tau_.begin(), tau_.end(), end_v_.begin(), 0.0);
  return {};
}

/// Commutator-free, by Celledoni, Marthinsen, Owren, "Commutator-free Lie group methods", 2003: the classical method where
/// coordinates are a vector space, and of the same order on rotations, with nothing but q ⊕ v.
Status Integrator::runge_kutta(double t, const JointForces* forces) {
  Stage &k1 = stages_[0], &k2 = stages_[1], &k3 = stages_[2], &k4 = stages_[3];
  const std::size_t n = k1.v.size();
  const auto evaluate = [&](Stage& stage, double time, const Stage& slope) {
    for (std::size_t k = 0; k < n; ++k) stage.v[k] = k1.v[k] + time * slope.a[k];
    return accelerate(t + time, forces, stage);
  };
  move(k1.q, h_ / 2, k1.v, k2.q);
  Status status = evaluate(k2, h_ / 2, k1);
  if (!status.ok()) return status;
  move(k1.q, h_ / 2, k2.v, k3.q);
  status = evaluate(k3, h_ / 2, k2);
  if (!status.ok()) return status;
  for (std::size_t k = 0; k < n; ++k) end_v_[k] = k3.v[k] - k1.v[k] / 2;
  move(k2.q, h_, end_v_, k4.q);
  status = evaluate(k4, h_, k3);
  if (!status.ok()) return status;

  for (std::size_t k = 0; k < n; ++k) end_v_[k] = 3 * k1.v[k] + 2 * (k2.v[k] + k3.v[k]) - k4.v[k];
  move(k1.q, h_ / 12, end_v_, end_q_);
  for (std::size_t k = 0; k < n; ++k) end_v_[k] = -k1.v[k] + 2 * (k2.v[k] + k3.v[k]) + 3 * k4.v[k];
  move(end_q_, h_ / 12, end_v_, end_q_);
  for (std::size_t k = 0; k < n; ++k) end_v_[k] = k1.v[k] + h_ / 6 * (k1.a[k] + 2 * (k2.a[k] + k3.a[k]) + k4.a[k]);
  work_ = h_ / 6 * (k1.power + 2 * (k2.power + k3.power) + k4.power);
  return {};
}

Integrator::Energy Integrator::energy() const {
  return {kinetic_energy(state_.model(), state_.kinematics(), state_.velocities()),
          potential_energy(state_.model(), state_.kinematics())};
}

/// Projection onto the energy (Hairer, Lubich, Wanner, "Geometric Numerical Integration", section IV.4): of all velocities with
/// the right kinetic energy the nearest in its own metric is a multiple, which agrees with the constraints as well.
Status Integrator::settle_energy(bool shortest) {
  const Energy end = energy();
  const double defect = end.kinetic + end.potential - start_.kinetic - start_.potential - work_;
  const double moved = start_.kinetic + end.kinetic + std::abs(end.potential - start_.potential);
  const double weight = state_.model().mass() * norm(state_.model().gravity());  // times a metre
  const double rounding =
      kRounding * std::numeric_limits<double>::epsilon() * (start_.kinetic + std::abs(start_.potential) + weight);
  const double limit = shortest ? std::max(options_.energy_error, kExplosion) : options_.energy_error;
  if (!(std::abs(defect) <= limit * moved + rounding)) {
    return {Status::Code::kNotConverged, worst_row(lambda_.data(), state_.num_rows())};
  }
  const double wanted = end.kinetic - defect;
  // What is rounding would be made a motion, near rest.
  const bool real =
      std::abs(defect) > 16 * std::numeric_limits<double>::epsilon() * (std::abs(start_.potential) + weight);
  if (options_.kind == IntegratorKind::kEnergyPreserving && real && wanted > 0 && end.kinetic > 0) {
    for (double& v : end_v_) v *= std::sqrt(wanted / end.kinetic);
  }
  return {};
}

}  // namespace delassus
