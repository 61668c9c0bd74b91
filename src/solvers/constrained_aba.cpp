#include "delassus/solvers/constrained_aba.hpp"

#include <algorithm>

#include "dynamics/articulated_body.hpp"
#include "dynamics/row_response.hpp"
#include "math/instantiate.hpp"
#include "solvers/operator_work.hpp"
#include "solvers/proximal_method.hpp"

namespace delassus {

template <class T>
struct ConstrainedAba<T>::Work {
  Work(const Model& model, const ProximalOptions& options)
      : op(model, LcabaOptions{.refinements = 0}),
        method(options),
        motion(model),
        step(model),
        saved(model),
        bias(static_cast<std::size_t>(model.num_links()), Force<T>::zero()) {}

  bool factored = false;
  LcabaDelassus<T> op;
  ProximalMethod<T> method;
  OperatorWork<T> vectors;  // r and Δλ
  Sweep<T> motion;          // of links and joints so far
  Sweep<T> step;            // w in, Δν̇ out
  Sweep<T> saved;
  std::vector<Force<T>> bias;  // -h as a wrench on each link
};

/// Steps move λ and the motion together.
template <class T>
class ConstrainedAba<T>::Problem {
 public:
  Problem(Work& self, const State<T>& state, In<T> tau, In<T> target, Out<T> lambda)
      : self_(self), state_(state), tau_(tau), target_(target), lambda_(lambda) {
    begin_with_free_motion();
  }

  int rows() const { return self_.op.rows(); }
  T scale() { return size_of_operator<T>(self_.op, self_.vectors.step, self_.vectors.remainder); }
  T size() const { return size_; }
  T terms() const { return terms_; }
  Status damp(const T& damping) { return self_.op.update_damping(Damping<T>(damping)); }

  void find_remainder() {
    find_missing_wrenches();
    std::vector<T>& r = self_.vectors.remainder;
    read_row_response<T>(art(), state_.rows(), self_.motion, r);
    for (int k = 0; k < rows(); ++k) r[k] = target_[k] - r[k];
  }

  Status find_step() {
    self_.op.solve_system(self_.step, self_.vectors.remainder, self_.vectors.step);
    return {};
  }

  /// Not needed: the motion is a solution apart, not what the force makes of it.
  Status refine_step(const T&) { return {}; }
  void filter(const T& damping) {
    for (int r = 0; r < rows(); ++r) self_.vectors.remainder[r] -= damping * self_.vectors.step[r];
    find_missing_wrenches();  // the last step has used them up
  }

  void advance(const T& steps) {
    for (int r = 0; r < rows(); ++r) lambda_[r] += steps * self_.vectors.step[r];
    for (int i = 0; i < model().num_links(); ++i) self_.motion.motion[i] += scaled(self_.step.motion[i], steps);
    for (int k = 0; k < model().nv(); ++k) self_.motion.joint[k] += steps * self_.step.joint[k];
    const T change = largest(self_.step.joint.data(), model().nv());
    const T most = max(free_size_, largest(self_.motion.joint.data(), model().nv()));
    balanced_ = !all_lanes(T(self_.method.options().tolerance) * most < change);
  }

  T reach() { return reach_of_remainder<T>(self_.op, self_.vectors); }
  Status damp_by_rows(const T& part) { return damp_by_diagonal<T>(self_.op, part, self_.vectors); }
  void save() {
    std::copy_n(lambda_.data(), rows(), self_.vectors.saved.data());
    self_.saved = self_.motion;
  }
  void restore() {
    std::copy_n(self_.vectors.saved.data(), rows(), lambda_.data());
    self_.motion = self_.saved;
  }

  /// The motion has come to rest: forces are in balance as well as rounding allows.
  bool is_balanced() const { return balanced_; }

  VectorView<const T> force() const { return {lambda_.data(), rows()}; }
  VectorView<const T> remainder() const { return self_.vectors.remainder; }
  VectorView<const T> step() const { return self_.vectors.step; }

 private:
  const Model& model() const { return state_.model(); }
  const Articulation<T>& art() const { return self_.op.articulation(); }

  /// Says how large row accelerations are as well.
  void begin_with_free_motion() {
    begin_forward_dynamics<T>(model(), state_.kinematics(), state_.velocities(), art(), tau_, self_.motion);
    for (int i = 0; i < model().num_links(); ++i) self_.bias[i] = self_.motion.force[i];
    self_.op.respond_forces(Reach::kAll, self_.motion);
    self_.op.respond_motions(Reach::kAll, self_.motion);
    std::vector<T>& r = self_.vectors.remainder;
    free_size_ = largest(self_.motion.joint.data(), model().nv());
    terms_ = read_row_response<T>(art(), state_.rows(), self_.motion, r);
    size_ = max(largest(r.data(), rows()), largest(target_.data(), rows()));
    balanced_ = !all_lanes(T(0) < largest(lambda_.data(), rows())) && require_finite<T>(force()).ok();
  }

  /// w_i = Σ Kᵀλ - I_i a_i + (bias) on links, τ - (armature) ν̇ + Σ weight λ on joints.
  void find_missing_wrenches() {
    begin_row_response<T>(model(), art(), state_.rows(), VectorView<const T>(lambda_.data(), rows()), self_.step);
    for (int i = 0; i < model().num_links(); ++i) {
      const Vec3<T>& lever = art().frames.lever[i];
      const Motion<T> a = shifted(self_.motion.motion[i], lever);
      self_.step.force[i] += self_.bias[i] - shifted(state_.kinematics().inertia[i] * a, lever);
    }
    for (int k = 0; k < model().nv(); ++k) {
      self_.step.joint[k] += tau_[k] - T(model().armature()[k]) * self_.motion.joint[k];
    }
  }

  Work& self_;
  const State<T>& state_;
  VectorView<const T> tau_, target_;
  VectorView<T> lambda_;
  T size_{0}, terms_{0}, free_size_{0};
  bool balanced_ = false;
};

template <class T>
ConstrainedAba<T>::ConstrainedAba(const Model& model, const ProximalOptions& options)
    : work_(std::in_place, model, options) {}

template <class T>
void ConstrainedAba<T>::update_structure(const State<T>& state) {
  work_->op.update_structure(state.model(), state.rows());
  work_->factored = false;
  work_->vectors.reserve(state.num_rows());
  work_->method.reserve(state.num_rows());
}

template <class T>
Status ConstrainedAba<T>::factor(const State<T>& state) {
  const Status status = work_->op.factor(state);
  work_->factored = status.ok();
  return status;
}

template <class T>
Status ConstrainedAba<T>::solve(const State<T>& state, In<T> tau, In<T> target, Out<T> qdd, Out<T> lambda) {
  if (!work_->factored) return kTooEarly;
  const int m = work_->op.rows(), nv = static_cast<int>(work_->motion.joint.size());
  const Status fits = check_sizes({{0, state.num_rows(), m},
                                   {0, state.model().nv(), nv},
                                   {1, tau.size(), nv},
                                   {2, target.size(), m},
                                   {3, qdd.size(), nv},
                                   {4, lambda.size(), m},
                                   check_apart(4, target.data(), lambda.data(), m)});
  if (!fits.ok()) return fits;
  work_->vectors.resize(work_->op.rows());
  Problem problem(*work_, state, tau, target, lambda);
  const Status status = work_->method.solve(problem);
  for (int k = 0; k < qdd.size(); ++k) qdd[k] = work_->motion.joint[k];
  return status.ok() ? require_finite<T>(work_->motion.joint) : status;  // past the rows as well
}

template <class T>
const LcabaDelassus<T>& ConstrainedAba<T>::op() const {
  return work_->op;
}

template <class T>
const ProximalReport<T>& ConstrainedAba<T>::report() const {
  return work_->method.report();
}

template <class T>
const std::vector<T>& ConstrainedAba<T>::remainder() const {
  return work_->vectors.remainder;
}

#define DELASSUS_INSTANTIATE(T) template class ConstrainedAba<T>;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
