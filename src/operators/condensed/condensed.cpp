#include "delassus/operators/condensed.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "delassus/math/boxed.hpp"
#include "dynamics/row_response.hpp"
#include "math/chunks.hpp"
#include "math/instantiate.hpp"
#include "model/link_lanes.hpp"
#include "operators/condensed/small_blocks.hpp"
#include "operators/refinement.hpp"
#include "operators/taken_rows.hpp"

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
const FoldLanes* lanes_of(const FoldedModel& model) { return &model.fold(); }

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

}  // namespace

double mass_ratio(const Model& model) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Link& link : model.links()) {
    if (link.inertia.mass <= 0) continue;
    least = std::min(least, link.inertia.mass);
    most = std::max(most, link.inertia.mass);
  }
  return most > 0 ? most / least : 1;
}

template <class T>
CondensedDelassus<T>::CondensedDelassus(const ModelOf<T>& model, const CondensedOptions& options)
    : model_(model),
      options_(options),
      planner_(model),
      mass_ratio_(mass_ratio(model)),
      configuration_(model),
      response_(model),
      residual_(std::numeric_limits<double>::quiet_NaN()) {
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
  const CondensedCapacity& c = options_.capacity;
  rows_.spans.reserve(c.constraints);
  rows_.sets.reserve(c.constraints);
  rows_.blocks.reserve(c.blocks);
  rows_.entries.reserve(c.entries);
  rows_.weights.reserve(c.entries);
  rows_.values.reserve(6 * static_cast<std::size_t>(c.rows) * 2 + 3 * static_cast<std::size_t>(c.blocks));
  planner_.reserve(model, c);
  plan_.reserve(model, c);
  configuration_.reserve(model, c);
  damping_.reserve(model, c);
  const std::size_t values = 6 * static_cast<std::size_t>(model.num_links()) + c.rows;
  sweep_.reserve(model, values, c.rows);
  panel_sweep_.reserve(model, values, c.rows);
  for (std::vector<T>* work : {&remainder_, &step_, &right_, &solution_, &damped_part_}) work->reserve(c.rows);
  panel_in_.reserve(c.rows);
  panel_out_.reserve(c.rows);
  for (std::vector<std::int32_t>* list : {&jointed_, &felt_, &quiet_, &free_}) list->reserve(model.num_links());
  if constexpr (kFallsBack) {
    if (options_.reserve_fallback) fallback_.reserve({}, std::min(c.rows, options_.fallback_rows));
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
  take(model);
  require_rows_fit(model, rows);
  require_room(rows);
  const bool articulated = articulated_;
  num_rows_ = 0;
  planned_ = articulated_ = factored_ = damped_ = false;
  planner_.run(model, rows, options_, plan_, Laned<T> ? RowPacking::kStrips : RowPacking::kSingly, lanes_of(model));
  rows_.take_structure(rows);
  resize();
  planned_ = true;
  articulated_ = articulated && configuration_.free_of == plan_.free_of;
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
  const int m = rows_.num_rows();
  // Room for all rows as carried ones: triangles of up to six, and at most four nodes that feel them.
  std::size_t wrenches = 0;
  for (const RowSpan& span : rows_.spans) wrenches += static_cast<std::size_t>(span.rows) * std::min(span.blocks, 4);
  configuration_.side.reserve(wrenches);
  damping_.dual_side.reserve(wrenches);
  configuration_.omega.reserve(4 * static_cast<std::size_t>(m));
  damping_.dual.reserve(4 * static_cast<std::size_t>(m));
  configuration_.resize(plan_);
  damping_.resize(model_, plan_, m);
  damping_.rows.resize(rows_.spans, m);
  sweep_.resize(model_, plan_, m);
  panel_sweep_.resize(model_, plan_, m);
  for (std::vector<T>* work : {&remainder_, &step_, &right_, &solution_, &damped_part_}) work->resize(m);
  panel_in_.resize(m);
  panel_out_.resize(m);
  list_links();
  if constexpr (kFallsBack) {
    fallback_.forget_matrix();
    if (options_.reserve_fallback && options_.may_fall_back(m)) fallback_.reserve(rows_.spans, m);
  }
}

template <class T>
bool CondensedDelassus<T>::feels(int link) const {
  return std::binary_search(plan_.felt.begin(), plan_.felt.end(), link);
}

/// Which links the sweeps go over. A free joint on the world yields as a whole.
template <class T>
void CondensedDelassus<T>::list_links() {
  for (std::vector<std::int32_t>* list : {&jointed_, &felt_, &quiet_, &free_}) list->clear();
  for (int i = 0; i < model_.num_links(); ++i) (plan_.free_of[i] < 0 ? jointed_ : free_).push_back(i);
  for (const std::int32_t i : jointed_) (feels(i) ? felt_ : quiet_).push_back(i);
}

template <class T>
void CondensedDelassus<T>::forget_factor() {
  num_rows_ = 0;
  factored_ = damped_ = damping_.unit_ready = false;
  if constexpr (kFallsBack) fallback_.forget_matrix();
}

template <class T>
Status CondensedDelassus<T>::articulate(const ModelOf<T>& model, const Kinematics<T>& kin) {
  const Status fits = as_status(0, [&] {
    take(model);
    if (!planned_ || !free_joints_fit(model, plan_)) update_structure(model, rows_);
  });
  if (!fits.ok()) return fits;
  forget_factor();
  configuration_.rows_follow = false;
  return articulate_taken(kin);
}

template <class T>
Status CondensedDelassus<T>::articulate_taken(const Kinematics<T>& kin) {
  const Status status = configure_tree(model_, kin, plan_, configuration_);
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
    if (!planned_ || !same_structure(rows_, at.rows) || !free_joints_fit(at.model, plan_)) {
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
  forget_factor();
  configuration_.products_only = scope == FactorScope::kProducts;
  Status status;
  if (!articulated_) {
    configuration_.rows_follow = true;
    status = articulate_taken(kin);
  }
  if (!status.ok()) return status;
  configure_rows(model_, kin, rows_, plan_, configuration_);
  if (!finite) status = find_not_finite(rows_);
  factored_ = status.ok();
  if (factored_) num_rows_ = rows_.num_rows();
  return status;
}

template <class T>
void CondensedDelassus<T>::product(const T* x, T* y) const {
  if (num_rows_ > 0) condensed_product(rows_, plan_, configuration_, x, y, sweep_);
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
  for (int first = 0; first < (num_rows_ > 0 ? in.cols() : 0); first += kPanel) {
    const int count = std::min(kPanel, in.cols() - first);
    for (int r = 0; r < num_rows_; ++r) {
      panel_in_[r] = Lanes(0);
      for (int k = 0; k < count; ++k) set_lane<T>(panel_in_[r], k, in(r, first + k));
    }
    f(panel_in_.data(), panel_out_.data());
    for (int r = 0; r < num_rows_; ++r) {
      for (int k = 0; k < count; ++k) out(r, first + k) = lane<T>(panel_out_[r], k);
    }
  }
}

/// Products with unit vectors; f gets the first of them and how many there are, and finds the products in panel_out_.
template <class T>
template <class F>
void CondensedDelassus<T>::for_each_unit_panel(F&& f) const {
  std::fill(panel_in_.begin(), panel_in_.end(), Lanes(0));
  for (int first = 0; first < num_rows_; first += kPanel) {
    const int count = std::min(kPanel, num_rows_ - first);
    for (int k = 0; k < count; ++k) set_lane<T>(panel_in_[first + k], k, T(1));
    condensed_product(rows_, plan_, configuration_, panel_in_.data(), panel_out_.data(), panel_sweep_);
    f(first, count);
    for (int k = 0; k < count; ++k) panel_in_[first + k] = Lanes(0);
  }
}

template <class T>
CallStatus CondensedDelassus<T>::apply_panel(MatrixIn<T> x, MatrixOut<T> y) const {
  if (const Status s = check_panels(x, y, num_rows_); !s.ok()) return spoiled(s, y);
  for_each_panel(x, y, [&](const Lanes* in, Lanes* out) {
    condensed_product(rows_, plan_, configuration_, in, out, panel_sweep_);
  });
  return {};
}

/// The two sweeps over all links, not only over nodes: all joints move.
template <class T>
CallStatus CondensedDelassus<T>::joint_response(In<T> x, Out<T> acceleration) const {
  if (!factored_) return spoiled(kTooEarly, acceleration);
  if (const Status s = check_vectors(x, num_rows_, acceleration, model_.nv()); !s.ok()) return spoiled(s, acceleration);
  begin_row_response(model_, configuration_.art, rows_, x, response_);
  respond_forces(Reach::kFelt, response_);
  respond_motions(Reach::kAll, response_);
  for (int k = 0; k < model_.nv(); ++k) acceleration[k] = response_.joint[k];
  return {};
}

template <class T>
CallStatus CondensedDelassus<T>::respond_forces(Reach reach, Sweep<T>& sweep) const {
  if (!articulated_) return kTooEarly;
  sweep_forces<T, T>(model_, configuration_.art, reach == Reach::kAll ? jointed_ : felt_, sweep);
  return {};
}

template <class T>
CallStatus CondensedDelassus<T>::respond_motions(Reach reach, Sweep<T>& sweep) const {
  if (!articulated_) return kTooEarly;
  for (const std::int32_t i : free_) respond_freely(i, sweep);
  sweep_motions<T, T>(model_, configuration_.art, reach == Reach::kAll ? jointed_ : felt_, sweep);
  return {};
}

/// A free joint on the world: forces on its joint are those on its link in other axes, since S is orthogonal at the link's
/// origin.
template <class T>
void CondensedDelassus<T>::respond_freely(int link, Sweep<T>& sweep) const {
  const Motion<T>* S = &configuration_.art.frames.S[model_.link(link).v];
  T* joint = &sweep.joint[model_.link(link).v];
  Force<T> force = LinkExchange<T>::whole(model_, link, sweep.force[link]);
  for (int k = 0; k < 6; ++k) {
    const T at_joint = LinkExchange<T>::whole(model_, link, joint[k]);
    force += Force<T>{at_joint * S[k].angular, at_joint * S[k].linear};
  }
  const Motion<T> a = yielding(configuration_.yield[plan_.free_of[link]], force);
  for (int k = 0; k < 6; ++k) joint[k] = dot(S[k].angular, a.angular) + dot(S[k].linear, a.linear);
  sweep.motion[link] = a;
}

template <class T>
Status CondensedDelassus<T>::update_damping(const Damping<T>& damping) {
  if (!damping.fits(std::span(rows_.spans).first(num_rows_ > 0 ? rows_.spans.size() : 0), num_rows_))
    return {Status::Code::kBadArgument, 0};
  damped_ = num_rows_ == 0;
  checks_ = differ_ = false;
  if constexpr (kFallsBack) fallback_.forget_damping();
  if (num_rows_ == 0) return {};
  if (configuration_.products_only) return kTooEarly;
  Status status = set_weights(std::span<const RowSpan>(rows_.spans), num_rows_, damping, damping_.rows);
  if (status.ok()) status = damp(model_, rows_, plan_, configuration_, damping_);
  if (!status.ok()) return status;
  damped_ = true;
  // What redundant multipliers take from each other shows in no pivot, nor does the condition of blocks of damping, for which
  // two digits are set aside.
  const double limit = trusted_growth<T>(options_) / (damping.kind() == Damping<T>::Kind::kBlocks ? 100 : 1);
  const bool may_trust = !options_.check_always && plan_.multipliers.nodes.size() <= 1 && mass_ratio_ < limit;
  const bool trusted = may_trust && all_lanes(damping_.growth < T(limit));
  checks_ = options_.refinements > 0 && !trusted;
  differ_ = checks_ && may_trust && is_mixed<T>(damping_.growth < T(limit));
  return status;
}

template <class T>
void CondensedDelassus<T>::solve_once(const T* b, T* z) const {
  if (num_rows_ > 0) condensed_solve(rows_, plan_, configuration_, damping_, b, z, sweep_);
}

/// remainder = b - (R⁻¹ + Λ⁻¹) z; returns its largest entry, and no number if one is none.
template <class T>
T CondensedDelassus<T>::find_remainder(const T* b, const T* z) const {
  product(z, remainder_.data());
  multiply_damping<T, T>(rows_.spans, num_rows_, damping_.rows, z, damped_part_.data());
  T sum(0);
  for (int r = 0; r < num_rows_; ++r) sum += remainder_[r] = b[r] - damped_part_[r] - remainder_[r];
  return largest(remainder_.data(), num_rows_) + (sum - sum);  // no number if one of them is none
}

template <class T>
T CondensedDelassus<T>::rounding_of(const T& scale) const {
  return T(kRounding<T>) * scale + T(std::numeric_limits<Base<T>>::min());
}

template <class T>
T CondensedDelassus<T>::tolerated(const T& scale) const {
  return T(tolerance_of<T>(options_)) * scale;
}

/// `right_`, `residual_` and `remainder_` are those of the last refinement.
template <class T>
Status CondensedDelassus<T>::status_of_lane(int lane) const {
  const T scale = largest(right_.data(), num_rows_);
  const auto residual = number_in(residual_, lane);
  if (all_lanes(residual < number_in(tolerated(scale), lane)) ||
      all_lanes(residual < number_in(rounding_of(scale), lane)))
    return {};
  int worst = 0;
  for (int r = 1; r < num_rows_; ++r) {
    const auto most = magnitude(number_in(remainder_[worst], lane));
    if (all_lanes(most < magnitude(number_in(remainder_[r], lane)))) worst = r;
  }
  return {Status::Code::kInaccurate, worst};
}

template <class T>
Status CondensedDelassus<T>::refine(VectorView<T> z) const {
  const T scale = largest(right_.data(), num_rows_);
  const T rounding = rounding_of(scale);
  residual_ = delassus::refine<T>(
      options_.refinements, rounding, num_rows_, z.data(), remainder_.data(), step_.data(),
      [&](const T* b, T* x) { solve_once(b, x); }, [&](const T* x) { return find_remainder(right_.data(), x); });
  if (!all_lanes(residual_ < max(tolerated(scale), rounding))) fall_back(z);
  if (all_lanes(residual_ < tolerated(scale)) || all_lanes(residual_ < rounding)) return {};
  find_remainder(right_.data(), z.data());
  return {Status::Code::kInaccurate, worst_row(remainder_.data(), num_rows_)};
}

/// Of `right_`, with the damping that there is.
template <class T>
void CondensedDelassus<T>::fall_back(VectorView<T> z) const {
  if constexpr (kFallsBack) {
    if (!options_.may_fall_back(num_rows_)) return;
    const RowWeights<T>& w = damping_.rows;
    const bool blocks = w.kind == Damping<T>::Kind::kBlocks;
    const VectorView<const T> rows(w.damping.data(), num_rows_);
    fallback_.improve(*this, blocks ? Damping<T>::blocks(w.damping) : Damping<T>(rows), rows_.spans,
                      VectorView<const T>(right_.data(), num_rows_), z, remainder_, residual_);
    used_matrix_ = used_matrix_ || fallback_.used();
  }
}

template <class T>
Status CondensedDelassus<T>::solve(In<T> b, Out<T> z) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_vectors(b, num_rows_, z, num_rows_); !s.ok()) return s;
  residual_ = T(std::numeric_limits<double>::quiet_NaN());
  differ_ = used_matrix_ = false;
  if (!checks_ && b.data() != z.data()) {
    solve_once(b.data(), z.data());
    if (!has_cancelled<T>(sweep_, z.data())) return {};
    std::copy_n(b.data(), num_rows_, right_.data());
    return refine(z);
  }
  std::copy_n(b.data(), num_rows_, right_.data());
  solve_once(right_.data(), z.data());
  return checks_ || has_cancelled<T>(sweep_, z.data()) ? refine(z) : Status{};
}

/// Whether rows whose solution is a difference have lost too many digits in it in the last solve, in some lane.
template <class T>
template <class X>
bool CondensedDelassus<T>::has_cancelled(const NodeSweep<X>& sweep, const X* z) const {
  if (options_.refinements == 0 || plan_.differences.empty()) return false;
  X weighted(0);
  for (const CondensedPlan::Range& run : plan_.differences) {
    weighted = max(weighted, largest(sweep.weighted.data() + run.first, run.count));
  }
  const X most = largest(z, num_rows_);
  const auto kept = weighted < X(trusted_cancellation<T>(options_)) * most + X(std::numeric_limits<Base<T>>::min());
  if constexpr (std::same_as<X, T>) differ_ = is_mixed<T>(kept);
  return !all_lanes(kept);
}

/// Refines each column of a panel.
template <class T>
Status CondensedDelassus<T>::refine_lanes(const Lanes* b, Lanes* z) const {
  Status worst;
  T largest_residual(0);
  for (int k = 0; k < kPanel; ++k) {
    for (int r = 0; r < num_rows_; ++r) {
      right_[r] = lane<T>(b[r], k);
      solution_[r] = lane<T>(z[r], k);
    }
    const Status status = refine(VectorView<T>(solution_.data(), num_rows_));
    if (worst.ok()) worst = status;
    largest_residual = max(largest_residual, residual_);
    for (int r = 0; r < num_rows_; ++r) set_lane<T>(z[r], k, solution_[r]);
  }
  residual_ = largest_residual;
  return worst;
}

template <class T>
Status CondensedDelassus<T>::solve_panel(MatrixIn<T> b, MatrixOut<T> z) const {
  if (!damped_) return kTooEarly;
  if (const Status s = check_panels(b, z, num_rows_); !s.ok()) return s;
  used_matrix_ = false;
  Status worst;
  if (!checks_) {
    residual_ = T(std::numeric_limits<double>::quiet_NaN());
    for_each_panel(b, z, [&](const Lanes* in, Lanes* out) {
      condensed_solve(rows_, plan_, configuration_, damping_, in, out, panel_sweep_);
      if (!has_cancelled<Lanes>(panel_sweep_, out)) return;
      const Status status = refine_lanes(in, out);
      if (worst.ok()) worst = status;
    });
    return worst;
  }
  T largest_residual(0);
  for (int c = 0; c < b.cols(); ++c) {
    for (int r = 0; r < num_rows_; ++r) right_[r] = b(r, c);
    solve_once(right_.data(), solution_.data());
    const Status status = refine(VectorView<T>(solution_.data(), num_rows_));
    if (worst.ok()) worst = status;
    largest_residual = max(largest_residual, residual_);
    for (int r = 0; r < num_rows_; ++r) z(r, c) = solution_[r];
  }
  residual_ = largest_residual;
  return worst;
}

template <class T>
CallStatus CondensedDelassus<T>::dense(MatrixOut<T> out) const {
  if (const Status s = check_matrix(out, num_rows_, num_rows_); !s.ok()) return spoiled(s, out);
  for_each_unit_panel([&](int first, int count) {
    for (int k = 0; k < count; ++k) {
      for (int r = first + k; r < num_rows_; ++r) out(r, first + k) = out(first + k, r) = lane<T>(panel_out_[r], k);
    }
  });
  return {};
}

template <class T>
CallStatus CondensedDelassus<T>::diagonal(Out<T> out) const {
  if (const Status s = check_sizes({{0, out.size(), num_rows_}}); !s.ok()) return spoiled(s, out);
  for_each_unit_panel([&](int first, int count) {
    for (int k = 0; k < count; ++k) out[first + k] = lane<T>(panel_out_[first + k], k);
  });
  return {};
}

template <class T>
std::size_t CondensedDelassus<T>::bytes() const {
  std::size_t fallback = 0;
  if constexpr (kFallsBack) fallback = fallback_.bytes();
  return fallback + plan_.bytes() + planner_.bytes() + rows_.bytes() + configuration_.bytes() + damping_.bytes() +
         sweep_.bytes() + panel_sweep_.bytes() + response_.bytes() +
         heap_bytes(remainder_, step_, right_, solution_, damped_part_, panel_in_, panel_out_, jointed_, felt_, quiet_,
                    free_);
}

#define DELASSUS_INSTANTIATE(T)        \
  template class CondensedDelassus<T>; \
  static_assert(DelassusOperator<CondensedDelassus<T>, T>);
DELASSUS_FOR_EACH_TREE_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
