// Λ⁻¹ of a block: rows of all lanes, factorization, products and damped solves.
#pragma once

#include "batch/pack_engine.hpp"
#include "constraints/contact_rows.hpp"

namespace delassus {

template <class P>
void PackEngine<P>::prepare(const BatchStructure& structure) {
  const auto at = static_cast<std::size_t>(structure.slot);
  if (slots_.size() <= at) slots_.resize(at + 1);
  Slot& slot = slots_[at];
  if (slot.factor) return;
  lower_structure<P>(model_, structure.constraints, slot.rows);
  slot.factor = std::make_unique<PackFactor<P>>(model_, options_);
  slot.factor->op.update_structure(model_, slot.rows);
  const auto rows = static_cast<std::size_t>(structure.rows);
  for (std::vector<P>* work : {&in_, &out_, &damping_}) work->reserve(std::max<std::size_t>(rows, 1));
  values_.reserve(slot.rows.values.size());
  weights_.reserve(slot.rows.entries.size());
}

template <class P>
void PackEngine<P>::forget(int slot) {
  if (static_cast<std::size_t>(slot) < slots_.size()) slots_[static_cast<std::size_t>(slot)] = {};
}

template <class P>
std::unique_ptr<BatchFactor> PackEngine<P>::make_factor() const {
  return std::make_unique<PackFactor<P>>(model_, options_);
}

template <class P>
BatchFactor& PackEngine<P>::factor_of(const BatchStructure& structure) {
  return *slots_[static_cast<std::size_t>(structure.slot)].factor;
}

/// Where environments have constraints of their own, those of each lane are lowered for all lanes, and its own lane is kept.
template <class P>
Status PackEngine<P>::lower_each(const BatchBlock& block, ConstraintRows<P>& rows) {
  values_.resize(rows.values.size());
  weights_.resize(rows.entries.size());
  Status first;
  for (int lane = 0; lane < P::kWidth; ++lane) {
    const Status status = lower_values<P>(model_, work_.kin, sets_.of(block.environment[lane]), rows);
    if (first.ok()) first = status;
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k].set(lane, rows.values[k][lane]);
    for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k].set(lane, rows.weights[k][lane]);
  }
  rows.values = values_;
  rows.weights = weights_;
  return first;
}

/// Where they differ in their contacts alone: those of the structure, then the contacts once more, each lane with its own numbers.
template <class P>
Status PackEngine<P>::lower_contacts(const BatchBlock& block, ConstraintRows<P>& rows) {
  const std::vector<Constraint>& constraints = block.structure->constraints;
  const Status status = lower_values<P>(model_, work_.kin, constraints, rows);
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    const auto* contact = std::get_if<PointContact>(&constraints[e]);
    if (contact == nullptr) continue;
    Vec3<P> point;
    Mat3<P> axes;
    for (int lane = 0; lane < P::kWidth; ++lane) {
      const ContactNumbers& own = sets_.own[static_cast<std::size_t>(block.environment[lane])].contacts[e];
      for (int k = 0; k < 3; ++k) point[k].set(lane, static_cast<T>(own.point[k]));
      for (int k = 0; k < 9; ++k) axes.a[k].set(lane, static_cast<T>(own.axes.a[k]));
    }
    const int a = model_.frame(contact->a.frame).link, b = model_.frame(contact->b).link;
    const RowSpan& span = rows.spans[e];
    const RowBlock* next = rows.blocks.data() + span.first_block;
    P* on_a = a == kWorld ? nullptr : &rows.values[(next++)->value];
    P* on_b = b == kWorld ? nullptr : &rows.values[next->value];
    fill_contact<P>(work_.kin, a, b, work_.kin.pose[a].R * point, on_a, on_b, [&](P* to, bool opposite) {
      for (int k = 0; k < 3 * span.rows; ++k) to[k] = opposite ? -axes.a[k % 9] : axes.a[k % 9];
    });
  }
  return status;
}

template <class P>
bool PackEngine<P>::differs_in_contacts(const BatchBlock& block) const {
  bool contacts = true;
  for (int lane = 0; lane < P::kWidth; ++lane) {
    contacts = contacts && sets_.own[static_cast<std::size_t>(block.environment[lane])].contacts_only;
  }
  return contacts;
}

/// Zero rows for constraints that are off.
template <class P>
void PackEngine<P>::switch_off(const BatchBlock& block, ConstraintRows<P>& rows) const {
  for (int e = 0; e < static_cast<int>(rows.spans.size()); ++e) {
    const RowSpan& span = rows.spans[static_cast<std::size_t>(e)];
    for (int lane = 0; lane < P::kWidth; ++lane) {
      if (sets_.is_active(block.environment[lane], e)) continue;
      for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
        const int begin = rows.blocks[b].value, end = begin + value_count(rows.blocks[b]);
        for (int k = begin; k < end; ++k) rows.values[k].set(lane, T(0));
      }
      for (int k = span.first_entry; k < span.first_entry + span.entries; ++k) rows.weights[k].set(lane, T(0));
    }
  }
}

template <class P>
Status PackEngine<P>::lower(const BatchBlock& block, ConstraintRows<P>& rows) {
  Status status;
  if (sets_.shared) {
    status = lower_values<P>(model_, work_.kin, sets_.all, rows);
  } else {
    status = differs_in_contacts(block) ? lower_contacts(block, rows) : lower_each(block, rows);
  }
  if (sets_.active.empty()) return status;
  switch_off(block, rows);
  // What is off may be degenerate.
  const bool off = block.alone && !status.ok() && !sets_.is_active(block.environment[0], status.index);
  return off ? Status{} : status;
}

template <class P>
const ConstraintRows<P>& PackEngine<P>::place_rows(const BatchBlock& block, In q, Status& status) {
  ConstraintRows<P>& rows = slots_[static_cast<std::size_t>(block.structure->slot)].rows;
  update_kinematics<P>(model_, load(q_, q, block, model_.nq()), work_.kin);
  status = lower(block, rows);
  return rows;
}

template <class P>
Outcome PackEngine<P>::factor(const BatchBlock& block, In q, FactorScope scope, BatchFactor& out) {
  Status status;
  const ConstraintRows<P>& rows = place_rows(block, q, status);
  if (status.ok()) status = op_of(out).factor({model_, work_.kin, rows}, scope);
  return {status};
}

template <class P>
void PackEngine<P>::prepare_matrix(const BatchStructure& structure) {
  Slot& slot = slots_[static_cast<std::size_t>(structure.slot)];
  if (!slot.matrix) slot.matrix = std::make_unique<PvOsimrDelassus<P>>(model_, slot.rows);
  reserve_matrix(structure.rows);
}

template <class P>
Outcome PackEngine<P>::matrix(const BatchBlock& block, In q, MatrixOut matrix) {
  PvOsimrDelassus<P>& op = *slots_[static_cast<std::size_t>(block.structure->slot)].matrix;
  Status status;
  const ConstraintRows<P>& rows = place_rows(block, q, status);
  if (status.ok()) status = op.factor({model_, work_.kin, rows});
  return status.ok() ? write_matrix(block, op, matrix) : Outcome{status};
}

/// Entries of rows that are off.
template <class P>
void PackEngine<P>::fill_inactive(const BatchBlock& block, T value, std::vector<P>& x) const {
  if (sets_.active.empty()) return;
  const std::vector<RowSpan>& spans = block.structure->spans;
  for (int e = 0; e < static_cast<int>(spans.size()); ++e) {
    for (int lane = 0; lane < P::kWidth; ++lane) {
      if (sets_.is_active(block.environment[lane], e)) continue;
      for (int r = 0; r < spans[e].rows; ++r) x[spans[e].first_row + r].set(lane, value);
    }
  }
}

template <class P>
Outcome PackEngine<P>::apply(const BatchBlock& block, BatchFactor& factor, In x, Out y) {
  const CondensedDelassus<P>& op = op_of(factor);
  load(in_, x, block, op.rows());
  fill_inactive(block, T(0), in_);
  out_.resize(in_.size());
  op.apply(in_, out_);
  return finish(block, {}, out_, y);
}

template <class P>
Outcome PackEngine<P>::dense(const BatchBlock& block, BatchFactor& factor, MatrixOut matrix) {
  return write_matrix(block, op_of(factor), matrix);
}

template <class P>
template <class Op>
Outcome PackEngine<P>::write_matrix(const BatchBlock& block, const Op& op, const MatrixOut& to) {
  matrix_.resize(static_cast<std::size_t>(op.rows()) * op.rows());
  op.dense(MatrixView<P>(matrix_.data(), op.rows(), op.rows()));
  return finish_matrix(block, op.rows(), to);
}

template <class P>
Outcome PackEngine<P>::damp(const BatchBlock& block, BatchFactor& factor, const BatchDamping<T>& damping) {
  CondensedDelassus<P>& op = op_of(factor);
  const auto take = [&](const Damping<P>& d) {
    const Status status = op.update_damping(d);
    return Outcome{status, op.lanes_differ()};
  };
  switch (damping.kind()) {
    case BatchDamping<T>::Kind::kScalar:
      return take(P(static_cast<double>(damping.scalar())));
    case BatchDamping<T>::Kind::kPerEnvironment:
      return take(load(damping_, damping.values(), block, 1)[0]);
    case BatchDamping<T>::Kind::kPerRow:
      load(damping_, damping.values(), block, op.rows());
      fill_inactive(block, T(1), damping_);
      return take(damping_);
  }
  return {};
}

template <class P>
Outcome PackEngine<P>::solve(const BatchBlock& block, BatchFactor& factor, In b, Out z) {
  const CondensedDelassus<P>& op = op_of(factor);
  load(in_, b, block, op.rows());
  fill_inactive(block, T(0), in_);
  out_.resize(in_.size());
  Outcome outcome{op.solve(in_, out_), op.lanes_differ()};
  if (outcome.status.code == Status::Code::kInaccurate && !outcome.diverged && !block.alone) {
    for (int lane = 0; lane < P::kWidth; ++lane) each_[lane] = op.status_of_lane(lane);
    outcome = {{}, false, each_.data()};
  }
  return finish(block, outcome, out_, z);
}

}  // namespace delassus
