#include "batch/scalar_solvers.hpp"

#include <tuple>

namespace delassus {
namespace {

bool same_options(const AdmmOptions& a, const AdmmOptions& b) {
  const auto all = [](const AdmmOptions& o) {
    return std::tie(o.tolerance, o.relative_tolerance, o.iterations, o.relaxation, o.penalty, o.memory);
  };
  return all(a) == all(b);
}

}  // namespace

template <class T>
ScalarSolvers<T>::ScalarSolvers(const Model& model, const BatchOptions& options)
    : model_(model), some_(model), dynamics_(model, options.proximal), kin_(model), op_(model, options.condensed) {}

template <class T>
void ScalarSolvers<T>::set_contact_options(const AdmmOptions& options) {
  if (same_options(admm_.options(), options)) return;
  admm_ = Admm(options);
  prepared_.clear();
}

template <class T>
void ScalarSolvers<T>::forget(int slot) {
  if (static_cast<std::size_t>(slot) < prepared_.size()) prepared_[static_cast<std::size_t>(slot)] = false;
}

template <class T>
void ScalarSolvers<T>::prepare(const BatchStructure& structure) {
  const auto slot = static_cast<std::size_t>(structure.slot);
  if (prepared_.size() <= slot) prepared_.resize(slot + 1);
  if (prepared_[slot]) return;
  while (states_.size() <= slot) states_.emplace_back(model_);
  for (State<T>* state : {&states_[slot], &some_}) state->set_constraints(structure.constraints);
  dynamics_.update_structure(some_);
  lower_structure<double>(model_, structure.constraints, rows_);
  op_.update_structure(model_, rows_);
  const auto constraints = structure.constraints.size(), rows = static_cast<std::size_t>(structure.rows);
  admm_.reserve(static_cast<int>(constraints), structure.rows);
  if (active_.size() < constraints) active_ = structure.constraints;
  row_.reserve(rows);
  for (std::vector<T>* work : {&target_, &lambda_}) work->reserve(rows);
  for (std::vector<double>* work : {&free_velocity_, &compliance_, &impulse_}) work->reserve(rows);
  prepared_[slot] = true;
}

template <class T>
template <class X>
void ScalarSolvers<T>::read(BatchView<const T> from, int environment, std::vector<X>& to) const {
  to.resize(static_cast<std::size_t>(from.components()));
  for (int c = 0; c < from.components(); ++c) to[static_cast<std::size_t>(c)] = static_cast<X>(from(environment, c));
}

template <class T>
template <class X>
void ScalarSolvers<T>::read_rows(BatchView<const T> from, int environment, std::vector<X>& to) const {
  to.resize(row_.size());
  for (std::size_t r = 0; r < row_.size(); ++r) to[r] = static_cast<X>(from(environment, row_[r]));
}

/// Rows that are off, or beyond those of the environment, are zero.
template <class T>
template <class X>
void ScalarSolvers<T>::write_rows(const std::vector<X>& from, int environment, BatchView<T> to) const {
  for (int c = 0; c < to.components(); ++c) to(environment, c) = T(0);
  for (std::size_t r = 0; r < row_.size(); ++r) to(environment, row_[r]) = static_cast<T>(from[r]);
}

/// The constraints of an environment that are on, and the places of their rows.
template <class T>
std::span<const Constraint> ScalarSolvers<T>::list_active(int environment, const BatchStructure& structure,
                                                          const BatchSets& sets) {
  const std::span<const Constraint> all = sets.of(environment);
  row_.clear();
  std::size_t count = 0;
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (!sets.is_active(environment, static_cast<int>(e))) continue;
    const RowSpan& span = structure.spans[e];
    for (int r = 0; r < span.rows; ++r) row_.push_back(span.first_row + r);
    if (!sets.active.empty()) {
      if (active_.size() <= count) active_.resize(count + 1);
      active_[count] = all[e];
    }
    ++count;
  }
  return sets.active.empty() ? all : std::span<const Constraint>(active_).first(count);
}

/// With the constraints of an environment. If all are on, they have the structure of the slot, and only their numbers differ.
template <class T>
State<T>& ScalarSolvers<T>::state_of(int environment, const BatchStructure& structure, const BatchSets& sets) {
  const std::span<const Constraint> constraints = list_active(environment, structure, sets);
  if (!sets.active.empty()) {
    some_.set_constraints(constraints);
    return some_;
  }
  State<T>& state = states_[static_cast<std::size_t>(structure.slot)];
  static_cast<void>(state.move_constraints(constraints));  // as many as the structure has
  return state;
}

template <class T>
Status ScalarSolvers<T>::constrained_dynamics(int environment, const BatchStructure& structure, const BatchSets& sets,
                                              BatchView<const T> q, BatchView<const T> v, BatchView<const T> tau,
                                              BatchView<T> a, BatchView<T> lambda, const Baumgarte& pull) {
  State<T>& state = state_of(environment, structure, sets);
  read(q, environment, q_);
  read(v, environment, v_);
  read(tau, environment, tau_);
  read_rows(lambda, environment, lambda_);
  Status status = state.update(q_, v_);
  if (status.ok()) status = dynamics_.factor(state);
  if (!status.ok()) return status;
  target_.resize(row_.size());
  a_.resize(static_cast<std::size_t>(model_.nv()));
  pull.stiffness == 0 && pull.damping == 0 ? state.target(target_) : state.target(pull, target_);
  status = dynamics_.solve(state, tau_, target_, a_, lambda_);
  for (int c = 0; c < a.components(); ++c) a(environment, c) = a_[static_cast<std::size_t>(c)];
  write_rows(lambda_, environment, lambda);
  return status;
}

template <class T>
Status ScalarSolvers<T>::contact_solve(int environment, const BatchStructure& structure, const BatchSets& sets,
                                       BatchView<const T> q, const BatchContactProblem<T>& problem, BatchView<T> lambda,
                                       ContactCertificate& certificate) {
  const std::span<const Constraint> constraints = list_active(environment, structure, sets);
  certificate = {};
  lower_structure<double>(model_, constraints, rows_);
  read(q, environment, state_q_);
  update_kinematics<double>(model_, state_q_, kin_);
  Status status = lower_values<double>(model_, kin_, constraints, rows_);
  if (status.ok()) status = op_.factor({model_, kin_, rows_});
  if (!status.ok()) return status;
  read_rows(problem.free_velocity, environment, free_velocity_);
  read_rows(lambda, environment, impulse_);
  const bool compliant = problem.compliance.components() > 0;
  compliant ? read_rows(problem.compliance, environment, compliance_) : compliance_.clear();
  admm_.set_penalty(0);  // what the environment before ended with is no business of this one
  const ContactProblem own{rows_.spans, rows_.sets, free_velocity_, compliance_, problem.law, problem.time_step};
  status = admm_.solve(op_, own, impulse_);
  certificate = admm_.certificate();
  write_rows(impulse_, environment, lambda);
  return status;
}

template class ScalarSolvers<float>;
template class ScalarSolvers<double>;

}  // namespace delassus
