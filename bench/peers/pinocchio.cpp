// Pinocchio, from its headers alone: compiled here, with the instructions that this library is compiled with, however the
// installed library was built.
#include "bench/peers/eigen_rows.hpp"
#include "bench/peers/robot_pinocchio.hpp"

namespace delassus::bench {
namespace {

using cli::PinocchioRobot;

std::vector<PinocchioRobot::Contact> contacts_of(const PeerCase& given) {
  std::vector<PinocchioRobot::Contact> out;
  for (const PeerContact& contact : given.contacts) out.push_back({contact.link, contact.point});
  return out;
}

class PinocchioPeer final : public Peer {
 public:
  explicit PinocchioPeer(const PeerCase& given)
      : damping_(given.damping), right_side_(as_eigen(given.right_side)), robot_(given.model, contacts_of(given)) {
    for (const PeerState& s : given.states) {
      states_.push_back({as_eigen(s.q), as_eigen(s.v), as_eigen(s.qdd), as_eigen(s.tau)});
    }
    add_verbs();
  }

 private:
  struct State {
    Eigen::VectorXd q, v, qdd, tau;
  };

  using Vector = PinocchioRobot::Vector;
  using Matrix = PinocchioRobot::Matrix;

  /// `find` is the call, and once more for its result.
  template <class Find>
  void add_verb(PeerCall call, const std::string& how, Find find) {
    add(call, {how,
               [this, find](int s) {
                 last_ = &states_[s];
                 find(*last_);
               },
               [this, find] { return entries_of(find(*last_)); }});
  }
  void add_verbs() {
    add(PeerCall::kKinematics, {"forwardKinematics", [this](int s) { robot_.update_kinematics(states_[s].q); },
                                [this] { return contact_positions(); }});
    add_verb(PeerCall::kInverseDynamics, "rnea",
             [this](const State& s) -> const Vector& { return robot_.inverse_dynamics(s.q, s.v, s.qdd); });
    add_conventions(PinocchioRobot::Axes::kLocal, "Convention::LOCAL");
    add_conventions(PinocchioRobot::Axes::kWorld, "Convention::WORLD");
    add_verb(PeerCall::kJacobian, "computeJointJacobians, getFrameJacobian for each contact",
             [this](const State& s) -> const Matrix& { return robot_.jacobian(s.q); });
    add_matrix("computeDelassusMatrix", PinocchioRobot::MatrixBy::kEfpa);
    add_matrix("computePvDelassusMatrix", PinocchioRobot::MatrixBy::kPv);
    add_matrix("crba, ContactCholeskyDecomposition", PinocchioRobot::MatrixBy::kCholesky);
    add_verb(PeerCall::kDampedSolve, "crba, ContactCholeskyDecomposition",
             [this](const State& s) -> const Vector& { return robot_.damped_solve(s.q, damping_, right_side_); });
    add_constrained("constraintDynamics", PinocchioRobot::ConstrainedBy::kConstraintDynamics);
    add_constrained("pv", PinocchioRobot::ConstrainedBy::kPv);
    add_constrained("constrainedABA", PinocchioRobot::ConstrainedBy::kConstrainedAba);
  }
  void add_conventions(PinocchioRobot::Axes axes, const std::string& name) {
    add_verb(PeerCall::kInertia, "crba, " + name + ", lower triangle copied",
             [this, axes](const State& s) -> const Matrix& { return robot_.inertia(s.q, axes); });
    add_verb(PeerCall::kForwardDynamics, "aba, " + name,
             [this, axes](const State& s) -> const Vector& { return robot_.forward_dynamics(s.q, s.v, s.tau, axes); });
  }
  void add_matrix(const std::string& how, PinocchioRobot::MatrixBy by) {
    add(PeerCall::kDelassus, {how,
                              [this, by](int s) {
                                last_ = &states_[s];
                                robot_.delassus(last_->q, by);
                              },
                              [this, by] { return entries_of(in_world_axes(robot_.delassus(last_->q, by))); }});
  }
  /// Dampings about its hint, 1e-6, and few steps: the fewest that are right are the fastest.
  void add_constrained(const std::string& how, PinocchioRobot::ConstrainedBy by) {
    for (const char* damping : {"1e-4", "1e-6", "1e-8", "1e-10"}) {
      for (const int steps : {1, 2, 3, 5, 10, 20}) {
        const PinocchioRobot::Proximal proximal{std::stod(damping), steps};
        add_verb(PeerCall::kConstrainedDynamics,
                 how + ", mu " + damping + ", at most " + std::to_string(steps) + " iterations",
                 [this, by, proximal](const State& s) -> const Vector& {
                   return robot_.constrained_dynamics(s.q, s.v, s.tau, by, proximal);
                 });
      }
    }
  }

  std::vector<double> contact_positions() const {
    Eigen::VectorXd positions(right_side_.size());
    for (Eigen::Index k = 0; k < num_contacts(); ++k) {
      positions.segment<3>(3 * k) = robot_.position_of(static_cast<std::size_t>(k));
    }
    return entries_of(positions);
  }

  Eigen::Index num_contacts() const { return right_side_.size() / 3; }
  /// Its upper triangle, which is all that was computed, with rows and columns in the axes of the world.
  Eigen::MatrixXd in_world_axes(const Eigen::MatrixXd& upper) {
    robot_.update_kinematics(last_->q);
    Eigen::MatrixXd R = Eigen::MatrixXd::Zero(upper.rows(), upper.rows());
    for (Eigen::Index k = 0; k < num_contacts(); ++k) {
      R.block<3, 3>(3 * k, 3 * k) = robot_.axes_of(static_cast<std::size_t>(k));
    }
    const Eigen::MatrixXd full = upper.selfadjointView<Eigen::Upper>();
    return R * full * R.transpose();
  }

  double damping_;
  Eigen::VectorXd right_side_;
  PinocchioRobot robot_;
  std::vector<State> states_;
  const State* last_ = nullptr;
};

const PeerEntry kEntry{
    "Pinocchio", PinocchioRobot::version(), Library::kPinocchio,
    [](const PeerCase& given) -> std::unique_ptr<Peer> { return std::make_unique<PinocchioPeer>(given); }};

}  // namespace
}  // namespace delassus::bench

const delassus::bench::PeerEntry* delassus_peer() { return &delassus::bench::kEntry; }
