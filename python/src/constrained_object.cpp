#include "constrained_object.hpp"

#include "coordinates.hpp"
#include "errors.hpp"

namespace delassus::python {

Outcome outcome_of(const Status& status, const Model& model, std::span<const Constraint> constraints,
                   const ProximalReport<double>& report, const std::vector<double>& remainder) {
  Outcome out{code_name(status.code), "", -1, report.iterations, report.residual, remainder};
  if (status.ok()) return out;
  using Code = Status::Code;
  if (status.code != Code::kInfeasible && status.code != Code::kNotConverged && status.code != Code::kUnbalanced) {
    throw StatusError(status, model, constraints);
  }
  out.message = describe(status, model, constraints);
  out.index = status.index;
  return out;
}

ConstrainedObject::ConstrainedObject(std::shared_ptr<Model> model, std::vector<Constraint> constraints,
                                     ConstrainedForm form, const ProximalOptions& options)
    : model_(std::move(model)),
      constraints_(std::move(constraints)),
      form_(form),
      options_(options),
      state_(*model_, constraints_),
      solver_(make_solver(*model_, form, options)) {
  std::visit([&](auto& solver) { solver.update_structure(state_); }, solver_);
}

auto ConstrainedObject::make_solver(const Model& model, ConstrainedForm form, const ProximalOptions& options)
    -> Solver {
  if (form == ConstrainedForm::kKkt) return Solver(std::in_place_index<1>, model, options);
  if (form == ConstrainedForm::kAba) return Solver(std::in_place_index<2>, model, options);
  return Solver(std::in_place_index<0>, model, options);
}

void ConstrainedObject::place(Vector q, Vector v) {
  require_coordinates(model(), q);
  require_finite(model(), v);
  require_ok(state_.update(q, v), model(), constraints_);
  require_ok(std::visit([&](auto& solver) { return solver.factor(state_); }, solver_), model(), constraints_);
}

std::vector<double> ConstrainedObject::first_force(const std::optional<Vector>& start) const {
  if (!start) return std::vector<double>(static_cast<std::size_t>(num_rows()));
  return {start->data(), start->data() + start->size()};
}

ConstrainedMotion ConstrainedObject::solve(Vector q, Vector v, Vector tau, const std::optional<Vector>& target,
                                           const Baumgarte& pull, const std::optional<Vector>& start) {
  place(q, v);
  std::vector<double> wanted(static_cast<std::size_t>(num_rows()));
  if (!target) state_.target(pull, wanted);
  ConstrainedMotion out;
  out.force = first_force(start);
  out.acceleration.resize(static_cast<std::size_t>(model().nv()));
  std::visit(
      [&](auto& solver) {
        const Status status = solver.solve(state_, tau, target ? *target : Vector(wanted), out.acceleration, out.force);
        static_cast<Outcome&>(out) = outcome_of(status, model(), constraints_, solver.report(), solver.remainder());
      },
      solver_);
  return out;
}

Impact ConstrainedObject::impact(Vector q, Vector v, const std::vector<double>& restitution,
                                 const std::optional<Vector>& start) {
  for (std::size_t r = 0; r < restitution.size(); ++r) {
    if (restitution[r] >= 0 && restitution[r] <= 1) continue;
    throw Error("argument 'restitution': entry " + std::to_string(r) + " does not lie between 0 and 1");
  }
  place(q, v);
  Impact out;
  out.impulse = first_force(start);
  out.velocity.resize(static_cast<std::size_t>(model().nv()));
  std::visit(
      [&](auto& solver) {
        if constexpr (requires { solver.solve_impact(state_, restitution, out.velocity, out.impulse); }) {
          const Status status = solver.solve_impact(state_, restitution, out.velocity, out.impulse);
          static_cast<Outcome&>(out) = outcome_of(status, model(), constraints_, solver.report(), solver.remainder());
        } else {
          throw Error("method 'aba' has no impacts; take method 'condensed' or 'kkt'");
        }
      },
      solver_);
  return out;
}

void ConstrainedObject::differentiate(Vector q, Vector v, Vector tau, const Baumgarte& pull,
                                      const DerivativeViews<double>& out) {
  const ConstrainedMotion motion = solve(q, v, tau, {}, pull, {});
  if (motion.status != "ok") {
    const bool ended = motion.status == code_name(Status::Code::kNotConverged);
    throw StatusError({ended ? Status::Code::kNotConverged : Status::Code::kInfeasible, motion.index}, model(),
                      constraints_);
  }
  if (!derivatives_) {
    derivatives_.emplace(model());
    derivatives_->update_structure(state_);
  }
  std::visit(
      [&](auto& solver) {
        if constexpr (std::is_same_v<decltype(solver), ConstrainedAba<double>&>) {
          throw Error("method 'aba' has no derivatives; take method 'condensed' or 'kkt'");
        } else {
          require_ok(derivatives_->compute(solver.op(), state_, motion.acceleration, motion.force, pull, out), model(),
                     constraints_);
        }
      },
      solver_);
}

}  // namespace delassus::python
