#include "delassus/operators/lcaba.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "delassus/dynamics/row_response.hpp"
#include "delassus/math/instantiate.hpp"
#include "delassus/operators/refinement.hpp"

namespace delassus {
namespace {

/// A residual below this fraction of the right-hand side is rounding in the product, and not worth another solve.
template <class T>
constexpr double kRounding = 64 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon());
/// A residual above this fraction of it, after all refinement, is said.
template <class T>
constexpr double kAccurate = std::same_as<Base<T>, float> ? 1e-3 : 1e-7;

template <class T>
VectorView<T> view(std::vector<T>& x, int size) {
  return {x.data(), size};
}

/// Jᵀ x as forces on live links and their joints (algorithm 1, lines 1 to 6).
template <class T>
void begin_product(const Model& model, const LcabaPlan& plan, const LcabaFactor<T>& f, const ConstraintRows<T>& rows,
                   In<T> x, Sweep<T>& sweep) {
  for (const int i : plan.live) {
    sweep.force[i] = Force<T>::zero();
    const Link& link = model.link(i);
    for (int k = link.v; k < link.v + link.nv; ++k) sweep.joint[k] = T(0);
  }
  for (const LcabaPlan::Attachment& a : plan.attachments) {
    Force<T> force = sweep.force[a.link];
    for (int r = 0; r < a.rows; ++r) force += scaled(f.placed[a.wrench + r], x[a.first_row + r]);
    sweep.force[a.link] = force;
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) { sweep.joint[v] += weight * x[row]; });
}

/// J of the motions (algorithm 3, lines 4 to 8).
template <class T>
void end_product(const LcabaPlan& plan, const LcabaFactor<T>& f, const ConstraintRows<T>& rows, const Sweep<T>& sweep,
                 Out<T> y) {
  for (int r = 0; r < y.size(); ++r) y[r] = T(0);
  for (const LcabaPlan::Attachment& a : plan.attachments) {
    for (int r = 0; r < a.rows; ++r) y[a.first_row + r] += dot(sweep.motion[a.link], f.placed[a.wrench + r]);
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) { y[row] += weight * sweep.joint[v]; });
}

/// The right-hand side of the damped solve: Jᵀ R b of what is stiffness, b itself for multipliers.
template <class T>
void begin_solve(const Model& model, const LcabaPlan& plan, const LcabaFactor<T>& f, const ConstraintRows<T>& rows,
                 In<T> weighted, In<T> b, LcabaSweep<T>& sweep) {
  std::fill(sweep.value.begin(), sweep.value.end(), T(0));
  for (const int i : plan.live) {
    const Link& link = model.link(i);
    for (int k = link.v; k < link.v + link.nv; ++k) sweep.joint[k] = T(0);
  }
  for (int e = 0; e < plan.stiff_attachments; ++e) {
    const LcabaPlan::Attachment& a = plan.attachments[e];
    Force<T> force = force_at(&sweep.value[a.value]);
    for (int r = 0; r < a.rows; ++r) {
      force += scaled(f.placed[a.wrench + r], weighted[a.first_row + r]);
    }
    store_force(&sweep.value[a.value], force);
  }
  for (const int k : plan.stiff_entries) {
    const JointEntry& entry = rows.entries[k];
    sweep.joint[entry.v] += rows.weights[k] * weighted[entry.row];
  }
  for (const LcabaPlan::Node& node : plan.nodes) {
    if (node.link >= 0) continue;
    for (int r = 0; r < node.width; ++r) sweep.value[node.value + r] = b[node.first_row + r];
  }
}

/// Forces on live links and their joints, added to what is there.
template <class T>
void add_forces(const Model& model, const LcabaPlan& plan, const Sweep<T>& from, LcabaSweep<T>& to) {
  for (const LcabaPlan::Node& node : plan.nodes) {
    if (node.link < 0) continue;
    T* value = &to.value[node.value];
    store_force(value, force_at(value) + from.force[node.link]);
    const Link& link = model.link(node.link);
    for (int k = link.v; k < link.v + link.nv; ++k) to.joint[k] += from.joint[k];
  }
}

template <class T>
void read_motions(const Model& model, const LcabaPlan& plan, const LcabaSweep<T>& from, Sweep<T>& to) {
  for (const LcabaPlan::Node& node : plan.nodes) {
    if (node.link < 0) continue;
    const Force<T> value = force_at(&from.value[node.value]);
    to.motion[node.link] = {value.moment, value.force};
    const Link& link = model.link(node.link);
    for (int k = link.v; k < link.v + link.nv; ++k) to.joint[k] = from.joint[k];
  }
}

/// λ = R (b - J ν̇), one subtraction among accelerations; multipliers are there already.
template <class T>
void end_solve(const LcabaPlan& plan, const LcabaFactor<T>& f, const ConstraintRows<T>& rows, const RowWeights<T>& w,
               In<T> b, const LcabaSweep<T>& sweep, Out<T> z) {
  for (int r = 0; r < z.size(); ++r) z[r] = b[r];
  for (int e = 0; e < plan.stiff_attachments; ++e) {
    const LcabaPlan::Attachment& a = plan.attachments[e];
    const Force<T> value = force_at(&sweep.value[a.value]);
    const Motion<T> motion{value.moment, value.force};
    for (int r = 0; r < a.rows; ++r) z[a.first_row + r] -= dot(motion, f.placed[a.wrench + r]);
  }
  for (const int k : plan.stiff_entries) {
    const JointEntry& entry = rows.entries[k];
    z[entry.row] -= rows.weights[k] * sweep.joint[entry.v];
  }
  weigh<T, T>(rows.spans, rows.num_rows(), w, z.data(), z.data());
  for (const LcabaPlan::Node& node : plan.nodes) {
    if (node.link >= 0) continue;
    for (int r = 0; r < node.width; ++r) z[node.first_row + r] = -sweep.value[node.value + r];
  }
}

}  // namespace

template <class T>
LcabaDelassus<T>::LcabaDelassus(const Model& model, const LcabaOptions& options)
    : model_(model),
      options_(options),
      free_(model),
      factor_(model),
      sweep_(model),
      damped_sweep_(model),
      residual_(std::numeric_limits<double>::quiet_NaN()) {
  update_structure(model, rows_);
}

template <class T>
LcabaDelassus<T>::LcabaDelassus(const Model& model, const RowStructure& rows, const LcabaOptions& options)
    : LcabaDelassus(model, options) {
  update_structure(model, rows);
}

template <class T>
void LcabaDelassus<T>::update_structure(const Model& model, const RowStructure& rows) {
  take_model(model, model_);
  plan_ = make_lcaba_plan(model, rows, options_);
  rows_.take_structure(rows);
  factor_.resize(model, plan_);
  damped_sweep_.value.assign(plan_.values, T(0));
  const std::size_t m = rows_.num_rows();
  weights_.resize(rows_.spans, static_cast<int>(m));
  for (std::vector<T>* work : {&remainder_, &step_, &unit_, &right_, &weighted_, &column_}) work->assign(m, T(0));
  num_rows_ = 0;
  damped_ = false;
}

template <class T>
Status LcabaDelassus<T>::factor(const StateView<T>& at) {
  const auto& [model, kin, rows] = at;
  const Status fits = as_status(0, [&] {
    take_model(at.model, model_);
    if (!same_structure(rows_, at.rows)) update_structure(at.model, at.rows);
  });
  if (!fits.ok()) return fits;
  rows_.take_values(rows);
  num_rows_ = 0;
  damped_ = false;
  place_frames(model, kin, free_.frames);
  begin_articulation(model, free_);
  const Status quiet = articulate_links<T>(model, kin, plan_.quiet, free_);
  const Status placed = place_lcaba(kin, free_, rows_, plan_, factor_);
  const Status live = articulate_links<T>(model, kin, plan_.live, free_);
  for (const Status status : {quiet, live, placed}) {
    if (!status.ok()) return status;
  }
  num_rows_ = rows_.num_rows();
  return {};
}

template <class T>
void LcabaDelassus<T>::product(In<T> x, Out<T> y) const {
  begin_product<T>(model_, plan_, factor_, rows_, x, sweep_);
  sweep_forces<T, T>(model_, free_, plan_.live, sweep_);
  sweep_motions<T, T>(model_, free_, plan_.live, sweep_);
  end_product<T>(plan_, factor_, rows_, sweep_, y);
}

template <class T>
CallStatus LcabaDelassus<T>::apply(In<T> x, Out<T> y) const {
  if (const Status s = check_product(x, y, num_rows_); !s.ok()) return spoiled(s, y);
  product(x, y);
  return {};
}

template <class T>
CallStatus LcabaDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  if (const Status s = check_vectors(x, num_rows_, acceleration, model_.nv()); !s.ok()) return spoiled(s, acceleration);
  row_response(model_, free_, rows_, x, acceleration, sweep_);
  return {};
}

/// A block is whole within one node only.
template <class T>
bool LcabaDelassus<T>::has_whole_blocks() const {
  for (const LcabaPlan::Node& node : plan_.nodes) {
    if (node.link >= 0) continue;
    const auto span = std::find_if(rows_.spans.begin(), rows_.spans.end(), [&](const RowSpan& s) {
      return s.first_row <= node.first_row && node.first_row < s.first_row + s.rows;
    });
    if (span->rows != node.width) return false;
  }
  return true;
}

template <class T>
Status LcabaDelassus<T>::update_damping(const Damping<T>& damping) {
  if (!damping.fits(rows_.spans, num_rows_)) return {Status::Code::kBadArgument, 0};
  if (damping.kind() == Damping<T>::Kind::kBlocks && !has_whole_blocks()) return {Status::Code::kBadArgument, 0};
  damped_ = false;
  Status status = set_weights(std::span<const RowSpan>(rows_.spans), num_rows_, damping, weights_);
  if (status.ok()) status = damp_lcaba<T>(model_, free_, rows_, plan_, weights_, factor_);
  damped_ = status.ok();
  return status;
}

template <class T>
void LcabaDelassus<T>::solve_once(In<T> b, Out<T> z) const {
  weigh<T, T>(rows_.spans, num_rows_, weights_, b.data(), weighted_.data());
  begin_solve<T>(model_, plan_, factor_, rows_, weighted_, b, damped_sweep_);
  sweep_lcaba(model_, plan_, factor_, damped_sweep_);
  end_solve<T>(plan_, factor_, rows_, weights_, b, damped_sweep_, z);
}

template <class T>
CallStatus LcabaDelassus<T>::respond_forces(Reach reach, Sweep<T>& sweep) const {
  reach == Reach::kFelt ? sweep_forces<T, T>(model_, free_, plan_.live, sweep) : sweep_forces(model_, free_, sweep);
  return {};
}

template <class T>
CallStatus LcabaDelassus<T>::respond_motions(Reach reach, Sweep<T>& sweep) const {
  reach == Reach::kFelt ? sweep_motions<T, T>(model_, free_, plan_.live, sweep) : sweep_motions(model_, free_, sweep);
  return {};
}

/// Links that feel no constraint are swept as in the free tree, before and after the others.
template <class T>
CallStatus LcabaDelassus<T>::solve_system(Sweep<T>& sweep, In<T> b, Out<T> lambda) const {
  if (!damped_) return spoiled(kTooEarly, lambda);
  if (const Status s = check_sizes({{1, b.size(), num_rows_}, {2, lambda.size(), num_rows_}}); !s.ok())
    return spoiled(s, lambda);
  weigh<T, T>(rows_.spans, num_rows_, weights_, b.data(), weighted_.data());
  begin_solve<T>(model_, plan_, factor_, rows_, weighted_, b, damped_sweep_);
  sweep_forces<T, T>(model_, free_, plan_.quiet, sweep);
  add_forces<T>(model_, plan_, sweep, damped_sweep_);
  sweep_lcaba(model_, plan_, factor_, damped_sweep_);
  end_solve<T>(plan_, factor_, rows_, weights_, b, damped_sweep_, lambda);
  read_motions<T>(model_, plan_, damped_sweep_, sweep);
  sweep_motions<T, T>(model_, free_, plan_.quiet, sweep);
  return {};
}

/// remainder = b - (R⁻¹ + Λ⁻¹) z; returns its largest entry.
template <class T>
T LcabaDelassus<T>::find_remainder(In<T> b, In<T> z) const {
  product(z, view(remainder_, num_rows_));
  multiply_damping<T, T>(rows_.spans, num_rows_, weights_, z.data(), weighted_.data());
  for (int r = 0; r < num_rows_; ++r) remainder_[r] = b[r] - weighted_[r] - remainder_[r];
  return largest(remainder_.data(), num_rows_);
}

template <class T>
Status LcabaDelassus<T>::solve_damped(In<T> b, Out<T> z) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_vectors(b, num_rows_, z, num_rows_); !s.ok()) return s;
  right_.assign(b.data(), b.data() + num_rows_);  // b and z may be the same vector
  solve_once(right_, z);
  residual_ = T(std::numeric_limits<double>::quiet_NaN());
  if (options_.refinements == 0) return {};
  const T scale = largest(right_.data(), num_rows_),
          rounding = T(kRounding<T>) * scale + T(std::numeric_limits<Base<T>>::min());
  residual_ = refine<T>(
      options_.refinements, rounding, num_rows_, z.data(), remainder_.data(), step_.data(),
      [&](const T* from, T* to) {
        solve_once({from, num_rows_}, {to, num_rows_});
      },
      [&](const T* from) {
        return find_remainder(right_, {from, num_rows_});
      });
  if (all_lanes(residual_ < T(kAccurate<T>) * scale) || all_lanes(residual_ < rounding)) return {};
  find_remainder(right_, {z.data(), num_rows_});
  return {Status::Code::kInaccurate, worst_row(remainder_.data(), num_rows_)};
}

template <class T>
Status LcabaDelassus<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  if (const Status s = check_panels(b, z, num_rows_); !s.ok()) return s;
  Status worst;
  for (int c = 0; c < b.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) column_[r] = b(r, c);
    const Status status = solve_damped(column_, view(column_, num_rows_));
    if (worst.ok()) worst = status;
    for (int r = 0; r < num_rows_; ++r) z(r, c) = column_[r];
  }
  return worst;
}

template <class T>
CallStatus LcabaDelassus<T>::apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
  if (const Status s = check_panels(x, y, num_rows_); !s.ok()) return spoiled(s, y);
  for (int c = 0; c < x.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) column_[r] = x(r, c);
    product(column_, view(step_, num_rows_));
    for (int r = 0; r < num_rows_; ++r) y(r, c) = step_[r];
  }
  return {};
}

template <class T>
void LcabaDelassus<T>::unit_product(int row) const {
  std::fill(unit_.begin(), unit_.end(), T(0));
  unit_[row] = T(1);
  product(unit_, view(remainder_, num_rows_));
}

template <class T>
CallStatus LcabaDelassus<T>::dense(MatrixOut<T> out) const {
  if (const Status s = check_matrix(out, num_rows_, num_rows_); !s.ok()) return spoiled(s, out);
  for (int c = 0; c < num_rows_; ++c) {
    unit_product(c);
    for (int r = c; r < num_rows_; ++r) out(r, c) = out(c, r) = remainder_[r];
  }
  return {};
}

template <class T>
CallStatus LcabaDelassus<T>::diagonal(Out<T> out) const {
  if (const Status s = check_sizes({{0, out.size(), num_rows_}}); !s.ok()) return spoiled(s, out);
  for (int r = 0; r < num_rows_; ++r) {
    unit_product(r);
    out[r] = remainder_[r];
  }
  return {};
}

#define DELASSUS_INSTANTIATE(T)    \
  template class LcabaDelassus<T>; \
  static_assert(DelassusOperator<LcabaDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
