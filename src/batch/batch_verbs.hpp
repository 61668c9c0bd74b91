// The verbs of a batch. Included by batch.cpp alone, where they are compiled.
#pragma once

#include <string>

#include "batch/batch_parts.hpp"

namespace delassus {

template <class T>
void Batch<T>::Parts::require_damping(const BatchDamping<T>& damping) const {
  switch (damping.kind()) {
    case BatchDamping<T>::Kind::kScalar:
      return;
    case BatchDamping<T>::Kind::kPerEnvironment:
      return require_shape("damping", damping.values(), size, 1, "one number each");
    case BatchDamping<T>::Kind::kPerRow:
      return require_rows("damping", damping.values());
  }
}

// ------------------------------------------------------------------------------------------------------------ dynamics

template <class T>
int Batch<T>::inverse_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> a, BatchOut<T> tau) {
  Parts& p = *parts_;
  p.require_q(q);
  p.require_joint("v", v);
  p.require_joint("a", a);
  p.require_joint("tau", tau);
  return p.run(
      p.everyone,
      [&](BatchEngine<T>& engine, const BatchBlock& block, int) {
        return engine.inverse_dynamics(block, q, v, a, tau);
      },
      [&](int e) { p.spoil(tau, e, p.model.nv()); });
}

template <class T>
int Batch<T>::inertia_matrix(BatchIn<T> q, BatchMatrixOut<T> M) {
  Parts& p = *parts_;
  p.require_q(q);
  require_shape("M", M, p.size, p.model.nv(), "nv × nv numbers each");
  for (const auto& engine : p.engines) engine->reserve_matrix(p.model.nv());
  return p.run(
      p.everyone,
      [&](BatchEngine<T>& engine, const BatchBlock& block, int) { return engine.inertia_matrix(block, q, M); },
      [&](int e) { p.spoil(M, e, p.model.nv()); });
}

template <class T>
int Batch<T>::forward_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> tau, BatchOut<T> a) {
  Parts& p = *parts_;
  p.require_q(q);
  p.require_joint("v", v);
  p.require_joint("tau", tau);
  p.require_joint("a", a);
  return p.run(
      p.everyone,
      [&](BatchEngine<T>& engine, const BatchBlock& block, int) {
        return engine.forward_dynamics(block, q, v, tau, a);
      },
      [&](int e) { p.spoil(a, e, p.model.nv()); });
}

// ------------------------------------------------------------------------------------------------------ Λ⁻¹ in one pass

template <class T>
int Batch<T>::apply_at(BatchIn<T> q, BatchIn<T> x, BatchOut<T> y) {
  Parts& p = *parts_;
  p.require_q(q);
  p.require_rows("x", x);
  p.require_rows("y", y);
  return p.run(
      p.prepare(),
      [&](BatchEngine<T>& engine, const BatchBlock& block, int) {
        BatchFactor& factor = engine.factor_of(*block.structure);
        const Outcome outcome = engine.factor(block, q, FactorScope::kProducts, factor);
        return outcome.together() ? engine.apply(block, factor, x, y) : outcome;
      },
      [&](int e) { p.spoil(y, e, p.rows(e)); });
}

template <class T>
int Batch<T>::solve_at(BatchIn<T> q, const BatchDamping<T>& damping, BatchIn<T> b, BatchOut<T> z) {
  Parts& p = *parts_;
  p.require_q(q);
  p.require_damping(damping);
  p.require_rows("b", b);
  p.require_rows("z", z);
  return p.run(
      p.prepare(),
      [&](BatchEngine<T>& engine, const BatchBlock& block, int) {
        BatchFactor& factor = engine.factor_of(*block.structure);
        Outcome outcome = engine.factor(block, q, FactorScope::kAll, factor);
        if (outcome.together()) outcome = engine.damp(block, factor, damping);
        return outcome.together() ? engine.solve(block, factor, b, z) : outcome;
      },
      [&](int e) { p.spoil(z, e, p.rows(e)); });
}

template <class T>
int Batch<T>::dense(BatchIn<T> q, BatchMatrixOut<T> matrix) {
  Parts& p = *parts_;
  p.require_q(q);
  require_shape("matrix", matrix, p.size, max_rows(), "max_rows() × max_rows() numbers each");
  const BlockList& blocks = p.prepare();
  p.constraints.for_each_structure([&](const BatchStructure& structure) {
    for (const auto& engine : p.engines) engine->prepare_matrix(structure);
  });
  return p.run(
      blocks, [&](BatchEngine<T>& engine, const BatchBlock& block, int) { return engine.matrix(block, q, matrix); },
      [&](int e) { p.spoil(matrix, e, p.rows(e)); });
}

// -------------------------------------------------------------------------------------------- factorizations that are kept

template <class T>
void Batch<T>::Parts::require_update(const char* verb) const {
  if (kept.is_updated()) return;
  throw Error(std::string(verb) + " needs an update after the last change of constraints");
}

template <class T>
int Batch<T>::update(BatchIn<T> q) {
  Parts& p = *parts_;
  p.require_q(q);
  const BlockList& blocks = p.prepare();
  p.kept.begin(*p.engines[0], blocks.size(), q);
  const int failures = p.run(
      blocks,
      [&](BatchEngine<T>& engine, const BatchBlock& block, int index) { return p.kept.factor(engine, block, index); },
      [](int) {});
  p.kept.finish();
  return failures;
}

template <class T>
int Batch<T>::apply(BatchIn<T> x, BatchOut<T> y) {
  Parts& p = *parts_;
  p.require_rows("x", x);
  p.require_rows("y", y);
  p.require_update("apply");
  return p.run(
      p.prepare(),
      [&](BatchEngine<T>& engine, const BatchBlock& block, int index) {
        return p.kept.with_factor(engine, block, index, false,
                                  [&](BatchFactor& factor) { return engine.apply(block, factor, x, y); });
      },
      [&](int e) { p.spoil(y, e, p.rows(e)); });
}

template <class T>
int Batch<T>::dense(BatchMatrixOut<T> matrix) {
  Parts& p = *parts_;
  require_shape("matrix", matrix, p.size, max_rows(), "max_rows() × max_rows() numbers each");
  p.require_update("dense");
  for (const auto& engine : p.engines) engine->reserve_matrix(max_rows());
  return p.run(
      p.prepare(),
      [&](BatchEngine<T>& engine, const BatchBlock& block, int index) {
        return p.kept.with_factor(engine, block, index, false,
                                  [&](BatchFactor& factor) { return engine.dense(block, factor, matrix); });
      },
      [&](int e) { p.spoil(matrix, e, p.rows(e)); });
}

template <class T>
int Batch<T>::update_damping(const BatchDamping<T>& damping) {
  Parts& p = *parts_;
  p.require_damping(damping);
  p.require_update("update_damping");
  p.kept.begin_damping(damping);
  const int failures = p.run(
      p.prepare(),
      [&](BatchEngine<T>& engine, const BatchBlock& block, int index) { return p.kept.damp(engine, block, index); },
      [](int) {});
  p.kept.finish_damping();
  return failures;
}

template <class T>
int Batch<T>::solve(BatchIn<T> b, BatchOut<T> z) {
  Parts& p = *parts_;
  p.require_rows("b", b);
  p.require_rows("z", z);
  p.require_update("solve");
  if (!p.kept.is_damped()) throw Error("solve needs an update_damping after the last update");
  return p.run(
      p.prepare(),
      [&](BatchEngine<T>& engine, const BatchBlock& block, int index) {
        return p.kept.with_factor(engine, block, index, true,
                                  [&](BatchFactor& factor) { return engine.solve(block, factor, b, z); });
      },
      [&](int e) { p.spoil(z, e, p.rows(e)); });
}

// ------------------------------------------------------------------------------------------------------------- solvers

/// Runs verb(solvers, environment) on all environments, those of one structure after each other.
template <class T>
template <class Verb, class Spoil>
int Batch<T>::Parts::run_each(Verb&& verb, Spoil&& spoil_one) {
  const BlockList& blocks = prepare();
  constraints.for_each_structure([&](const BatchStructure& structure) {
    for (const auto& solver : solvers) solver->prepare(structure);
  });
  threads.for_each(blocks.size(), 1, [&](int thread, int index) {
    const BatchBlock block = blocks[index];
    for (int lane = 0; lane < block.count; ++lane) {
      const int e = block.environment[lane];
      statuses[e] = verb(*solvers[static_cast<std::size_t>(thread)], e);
      if (!has_result(statuses[e])) spoil_one(e);
    }
  });
  return count_failures();
}

template <class T>
int Batch<T>::constrained_dynamics(BatchIn<T> q, BatchIn<T> v, BatchIn<T> tau, BatchOut<T> a, BatchOut<T> lambda,
                                   const Baumgarte& pull) {
  Parts& p = *parts_;
  p.require_q(q);
  p.require_joint("v", v);
  p.require_joint("tau", tau);
  p.require_joint("a", a);
  p.require_rows("lambda", lambda);
  p.make_solvers({});
  return p.run_each(
      [&](ScalarSolvers<T>& solvers, int e) {
        return solvers.constrained_dynamics(e, p.constraints.structure_of(e), p.sets, q, v, tau, a, lambda, pull);
      },
      [&](int e) {
        p.spoil(a, e, p.model.nv());
        p.spoil(lambda, e, p.rows(e));
      });
}

template <class T>
int Batch<T>::contact_solve(BatchIn<T> q, const BatchContactProblem<T>& problem, BatchOut<T> lambda,
                            const AdmmOptions& options) {
  Parts& p = *parts_;
  p.require_q(q);
  p.require_rows("problem.free_velocity", problem.free_velocity);
  if (problem.compliance.components() > 0) p.require_rows("problem.compliance", problem.compliance);
  p.require_rows("lambda", lambda);
  p.certificates.resize(static_cast<std::size_t>(p.size));
  p.make_solvers(options);
  return p.run_each(
      [&](ScalarSolvers<T>& solvers, int e) {
        return solvers.contact_solve(e, p.constraints.structure_of(e), p.sets, q, problem, lambda,
                                     p.certificates[static_cast<std::size_t>(e)]);
      },
      [&](int e) { p.spoil(lambda, e, p.rows(e)); });
}

}  // namespace delassus
