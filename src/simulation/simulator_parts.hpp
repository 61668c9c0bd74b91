// What a Simulator holds, and the stages of a step.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "delassus/simulation/simulator.hpp"
#include "simulation/free_flight.hpp"
#include "simulation/step_mechanism.hpp"
#include "simulation/step_problem.hpp"

namespace delassus {

class Simulator::Parts {
 public:
  Parts(const Model& model, std::span<const Constraint> constraints, const SimulationOptions& options,
        std::vector<Actuator> actuators);
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void set_state(VectorView<const double> q, VectorView<const double> v, double time);
  void set_values(const SimulationValues& values);
  void restore(const SimulationState& state);
  /// Where position actuators are.
  void hold_position();
  StepStatus step();
  /// Kinematics and velocities of the state.
  void refresh();
  /// Of the state, in joules.
  struct Energies {
    double kinetic = 0, potential = 0;
  };
  Energies energies();
  std::string describe(const StepStatus& status) const;

  const SimulationOptions options;
  Model model;
  const std::vector<Constraint> scene;
  const std::vector<Actuator> actuators;
  SimulationState state;
  StepReport report;
  std::vector<ContactState> contacts;
  std::vector<double> efforts;
  std::function<void(const SolvedProblem&)> observer;

  // In the order in which they are made from each other.
  StepMechanism exact;                     // motors with limited force are rows
  std::unique_ptr<StepMechanism> shorter;  // they are inertia; none if there are no such motors
  StepMechanism* now = &exact;             // that of the step
  FreeFlight flight;
  CollisionWorld world;
  StepProblem problem;
  Kinematics<double> kin;
  Velocities<double> vel;

 private:
  void own_models();
  JointInputs inputs() const { return {state.control, state.target_velocity, state.forces}; }
  StepStatus check_inputs() const;
  StepStatus check_start();
  StepStatus check_violations();
  StepStatus find_contacts();
  void choose_mechanism();
  StepStatus find_velocities();
  StepStatus move_freely();
  StepStatus constrain();
  void list_near(double reach);
  double gap_after(const WorldContact& contact, const Velocities<double>& velocities) const;
  bool reaches_others();
  StepStatus constrain_near();
  StepStatus no_room() const;
  StepStatus solve();
  Status solve_posed();
  void hold_loops();
  void show_solved(const ContactProblem& posed);
  std::span<const double> find_pushed();
  void strike();
  StepStatus judge();
  void find_work();
  double find_solve_gain();
  StepStatus move();
  StepStatus check_energy();
  Energies energies_of(std::span<const double> q);
  int liveliest_body() const;
  void begin_lambda();
  void commit();
  void remember_contact(std::size_t k);
  int body_of(int shape) const { return world.shapes()[static_cast<std::size_t>(shape)].body; }
  std::string constraint_text(int index) const;
  std::string contact_pair(int body_a, int body_b) const;

  Velocities<double> mean_vel_;                 // with mean_v_, the mean velocities of a step
  bool fresh_ = false;                          // kin, vel and energy_ are of the state
  bool own_models_ = false;                     // nobody else has the models
  std::vector<RigidInertia<double>> inertias_;  // of the links as they were given, and gravity
  Vec3<double> given_gravity_ = model.gravity();
  Energies energy_;
  std::vector<int> near_;  // contacts of the world that the step has rows for, ascending
  std::vector<double> tau_, free_, struck_v_, mean_v_, next_q_, next_v_, displacement_, lambda_, known_, mobility_,
      position_, motor_impulses_, start_;
};

}  // namespace delassus
