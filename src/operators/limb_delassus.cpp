#include "delassus/operators/limb_delassus.hpp"

#include <algorithm>

#include "delassus/constraints/lower.hpp"
#include "kinematics/limb_kinematics.hpp"
#include "math/instantiate.hpp"
#include "operators/column_verbs.hpp"
#include "operators/limb_rows.hpp"

namespace delassus {
template <class T>
struct LimbDelassus<T>::Work {
  struct Lanes {
    Lanes(const LimbModel& limbs, const CondensedOptions& options) : kin(limbs.shape), op(limbs.shape, options) {}

    std::size_t bytes() const {
      return heap_bytes(kin, rows, values.values, values.weights, op, in, out, joints, damping);
    }

    Kinematics<Limbs> kin;
    LimbRows rows;
    RowValues<Limbs> values;  // change places with those of the operator
    CondensedDelassus<Limbs> op;
    int num_rows = 0;  // of the robot, of the last factor
    std::vector<Limbs> in, out, joints;
    std::vector<Limbs> damping;
  };

  std::size_t bytes() const { return heap_bytes(damping, fallback, columns) + (lanes ? lanes->bytes() : 0); }

  std::optional<Lanes> lanes;  // in use where there is no scalar_
  KeptDamping<T> damping;
  ExplicitFallback<T> fallback;
  ColumnMemory<T> columns;
};

template <class T>
LimbDelassus<T>::LimbDelassus(const Model& model, const CondensedOptions& options)
    : options_(options), model_(model), kin_(model), work_(std::in_place) {
  if constexpr (std::same_as<T, double>) {
    if (!options.capacity.limited()) limbs_ = limbs_to_fold(model);
    if (limbs_) work_->lanes.emplace(*limbs_, options);
  }
  update_structure(model, RowStructure{});
}

template <class T>
LimbDelassus<T>::LimbDelassus(const Model& model, const RowStructure& rows, const CondensedOptions& options)
    : LimbDelassus(model, options) {
  update_structure(model, rows);
}

/// Masses and placements of another model of the mechanism are in its own fold.
template <class T>
void LimbDelassus<T>::take(const Model& model) {
  if (model.is(model_)) return;
  take_model(model, model_);
  if (work_->lanes) limbs_ = make_limb_model(model);
}

/// False if the rows have no form in lanes.
template <class T>
bool LimbDelassus<T>::lay_out_lanes(const RowStructure& rows) {
  if constexpr (std::same_as<T, double>) {
    if (!work_->lanes) return false;
    auto& lanes = *work_->lanes;
    if (!lanes.rows.update_structure(*limbs_, rows)) return false;
    lanes.op.update_structure(limbs_->shape, lanes.rows.structure());
    if (!can_eliminate_in_lanes(lanes.op.plan())) return false;
    lanes.in.resize(lanes.rows.num_rows());
    lanes.out.resize(lanes.rows.num_rows());
    lanes.joints.resize(limbs_->shape.nv());
    lanes.num_rows = 0;
    lanes.values.values.resize(lanes.rows.structure().num_values());
    lanes.values.weights.resize(lanes.rows.structure().entries.size());
    return true;
  }
  return false;
}

template <class T>
void LimbDelassus<T>::update_structure(const Model& model, const RowStructure& rows) {
  take(model);
  planned_ = false;
  if (lay_out_lanes(rows)) {
    scalar_.reset();
  } else if (scalar_) {
    scalar_->update_structure(model, rows);
  } else {
    scalar_.emplace(model, rows, options_);
  }
  touched_.clear();
  for (const RowBlock& block : rows.blocks) touched_.push_back(block.link);
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  structure_ = rows;
  work_->columns.resize(rows.num_rows());
  work_->damping.reserve(rows.spans, rows.num_rows());
  work_->fallback.forget_matrix();
  if (!scalar_ && options_.reserve_fallback && options_.may_fall_back(rows.num_rows()))
    work_->fallback.reserve(rows.spans, rows.num_rows());
  planned_ = true;
}

/// After the kinematics of the fold.
template <class T>
Status LimbDelassus<T>::factor_lanes(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows) {
  if constexpr (std::same_as<T, double>) {
    auto& lanes = *work_->lanes;
    lanes.rows.fold_values(rows, lanes.values);
    lanes.num_rows = 0;
    work_->fallback.forget_matrix();
    const Status status = lanes.op.factor(limbs_->shape, lanes.kin, lanes.values);
    if (status.ok()) {
      lanes.num_rows = rows.num_rows();
      return status;
    }
  }
  // Which joint or row it is, only the robot itself can say.
  scalar_.emplace(model, rows, options_);
  planned_ = false;  // the next configuration is for lanes again
  const std::vector<T> q = kin.q;
  update_kinematics<T>(model, q, kin_);
  return scalar_->factor({model, kin_, rows});
}

/// Plans if the rows have another structure than last time, or the robot, whose fold has the places of rows, is another object.
template <class T>
Status LimbDelassus<T>::prepare(const Model& model, const ConstraintRows<T>& rows) {
  return as_status(0, [&] {
    const bool same_robot = scalar_ || model.is(model_);
    if (!planned_ || !same_robot || !same_structure(structure_, rows)) update_structure(model, rows);
    take(model);
    structure_.identity = rows.identity;
  });
}

template <class T>
Status LimbDelassus<T>::factor(const StateView<T>& at) {
  const auto& [model, kin, rows] = at;
  if (const Status fits = prepare(model, rows); !fits.ok()) return fits;
  if (scalar_) return scalar_->factor({model, kin, rows});
  if constexpr (std::same_as<T, double>) update_limbs(*limbs_, kin, work_->lanes->kin);
  return factor_lanes(model, kin, rows);
}

template <class T>
Status LimbDelassus<T>::update(const Model& model, In<T> q, std::span<const Constraint> constraints,
                               ConstraintRows<T>& rows) {
  if (const Status s = check_sizes({{1, q.size(), model.nq()}}); !s.ok()) return s;
  if (const Status fits = prepare(model, rows); !fits.ok()) return fits;
  if (scalar_) {
    update_kinematics<T>(model, q, kin_);
    const Status status = lower_values<T>(model, kin_, constraints, rows);
    return status.ok() ? factor({model, kin_, rows}) : status;
  }
  take_coordinates<T>(model, q, kin_);
  if constexpr (std::same_as<T, double>) {
    update_limbs(*limbs_, kin_, work_->lanes->kin);
    // Of all constraints the centre of mass alone asks for inertias.
    const bool inertias = std::any_of(constraints.begin(), constraints.end(),
                                      [](const Constraint& c) { return std::holds_alternative<CentreOfMass>(c); });
    unfold_links(model, *limbs_, work_->lanes->kin, touched_, inertias, kin_);
  }
  const Status status = lower_values<T>(model, kin_, constraints, rows);
  if (!status.ok()) return status;
  return factor_lanes(model, kin_, rows);
}

/// A status that names a row of the fold names one of the robot's.
template <class T>
Status LimbDelassus<T>::in_rows_of_robot(Status status) const {
  if (status.ok() || status.index < 0 || status.index >= work_->lanes->rows.num_rows()) return status;
  status.index = work_->lanes->rows.first_source(status.index);
  return status;
}

template <class T>
CallStatus LimbDelassus<T>::apply(In<T> x, Out<T> y) const {
  if (scalar_) return scalar_->apply(x, y);
  if constexpr (std::same_as<T, double>) {
    auto& lanes = *work_->lanes;
    if (const Status s = check_vectors(x, lanes.num_rows, y, lanes.num_rows); !s.ok()) return spoiled(s, y);
    if (lanes.num_rows == 0) return {};
    lanes.rows.fold(x.data(), LimbRows::Padding::kZeros, lanes.in.data());
    lanes.op.apply(lanes.in, lanes.out);
    lanes.rows.unfold(lanes.out.data(), y.data());
  }
  return {};
}

template <class T>
CallStatus LimbDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  if (scalar_) return scalar_->joint_response(x, acceleration);
  if constexpr (std::same_as<T, double>) {
    auto& lanes = *work_->lanes;
    if (const Status s = check_vectors(x, lanes.num_rows, acceleration, model_.nv()); !s.ok())
      return spoiled(s, acceleration);
    lanes.rows.fold(x.data(), LimbRows::Padding::kZeros, lanes.in.data());
    lanes.op.joint_response(std::span(lanes.in).first(lanes.op.rows()), lanes.joints);
    const std::vector<LimbPlace>& place = limbs_->dof_place;
    for (int v = 0; v < model_.nv(); ++v) {
      acceleration[v] = lanes.joints[place[v].link][std::max(place[v].lane, 0)];
    }
  }
  return {};
}

template <class T>
Status LimbDelassus<T>::update_damping(const Damping<T>& damping) {
  if (scalar_) return scalar_->update_damping(damping);
  if constexpr (std::same_as<T, double>) {
    auto& lanes = *work_->lanes;
    if (!damping.fits(std::span(structure_.spans).first(lanes.num_rows > 0 ? structure_.spans.size() : 0),
                      lanes.num_rows))
      return {Status::Code::kBadArgument, 0};
    work_->fallback.forget_damping();
    work_->damping.take(damping, structure_.spans, lanes.num_rows);
    if (damping.kind() == Damping<T>::Kind::kScalar) {
      return in_rows_of_robot(lanes.op.update_damping(Damping<Limbs>(Limbs(damping.scalar()))));
    }
    if (damping.kind() == Damping<T>::Kind::kUnsymmetric)
      return work_->fallback.damp_instead(*this, damping, structure_.spans, work_->columns.left);
    if (damping.kind() == Damping<T>::Kind::kBlocks) {
      lanes.rows.fold_blocks(damping.values().data(), lanes.damping);
      return in_rows_of_robot(lanes.op.update_damping(Damping<Limbs>::blocks(lanes.damping)));
    }
    lanes.damping.resize(lanes.op.rows());
    lanes.rows.fold(damping.values().data(), LimbRows::Padding::kOnes, lanes.damping.data());
    return in_rows_of_robot(lanes.op.update_damping(Damping<Limbs>(lanes.damping)));
  }
  return {};
}

template <class T>
Status LimbDelassus<T>::solve(In<T> b, Out<T> z) const {
  if (scalar_) return scalar_->solve(b, z);
  if constexpr (std::same_as<T, double>) {
    auto& lanes = *work_->lanes;
    if (const Status s = check_vectors(b, lanes.num_rows, z, lanes.num_rows); !s.ok()) return s;
    if (lanes.num_rows == 0) return {};
    if (work_->damping.kind() == Damping<T>::Kind::kUnsymmetric) return work_->fallback.solve_instead(b, z);
    lanes.rows.fold(b.data(), LimbRows::Padding::kZeros, lanes.in.data());
    std::copy_n(b.data(), b.size(), work_->columns.right.data());
    const Status status = lanes.op.solve(lanes.in, lanes.out);
    lanes.rows.unfold(lanes.out.data(), z.data());
    work_->fallback.begin_solve();
    if (status.code != Status::Code::kInaccurate) return in_rows_of_robot(status);
    return solve_again<T>(*this, work_->damping, structure_.spans, options_, z, work_->columns, work_->fallback);
  }
  return {};
}

template <class T>
CallStatus LimbDelassus<T>::apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
  if (scalar_) return scalar_->apply_panel(x, y);
  return for_each_column<T>(rows(), x, y, work_->columns, [&](auto in, auto out) { apply(in, out); });
}

template <class T>
Status LimbDelassus<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  if (scalar_) return scalar_->solve_panel(b, z);
  return solve_by_columns<T>(*this, b, z, work_->columns);
}

template <class T>
CallStatus LimbDelassus<T>::dense(MatrixOut<T> matrix) const {
  if (scalar_) return scalar_->dense(matrix);
  return matrix_by_columns<T>(*this, matrix, work_->columns);
}

template <class T>
CallStatus LimbDelassus<T>::diagonal(Out<T> out) const {
  if (scalar_) return scalar_->diagonal(out);
  return diagonal_by_columns<T>(*this, out, work_->columns);
}

template <class T>
int LimbDelassus<T>::rows() const {
  return scalar_ ? scalar_->rows() : work_->lanes->num_rows;
}

template <class T>
bool LimbDelassus<T>::used_matrix() const {
  return scalar_ ? scalar_->used_matrix() : work_->fallback.used();
}

template <class T>
const CondensedPlan& LimbDelassus<T>::plan() const {
  return scalar_ ? scalar_->plan() : work_->lanes->op.plan();
}

template <class T>
std::size_t LimbDelassus<T>::bytes() const {
  return sizeof(Work) + (scalar_ ? scalar_->bytes() : 0) + heap_bytes(structure_, kin_, touched_, *work_);
}

#define DELASSUS_INSTANTIATE(T)   \
  template class LimbDelassus<T>; \
  static_assert(DelassusOperator<LimbDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
