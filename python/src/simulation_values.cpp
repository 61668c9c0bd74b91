// What a Simulator is given and gives, as classes of Python.
#include "simulation_values.hpp"

namespace delassus::python {
namespace {

using Impulse = SimulationState::Impulse;

/// Of a part of a struct.
template <class T, class Part, class M>
Field<T> field_within(const char* name, Part T::*part, M Part::*member, const char* doc) {
  return {name, [=](const T& t) { return Convert<M>::to(t.*part.*member); },
          [=](T& t, py::handle value) { t.*part.*member = Convert<M>::from(value, name); }, doc};
}

void bind_simulation_options(py::module_& m) {
  using O = SimulationOptions;
  using C = CollisionOptions;
  ValueClass<O>(
      m, "SimulationOptions", "How a simulation is made; what is not given is as usual.",
      {field("dt", &O::dt, "Seconds of a step."),
       field("solver", &O::model,
             "Law of contact: \"rigid\", \"convex\", \"pgs\", \"relaxed\", \"soft-implicit\" or \"soft\"."),
       field("algorithm", &O::algorithm, "The algorithm that the solver works with."),
       field("tolerance", &O::tolerance,
             "m/s, by which contact forces may miss their law: 1e-8 for research, 1e-4 for learning."),
       field("max_iterations", &O::max_iterations, "Iterations of all solvers in a step; 0: as many as they need."),
       field("max_step_time", &O::max_step_time,
             "Seconds after which a step's solver ends with the best that it has; 0: any time."),
       field("restitution", &O::restitution, "Share of the approach speed with which bodies part again."),
       field("restitution_threshold", &O::restitution_threshold, "m/s; slower ones do not bounce."),
       field("recovery_time", &O::recovery_time, "Seconds in which penetrations and open loops shrink by 1 - 1/e."),
       field("recovery_speed", &O::recovery_speed, "m/s, that recovery never exceeds."),
       field("joint_limits", &O::joint_limits, "Whether limits of the model's joints act."),
       field("joint_friction", &O::joint_friction, "Whether dry friction of the model's joints acts."),
       field("start_penetration", &O::start_penetration, "Deepest penetration, in m, to start with."),
       field("start_violation", &O::start_violation,
             "How far loops may be open and joints beyond their limits to start with, in m or rad."),
       field("fastest", &O::fastest, "Largest joint velocity that is believed."),
       field("acceptable", &O::acceptable,
             "Largest residual, in m/s, of a solve that did not converge and is used all the same."),
       field("gain_per_mass", &O::gain_per_mass,
             "J/kg that a step may gain out of nothing, by its solve or by the integrator; beyond, it fails."),
       field("gain_share", &O::gain_share, "And this share of the energy in play."),
       field_within("ground", &O::collision, &C::ground, "Whether there is a floor z = 0, if the model has none."),
       field_within("self_collisions", &O::collision, &C::self, "Whether bodies of one robot touch each other."),
       field_within("margin", &O::collision, &C::margin, "Contacts are found up to this gap, in m."),
       field_within("capacity", &O::collision, &C::capacity, "Most contact points."),
       field_within("stiffness", &O::soft, &SoftContact::stiffness, "N/m, of soft contacts."),
       field_within("damping", &O::soft, &SoftContact::damping, "N s/m, of soft contacts."),
       field_within("time_constant", &O::relaxed, &RelaxedContact::time_constant, "Seconds, of relaxed contacts.")});
}

void bind_actuators(py::module_& m) {
  ValueClass<Actuator>(
      m, "Actuator", "A motor at a joint.",
      {field("joint", &Actuator::joint, "Name of the joint."),
       field("dof", &Actuator::dof, "Degree of freedom within the joint."),
       field("kind", &Actuator::kind,
             "\"motor\": the control is a force or torque; \"position\": a coordinate, with the force kp (control - q) "
             "+ kd "
             "(target_velocity - v); \"velocity\": a velocity, with kd (control - v)."),
       field("kp", &Actuator::kp, "Gain of the position."), field("kd", &Actuator::kd, "Gain of the velocity."),
       field("effort_limit", &Actuator::effort_limit, "Largest force or torque.")});
  m.def(
      "motors", [](const Model& model) { return Convert<std::vector<Actuator>>::to(make_motors(model)); },
      py::arg("model"), "A tuple of motors, one for each degree of freedom that is not of a free joint.");
  m.def(
      "position_actuators",
      [](const Model& model, double kp, double kd) {
        return Convert<std::vector<Actuator>>::to(make_position_actuators(model, kp, kd));
      },
      py::arg("model"), py::arg("kp"), py::arg("kd"),
      "The same with gains: actuators that hold coordinates, as strong as the model says.");
}

void bind_simulation_state(py::module_& m) {
  using S = SimulationState;
  ValueClass<Impulse>(
      m, "ContactImpulse", "What acted at a contact point in the last step.",
      {field("key", &Impulse::key, "Of the point, from step to step."),
       field("force", &Impulse::force, "N s, world axes."), field("moment", &Impulse::moment, "N m s, world axes.")});
  ValueClass<S>(
      m, "SimulationState",
      "All that the future of a simulation depends on: Simulator.save, Simulator.restore. Can be pickled.",
      {field("q", &S::q, "Shape (nq,)."), field("v", &S::v, "Shape (nv,)."),
       field("start_time", &S::start_time, "Seconds."), field("steps", &S::steps, "Since start_time."),
       field("inexact_steps", &S::inexact_steps, "Among them."), field("control", &S::control, "One per actuator."),
       field("target_velocity", &S::target_velocity, "One per actuator."), field("forces", &S::forces, "Shape (nv,)."),
       field("contacts", &S::contacts, "A tuple of ContactImpulse, by key."),
       field("joints", &S::joints, "Impulses of constraints, joint friction and motors."),
       field("limits", &S::limits, "Impulses of joint limits."),
       field("penalty", &S::penalty, "That the next solve begins with."),
       field("checked", &S::checked, "Whether the start was found free of overlaps.")});
}

void bind_step_energy(py::module_& m) {
  using E = StepEnergy;
  ValueClass<E>(
      m, "StepEnergy",
      "Where the energy of a step came from and went to, in J. Work is positive where it adds to motion.",
      {field("kinetic", &E::kinetic, "At its end."),
       field("potential", &E::potential, "At its end, of weight and of springs at joints."),
       field("forces", &E::forces, "Work of Simulator.forces."), field("motors", &E::motors, "Work of actuators."),
       field("damping", &E::damping, "Work of damping at joints."),
       field("friction", &E::friction, "Work of dry friction at joints."),
       field("loops", &E::loops, "Work of loops and other equalities."),
       field("limits", &E::limits, "Work of joint limits."), field("contacts", &E::contacts, "Work of contacts."),
       field(
           "solve", &E::solve,
           "What the solve made of the velocities. By its laws it only takes; positive where overlaps are taken back."),
       field("drift", &E::drift, "Change of energy beside all work: the error of the integrator.")});
}

void bind_step_report(py::module_& m) {
  using R = StepReport;
  using C = ContactCertificate;
  ValueClass<R>(
      m, "StepReport", "What a step says of itself.",
      {field("contacts", &R::contacts, "Contact points."),
       field("constraints", &R::constraints, "Contacts and all others."), field("rows", &R::rows, "Of all of them."),
       field("inexact", &R::inexact, "Whether the solve did not converge, but was acceptable."),
       field("penetration", &R::penetration, "The deepest, in m, when the step began."),
       field_within("reason", &R::certificate, &C::reason, "Why the solver stopped: \"solved\", ..."),
       field_within("iterations", &R::certificate, &C::iterations, "Of the solver."),
       field_within("velocity_residual", &R::certificate, static_cast<double C::*>(&C::velocity),
                    "m/s by which the law of contact is missed."),
       field_within("dual_residual", &R::certificate, static_cast<double C::*>(&C::dual),
                    "m/s with which bodies approach, or loops open, at its end."),
       field_within("force_residual", &R::certificate, static_cast<double C::*>(&C::force), "The same in N."),
       field("energy", &R::energy, "The StepEnergy.")});
}

}  // namespace

void bind_simulation_values(py::module_& m) {
  bind_simulation_options(m);
  bind_actuators(m);
  bind_simulation_state(m);
  bind_step_energy(m);
  bind_step_report(m);
}

}  // namespace delassus::python
