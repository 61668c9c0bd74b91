// Dynamics of a block without constraints, and how results are written.
#pragma once

#include "batch/pack_engine.hpp"

namespace delassus {

template <class P>
PackEngine<P>::PackEngine(const Model& model, const BatchSets& sets, const BatchOptions& options)
    : model_(model), sets_(sets), options_(options.condensed), work_(model), inverse_(model), composite_(model) {
  options_.capacity = {};
  q_.reserve(static_cast<std::size_t>(model.nq()));
  for (std::vector<P>* work : {&v_, &in_, &out_}) work->reserve(static_cast<std::size_t>(model.nv()));
}

/// Writes what a block has found, unless it has to be run again. Numbers that are none are a status.
template <class P>
Outcome PackEngine<P>::finish(const BatchBlock& block, Outcome outcome, const std::vector<P>& found,
                              const Out& to) const {
  if (const Status finite = require_finite<P>(VectorView<const P>(found)); !finite.ok() && has_result(outcome.status)) {
    outcome.status = finite;
  }
  if (!outcome.together() && !block.alone) return outcome;
  const auto components = static_cast<int>(found.size());
  store_lanes(found.data(), block, components, to);
  fill_beyond(block, components, T(0), to);
  return outcome;
}

template <class P>
Outcome PackEngine<P>::inverse_dynamics(const BatchBlock& block, In q, In v, In a, Out tau) {
  update_kinematics<P>(model_, load(q_, q, block, model_.nq()), work_.kin);
  update_velocities<P>(model_, work_.kin, load(v_, v, block, model_.nv()), work_.vel);
  load(out_, a, block, model_.nv());
  rnea<P>(model_, work_.kin, work_.vel, out_, out_, inverse_);
  return finish(block, {}, out_, tau);
}

template <class P>
Outcome PackEngine<P>::forward_dynamics(const BatchBlock& block, In q, In v, In tau, Out a) {
  load(q_, q, block, model_.nq());
  load(v_, v, block, model_.nv());
  load(in_, tau, block, model_.nv());
  out_.resize(static_cast<std::size_t>(model_.nv()));
  const Status status = aba<P>(model_, q_, v_, in_, out_, work_);
  return finish(block, {status}, out_, a);
}

template <class P>
Outcome PackEngine<P>::inertia_matrix(const BatchBlock& block, In q, MatrixOut M) {
  const int nv = model_.nv();
  update_kinematics<P>(model_, load(q_, q, block, model_.nq()), work_.kin);
  matrix_.resize(static_cast<std::size_t>(nv) * nv);
  crba<P>(model_, work_.kin, MatrixView<P>(matrix_.data(), nv, nv), composite_);
  return finish_matrix(block, nv, M);
}

template <class P>
std::size_t PackEngine<P>::bytes() const {
  std::size_t sum = sizeof(*this) + heap_bytes(q_, v_, in_, out_, damping_, values_, weights_, matrix_) +
                    work_.tree->art.bytes() + work_.tree->sweep.bytes() + composite_.bytes();
  for (const Slot& slot : slots_)
    sum += slot.rows.bytes() + (slot.factor ? slot.factor->bytes() : 0) + (slot.matrix ? slot.matrix->bytes() : 0);
  return sum;
}

template <class P>
Outcome PackEngine<P>::finish_matrix(const BatchBlock& block, int size, const MatrixOut& to) const {
  Outcome outcome{require_finite<P>(VectorView<const P>(matrix_))};
  if (!outcome.together() && !block.alone) return outcome;
  if (!outcome.together()) outcome.status.index /= size;  // the row
  for (int r = 0; r < size; ++r) {
    store_lanes(matrix_.data() + static_cast<std::ptrdiff_t>(r) * size, block, size, to.row(r));
    fill_beyond(block, size, T(0), to.row(r));
  }
  for (int r = size; r < to.rows(); ++r) fill_beyond(block, 0, T(0), to.row(r));
  return outcome;
}

}  // namespace delassus
