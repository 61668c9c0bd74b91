// Solvers whose iterations differ from environment to environment: one environment at a time, with the scalar kernels. One object per
// thread.
#pragma once

#include <vector>

#include "batch/engine.hpp"
#include "delassus/batch/batch.hpp"
#include "delassus/solvers/admm.hpp"
#include "delassus/solvers/constrained_dynamics.hpp"

namespace delassus {

template <class T>
class ScalarSolvers {
 public:
  ScalarSolvers(const Model& model, const BatchOptions& options);

  /// Takes the memory that environments of a structure need.
  void prepare(const BatchStructure& structure);
  void forget(int slot);
  void set_contact_options(const AdmmOptions& options);

  Status constrained_dynamics(int environment, const BatchStructure& structure, const BatchSets& sets,
                              BatchView<const T> q, BatchView<const T> v, BatchView<const T> tau, BatchView<T> a,
                              BatchView<T> lambda, const Baumgarte& pull);
  Status contact_solve(int environment, const BatchStructure& structure, const BatchSets& sets, BatchView<const T> q,
                       const BatchContactProblem<T>& problem, BatchView<T> lambda, ContactCertificate& certificate);

 private:
  State<T>& state_of(int environment, const BatchStructure& structure, const BatchSets& sets);
  std::span<const Constraint> list_active(int environment, const BatchStructure& structure, const BatchSets& sets);
  template <class X>
  void read(BatchView<const T> from, int environment, std::vector<X>& to) const;
  template <class X>
  void read_rows(BatchView<const T> from, int environment, std::vector<X>& to) const;
  template <class X>
  void write_rows(const std::vector<X>& from, int environment, BatchView<T> to) const;

  Model model_;
  std::vector<Constraint> active_;  // copies of those that are on
  std::vector<std::int32_t> row_;   // of the environment, for each row of a constraint that is on
  std::vector<State<T>> states_;    // by slot, for environments with all constraints on
  State<T> some_;                   // for those with some
  ConstrainedDynamics<T> dynamics_;
  std::vector<T> q_, v_, tau_, a_, target_, lambda_;
  // Contacts are solved in double precision.
  Kinematics<double> kin_;
  ConstraintRows<double> rows_;
  CondensedDelassus<double> op_;
  Admm admm_;
  std::vector<bool> prepared_;  // by slot
  std::vector<double> state_q_, free_velocity_, compliance_, impulse_;
};

}  // namespace delassus
