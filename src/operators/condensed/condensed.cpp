#include "delassus/operators/condensed.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "dynamics/row_response.hpp"
#include "math/chunks.hpp"
#include "math/instantiate.hpp"
#include "model/link_lanes.hpp"
#include "operators/condensed/small_blocks.hpp"
#include "operators/condensed/work.hpp"
#include "operators/refinement.hpp"

namespace delassus {
namespace {

template <class T>
constexpr double kEpsilon = static_cast<double>(std::numeric_limits<Base<T>>::epsilon());
/// A residual below this fraction of the right-hand side is rounding in the product, and not worth another solve.
template <class T>
constexpr double kRounding = 64 * kEpsilon<T>;
/// What is asked of a solve, as far as the scalar has the digits.
template <class T>
double tolerance_of(const CondensedOptions& options) {
  return std::max(options.tolerance, 1e4 * kEpsilon<T>);
}
/// How much pivots may grow before solves are checked: residuals are up to two hundred times growth and rounding.
template <class T>
double trusted_growth(const CondensedOptions& options) {
  return tolerance_of<T>(options) / (300 * kEpsilon<T>);
}
/// How many times larger R b may be than z before a solve is checked: so many times rounding is lost in z = R (b - J ν̇).
template <class T>
double trusted_cancellation(const CondensedOptions& options) {
  return 6 * trusted_growth<T>(options);
}

/// One of the columns of a panel, for an operator whose scalar is T.
template <class T, class Lanes>
DELASSUS_INLINE T lane(const Lanes& x, int k) {
  if constexpr (std::same_as<T, Lanes>) {
    return x;
  } else {
    return x[k];
  }
}
template <class T, class Lanes>
DELASSUS_INLINE void set_lane(Lanes& x, int k, const T& value) {
  if constexpr (std::same_as<T, Lanes>) {
    x = value;
  } else {
    x.set(k, value);
  }
}

/// One lane of a pack; other scalars are their own only lane.
template <class T>
auto number_in(const T& x, int lane) {
  if constexpr (requires { T::kWidth; }) {
    return x[lane];
  } else {
    return x;
  }
}

/// Whether a mask holds in some lanes only.
template <class T, class Mask>
bool is_mixed(const Mask& mask) {
  if constexpr (std::same_as<Mask, bool>) {
    return false;
  } else {
    return !all_lanes(mask) && !all_lanes(select(mask, T(1), T(0)) < T(1));
  }
}

/// What the planner has to know of a fold; of a model, nothing.
const FoldLanes* lanes_of(const Model&) { return nullptr; }
[[maybe_unused]] const FoldLanes* lanes_of(const FoldedModel& model) { return &model.fold(); }

void require_rows_fit(const Model& model, const RowStructure& rows) {
  const bool fit =
      std::all_of(rows.blocks.begin(), rows.blocks.end(),
                  [&](const RowBlock& block) { return block.link >= 0 && block.link < model.num_links(); }) &&
      std::all_of(rows.entries.begin(), rows.entries.end(),
                  [&](const JointEntry& entry) { return entry.v >= 0 && entry.v < model.nv(); });
  if (!fit)
    throw Error("argument 'rows' names links or joints that the model does not have; lower them for this model");
}

/// Whether free joints that the plan takes for free bodies have no armature: that may differ between models of one mechanism.
bool free_joints_fit(const Model& model, const CondensedPlan& plan) {
  for (int i = 0; i < model.num_links(); ++i) {
    if (plan.free_of[i] < 0) continue;
    const double* armature = &model.armature()[model.link(i).v];
    if (std::any_of(armature, armature + 6, [](double a) { return a != 0; })) return false;
  }
  return true;
}

/// Takes values over into a copy of the same structure, and looks at them on the way: returns whether squares of all numbers are
/// finite, which their sum tells.
template <class T>
bool take_values(const ConstraintRows<T>& rows, ConstraintRows<T>& copy) {
  using X = std::conditional_t<Laned<T>, Pack<Base<T>, 8>, T>;
  constexpr std::size_t kWidth = Laned<T> ? 8 : 1;
  copy.identity = rows.identity;
  copy.weights = rows.weights;
  copy.values.resize(rows.values.size());
  const T* from = rows.values.data();
  T* to = copy.values.data();
  X sums[4] = {X(0), X(0), X(0), X(0)};
  const std::size_t n = rows.values.size(), whole = n / (4 * kWidth) * (4 * kWidth);
  for (std::size_t k = 0; k < whole; k += 4 * kWidth) {
    DELASSUS_UNROLL
    for (std::size_t l = 0; l < 4; ++l) {
      const X x = load<X>(from + k + l * kWidth);
      store(to + k + l * kWidth, x);
      sums[l] += x * x;
    }
  }
  const X all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  T sum;
  if constexpr (Laned<T>) {
    sum = all[0];
    for (std::size_t l = 1; l < kWidth; ++l) sum += all[static_cast<int>(l)];
  } else {
    sum = all;
  }
  for (std::size_t k = whole; k < n; ++k) {
    to[k] = from[k];
    sum += from[k] * from[k];
  }
  for (const T& weight : rows.weights) sum += weight * weight;
  return all_lanes(is_finite(sum));
}

/// The same of values that are there already.
template <class T>
bool has_finite_values(const ConstraintRows<T>& rows) {
  T sums[4] = {T(0), T(0), T(0), T(0)};
  for (std::size_t k = 0; k < rows.values.size(); ++k) sums[k % 4] += rows.values[k] * rows.values[k];
  for (const T& weight : rows.weights) sums[0] += weight * weight;
  return all_lanes(is_finite((sums[0] + sums[1]) + (sums[2] + sums[3])));
}

/// The row whose square is not finite, if there is one.
template <class T>
Status find_not_finite(const ConstraintRows<T>& rows) {
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> K = row_wrench(rows, block, r, Vec3<T>::zero());
      if (!all_lanes(is_finite(dot(K.moment, K.moment) + dot(K.force, K.force)))) {
        return {Status::Code::kNotFinite, block.first_row + r};
      }
    }
  }
  for (std::size_t k = 0; k < rows.entries.size(); ++k) {
    if (!all_lanes(is_finite(rows.weights[k] * rows.weights[k])))
      return {Status::Code::kNotFinite, rows.entries[k].row};
  }
  return {};
}

}  // namespace

template <class T>
CondensedDelassus<T>::CondensedDelassus(const ModelOf<T>& model, const CondensedOptions& options)
    : model_(model),
      options_(options),
      mass_ratio_(mass_ratio(model)),
      residual_(std::numeric_limits<double>::quiet_NaN()),
      work_(std::in_place, model) {
  if (options_.capacity.limited()) reserve(model);
  update_structure(model, rows_);
}

template <class T>
CondensedDelassus<T>::CondensedDelassus(const ModelOf<T>& model, const RowStructure& rows,
                                        const CondensedOptions& options)
    : CondensedDelassus(model, options) {
  update_structure(model, rows);
}

template <class T>
void CondensedDelassus<T>::reserve(const Model& model) {
  Work& w = *work_;
  const CondensedCapacity& c = options_.capacity;
  rows_.spans.reserve(c.constraints);
  rows_.sets.reserve(c.constraints);
  rows_.blocks.reserve(c.blocks);
  rows_.entries.reserve(c.entries);
  rows_.weights.reserve(c.entries);
  rows_.values.reserve(6 * static_cast<std::size_t>(c.rows) * 2 + 3 * static_cast<std::size_t>(c.blocks));
  w.planner.reserve(model, c);
  w.plan.reserve(model, c);
  w.configuration.reserve(model, c);
  w.damping.reserve(model, c);
  const std::size_t values = 6 * static_cast<std::size_t>(model.num_links()) + c.rows;
  w.sweep.reserve(model, values, c.rows);
  w.panel_sweep.reserve(model, values, c.rows);
  for (std::vector<T>* work : {&w.remainder, &w.step, &w.right, &w.solution, &w.damped_part}) work->reserve(c.rows);
  w.panel_in.reserve(c.rows);
  w.panel_out.reserve(c.rows);
  for (std::vector<std::int32_t>* list : {&w.jointed, &w.felt, &w.quiet, &w.free}) list->reserve(model.num_links());
  if constexpr (Work::kUnsymmetric) w.dual.reserve(model, c);
  if constexpr (Work::kFallsBack) {
    if (options_.reserve_fallback) w.fallback.reserve({}, std::min(c.rows, options_.fallback_rows));
  }
}

template <class T>
void CondensedDelassus<T>::require_room(const RowStructure& rows) const {
  const CondensedCapacity& c = options_.capacity;
  if (!c.limited()) return;
  const auto check = [](std::size_t size, int room, const char* what) {
    if (size <= static_cast<std::size_t>(room)) return;
    throw Error("argument 'rows' has " + std::to_string(size) + " " + what + ", and the operator has room for " +
                std::to_string(room) + "; raise CondensedOptions::capacity");
  };
  check(rows.spans.size(), c.constraints, "constraints");
  check(static_cast<std::size_t>(rows.num_rows()), c.rows, "rows");
  check(rows.blocks.size(), c.blocks, "blocks on links");
  check(rows.entries.size(), c.entries, "entries on joints");
}

template <class T>
void CondensedDelassus<T>::update_structure(const ModelOf<T>& model, const RowStructure& rows) {
  Work& w = *work_;
  take(model);
  require_rows_fit(model, rows);
  require_room(rows);
  const bool articulated = articulated_;
  num_rows_ = 0;
  planned_ = articulated_ = factored_ = damped_ = false;
  w.planner.run(model, rows, options_, w.plan, Laned<T> ? RowPacking::kStrips : RowPacking::kSingly, lanes_of(model));
  rows_.take_structure(rows);
  resize();
  planned_ = true;
  articulated_ = articulated && w.configuration.free_of == w.plan.free_of;
}

template <class T>
void CondensedDelassus<T>::take(const ModelOf<T>& model) {
  if (model.is(model_)) return;
  take_model(model, model_);
  articulated_ = false;
  mass_ratio_ = mass_ratio(model);
}

template <class T>
void CondensedDelassus<T>::resize() {
  Work& w = *work_;
  const int m = rows_.num_rows();
  // Room for all rows as carried ones: triangles of up to six, and at most four nodes that feel them.
  std::size_t wrenches = 0;
  for (const RowSpan& span : rows_.spans) wrenches += static_cast<std::size_t>(span.rows) * std::min(span.blocks, 4);
  w.configuration.side.reserve(wrenches);
  w.damping.dual_side.reserve(wrenches);
  w.configuration.omega.reserve(4 * static_cast<std::size_t>(m));
  w.damping.dual.reserve(4 * static_cast<std::size_t>(m));
  w.configuration.resize(w.plan);
  w.damping.resize(model_, w.plan, m);
  w.damping.rows.resize(rows_.spans, m);
  w.sweep.resize(model_, w.plan, m);
  w.panel_sweep.resize(model_, w.plan, m);
  for (std::vector<T>* work : {&w.remainder, &w.step, &w.right, &w.solution, &w.damped_part}) work->resize(m);
  w.panel_in.resize(m);
  w.panel_out.resize(m);
  list_links();
  if constexpr (Work::kUnsymmetric) w.dual.forget_structure();
  if constexpr (Work::kFallsBack) {
    w.fallback.forget_matrix();
    if (options_.reserve_fallback && options_.may_fall_back(m)) w.fallback.reserve(rows_.spans, m);
  }
}

template <class T>
bool CondensedDelassus<T>::feels(int link) const {
  return std::binary_search(work_->plan.felt.begin(), work_->plan.felt.end(), link);
}

/// Which links the sweeps go over. A free joint on the world yields as a whole.
template <class T>
void CondensedDelassus<T>::list_links() {
  Work& w = *work_;
  for (std::vector<std::int32_t>* list : {&w.jointed, &w.felt, &w.quiet, &w.free}) list->clear();
  for (int i = 0; i < model_.num_links(); ++i) (w.plan.free_of[i] < 0 ? w.jointed : w.free).push_back(i);
  for (const std::int32_t i : w.jointed) (feels(i) ? w.felt : w.quiet).push_back(i);
}

template <class T>
void CondensedDelassus<T>::forget_factor() {
  num_rows_ = 0;
  factored_ = damped_ = work_->damping.unit_ready = false;
  work_->damping.branches.forget();
  if constexpr (Work::kUnsymmetric) work_->dual.forget_configuration();
  if constexpr (Work::kFallsBack) work_->fallback.forget_matrix();
}

template <class T>
Status CondensedDelassus<T>::articulate(const ModelOf<T>& model, const Kinematics<T>& kin) {
  const Status fits = as_status(0, [&] {
    take(model);
    if (!planned_ || !free_joints_fit(model, work_->plan)) update_structure(model, rows_);
  });
  if (!fits.ok()) return fits;
  forget_factor();
  work_->configuration.rows_follow = false;
  return articulate_taken(kin);
}

template <class T>
Status CondensedDelassus<T>::articulate_taken(const Kinematics<T>& kin) {
  const Status status = configure_tree(model_, kin, work_->plan, work_->configuration);
  articulated_ = status.ok();
  return status;
}

template <class T>
Status CondensedDelassus<T>::factor(const StateView<T>& at, FactorScope scope) {
  if (const Status s = plan_for(at); !s.ok()) return s;
  articulated_ = false;
  return factor_taken(at.kin, take_values(at.rows, rows_), scope);
}

template <class T>
Status CondensedDelassus<T>::factor_rows(const StateView<T>& at, FactorScope scope) {
  if (!articulated_) return kTooEarly;
  if (const Status s = plan_for(at); !s.ok()) return s;
  return factor_taken(at.kin, take_values(at.rows, rows_), scope);
}

template <class T>
Status CondensedDelassus<T>::plan_for(const StateView<T>& at) {
  return as_status(0, [&] {
    take(at.model);
    if (!planned_ || !same_structure(rows_, at.rows) || !free_joints_fit(at.model, work_->plan)) {
      update_structure(at.model, at.rows);
    }
  });
}

template <class T>
Status CondensedDelassus<T>::factor(const ModelOf<T>& model, const Kinematics<T>& kin, RowValues<T>& values) {
  if (const Status fits = as_status(0, [&] { take(model); }); !fits.ok()) return fits;
  std::swap(static_cast<RowValues<T>&>(rows_), values);
  articulated_ = false;
  return factor_taken(kin, has_finite_values(rows_), FactorScope::kAll);
}

/// Articulates unless that is done.
template <class T>
Status CondensedDelassus<T>::factor_taken(const Kinematics<T>& kin, bool finite, FactorScope scope) {
  Work& w = *work_;
  forget_factor();
  w.configuration.products_only = scope == FactorScope::kProducts;
  Status status;
  if (!articulated_) {
    w.configuration.rows_follow = true;
    status = articulate_taken(kin);
  }
  if (!status.ok()) return status;
  configure_rows(model_, kin, rows_, w.plan, w.configuration);
  if (!finite) status = find_not_finite(rows_);
  factored_ = status.ok();
  if (factored_) num_rows_ = rows_.num_rows();
  return status;
}

template <class T>
void CondensedDelassus<T>::product(const T* x, T* y) const {
  if (num_rows_ > 0) condensed_product(rows_, work_->plan, work_->configuration, x, y, work_->sweep);
}

template <class T>
CallStatus CondensedDelassus<T>::apply(In<T> x, Out<T> y) const {
  if (const Status s = check_product(x, y, num_rows_); !s.ok()) return spoiled(s, y);
  product(x.data(), y.data());
  return {};
}

/// Goes through the columns as many at a time as there are lanes; lanes without a column carry zeros.
template <class T>
template <class F>
void CondensedDelassus<T>::for_each_panel(MatrixView<const T> in, MatrixView<T> out, F&& f) const {
  using Lanes = typename Work::Lanes;
  Work& w = *work_;
  for (int first = 0; first < (num_rows_ > 0 ? in.cols() : 0); first += Work::kPanel) {
    const int count = std::min(Work::kPanel, in.cols() - first);
    for (int r = 0; r < num_rows_; ++r) {
      w.panel_in[r] = Lanes(0);
      for (int k = 0; k < count; ++k) set_lane<T>(w.panel_in[r], k, in(r, first + k));
    }
    f(w.panel_in.data(), w.panel_out.data());
    for (int r = 0; r < num_rows_; ++r) {
      for (int k = 0; k < count; ++k) out(r, first + k) = lane<T>(w.panel_out[r], k);
    }
  }
}

/// Products with unit vectors; f gets the first of them and how many there are, and finds the products in panel_out.
template <class T>
template <class F>
void CondensedDelassus<T>::for_each_unit_panel(F&& f) const {
  using Lanes = typename Work::Lanes;
  Work& w = *work_;
  std::fill(w.panel_in.begin(), w.panel_in.end(), Lanes(0));
  for (int first = 0; first < num_rows_; first += Work::kPanel) {
    const int count = std::min(Work::kPanel, num_rows_ - first);
    for (int k = 0; k < count; ++k) set_lane<T>(w.panel_in[first + k], k, T(1));
    condensed_product(rows_, w.plan, w.configuration, w.panel_in.data(), w.panel_out.data(), w.panel_sweep);
    f(first, count);
    for (int k = 0; k < count; ++k) w.panel_in[first + k] = Lanes(0);
  }
}

template <class T>
CallStatus CondensedDelassus<T>::apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
  if (const Status s = check_panels(x, y, num_rows_); !s.ok()) return spoiled(s, y);
  for_each_panel(x, y, [&](const auto* in, auto* out) {
    condensed_product(rows_, work_->plan, work_->configuration, in, out, work_->panel_sweep);
  });
  return {};
}

/// The two sweeps over all links, not only over nodes: all joints move.
template <class T>
CallStatus CondensedDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  Work& w = *work_;
  if (!factored_) return spoiled(kTooEarly, acceleration);
  if (const Status s = check_vectors(x, num_rows_, acceleration, model_.nv()); !s.ok()) return spoiled(s, acceleration);
  begin_row_response(model_, w.configuration.art, rows_, x, w.response);
  respond_forces(Reach::kFelt, w.response);
  respond_motions(Reach::kAll, w.response);
  for (int k = 0; k < model_.nv(); ++k) acceleration[k] = w.response.joint[k];
  return {};
}

template <class T>
CallStatus CondensedDelassus<T>::respond_forces(Reach reach, Sweep<T>& sweep) const {
  if (!articulated_) return kTooEarly;
  sweep_forces<T, T>(model_, work_->configuration.art, reach == Reach::kAll ? work_->jointed : work_->felt, sweep);
  return {};
}

template <class T>
CallStatus CondensedDelassus<T>::respond_motions(Reach reach, Sweep<T>& sweep) const {
  if (!articulated_) return kTooEarly;
  for (const std::int32_t i : work_->free) respond_freely(i, sweep);
  sweep_motions<T, T>(model_, work_->configuration.art, reach == Reach::kAll ? work_->jointed : work_->felt, sweep);
  return {};
}

/// A free joint on the world: forces on its joint are those on its link in other axes, since S is orthogonal at the link's
/// origin.
template <class T>
void CondensedDelassus<T>::respond_freely(int link, Sweep<T>& sweep) const {
  const Motion<T>* S = &work_->configuration.art.frames.S[model_.link(link).v];
  T* joint = &sweep.joint[model_.link(link).v];
  Force<T> force = LinkExchange<T>::whole(model_, link, sweep.force[link]);
  for (int k = 0; k < 6; ++k) {
    const T at_joint = LinkExchange<T>::whole(model_, link, joint[k]);
    force += Force<T>{at_joint * S[k].angular, at_joint * S[k].linear};
  }
  const Motion<T> a = yielding(work_->configuration.yield[work_->plan.free_of[link]], force);
  for (int k = 0; k < 6; ++k) joint[k] = dot(S[k].angular, a.angular) + dot(S[k].linear, a.linear);
  sweep.motion[link] = a;
}

template <class T>
Status CondensedDelassus<T>::update_damping(const Damping<T>& damping) {
  Work& w = *work_;
  if (!damping.fits(std::span(rows_.spans).first(num_rows_ > 0 ? rows_.spans.size() : 0), num_rows_))
    return {Status::Code::kBadArgument, 0};
  damped_ = num_rows_ == 0;
  checks_ = differ_ = unsymmetric_ = false;
  if constexpr (Work::kFallsBack) w.fallback.forget_damping();
  if (num_rows_ == 0) return {};
  if (w.configuration.products_only) return kTooEarly;
  if (damping.kind() == Damping<T>::Kind::kUnsymmetric) return damp_unsymmetric(damping);
  Status status = set_weights(std::span<const RowSpan>(rows_.spans), num_rows_, damping, w.damping.rows);
  if (status.ok()) status = damp(model_, rows_, w.plan, w.configuration, w.damping);
  if (!status.ok()) return status;
  damped_ = true;
  // What redundant multipliers take from each other shows in no pivot, nor does the condition of blocks of damping, for which
  // two digits are set aside.
  const double limit = trusted_growth<T>(options_) / (damping.kind() == Damping<T>::Kind::kBlocks ? 100 : 1);
  const bool may_trust = !options_.check_always && w.plan.multipliers.nodes.size() <= 1 && mass_ratio_ < limit;
  const bool trusted = may_trust && all_lanes(w.damping.growth < T(limit));
  checks_ = options_.refinements > 0 && !trusted;
  differ_ = checks_ && may_trust && is_mixed<T>(w.damping.growth < T(limit));
  return status;
}

/// Nothing is known beforehand of pivots of any sign: every solve is checked.
template <class T>
Status CondensedDelassus<T>::damp_unsymmetric(const Damping<T>& damping) {
  if constexpr (Work::kUnsymmetric) {
    Work& w = *work_;
    w.dual.prepare(model_, rows_, w.plan, w.configuration);
    const Status status = w.dual.damp(rows_, damping);
    damped_ = unsymmetric_ = status.ok();
    checks_ = damped_ && options_.refinements > 0;
    return status;
  }
  return {Status::Code::kBadArgument, 0};
}

template <class T>
void CondensedDelassus<T>::solve_once(const T* b, T* z) const {
  if constexpr (Work::kUnsymmetric) {
    if (unsymmetric_) return work_->dual.solve(rows_, b, z);
  }
  if (num_rows_ > 0) condensed_solve(rows_, work_->plan, work_->configuration, work_->damping, b, z, work_->sweep);
}

/// out = R⁻¹ z.
template <class T>
void CondensedDelassus<T>::multiply_by_damping(const T* z, T* out) const {
  if constexpr (Work::kUnsymmetric) {
    if (unsymmetric_) {
      std::fill_n(out, num_rows_, T(0));
      return work_->dual.damping().add_product(z, out);
    }
  }
  multiply_damping<T, T>(rows_.spans, num_rows_, work_->damping.rows, z, out);
}

/// remainder = b - (R⁻¹ + Λ⁻¹) z; returns its largest entry, and no number if one is none.
template <class T>
T CondensedDelassus<T>::find_remainder(const T* b, const T* z) const {
  Work& w = *work_;
  product(z, w.remainder.data());
  multiply_by_damping(z, w.damped_part.data());
  T sum(0);
  for (int r = 0; r < num_rows_; ++r) sum += w.remainder[r] = b[r] - w.damped_part[r] - w.remainder[r];
  return largest(w.remainder.data(), num_rows_) + (sum - sum);  // no number if one of them is none
}

template <class T>
T CondensedDelassus<T>::rounding_of(const T& scale) const {
  return T(kRounding<T>) * scale + T(std::numeric_limits<Base<T>>::min());
}

template <class T>
T CondensedDelassus<T>::tolerated(const T& scale) const {
  return T(tolerance_of<T>(options_)) * scale;
}

/// `right`, `residual_` and `remainder` are those of the last refinement.
template <class T>
Status CondensedDelassus<T>::status_of_lane(int lane) const {
  const T scale = largest(work_->right.data(), num_rows_);
  const auto residual = number_in(residual_, lane);
  if (all_lanes(residual < number_in(tolerated(scale), lane)) ||
      all_lanes(residual < number_in(rounding_of(scale), lane)))
    return {};
  int worst = 0;
  for (int r = 1; r < num_rows_; ++r) {
    const auto most = magnitude(number_in(work_->remainder[worst], lane));
    if (all_lanes(most < magnitude(number_in(work_->remainder[r], lane)))) worst = r;
  }
  return {Status::Code::kInaccurate, worst};
}

template <class T>
Status CondensedDelassus<T>::refine(VectorView<T> z) const {
  Work& w = *work_;
  const T scale = largest(w.right.data(), num_rows_);
  constexpr double kEnough = 1e-2;  // of the tolerance
  // With unsymmetric blocks, rows that nothing distinguishes make systems of which no more than this can be had.
  const T rounding = unsymmetric_ ? tolerated(scale) : rounding_of(scale);
  const T enough = options_.check_always ? T(0) : T(kEnough) * tolerated(scale);
  residual_ = delassus::refine<T>(
      options_.refinements, {rounding, enough, scale}, num_rows_, z.data(), w.remainder.data(), w.step.data(),
      [&](const T* b, T* x) { solve_once(b, x); }, [&](const T* x) { return find_remainder(w.right.data(), x); });
  if (!all_lanes(residual_ < max(tolerated(scale), rounding))) fall_back(z);
  if (all_lanes(residual_ < tolerated(scale)) || all_lanes(residual_ < rounding)) return {};
  find_remainder(w.right.data(), z.data());
  return {Status::Code::kInaccurate, worst_row(w.remainder.data(), num_rows_)};
}

/// Of `right`, with the damping that there is.
template <class T>
void CondensedDelassus<T>::fall_back(VectorView<T> z) const {
  if constexpr (Work::kFallsBack) {
    Work& w = *work_;
    if (!options_.may_fall_back(num_rows_)) return;
    const RowWeights<T>& weights = w.damping.rows;
    const bool blocks = weights.kind == Damping<T>::Kind::kBlocks;
    const VectorView<const T> rows(weights.damping.data(), num_rows_);
    const Damping<T> damping = unsymmetric_ ? w.dual.damping().view()
                               : blocks     ? Damping<T>::blocks(weights.damping)
                                            : Damping<T>(rows);
    w.fallback.improve(*this, damping, rows_.spans, VectorView<const T>(w.right.data(), num_rows_), z, w.remainder,
                       residual_);
    used_matrix_ = used_matrix_ || w.fallback.used();
  }
}

template <class T>
Status CondensedDelassus<T>::solve(In<T> b, Out<T> z) const {
  Work& w = *work_;
  if (!damped_) return kTooEarly;
  if (const Status s = check_vectors(b, num_rows_, z, num_rows_); !s.ok()) return s;
  residual_ = T(std::numeric_limits<double>::quiet_NaN());
  differ_ = used_matrix_ = false;
  if (!checks_ && b.data() != z.data()) {
    solve_once(b.data(), z.data());
    if (!has_cancelled(w.sweep, z.data())) return {};
    std::copy_n(b.data(), num_rows_, w.right.data());
    return refine(z);
  }
  std::copy_n(b.data(), num_rows_, w.right.data());
  solve_once(w.right.data(), z.data());
  return checks_ || has_cancelled(w.sweep, z.data()) ? refine(z) : Status{};
}

/// Whether rows whose solution is a difference have lost too many digits in it in the last solve, in some lane.
template <class T>
template <class X>
bool CondensedDelassus<T>::has_cancelled(const NodeSweep<X>& sweep, const X* z) const {
  if (options_.refinements == 0 || work_->plan.differences.empty()) return false;
  X weighted(0);
  for (const CondensedPlan::Range& run : work_->plan.differences) {
    weighted = max(weighted, largest(sweep.weighted.data() + run.first, run.count));
  }
  const X most = largest(z, num_rows_);
  const auto kept = weighted < X(trusted_cancellation<T>(options_)) * most + X(std::numeric_limits<Base<T>>::min());
  if constexpr (std::same_as<X, T>) differ_ = is_mixed<T>(kept);
  return !all_lanes(kept);
}

/// Refines each column of a panel.
template <class T>
template <class X>
Status CondensedDelassus<T>::refine_lanes(const X* b, X* z) const {
  Work& w = *work_;
  Status worst;
  T largest_residual(0);
  for (int k = 0; k < Work::kPanel; ++k) {
    for (int r = 0; r < num_rows_; ++r) {
      w.right[r] = lane<T>(b[r], k);
      w.solution[r] = lane<T>(z[r], k);
    }
    const Status status = refine(VectorView<T>(w.solution.data(), num_rows_));
    if (worst.ok()) worst = status;
    largest_residual = max(largest_residual, residual_);
    for (int r = 0; r < num_rows_; ++r) set_lane<T>(z[r], k, w.solution[r]);
  }
  residual_ = largest_residual;
  return worst;
}

template <class T>
Status CondensedDelassus<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  Work& w = *work_;
  if (!damped_) return kTooEarly;
  if (const Status s = check_panels(b, z, num_rows_); !s.ok()) return s;
  used_matrix_ = false;
  Status worst;
  if (!checks_) {
    residual_ = T(std::numeric_limits<double>::quiet_NaN());
    for_each_panel(b, z, [&](const auto* in, auto* out) {
      condensed_solve(rows_, w.plan, w.configuration, w.damping, in, out, w.panel_sweep);
      if (!has_cancelled(w.panel_sweep, out)) return;
      const Status status = refine_lanes(in, out);
      if (worst.ok()) worst = status;
    });
    return worst;
  }
  T largest_residual(0);
  for (int c = 0; c < b.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) w.right[r] = b(r, c);
    solve_once(w.right.data(), w.solution.data());
    const Status status = refine(VectorView<T>(w.solution.data(), num_rows_));
    if (worst.ok()) worst = status;
    largest_residual = max(largest_residual, residual_);
    for (int r = 0; r < num_rows_; ++r) z(r, c) = w.solution[r];
  }
  residual_ = largest_residual;
  return worst;
}

template <class T>
CallStatus CondensedDelassus<T>::dense(MatrixOut<T> out) const {
  if (const Status s = check_matrix(out, num_rows_, num_rows_); !s.ok()) return spoiled(s, out);
  for_each_unit_panel([&](int first, int count) {
    for (int k = 0; k < count; ++k) {
      for (int r = first + k; r < num_rows_; ++r)
        out(r, first + k) = out(first + k, r) = lane<T>(work_->panel_out[r], k);
    }
  });
  return {};
}

template <class T>
CallStatus CondensedDelassus<T>::diagonal(Out<T> out) const {
  if (const Status s = check_sizes({{0, out.size(), num_rows_}}); !s.ok()) return spoiled(s, out);
  for_each_unit_panel([&](int first, int count) {
    for (int k = 0; k < count; ++k) out[first + k] = lane<T>(work_->panel_out[first + k], k);
  });
  return {};
}

template <class T>
std::size_t CondensedDelassus<T>::bytes() const {
  return sizeof(Work) + heap_bytes(rows_, *work_);
}

template <class T>
std::span<const std::int32_t> CondensedDelassus<T>::felt_links() const {
  return work_->plan.felt;
}

template <class T>
const Articulation<T>& CondensedDelassus<T>::articulation() const {
  return work_->configuration.art;
}

template <class T>
const CondensedPlan& CondensedDelassus<T>::plan() const {
  return work_->plan;
}

template <class T>
const CondensedPlanner& CondensedDelassus<T>::planner() const {
  return work_->planner;
}

template <class T>
const CondensedConfiguration<T>& CondensedDelassus<T>::configuration() const {
  return work_->configuration;
}

template <class T>
const CondensedDamping<T>& CondensedDelassus<T>::damping() const {
  return work_->damping;
}

#define DELASSUS_INSTANTIATE(T)        \
  template class CondensedDelassus<T>; \
  static_assert(DelassusOperator<CondensedDelassus<T>, T>);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
