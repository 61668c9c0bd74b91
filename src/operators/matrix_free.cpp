#include "delassus/operators/matrix_free.hpp"

#include <algorithm>
#include <string>

#include "dynamics/sweeps.hpp"
#include "kinematics/width.hpp"
#include "math/instantiate.hpp"
#include "operators/explicit_fallback.hpp"

namespace delassus {
namespace {

/// Which link's joint has a degree of freedom.
std::vector<std::int32_t> make_dof_links(const Model& model) {
  std::vector<std::int32_t> links(model.nv());
  for (int i = 0; i < model.num_links(); ++i) {
    for (int k = 0; k < model.link(i).nv; ++k) links[model.link(i).v + k] = i;
  }
  return links;
}

/// Others pass on no force, and nobody asks how they move.
std::vector<std::int32_t> make_live_links(const Model& model, const RowStructure& rows) {
  std::vector<bool> feels(model.num_links(), false);
  const std::vector<std::int32_t> dof_links = make_dof_links(model);
  for (const RowBlock& block : rows.blocks) feels[block.link] = true;
  for (const JointEntry& entry : rows.entries) feels[dof_links[entry.v]] = true;
  for (int i = model.num_links() - 1; i >= 0; --i) {
    if (feels[i] && model.link(i).parent != kWorld) feels[model.link(i).parent] = true;
  }
  std::vector<std::int32_t> live;
  for (int i = 0; i < model.num_links(); ++i) {
    if (feels[i]) live.push_back(i);
  }
  return live;
}

template <class T>
bool finite(const Vec3<T>& v) {
  return all_lanes(is_finite(v[0] + v[1] + v[2]));
}

}  // namespace

template <class T>
struct MatrixFreeDelassus<T>::Work {
  explicit Work(const Model& model) : art(model), sweep(model) {}

  Articulation<T> art;
  Sweep<T> sweep;
  FormedMatrix<T> matrix;  // once somebody damps it
};

template <class T>
MatrixFreeDelassus<T>::MatrixFreeDelassus(const Model& model, MatrixFreeForm form)
    : form_(form), model_(model), work_(std::in_place, model) {}

template <class T>
MatrixFreeDelassus<T>::MatrixFreeDelassus(const Model& model, const RowStructure& rows, MatrixFreeForm form)
    : MatrixFreeDelassus(model, form) {
  update_structure(model, rows);
}

template <class T>
void MatrixFreeDelassus<T>::update_structure(const Model& model, const RowStructure& rows) {
  take_model(model, model_);
  num_rows_ = 0;
  ready_ = formed_ = damped_ = false;
  planned_ = false;
  live_ = make_live_links(model, rows);
  int wrenches = 0;
  for (const RowBlock& block : rows.blocks) wrenches += block.rows;
  wrench_.assign(wrenches, Force<T>::zero());
  for (std::vector<T>* work : {&column_, &unit_}) work->assign(rows.num_rows(), T(0));
  rows_.take_structure(rows);
  planned_ = true;
}

/// Rows as wrenches on their links, where the sweeps want them.
template <class T>
Status MatrixFreeDelassus<T>::place() {
  Force<T>* to = wrench_.data();
  for (int b = 0; b < static_cast<int>(rows_.blocks.size()); ++b) {
    for (int r = 0; r < rows_.blocks[b].rows; ++r, ++to) {
      *to = placed_row(work_->art.frames, rows_, b, r);
      if (!finite(to->moment) || !finite(to->force)) return {Status::Code::kNotFinite, rows_.blocks[b].first_row + r};
    }
  }
  for (std::size_t k = 0; k < rows_.entries.size(); ++k) {
    if (!all_lanes(is_finite(rows_.weights[k]))) return {Status::Code::kNotFinite, rows_.entries[k].row};
  }
  return {};
}

template <class T>
Status MatrixFreeDelassus<T>::factor(const StateView<T>& at) {
  const auto& [model, kin, rows] = at;
  const Status fits = as_status(0, [&] {
    take_model(at.model, model_);
    if (!planned_ || !same_structure(rows_, at.rows)) update_structure(at.model, at.rows);
  });
  if (!fits.ok()) return fits;
  num_rows_ = 0;
  ready_ = formed_ = damped_ = false;
  rows_.take_values(rows);
  Status status = articulate(model, kin, work_->art);
  end_stage<T>("articulation");
  if (status.ok()) status = place();
  end_stage<T>("rows");
  ready_ = status.ok();
  if (ready_) num_rows_ = rows.num_rows();
  return status;
}

/// Algorithm 1, lines 1 to 6.
template <class T>
void MatrixFreeDelassus<T>::begin_forces(In<T> x) const {
  Sweep<T>& sweep = work_->sweep;
  for (const int i : live_) {
    sweep.force[i] = Force<T>::zero();
    const Link& link = model_.link(i);
    for (int k = link.v; k < link.v + link.nv; ++k) sweep.joint[k] = T(0);
  }
  const Force<T>* wrench = wrench_.data();
  for (const RowBlock& block : rows_.blocks) {
    Force<T> force = sweep.force[block.link];
    for (int r = 0; r < block.rows; ++r, ++wrench) force += scaled(*wrench, x[block.first_row + r]);
    sweep.force[block.link] = force;
  }
  for_each_entry(rows_, [&](int row, int v, const T& weight) { sweep.joint[v] += weight * x[row]; });
}

/// Algorithm 1, lines 7 to 10: forces on links become forces on joints, and none are left on links.
template <class T>
void MatrixFreeDelassus<T>::make_joint_forces() const {
  Sweep<T>& sweep = work_->sweep;
  const Articulation<T>& art = work_->art;
  for (std::size_t k = live_.size(); k-- > 0;) {
    const int i = live_[k];
    const Link& link = model_.link(i);
    const Force<T> force = sweep.force[i];
    with_width(link.nv, [&](auto N) {
      const Vec<T, N()> felt = subspace_dot<N()>(art.frames, link, force);
      for (int d = 0; d < N(); ++d) sweep.joint[link.v + d] += felt[d];
    });
    if (link.parent != kWorld) sweep.force[link.parent] += to_parent(art.frames, i, force);
  }
  for (const int i : live_) sweep.force[i] = Force<T>::zero();
}

/// Algorithm 3, lines 2 and 3: how links move when joints do.
template <class T>
void MatrixFreeDelassus<T>::remake_motions() const {
  Sweep<T>& sweep = work_->sweep;
  const Articulation<T>& art = work_->art;
  for (const int i : live_) {
    const Link& link = model_.link(i);
    with_width(link.nv, [&](auto N) {
      const T* joint = &sweep.joint[link.v];
      sweep.motion[i] = link.parent == kWorld
                            ? subspace_times<N()>(art.frames, link, joint)
                            : plus_subspace_times<N()>(art.frames, link,
                                                       from_parent(art.frames, i, sweep.motion[link.parent]), joint);
    });
  }
}

/// Algorithm 3, lines 4 to 8.
template <class T>
void MatrixFreeDelassus<T>::read_rows(Out<T> y) const {
  for (int r = 0; r < y.size(); ++r) y[r] = T(0);
  const Force<T>* wrench = wrench_.data();
  for (const RowBlock& block : rows_.blocks) {
    for (int r = 0; r < block.rows; ++r, ++wrench)
      y[block.first_row + r] += dot(work_->sweep.motion[block.link], *wrench);
  }
  for_each_entry(rows_, [&](int row, int v, const T& weight) { y[row] += weight * work_->sweep.joint[v]; });
}

template <class T>
void MatrixFreeDelassus<T>::product(In<T> x, Out<T> y) const {
  const bool three_maps = form_ == MatrixFreeForm::kThreeMaps;
  begin_forces(x);
  if (three_maps) make_joint_forces();
  end_stage<T>("forces of rows");
  sweep_forces<T, T>(model_, work_->art, live_, work_->sweep);
  end_stage<T>("forces inwards");
  sweep_motions<T, T>(model_, work_->art, live_, work_->sweep);
  end_stage<T>("motions outwards");
  if (three_maps) remake_motions();
  read_rows(y);
  end_stage<T>("motions of rows");
}

template <class T>
CallStatus MatrixFreeDelassus<T>::apply(In<T> x, Out<T> y) const {
  if (const Status s = check_vectors(x, num_rows_, y, num_rows_); !s.ok()) return spoiled(s, y);
  if (num_rows_ > 0) product(x, y);
  return {};
}

template <class T>
CallStatus MatrixFreeDelassus<T>::apply_panel(MatrixIn<T> X, MatrixOut<T> Y) const {
  if (const Status s = check_panels(X, Y, num_rows_); !s.ok()) return spoiled(s, Y);
  if (num_rows_ == 0) return {};
  for (int c = 0; c < X.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) column_[r] = X(r, c);
    product(column_, column_);
    for (int r = 0; r < num_rows_; ++r) Y(r, c) = column_[r];
  }
  return {};
}

template <class T>
CallStatus MatrixFreeDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  Sweep<T>& sweep = work_->sweep;
  const Articulation<T>& art = work_->art;
  const Model& model = model_;
  if (!ready_) return spoiled(kTooEarly, acceleration);
  if (const Status s = check_vectors(x, num_rows_, acceleration, model.nv()); !s.ok()) return spoiled(s, acceleration);
  std::fill(sweep.joint.begin(), sweep.joint.end(), T(0));
  begin_forces(x);
  if (form_ == MatrixFreeForm::kThreeMaps) make_joint_forces();
  sweep_forces<T, T>(model, art, live_, sweep);
  sweep_motions(model, art, sweep);
  for (int k = 0; k < model.nv(); ++k) acceleration[k] = sweep.joint[k];
  return {};
}

/// column = Λ⁻¹ times a unit vector.
template <class T>
void MatrixFreeDelassus<T>::unit_product(int row) const {
  unit_[row] = T(1);
  product(unit_, column_);
  unit_[row] = T(0);
}

/// Entries of Λ⁻¹ on and below the diagonal.
template <class T>
template <class F>
void MatrixFreeDelassus<T>::for_each_entry_below(F&& f) const {
  for (int c = 0; c < num_rows_; ++c) {
    unit_product(c);
    for (int r = c; r < num_rows_; ++r) f(r, c, column_[r]);
  }
}

template <class T>
Status MatrixFreeDelassus<T>::update_damping(const Damping<T>& damping) {
  if (!ready_) return kTooEarly;
  if (!damping.fits(rows_.spans, num_rows_)) return {Status::Code::kBadArgument, 0};
  damped_ = false;
  if (!formed_) {
    work_->matrix.reserve(rows_.spans, num_rows_);
    const LowerView<T> lower = work_->matrix.begin(num_rows_);
    for_each_entry_below([&](int r, int c, const T& entry) { lower(r, c) = entry; });
    if (const Status status = work_->matrix.finish({}); !status.ok()) return status;
    formed_ = true;
  }
  const Status status = work_->matrix.damp(damping, rows_.spans);
  damped_ = status.ok();
  return status;
}

template <class T>
Status MatrixFreeDelassus<T>::solve(In<T> b, Out<T> z) const {
  return damped_ ? work_->matrix.solve(b, z) : kTooEarly;
}

template <class T>
Status MatrixFreeDelassus<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  return damped_ ? work_->matrix.solve_panel(b, z) : kTooEarly;
}

template <class T>
CallStatus MatrixFreeDelassus<T>::dense(MatrixOut<T> matrix) const {
  if (const Status s = check_matrix(matrix, num_rows_, num_rows_); !s.ok()) return spoiled(s, matrix);
  for_each_entry_below([&](int r, int c, const T& entry) { matrix(r, c) = matrix(c, r) = entry; });
  return {};
}

template <class T>
CallStatus MatrixFreeDelassus<T>::diagonal(Out<T> out) const {
  if (const Status s = check_sizes({{0, out.size(), num_rows_}}); !s.ok()) return spoiled(s, out);
  for (int r = 0; r < num_rows_; ++r) {
    unit_product(r);
    out[r] = column_[r];
  }
  return {};
}

template <class T>
std::size_t MatrixFreeDelassus<T>::bytes() const {
  return sizeof(Work) + heap_bytes(rows_, live_, wrench_, work_->art, work_->sweep, work_->matrix, column_, unit_);
}

#define DELASSUS_INSTANTIATE(T)         \
  template class MatrixFreeDelassus<T>; \
  static_assert(DelassusOperator<MatrixFreeDelassus<T>, T>);
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
