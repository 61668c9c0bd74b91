#include "delassus/solvers/constrained_aba.hpp"

#include <algorithm>

#include "delassus/dynamics/forward_dynamics.hpp"
#include "dynamics/row_response.hpp"
#include "math/instantiate.hpp"

namespace delassus {

/// Steps move λ and the motion together.
template <class T>
class ConstrainedAba<T>::Problem {
 public:
  Problem(ConstrainedAba& self, const State<T>& state, In<T> tau, In<T> target, Out<T> lambda)
      : self_(self), state_(state), tau_(tau), target_(target), lambda_(lambda) {
    begin_with_free_motion();
  }

  int rows() const { return self_.op_.rows(); }
  T scale() { return size_of_operator<T>(self_.op_, self_.work_.step, self_.work_.remainder); }
  T size() const { return size_; }
  T terms() const { return terms_; }
  Status damp(const T& damping) { return self_.op_.update_damping(Damping<T>(damping)); }

  void find_remainder() {
    find_missing_wrenches();
    std::vector<T>& r = self_.work_.remainder;
    read_row_response<T>(art(), state_.rows(), self_.motion_, r);
    for (int k = 0; k < rows(); ++k) r[k] = target_[k] - r[k];
  }

  Status find_step() {
    self_.op_.solve_system(self_.step_, self_.work_.remainder, self_.work_.step);
    return {};
  }

  /// Not needed: the motion is a solution apart, not what the force makes of it.
  Status refine_step(const T&) { return {}; }
  void filter(const T& damping) {
    for (int r = 0; r < rows(); ++r) self_.work_.remainder[r] -= damping * self_.work_.step[r];
    find_missing_wrenches();  // the last step has used them up
  }

  void advance(const T& steps) {
    for (int r = 0; r < rows(); ++r) lambda_[r] += steps * self_.work_.step[r];
    for (int i = 0; i < model().num_links(); ++i) self_.motion_.motion[i] += scaled(self_.step_.motion[i], steps);
    for (int k = 0; k < model().nv(); ++k) self_.motion_.joint[k] += steps * self_.step_.joint[k];
    const T change = largest(self_.step_.joint.data(), model().nv());
    const T most = max(free_size_, largest(self_.motion_.joint.data(), model().nv()));
    balanced_ = !all_lanes(T(self_.method_.options().tolerance) * most < change);
  }

  T reach() { return reach_of_remainder<T>(self_.op_, self_.work_); }
  Status damp_by_rows(const T& part) { return damp_by_diagonal<T>(self_.op_, part, self_.work_); }
  void save() {
    std::copy_n(lambda_.data(), rows(), self_.work_.saved.data());
    self_.saved_ = self_.motion_;
  }
  void restore() {
    std::copy_n(self_.work_.saved.data(), rows(), lambda_.data());
    self_.motion_ = self_.saved_;
  }

  /// The motion has come to rest: forces are in balance as well as rounding allows.
  bool is_balanced() const { return balanced_; }

  VectorView<const T> force() const { return {lambda_.data(), rows()}; }
  VectorView<const T> remainder() const { return self_.work_.remainder; }
  VectorView<const T> step() const { return self_.work_.step; }

 private:
  const Model& model() const { return state_.model(); }
  const Articulation<T>& art() const { return self_.op_.articulation(); }

  /// Says how large row accelerations are as well.
  void begin_with_free_motion() {
    begin_forward_dynamics<T>(model(), state_.kinematics(), state_.velocities(), art(), tau_, self_.motion_);
    for (int i = 0; i < model().num_links(); ++i) self_.bias_[i] = self_.motion_.force[i];
    self_.op_.respond_forces(Reach::kAll, self_.motion_);
    self_.op_.respond_motions(Reach::kAll, self_.motion_);
    std::vector<T>& r = self_.work_.remainder;
    free_size_ = largest(self_.motion_.joint.data(), model().nv());
    terms_ = read_row_response<T>(art(), state_.rows(), self_.motion_, r);
    size_ = max(largest(r.data(), rows()), largest(target_.data(), rows()));
    balanced_ = !all_lanes(T(0) < largest(lambda_.data(), rows())) && require_finite<T>(force()).ok();
  }

  /// w_i = Σ Kᵀλ - I_i a_i + (bias) on links, τ - (armature) ν̇ + Σ weight λ on joints.
  void find_missing_wrenches() {
    begin_row_response<T>(model(), art(), state_.rows(), VectorView<const T>(lambda_.data(), rows()), self_.step_);
    for (int i = 0; i < model().num_links(); ++i) {
      const Vec3<T>& lever = art().frames.lever[i];
      const Motion<T> a = shifted(self_.motion_.motion[i], lever);
      self_.step_.force[i] += self_.bias_[i] - shifted(state_.kinematics().inertia[i] * a, lever);
    }
    for (int k = 0; k < model().nv(); ++k) {
      self_.step_.joint[k] += tau_[k] - T(model().armature()[k]) * self_.motion_.joint[k];
    }
  }

  ConstrainedAba& self_;
  const State<T>& state_;
  VectorView<const T> tau_, target_;
  VectorView<T> lambda_;
  T size_{0}, terms_{0}, free_size_{0};
  bool balanced_ = false;
};

template <class T>
ConstrainedAba<T>::ConstrainedAba(const Model& model, const ProximalOptions& options)
    : op_(model, LcabaOptions{.refinements = 0}),
      method_(options),
      motion_(model),
      step_(model),
      saved_(model),
      bias_(static_cast<std::size_t>(model.num_links()), Force<T>::zero()) {}

template <class T>
void ConstrainedAba<T>::update_structure(const State<T>& state) {
  op_.update_structure(state.model(), state.rows());
  factored_ = false;
  work_.reserve(state.num_rows());
  method_.reserve(state.num_rows());
}

template <class T>
Status ConstrainedAba<T>::factor(const State<T>& state) {
  const Status status = op_.factor(state);
  factored_ = status.ok();
  return status;
}

template <class T>
Status ConstrainedAba<T>::solve(const State<T>& state, In<T> tau, In<T> target, Out<T> qdd, Out<T> lambda) {
  if (!factored_) return kTooEarly;
  const int m = op_.rows(), nv = static_cast<int>(motion_.joint.size());
  const Status fits = check_sizes({{0, state.num_rows(), m},
                                   {0, state.model().nv(), nv},
                                   {1, tau.size(), nv},
                                   {2, target.size(), m},
                                   {3, qdd.size(), nv},
                                   {4, lambda.size(), m},
                                   check_apart(4, target.data(), lambda.data(), m)});
  if (!fits.ok()) return fits;
  work_.resize(op_.rows());
  Problem problem(*this, state, tau, target, lambda);
  const Status status = method_.solve(problem);
  for (int k = 0; k < qdd.size(); ++k) qdd[k] = motion_.joint[k];
  return status.ok() ? require_finite<T>(motion_.joint) : status;  // past the rows as well
}

#define DELASSUS_INSTANTIATE(T) template class ConstrainedAba<T>;
DELASSUS_FOR_EACH_OPERATOR_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
